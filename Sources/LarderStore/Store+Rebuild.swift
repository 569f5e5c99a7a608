// Rebuilding projections: another generation of tables beside the live ones, filled in chunks
// through the same fold, then swapped in. Readers see the old tables until the swap; writers go on,
// and streams they touch meanwhile are folded again in the swap. A kill at any point leaves the
// live tables as they were, and the next rebuild goes on where this one stopped.

package import LarderHash
internal import LarderKernel
internal import LarderSQL

/// How far long work has come.
public struct WorkProgress: Hashable, Sendable {
  /// How much is done.
  public let done: Int
  /// How much there is.
  public let total: Int
}

/// What a rebuild did, or would do.
package struct RebuildReport: Hashable, Sendable {
  /// What became of one projection.
  package struct Projection: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Rows of its tables now, or live where nothing was to be changed.
    package var rowCounts: [Table] = []
    /// The digest of the live rows before.
    package var digestBefore = Bytes16.zero
    /// The digest of the rebuilt rows.
    package var digestAfter = Bytes16.zero
    /// Streams whose rows differ from the live ones.
    package var changedStreamCount = 0
  }

  /// How many rows a table has.
  package struct Table: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its rows.
    package let rowCount: Int
  }

  /// Streams that were read.
  package var streamCount = 0
  /// The projections that were made.
  package var projections: [Projection] = []
  /// Whether the old tables could not be removed: they were damaged; the new ones are in place.
  package var hasLeftovers = false

  /// Streams whose rows differ from the live ones.
  package var changedStreamCount: Int { projections.reduce(0) { $0 + $1.changedStreamCount } }

  /// What became of a projection; nothing if it was not made.
  package subscript(name: String) -> Projection {
    projections.first { $0.name == name } ?? Projection(name: name)
  }

  /// Rows of a table.
  package func rowCount(of table: String) -> Int {
    projections.flatMap(\.rowCounts).first { $0.name == table }?.rowCount ?? 0
  }
}

extension Store {
  /// Bytes of the write-ahead log after which it is moved into the database.
  private static let walByteCountMax = 16 << 20

  /// A projection that is being made.
  struct Work {
    let plan: ProjectionPlan
    let generation: Int64
    let tables: ProjectionTables
    var cursor: StreamID?
    var digest: Bytes16

    var place: ProjectionPlan.Place { .generation(generation) }
  }

  /// Folds every stream again into fresh tables and swaps them in.
  /// - Parameters:
  ///   - names: the projections; nil for all of this build.
  ///   - isKept: whether the old tables stay, to be taken back.
  ///   - expected: the digest the only projection must have afterwards; nil for any.
  ///   - progress: called after each chunk; false stops, and what is done is kept.
  /// - Throws: `interrupted` when `progress` stopped it; `unsupportedVersion` where a newer build
  ///   has made one of them; `unexpected` for another digest than `expected`, and nothing has
  ///   changed; `busy`, `full`, `corrupt`, `ioFailure`.
  package func rebuild(
    _ names: [String]? = nil, isKept: Bool = false, expecting expected: Bytes16? = nil,
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) -> RebuildReport {
    defer { projectionsVersion = -1 }
    let wanted = plans.filter { names?.contains($0.name) ?? true }
    var report = RebuildReport()
    report.streamCount = try count(
      "SELECT count(*) FROM (SELECT stream FROM _streams UNION SELECT stream FROM _tail)")
    var works = try begin(wanted)
    let walk = try StoreError.wrapping { () throws(SQLError) in try StreamWalk(connection) }
    var done = try alreadyDone(works)
    while true {
      let folded = try rebuildChunk(walk, into: &works)
      if folded == 0 { break }
      try checkpointLongLog()
      done += folded
      if !progress(WorkProgress(done: done, total: max(done, report.streamCount))) {
        throw StoreError(
          .interrupted, operation: "rebuild", subject: "\(done) of \(report.streamCount) streams")
      }
    }
    for work in works { try index(work) }
    try checkpointLongLog()
    report.projections = try swap(works, expecting: expected)
    report.hasLeftovers = !(isKept || dropOld(works.map(\.plan.name)))
    for place in report.projections.indices {
      report.projections[place].rowCounts = try rowCounts(works[place].plan)
    }
    return report
  }

  private func rowCounts(
    _ plan: ProjectionPlan
  ) throws(StoreError) -> [RebuildReport.Table] {
    var result: [RebuildReport.Table] = []
    for table in plan.tables {
      let rowCount = try count("SELECT count(*) FROM \(plan.table(table, .live))")
      result.append(RebuildReport.Table(name: table.name, rowCount: rowCount))
    }
    return result
  }

  /// Moves the write-ahead log into the database where it has grown long: the longer it is, the
  /// slower every page is found in it, and it would grow to the size of all tables.
  func checkpointLongLog() throws(StoreError) {
    if walByteCount > Self.walByteCountMax { try checkpoint() }
  }

  func count(_ sql: SQL) throws(StoreError) -> Int {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(sql).first { $0.int(0) } ?? 0
    }
  }

  func generations() throws(StoreError) -> [ProjectionGeneration] {
    try StoreError.wrapping { () throws(SQLError) in try ProjectionGeneration.all(connection) }
  }

  // MARK: Filling

  /// Makes tables for each projection, or keeps those an interrupted rebuild of its version left.
  private func begin(_ plans: [ProjectionPlan]) throws(StoreError) -> [Work] {
    try writing { () throws(StoreError) in
      let all = try generations()
      var works: [Work] = []
      for plan in plans {
        let own = all.filter { $0.name == plan.name }
        if let newer = own.first(where: { $0.state == .live && $0.version > plan.version }) {
          throw Self.newerVersion(newer)
        }
        works.append(
          try StoreError.wrapping { () throws(SQLError) in try begin(plan, own) })
      }
      return works
    }
  }

  private func begin(
    _ plan: ProjectionPlan, _ own: [ProjectionGeneration]
  ) throws(SQLError) -> Work {
    let isThere = try connection.prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    for left in own where left.state == .building {
      var hasTables = true
      for name in plan.names {
        let table = ProjectionPlan.identifier(name, left.place).name
        hasTables = try isThere.first(table) { _ in true } ?? false && hasTables
      }
      if left.isMade(by: plan), hasTables {
        return Work(
          plan: plan, generation: left.generation,
          tables: try ProjectionTables(plan, left.place, connection),
          cursor: left.cursor.map { StreamID($0) }, digest: left.digest)
      }
      try forget(left)
    }
    let generation = (own.map(\.generation).max() ?? 0) + 1
    try connection.execute(ProjectionPlan.drop(plan.names, .generation(generation)))
    try connection.execute(plan.create(.generation(generation)))
    try Self.insert(plan, generation: generation, state: .building, connection)
    return Work(
      plan: plan, generation: generation,
      tables: try ProjectionTables(plan, .generation(generation), connection), cursor: nil,
      digest: .zero)
  }

  /// Drops a generation that is not live, and forgets what was noted for it.
  func forget(_ generation: ProjectionGeneration) throws(SQLError) {
    try connection.execute(ProjectionPlan.drop(generation.tables, generation.place))
    for sql in [
      "DELETE FROM _refolds WHERE name = ? AND generation = ?",
      "DELETE FROM _projections WHERE name = ? AND generation = ?",
    ] as [SQL] {
      try connection.prepare(sql).run(generation.name, generation.generation)
    }
  }

  /// How many streams an interrupted rebuild has folded.
  private func alreadyDone(_ works: [Work]) throws(StoreError) -> Int {
    guard let cursor = works.map({ $0.cursor?.bytes ?? .zero }).min(),
      cursor != .zero
    else { return 0 }
    return try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        """
        SELECT count(*) FROM (SELECT stream FROM _streams UNION SELECT stream FROM _tail)
        WHERE stream <= ?
        """
      ).first(cursor) { $0.int(0) } ?? 0
    }
  }

  /// Folds the next streams into the tables that do not have them.
  /// - Returns: how many it were; 0 when all are done.
  private func rebuildChunk(
    _ walk: borrowing StreamWalk, into works: inout [Work]
  ) throws(StoreError) -> Int {
    var changed = works
    let count = try writing { () throws(StoreError) in
      changed = works
      for work in works { work.tables.discard() }
      try checkStillBuilding(works)
      let start = works.contains { $0.cursor == nil } ? nil : works.compactMap(\.cursor).min()
      let readers = ProjectionReaders(works.map(\.plan))
      let hadNotes = try StoreError.wrapping { () throws(SQLError) in
        try statements.unfolded.isUsed()
      }
      var count = 0
      _ = try walk.run(after: start) { (stream, events) throws(StoreError) in
        if stream != .control {
          let all = StreamEvents(of: stream, events: events, schema: schema.events)
          try note(all, hadNotes: hadNotes)
          for place in readers.places(of: events)
          where changed[place].cursor.map({ $0 < stream }) ?? true {
            let digest = try fold(all, changed[place], hadNotes: hadNotes, old: nil)
            changed[place].digest = changed[place].digest &+ digest
          }
        }
        for place in changed.indices {
          changed[place].cursor = max(changed[place].cursor ?? stream, stream)
        }
        count += 1
        return count < Self.chunkStreamCount
      }
      try StoreError.wrapping { () throws(SQLError) in
        let update = try connection.prepare(
          "UPDATE _projections SET cursor = ?, digest = ? WHERE name = ? AND generation = ?")
        for work in changed {
          try work.tables.flush()
          try update.run(work.cursor?.bytes, work.digest, work.plan.name, work.generation)
        }
      }
      return count
    }
    works = changed
    return count
  }

  func checkStillBuilding(_ works: [Work]) throws(StoreError) {
    let all = try generations()
    for work in works {
      guard
        all.contains(where: {
          $0.name == work.plan.name && $0.generation == work.generation && $0.state == .building
        })
      else {
        throw StoreError(.interrupted, operation: "rebuild", subject: "another rebuild ended")
      }
    }
  }

  /// Notes which events of a stream cannot be read.
  private func note(_ events: StreamEvents, hadNotes: Bool) throws(StoreError) {
    if !hadNotes, events.unreadable.isEmpty { return }
    try StoreError.wrapping { () throws(SQLError) in
      try statements.unfolded.note(events, hadNotes: hadNotes)
    }
  }

  /// Folds a stream into the tables of `work`.
  /// - Parameter old: the digest they had for it; nil where they knew nothing of it.
  /// - Returns: by how much that changes the digest of all.
  func fold(
    _ events: StreamEvents, _ work: Work, hadNotes: Bool, old: Bytes16?
  ) throws(StoreError) -> Bytes16 {
    let (rows, failure) = Projecting.rows(work.plan.projection, of: events)
    return try StoreError.wrapping { () throws(SQLError) in
      if hadNotes || !rows.setAside.isEmpty {
        try statements.unfolded.note(
          rows.setAside, of: events, by: work.plan.name, hadNotes: hadNotes)
      }
      let new = try work.tables.write(rows, failure: failure?.description, old: old)
      return new &- (old ?? .zero)
    }
  }

  /// Builds the tables' indexes, unless an interrupted rebuild has done so.
  private func index(_ work: Work) throws(StoreError) {
    try writing { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try connection.execute(work.plan.index(work.place, generation: work.generation))
      }
    }
  }
}
