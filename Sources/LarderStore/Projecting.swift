// From a stream's events to its rows: the one way, live, in a rebuild and where both are compared.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

enum Projecting {
  /// `events` by stream, in the order of the streams' first ones; those of control streams are
  /// about no row.
  static func byStream(_ events: [Event]) -> [(stream: StreamID, events: [Event])] {
    var result: [(stream: StreamID, events: [Event])] = []
    var places: [StreamID: Int] = [:]
    for event in events where event.header.stream != .control {
      let stream = event.header.stream
      // Events of an operation stand together, so most follow one of their own stream.
      if let last = result.last?.stream, last == stream {
        result[result.count - 1].events.append(event)
      } else if let place = places[stream] {
        result[place].events.append(event)
      } else {
        places[stream] = result.count
        result.append((stream, [event]))
      }
    }
    return result
  }

  /// The rows a projection makes of a stream; none, and why, where its fold gives up.
  static func rows(
    _ projection: any Projection.Type, of events: StreamEvents
  ) -> (rows: ProjectionRows, failure: KernelError?) {
    do throws(KernelError) {
      return (try projection.rows(of: events), nil)
    } catch {
      var none = ProjectionRows(of: events.stream, in: projection.tables, rowCount: 0)
      none.finish()
      return (none, error)
    }
  }
}

/// What is noted about events that no fold could read.
struct UnfoldedTable: ~Copyable {
  private let selectAny: Statement
  private let selectStream: Statement
  private let insert: Statement
  private let delete: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let any = try connection.prepare("SELECT 1 FROM _unfolded LIMIT 1")
    let select = try connection.prepare("SELECT max(isCritical) FROM _unfolded WHERE stream = ?")
    let insert = try connection.prepare(
      """
      INSERT INTO _unfolded(stream, projection, author, seq, kind, version, reason, isCritical)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET reason = excluded.reason
      """)
    let delete = try connection.prepare(
      "DELETE FROM _unfolded WHERE stream = ? AND projection = ?")
    selectAny = any
    selectStream = select
    self.insert = insert
    self.delete = delete
  }

  /// Whether anything is noted at all.
  func isUsed() throws(SQLError) -> Bool {
    try selectAny.first { _ in true } ?? false
  }

  /// Whether a critical event of the stream cannot be read; nil if all of it can.
  func isClosed(_ stream: StreamID) throws(SQLError) -> Bool? {
    try selectStream.first(stream.bytes) { $0.optionalInt64(0).map { $0 != 0 } } ?? nil
  }

  /// Notes which events of a stream no build like this one reads.
  func note(_ events: StreamEvents, hadNotes: Bool) throws(SQLError) {
    if hadNotes { try delete.run(events.stream.bytes, "") }
    for event in events.unreadable {
      try insert.run(
        events.stream.bytes, "", event.id.author.bytes, Int64(event.id.seq),
        event.header.kind.name, Int64(event.header.version), event.reason,
        event.header.flags.contains(.critical))
    }
  }

  /// Notes which events of a stream a projection set aside.
  func note(
    _ setAside: [SetAside], of events: StreamEvents, by projection: String, hadNotes: Bool
  ) throws(SQLError) {
    if hadNotes { try delete.run(events.stream.bytes, projection) }
    for aside in setAside {
      guard let header = events.readable.first(where: { $0.id == aside.id })?.header else {
        continue
      }
      try insert.run(
        events.stream.bytes, projection, aside.id.author.bytes, Int64(aside.id.seq),
        header.kind.name, Int64(header.version), aside.reason.description, false)
    }
  }
}

/// Which of some projections read an event.
struct ProjectionReaders: Sendable {
  private var places: [EventKind: [Int]] = [:]

  init(_ plans: [ProjectionPlan]) {
    for (place, plan) in plans.enumerated() {
      for kind in plan.kinds { places[kind, default: []].append(place) }
    }
  }

  /// The places of those that read any of these events, whether or not this build can.
  func places(of events: [Event]) -> [Int] {
    guard let first = events.first else { return [] }
    var result = places[first.header.kind] ?? []
    var last = first.header.kind
    for event in events.dropFirst() where event.header.kind != last {
      last = event.header.kind
      for place in places[last] ?? [] where !result.contains(place) { result.append(place) }
    }
    return result
  }
}
