// Rebuilding the meal projection: shadow tables beside the live ones, filled in chunks through the
// same fold, then swapped in. Readers see the old tables until the swap; writers go on, and streams
// they touch meanwhile are folded again in the swap. A kill at any point leaves the live tables as
// they were, and the next rebuild goes on where this one stopped.

package import LarderHash
internal import LarderKernel
internal import LarderSQL

/// How far long work has come.
package struct WorkProgress: Hashable, Sendable {
  /// How much is done.
  package let done: Int
  /// How much there is.
  package let total: Int
}

/// What a rebuild did, or would do.
package struct RebuildReport: Hashable, Sendable {
  /// Streams that have rows or had some.
  package var streamCount = 0
  /// Streams whose rows differ from the live ones.
  package var changedStreamCount = 0
  /// Rows of `MealEntries` and `NutritionLogs` now, or live where nothing was to be changed.
  package var entryCount = 0
  package var logCount = 0
  /// Whether the old tables could not be removed: they were damaged; the new ones are in place.
  package var hasLeftovers = false
  /// The digest of the live rows before.
  package var digestBefore = Bytes16.zero
  /// The digest of the rebuilt rows.
  package var digestAfter = Bytes16.zero
}

extension Store {
  /// Streams folded in one transaction: well under 100 ms of the lock.
  private static let chunkStreamCount = 256
  /// Bytes of the write-ahead log after which it is moved into the database.
  private static let walByteCountMax = 16 << 20
  /// Rows deleted in one transaction, the same.
  private static let deletedRowCount = 20_000
  /// Rows of a table that is dropped as it is, the same.
  private static let droppedRowCountMax = 100_000

  /// Folds every stream again into fresh tables and swaps them in.
  /// - Parameter progress: called after each chunk; false stops, and what is done is kept.
  /// - Throws: `interrupted` when `progress` stopped it; `busy`, `full`, `corrupt`, `ioFailure`.
  package func rebuild(
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) -> RebuildReport {
    var report = RebuildReport()
    report.streamCount = try count(
      "SELECT count(*) FROM (SELECT stream FROM _streams UNION SELECT stream FROM _tail)")
    try beginRebuild()
    let walk = try StoreError.wrapping { () throws(SQLError) in try StreamWalk(connection) }
    let shadow = try StoreError.wrapping { () throws(SQLError) in
      try MealTables(connection, .shadow)
    }
    var done = try count("SELECT count(*) FROM _mealStreams_new")
    while true {
      let folded = try rebuildChunk(walk, into: shadow)
      if folded == 0 { break }
      try checkpointLongLog()
      done += folded
      if !progress(WorkProgress(done: done, total: max(done, report.streamCount))) {
        throw StoreError(
          .interrupted, operation: "rebuild", subject: "\(done) of \(report.streamCount) streams")
      }
    }
    try indexShadow()
    try checkpointLongLog()
    report.changedStreamCount = try count(
      """
      SELECT (SELECT count(*) FROM _mealStreams_new n LEFT JOIN _mealStreams o USING (stream)
              WHERE o.digest IS NOT n.digest)
           + (SELECT count(*) FROM _mealStreams o LEFT JOIN _mealStreams_new n USING (stream)
              WHERE n.stream IS NULL)
      """)
    (report.digestBefore, report.digestAfter) = try swap(shadow)
    report.hasLeftovers = !dropOld()
    report.entryCount = try count("SELECT count(*) FROM MealEntries")
    report.logCount = try count("SELECT count(*) FROM NutritionLogs")
    return report
  }

  /// Moves the write-ahead log into the database where it has grown long: the longer it is, the
  /// slower every page is found in it, and it would grow to the size of all tables.
  private func checkpointLongLog() throws(StoreError) {
    if walByteCount > Self.walByteCountMax { try checkpoint() }
  }

  private func count(_ sql: SQL) throws(StoreError) -> Int {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(sql).first { $0.int(0) } ?? 0
    }
  }

  /// Makes the shadow tables, or keeps those an interrupted rebuild of this version left.
  private func beginRebuild() throws(StoreError) {
    try writing { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        let select = try connection.prepare("SELECT version FROM _rebuild")
        let left = try select.first { $0.int64(0) }
        let shadow = StoreTables.Meal.shadow
        let names = [shadow.entries.name, shadow.logs.name, shadow.streams.name]
        let there = try connection.prepare(
          "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (?, ?, ?)"
        ).first(names[0], names[1], names[2]) { $0.int(0) }
        if left == Int64(MealFold.version), there == names.count { return }
        try connection.execute("DELETE FROM _rebuild; DELETE FROM _rebuildLater;")
        try connection.execute(StoreTables.drop(.shadow))
        try connection.execute(StoreTables.create(.shadow))
        let insert = try connection.prepare(
          """
          INSERT INTO _rebuild(id, version, generation, cursor, digest)
          SELECT 1, ?, generation + 1, NULL, ? FROM _projections WHERE name = 'meals'
          """)
        try insert.run(Int64(MealFold.version), Bytes16.zero)
      }
    }
  }

  /// Folds the next streams into the shadow tables, which know none of them.
  /// - Returns: how many it were; 0 when all are done.
  private func rebuildChunk(
    _ walk: borrowing StreamWalk, into shadow: borrowing MealTables
  ) throws(StoreError) -> Int {
    try writing { () throws(StoreError) in
      let state = try StoreError.wrapping { () throws(SQLError) in
        try connection.prepare("SELECT cursor, digest FROM _rebuild").first {
          ($0.optionalBytes16(0), $0.bytes16(1))
        }
      }
      guard var (cursor, digest) = state else {
        throw StoreError(.interrupted, operation: "rebuild", subject: "another rebuild ended")
      }
      var count = 0
      _ = try walk.run(after: cursor.map { StreamID($0) }) { (stream, events) throws(StoreError) in
        if !events.isEmpty {
          digest =
            digest
            &+ (try Projecting.fold(
              events, of: stream, added: [], schema: schema, into: shadow, old: nil))
        }
        cursor = stream.bytes
        count += 1
        return count < Self.chunkStreamCount
      }
      try StoreError.wrapping { () throws(SQLError) in
        try connection.prepare("UPDATE _rebuild SET cursor = ?, digest = ?").run(cursor, digest)
      }
      return count
    }
  }

  /// Folds `streams` into `tables`, and adds what that changes to `digest`.
  private func fold(
    _ streams: [StreamID], into tables: borrowing MealTables, digest: Bytes16
  ) throws(StoreError) -> Bytes16 {
    var sum = digest
    for stream in streams {
      let events = try events(of: stream).filter { Projecting.isFolded($0.header) }
      if events.isEmpty { continue }
      let old = try StoreError.wrapping { () throws(SQLError) in try tables.known(stream)?.digest }
      let new = try Projecting.fold(
        events, of: stream, added: [], schema: schema, into: tables, old: old)
      sum = sum &+ (new &- (old ?? .zero))
    }
    return sum
  }

  /// Builds the shadow tables' indexes, unless an interrupted rebuild has done so.
  private func indexShadow() throws(StoreError) {
    if try !indexes(of: StoreTables.Meal.shadow.logs).isEmpty { return }
    try writing { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        let generation = try connection.prepare("SELECT generation FROM _rebuild").first {
          $0.int64(0)
        }
        try connection.execute(StoreTables.index(.shadow, generation: generation ?? 1))
      }
    }
  }

  /// Folds what was touched meanwhile, and renames the live tables away and the shadow ones in.
  ///
  /// Foreign keys are off: renaming or dropping the parent first would clear every reference.
  private func swap(
    _ shadow: borrowing MealTables
  ) throws(StoreError) -> (before: Bytes16, after: Bytes16) {
    try connection.withoutForeignKeys { () throws(StoreError) in
      try writing { () throws(StoreError) in
        let before = try digestAnyVersion()
        let state = try StoreError.wrapping { () throws(SQLError) in
          try connection.prepare("SELECT generation, digest FROM _rebuild").first {
            ($0.int64(0), $0.bytes16(1))
          }
        }
        guard let (generation, digest) = state else {
          throw StoreError(.interrupted, operation: "rebuild", subject: "another rebuild ended")
        }
        let later = try StoreError.wrapping { () throws(SQLError) in
          try connection.prepare("SELECT stream FROM _rebuildLater").map {
            StreamID($0.bytes16(0))
          }
        }
        let after = try fold(later, into: shadow, digest: digest)
        try StoreError.wrapping { () throws(SQLError) in
          try rename()
          try connection.prepare(
            """
            UPDATE _projections SET version = ?, generation = ?, digest = ? WHERE name = 'meals'
            """
          ).run(Int64(MealFold.version), generation, after)
          try connection.execute("DELETE FROM _rebuild; DELETE FROM _rebuildLater;")
        }
        return (before, after)
      }
    }
  }

  private func rename() throws(SQLError) {
    try connection.execute(StoreTables.drop(.old))
    try connection.execute(StoreTables.swap)
  }

  private func digestAnyVersion() throws(StoreError) -> Bytes16 {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT digest FROM _projections WHERE name = 'meals'").first {
        $0.bytes16(0)
      } ?? .zero
    }
  }

  /// Removes the old tables: the large ones in chunks. Foreign keys are off, so that nothing
  /// is looked up in tables that may be damaged.
  /// - Returns: whether they could be removed; what is left is dropped by the next rebuild.
  private func dropOld() -> Bool {
    do throws(StoreError) {
      try connection.withoutForeignKeys { () throws(StoreError) in try dropOldNow() }
      return true
    } catch {
      return false
    }
  }

  /// The tables with many rows are dropped after deleting most of them in chunks. Their indexes go
  /// first, so that a row that is deleted is only that.
  private func dropOldNow() throws(StoreError) {
    let old = StoreTables.Meal.old
    // The table that refers comes before the one it refers to.
    let tables: [(name: SQL.Identifier, key: SQL)] = [
      (old.logs, "id"), (old.entries, "id"), (old.streams, "stream"),
    ]
    for (table, key) in tables {
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
