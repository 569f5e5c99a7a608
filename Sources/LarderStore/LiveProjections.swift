// What the projections in a store are to this build: those it keeps up to date as it writes, those
// it has to make first, those a newer build has made, and those it knows nothing of.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// A generation of a projection's tables, as the store knows it.
struct ProjectionGeneration: Sendable {
  /// What a generation is there for.
  enum State: String, Sendable {
    /// Its tables have the promised names.
    case live
    /// A rebuild fills it.
    case building
    /// It was live, and can be taken back.
    case kept
  }

  let name: String
  let generation: Int64
  let state: State
  let version: Int64
  let shape: Bytes16
  let digest: Bytes16
  /// The last stream that was folded into one that is being built.
  let cursor: Bytes16?
  /// The live names of its tables, one that refers to another behind it.
  let tables: [String]

  /// Where its tables are.
  var place: ProjectionPlan.Place { state == .live ? .live : .generation(generation) }

  /// All generations, by name and number.
  static func all(_ connection: borrowing Connection) throws(SQLError) -> [ProjectionGeneration] {
    // The first format had one projection, and its generation.
    let isFirstFormat = try connection.currentVersion() < 2
    let select =
      try isFirstFormat
      ? connection.prepare(
        """
        SELECT name, generation, 'live', version, zeroblob(16), digest, NULL,
          'MealEntries NutritionLogs _mealStreams' FROM _projections
        """)
      : connection.prepare(
        """
        SELECT name, generation, state, version, shape, digest, cursor, tables FROM _projections
        ORDER BY name, generation
        """)
    return try select.map {
      ProjectionGeneration(
        name: $0.text(0), generation: $0.int64(1), state: State(rawValue: $0.text(2)) ?? .kept,
        version: $0.int64(3), shape: $0.bytes16(4), digest: $0.bytes16(5),
        cursor: $0.optionalBytes16(6), tables: $0.text(7).split(separator: " ").map(String.init))
    }
  }

  /// Whether this is what `plan` makes.
  func isMade(by plan: ProjectionPlan) -> Bool {
    name == plan.name && version == plan.version && shape == plan.shape
  }
}

/// The projections of a store, for whoever writes it.
final class LiveProjections {
  /// Those that are folded as events come.
  let live: [ProjectionPlan]
  /// Those that have to be made before anything is written.
  let outdated: [ProjectionPlan]
  /// A projection that a newer build has made.
  let newer: ProjectionGeneration?
  /// Generations whose streams are only noted.
  let followers: [ProjectionGeneration]
  /// Whether streams that were noted, or not understood, can be folded now.
  let hasArrears: Bool
  /// Which of `live` read an event.
  let readers: ProjectionReaders
  /// The statements of those of `live` that were used.
  private var tables: [String: ProjectionTables]

  /// - Parameter previous: what was known before, whose statements are used again.
  init(
    _ plans: [ProjectionPlan], schema: EventSchema, previous: LiveProjections?,
    _ connection: borrowing Connection
  ) throws(SQLError) {
    let all = try ProjectionGeneration.all(connection)
    var live: [ProjectionPlan] = []
    var outdated: [ProjectionPlan] = []
    var newer: ProjectionGeneration?
    var folded: Set<String> = []
    for plan in plans {
      let found = all.first { $0.name == plan.name && $0.state == .live }
      if let found, found.isMade(by: plan) {
        live.append(plan)
        folded.insert(plan.name)
      } else if let found, found.version > plan.version {
        newer = found
      } else {
        outdated.append(plan)
      }
    }
    self.live = live
    self.outdated = outdated
    self.newer = newer
    readers = ProjectionReaders(live)
    tables = previous?.tables.filter { folded.contains($0.key) } ?? [:]
    followers = all.filter { $0.state != .live || !folded.contains($0.name) }
    hasArrears = try Self.arrears(live, schema: schema, limit: 1, connection).isEmpty == false
  }

  /// The statements of `live[place]`.
  func tables(
    at place: Int, _ connection: borrowing Connection
  ) throws(SQLError) -> ProjectionTables {
    let plan = live[place]
    if let known = tables[plan.name] { return known }
    let made = try ProjectionTables(plan, .live, connection)
    tables[plan.name] = made
    return made
  }

  /// Writes what a transaction counted for summaries.
  func flush() throws(SQLError) {
    for tables in tables.values { try tables.flush() }
  }

  /// Forgets what a transaction that failed counted.
  func discard() {
    for tables in tables.values { tables.discard() }
  }

  /// Streams whose rows are behind: noted by a build without the projection, or holding events that
  /// no build could read until now.
  static func arrears(
    _ live: [ProjectionPlan], schema: EventSchema, limit: Int,
    _ connection: borrowing Connection
  ) throws(SQLError) -> [StreamID] {
    var result: [StreamID] = []
    let noted = try connection.prepare(
      """
      SELECT r.stream FROM _refolds r JOIN _projections p USING (name, generation)
      WHERE p.name = ?1 AND p.state = 'live' LIMIT ?2
      """)
    for plan in live where result.count < limit {
      result += try noted.map(plan.name, limit) { StreamID($0.bytes16(0)) }
    }
    if result.count < limit {
      let kinds = try connection.prepare(
        "SELECT DISTINCT kind, version FROM _unfolded WHERE projection = ''"
      ).map { (EventKind($0.text(0)), UInt16(clamping: $0.int64(1))) }
      let streams = try connection.prepare(
        """
        SELECT DISTINCT stream FROM _unfolded WHERE projection = '' AND kind = ? AND version = ?
        LIMIT ?
        """)
      for case let (kind?, version) in kinds
      where schema.readability(of: kind, version: version) == .readable {
        result += try streams.map(kind.name, Int64(version), limit) { StreamID($0.bytes16(0)) }
      }
    }
    return result
  }
}
