// Reading everything and comparing it with everything else: every leaf and root of the log, every
// row of the projection with what the fold makes of its events. Changes nothing.

package import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Something `verify` found wrong.
package struct IntegrityProblem: Hashable, Sendable {
  /// What is wrong, by name: `rootMismatch`, `missingEvent`, `rowMismatch`, ….
  package let code: String
  /// Where: an author and seq, a stream, a row.
  package let subject: String
}

/// What `verify` read and found.
package struct VerificationReport: Hashable, Sendable {
  /// Events whose leaf was computed.
  package var eventCount = 0
  /// Chains whose root was computed.
  package var chainCount = 0
  /// Packed blocks that were unpacked.
  package var blockCount = 0
  /// Signed edges that were checked.
  package var edgeCount = 0
  /// Streams that were folded.
  package var streamCount = 0
  /// Streams whose rows are not what the fold makes of their events.
  package var changedStreamCount = 0
  /// Rows that were compared.
  package var rowCount = 0
  /// Events that were folded to compare rows.
  package var foldedCount = 0
  /// Events no fold can read; kept, not a problem of the store.
  package var unfoldedCount = 0
  /// The digest of the fold of everything.
  package var digest = Bytes16.zero
  /// Whether a verification that was stopped was gone on with.
  package var isContinued = false
  /// What is wrong, at most 1000 findings.
  package var problems: [IntegrityProblem] = []

  static let problemCountMax = 1000

  mutating func note(_ code: String, _ subject: String) {
    if problems.count < Self.problemCountMax {
      problems.append(IntegrityProblem(code: code, subject: subject))
    }
  }
}

extension StoreReader {
  /// Recomputes every tree and every row from the events, on one state of the database.
  /// - Parameters:
  ///   - state: where the head record is, to be compared with the log; nil to go without.
  ///   - known: where an earlier call stopped; what it had checked is not read again. Without
  ///     effect if the store has changed since.
  ///   - keeping: called now and then with a point from which a later call can go on.
  ///   - progress: called now and then; false stops.
  /// - Throws: `interrupted` when `progress` stopped it; `busy`, `ioFailure`. What cannot be read
  ///   is a finding.
  package func verify(
    state: Store.State? = nil, from known: VerificationPoint? = nil,
    keeping: (VerificationPoint) -> Void = { _ in },
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) -> VerificationReport {
    // Before the state of the database that is verified: the record is written after the commit.
    let head = state.flatMap { HeadWitness(of: self, $0) }
    return try connection.read { () throws(StoreError) in
      let snapshot = try fingerprint()
      var point: VerificationPoint
      if let known, known.snapshot == snapshot {
        point = known
        point.report.isContinued = true
      } else {
        point = VerificationPoint(snapshot: snapshot, total: try storedEventCount())
        try verifyFile(&point.report)
        try noting(&point.report) { (report) throws(StoreError) in try verifyKey(&report) }
        if let head {
          try noting(&point.report) { (report) throws(StoreError) in
            try head.compare(connection, &report)
          }
        }
      }
      try verifyChains(&point, keeping: keeping, progress: progress)
      do throws(StoreError) {
        try verifyRows(&point, keeping: keeping, progress: progress)
      } catch {
        guard error.code == .corrupt else { throw error }
        point.report.note("databaseDamaged", "\(error.operation): \(error.subject)")
      }
      return point.report
    }
  }

  /// Recomputes every leaf and root: whether what would be folded is what was written.
  package func verifyLog() throws(StoreError) -> [IntegrityProblem] {
    try connection.read { () throws(StoreError) in
      var point = VerificationPoint(snapshot: .zero, total: 0)
      try verifyChains(&point, keeping: { _ in }, progress: { _ in true })
      return point.report.problems
    }
  }

  /// About how many events are stored: counted, not summed up from rows that may say anything.
  private func storedEventCount() throws(StoreError) -> Int {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        "SELECT (SELECT count(*) FROM _blocks) * 512 + (SELECT count(*) FROM _tail)"
      ).first { $0.int(0) } ?? 0
    }
  }

  /// What an append, a receipt or a rebuild would change, as a hash; and where the store is.
  private func fingerprint() throws(StoreError) -> Bytes16 {
    var state = [paths.folder]
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        """
        SELECT id || ',' || hex(author) || ',' || start || ',' || size || ',' || hex(frontier)
        FROM _chains ORDER BY id
        """
      ).forEach { state.append($0.optionalText(0) ?? "") }
      try connection.prepare(
        """
        SELECT version || ',' || generation || ',' || hex(digest) || ','
          || (SELECT count(*) FROM _blocks) || ',' || (SELECT count(*) FROM _edges)
        FROM _projections ORDER BY name
        """
      ).forEach { state.append($0.optionalText(0) ?? "") }
    }
    return BLAKE2b.hash128(Array(state.joined(separator: "\n").utf8))
  }

  /// The device's key must be that of the author who writes here.
  private func verifyKey(_ report: inout VerificationReport) throws(StoreError) {
    let author = try device().author
    do throws(StoreError) {
      try Store.checkKey(paths, author: author)
    } catch {
      report.note("keyMissing", "device.key: \(error.subject)")
    }
  }

  private func verifyFile(_ report: inout VerificationReport) throws(StoreError) {
    let findings = try StoreError.wrapping { () throws(SQLError) in
      try connection.integrityCheck(problemCountMax: 20)
    }
    for finding in findings { report.note("databaseDamaged", finding) }
    // Larder makes none, and heeds none; who put it there is not known.
    try StoreError.wrapping { () throws(SQLError) in
      _ = try connection.prepare(
        "SELECT type || ' ' || name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
      ).forEach { report.note("schemaChanged", $0.optionalText(0) ?? "") }
      let generation = try connection.prepare(
        "SELECT generation FROM _projections WHERE name = 'meals'"
      ).first { $0.int64(0) }
      let there = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").map
      {
        $0.text(0)
      }
      for name in StoreTables.indexNames(generation: generation ?? 1) where !there.contains(name) {
        report.note("indexMissing", name)
      }
    }
  }

  /// Runs one part of verifying; that it cannot read something is a finding.
  private func noting(
    _ report: inout VerificationReport,
    _ part: (inout VerificationReport) throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) {
      try part(&report)
    } catch {
      guard error.code == .corrupt else { throw error }
      report.note("databaseDamaged", "\(error.operation): \(error.subject)")
    }
  }

  private func verifyChains(
    _ point: inout VerificationPoint, keeping: (VerificationPoint) -> Void,
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) {
    let check = try StoreError.wrapping { () throws(SQLError) in try LogCheck(connection) }
    let total = point.total
    var isWhole = true
    do throws(StoreError) {
      isWhole = try check.run(&point, keeping: keeping) {
        progress(VerificationPoint.progress($0, total: total))
      }
    } catch {
      guard error.code == .corrupt else { throw error }
      // What is behind it in the log is not reached; the rows are.
      point.report.note("databaseDamaged", "\(error.operation): \(error.subject)")
      point.place = .rows(RowProgress())
    }
    if !isWhole { throw StoreError(.interrupted, operation: "verify", subject: "the log") }
  }

  private func verifyRows(
    _ point: inout VerificationPoint, keeping: (VerificationPoint) -> Void,
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) {
    guard case .rows(var rows) = point.place else { return }
    let check = try StoreError.wrapping { () throws(SQLError) in try RowCheck(connection) }
    let walk = try StoreError.wrapping { () throws(SQLError) in try StreamWalk(connection) }
    let isWhole = try walk.run(
      after: rows.stream, unreadable: { (_) throws(StoreError) in rows.isUnreadable = true }
    ) { (stream, events) throws(StoreError) -> Bool in
      point.report.foldedCount += events.count
      if !events.isEmpty {
        try check.compare(stream, events: events, schema: schema, report: &point.report)
      }
      point.report.streamCount += 1
      guard point.report.streamCount % 512 == 0 else { return true }
      rows.stream = stream
      point.place = .rows(rows)
      keeping(point)
      return progress(point.progress)
    }
    if !isWhole { throw StoreError(.interrupted, operation: "verify", subject: "the rows") }
    // What cannot be read has its rows all the same.
    if !rows.isUnreadable { try check.finish(&point.report) }
  }
}

/// Compares the rows of streams with what their events fold to.
private struct RowCheck: ~Copyable {
  let selectEntry: Statement
  let selectLogs: Statement
  let selectStream: Statement
  let selectTotals: Statement

  func compare(
    _ stream: StreamID, events: [Event], schema: EventSchema, report: inout VerificationReport
  ) throws(StoreError) {
    let rows = MealFold.rows(of: stream, events: events, schema: schema)
    report.unfoldedCount += Projecting.unfolded(events, rows: rows, schema: schema).count
    let digest = rows.digest
    report.digest = report.digest &+ digest
    try StoreError.wrapping { () throws(SQLError) in
      let id = stream.hex
      let stored = try selectStream.first(stream.bytes) { ($0.bytes16(0), $0.int(1)) }
      var isChanged = stored?.0 != digest
      if isChanged { report.note("digestMismatch", "stream \(id)") }
      if let stored, stored.1 != (rows.isClosedToWriting ? 1 : 0) {
        isChanged = true
        report.note("rowMismatch", "_mealStreams \(id)")
      }
      var expected = RowFingerprint()
      var found = RowFingerprint()
      rows.entry?.put(into: &expected)
      report.rowCount += try selectEntry.forEach(id) { found.bind($0, MealColumns.entries) }
      if expected.bytes != found.bytes {
        isChanged = true
        report.note("rowMismatch", "MealEntries \(id)")
      }
      expected.removeAll()
      found.removeAll()
      // Both in the order of their identifiers, which is the table's.
      for log in rows.logs.sorted(by: { $0.item < $1.item }) { log.put(into: &expected) }
      report.rowCount += try selectLogs.forEach(id, id + "g") { found.bind($0, MealColumns.logs) }
      if expected.bytes != found.bytes {
        isChanged = true
        report.note("rowMismatch", "NutritionLogs \(id)")
      }
      if isChanged { report.changedStreamCount += 1 }
    }
  }

  /// Compares the counts and sums over all streams.
  func finish(_ report: inout VerificationReport) throws(StoreError) {
    let totals = try StoreError.wrapping { () throws(SQLError) in
      try selectTotals.first { ($0.int(0), $0.bytes16(1), $0.int64(2)) }
    }
    guard let (rowCount, digest, version) = totals else {
      report.note("projectionMissing", "meals")
      return
    }
    if version != Int64(MealFold.version) {
      report.note("projectionVersion", "meals \(version), this build has \(MealFold.version)")
    }
    if rowCount != report.rowCount {
      report.note("rowMismatch", "\(rowCount) rows are there, \(report.rowCount) belong to events")
    }
    if digest != report.digest { report.note("digestMismatch", "projection meals") }
  }
}

extension RowCheck {
  init(_ connection: borrowing Connection) throws(SQLError) {
    let entries = SQL(trusted: MealColumns.entries.map(\.name).joined(separator: ", "))
    let logs = SQL(trusted: MealColumns.logs.map(\.name).joined(separator: ", "))
    self.init(
      selectEntry: try connection.prepare("SELECT \(entries) FROM MealEntries WHERE id = ?"),
      selectLogs: try connection.prepare(
        "SELECT \(logs) FROM NutritionLogs WHERE id >= ? AND id < ? ORDER BY id"),
      selectStream: try connection.prepare(
        "SELECT digest, isClosed FROM _mealStreams WHERE stream = ?"),
      selectTotals: try connection.prepare(
        """
        SELECT (SELECT count(*) FROM MealEntries) + (SELECT count(*) FROM NutritionLogs),
          digest, version FROM _projections WHERE name = 'meals'
        """))
  }
}

/// What the record outside of the store says of it, where it was written for it, here.
private struct HeadWitness {
  let record: HeadRecord

  /// The record of the author that writes the store; nil if there is none that speaks of it.
  init?(of reader: StoreReader, _ state: Store.State) {
    do throws(StoreError) {
      let file = try HeadRecordFile.open(
        stateFolder: state.folder, author: try reader.device().author, isCreating: false)
      guard case .found(let stored) = try file?.read() else { return nil }
      // Of a copy elsewhere it says nothing.
      let place = try StorePlace(of: reader.paths, machine: state.machine)
      guard stored.record.place.machine == place.machine,
        stored.record.place.pathHash == place.pathHash
      else { return nil }
      record = stored.record
    } catch {
      // That it cannot be read is for the examination to say.
      return nil
    }
  }

  /// Notes what was acknowledged here and is not there any more.
  func compare(
    _ connection: borrowing Connection, _ report: inout VerificationReport
  ) throws(StoreError) {
    let log = try StoreError.wrapping { () throws(SQLError) in try EventLog(connection) }
    let own = try log.ownChain()
    guard own.author == record.author, own.renewal == nil else { return }
    let author = own.author.hex
    if record.size > own.chain.size {
      report.note("missingEvent", "\(author):\(own.chain.size)-\(record.size - 1)")
    } else if try Store.root(of: own.chain, at: record.size, log, connection) != record.root {
      report.note("recordMismatch", "\(author):\(record.size)")
    }
  }
}
