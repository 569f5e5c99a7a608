// Generations of a projection's tables: swapping a new one in, taking an old one back, dropping.

package import LarderHash
internal import LarderKernel
internal import LarderSQL

/// A generation of a projection's tables.
package struct ProjectionState: Hashable, Sendable {
  /// The projection.
  package let name: String
  /// The version of the fold that made its rows.
  package let version: Int64
  /// `live`, `building` or `kept`.
  package let state: String
  /// The digest of its rows.
  package let digest: Bytes16
  /// The promised names of its tables.
  package let tables: [String]
  /// Whether this build has the fold that made it.
  package let isOurs: Bool

  init(_ generation: ProjectionGeneration, _ plans: [ProjectionPlan]) {
    name = generation.name
    version = generation.version
    state = generation.state.rawValue
    digest = generation.digest
    tables = generation.tables.filter { !$0.hasPrefix("_") }
    isOurs = plans.contains { generation.isMade(by: $0) }
  }
}

extension Store {
  /// Rows deleted in one transaction: well under 100 ms of the lock.
  private static let deletedRowCount = 20_000
  /// Rows of a table that is dropped as it is, the same.
  private static let droppedRowCountMax = 100_000

  // MARK: Swapping

  /// Folds what was touched meanwhile, and renames the live tables away and the new ones in.
  ///
  /// Foreign keys are off: renaming or dropping the parent first would clear every reference.
  func swap(
    _ works: [Work], expecting expected: Bytes16?
  ) throws(StoreError) -> [RebuildReport.Projection] {
    try connection.withoutForeignKeys { () throws(StoreError) in
      try writing { () throws(StoreError) in
        try checkStillBuilding(works)
        let all = try generations()
        var result: [RebuildReport.Projection] = []
        try StoreError.wrapping { () throws(SQLError) in try DiaryViews.drop(connection) }
        for work in works {
          var report = RebuildReport.Projection(name: work.plan.name)
          report.digestAfter = try foldNoted(work)
          if let expected, expected != report.digestAfter {
            throw StoreError(
              .unexpected, operation: "rebuild", subject: "digest \(report.digestAfter.hex)")
          }
          let live = all.first { $0.name == work.plan.name && $0.state == .live }
          report.digestBefore = live?.digest ?? .zero
          report.changedStreamCount = try changedStreamCount(work, live)
          try StoreError.wrapping { () throws(SQLError) in
            if let live { try retire(live) }
            try bringIn(work, digest: report.digestAfter)
          }
          result.append(report)
        }
        try StoreError.wrapping { () throws(SQLError) in try DiaryViews.create(connection) }
        return result
      }
    }
  }

  /// Folds the streams that changed since they were folded.
  /// - Returns: the digest of all rows.
  private func foldNoted(_ work: Work) throws(StoreError) -> Bytes16 {
    let noted = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT stream FROM _refolds WHERE name = ? AND generation = ?").map(
        work.plan.name, work.generation
      ) { StreamID($0.bytes16(0)) }
    }
    work.tables.discard()
    var digest = work.digest
    let readers = ProjectionReaders([work.plan])
    for stream in noted {
      let events = try self.events(of: stream)
      if readers.places(of: events).isEmpty { continue }
      let all = StreamEvents(of: stream, events: events, schema: schema.events)
      let old = try StoreError.wrapping { () throws(SQLError) in try work.tables.known(stream) }
      digest = digest &+ (try fold(all, work, hadNotes: true, old: old))
    }
    try StoreError.wrapping { () throws(SQLError) in try work.tables.flush() }
    return digest
  }

  private func changedStreamCount(
    _ work: Work, _ live: ProjectionGeneration?
  ) throws(StoreError) -> Int {
    let new = work.plan.streams(work.place)
    guard let live, let name = live.tables.last, let old = SQL.Identifier(name),
      try StoreError.wrapping({ () throws(SQLError) in try isThere(old) })
    else { return try count("SELECT count(*) FROM \(new)") }
    return try count(
      """
      SELECT (SELECT count(*) FROM \(new) n LEFT JOIN \(old) o USING (stream)
              WHERE o.digest IS NOT n.digest)
           + (SELECT count(*) FROM \(old) o LEFT JOIN \(new) n USING (stream)
              WHERE n.stream IS NULL)
      """)
  }

  private func isThere(_ table: SQL.Identifier) throws(SQLError) -> Bool {
    try connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .first(table.name) { _ in true } ?? false
  }

  /// Renames a live generation away, as far as it is there.
  private func retire(_ live: ProjectionGeneration) throws(SQLError) {
    var names: [String] = []
    for name in live.tables where try isThere(ProjectionPlan.identifier(name, .live)) {
      names.append(name)
    }
    try connection.execute(
      ProjectionPlan.rename(names, from: .live, to: .generation(live.generation)))
    try connection.prepare(
      "UPDATE _projections SET state = 'kept' WHERE name = ? AND generation = ?"
    ).run(live.name, live.generation)
  }

  private func bringIn(_ work: Work, digest: Bytes16) throws(SQLError) {
    try connection.execute(
      ProjectionPlan.rename(work.plan.names, from: work.place, to: .live))
    try connection.prepare(
      """
      UPDATE _projections SET state = 'live', digest = ?, cursor = NULL
      WHERE name = ? AND generation = ?
      """
    ).run(digest, work.plan.name, work.generation)
    try connection.prepare("DELETE FROM _refolds WHERE name = ? AND generation = ?").run(
      work.plan.name, work.generation)
  }

  // MARK: Taking back

  /// Makes a generation that was kept live again, and keeps the one that is live now. Streams that
  /// have changed since are folded again.
  /// - Throws: `notFound` if none is kept; `unsupportedVersion` if this build does not have the
  ///   fold that made it; as a write.
  package func takeBack(
    _ name: String, version: Int64?, progress: (WorkProgress) -> Bool
  ) throws(StoreError) -> ProjectionState {
    defer { projectionsVersion = -1 }
    let kept = try kept(name, version: version)
    guard let plan = plans.first(where: { kept.isMade(by: $0) }) else {
      throw Self.newerVersion(kept)
    }
    let work = try StoreError.wrapping { () throws(SQLError) in
      Work(
        plan: plan, generation: kept.generation,
        tables: try ProjectionTables(plan, kept.place, connection), cursor: nil,
        digest: kept.digest)
    }
    _ = progress(WorkProgress(done: 0, total: 1))
    try connection.withoutForeignKeys { () throws(StoreError) in
      try writing { () throws(StoreError) in
        let live = try generations().first { $0.name == name && $0.state == .live }
        let digest = try foldNoted(work)
        try StoreError.wrapping { () throws(SQLError) in
          try DiaryViews.drop(connection)
          if let live { try retire(live) }
          try bringIn(work, digest: digest)
          try DiaryViews.create(connection)
        }
      }
    }
    return ProjectionState(
      ProjectionGeneration(
        name: name, generation: kept.generation, state: .live, version: kept.version,
        shape: kept.shape, digest: kept.digest, cursor: nil, tables: kept.tables), plans)
  }

  /// Removes a generation that was kept, or every generation of a projection this build does not
  /// have.
  /// - Throws: `notFound` if there is none; `refused` for a projection this build writes.
  package func dropProjection(_ name: String, version: Int64?) throws(StoreError) {
    defer { projectionsVersion = -1 }
    let isOurs = plans.contains { $0.name == name }
    var dropped = try generations().filter { $0.name == name }
    if dropped.isEmpty {
      throw StoreError(.notFound, operation: "drop projection", subject: name)
    }
    if isOurs || version != nil { dropped = [try kept(name, version: version)] }
    try connection.withoutForeignKeys { () throws(StoreError) in
      for generation in dropped { try drop(generation) }
    }
  }

  /// The newest generation that is kept, of `version` if that is given.
  private func kept(_ name: String, version: Int64?) throws(StoreError) -> ProjectionGeneration {
    let found = try generations().last {
      $0.name == name && $0.state == .kept && (version == nil || $0.version == version)
    }
    guard let found else {
      throw StoreError(
        .notFound, operation: "find kept tables",
        subject: version.map { "\(name)@\($0)" } ?? name)
    }
    return found
  }

  // MARK: Dropping

  /// Removes generations that were live: the large ones in chunks. Foreign keys are off, so that
  /// nothing is looked up in tables that may be damaged.
  /// - Returns: whether they could be removed; what is left is dropped by the next rebuild.
  func dropOld(_ names: [String]) -> Bool {
    do throws(StoreError) {
      let old = try generations().filter { names.contains($0.name) && $0.state == .kept }
      try connection.withoutForeignKeys { () throws(StoreError) in
        for generation in old { try drop(generation) }
      }
      return true
    } catch {
      return false
    }
  }

  /// Tables with many rows are dropped after deleting most of them in chunks. Their indexes go
  /// first, so that a row that is deleted is only that.
  func drop(_ generation: ProjectionGeneration) throws(StoreError) {
    // The table that refers comes before the one it refers to.
    for name in generation.tables.reversed() {
      let table = ProjectionPlan.identifier(name, generation.place)
      guard try StoreError.wrapping({ () throws(SQLError) in try isThere(table) }) else { continue }
      let key = try key(of: table)
      var left = try count("SELECT count(*) FROM \(table)")
      for index in try indexes(of: table) { try change("DROP INDEX \(index)") }
      while left > Self.droppedRowCountMax {
        let deleted = try change(
          """
          DELETE FROM \(table) WHERE \(key) <
            (SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT 1 OFFSET \(Self.deletedRowCount))
          """)
        if deleted == 0 { break }
        left -= deleted
        try checkpointLongLog()
      }
      try change("DROP TABLE \(table)")
    }
    try writing { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in try forget(generation) }
    }
  }

  /// The first column, which is the primary key.
  private func key(of table: SQL.Identifier) throws(StoreError) -> SQL {
    let name = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT name FROM pragma_table_info(?) WHERE cid = 0").first(
        table.name
      ) { $0.text(0) }
    }
    guard let name, let column = SQL.Identifier(name) else {
      throw StoreError(.corrupt, operation: "drop tables", subject: table.name)
    }
    return "\(column)"
  }

  private func indexes(of table: SQL.Identifier) throws(StoreError) -> [SQL.Identifier] {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
      ).map(table.name) { SQL.Identifier($0.text(0)) }.compactMap(\.self)
    }
  }

  /// Runs one statement in a transaction of its own.
  /// - Returns: how many rows it changed.
  @discardableResult
  private func change(_ sql: SQL) throws(StoreError) -> Int {
    try writing { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try connection.prepare(sql).run()
        return Int(connection.changes)
      }
    }
  }
}

extension StoreReader {
  /// The generations of all projections that are here.
  package func projectionList() throws(StoreError) -> [ProjectionState] {
    let plans = ProjectionPlan.all(of: schema)
    return try StoreError.wrapping { () throws(SQLError) in
      try ProjectionGeneration.all(connection).map { ProjectionState($0, plans) }
    }
  }
}
