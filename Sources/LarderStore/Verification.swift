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
  /// Streams that were folded.
  package var streamCount = 0
  /// Streams whose rows are not what the fold makes of their events.
  package var changedStreamCount = 0
  /// Rows that were compared.
  package var rowCount = 0
  /// Events no fold can read; kept, not a problem of the store.
  package var unfoldedCount = 0
  /// The digest of the fold of everything.
  package var digest = Bytes16.zero
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
  /// - Parameter progress: called now and then; false stops.
  /// - Throws: `interrupted` when `progress` stopped it; `corrupt` where SQLite cannot read the
  ///   file.
  package func verify(
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) -> VerificationReport {
    try connection.read { () throws(StoreError) in
      var report = VerificationReport()
      let total = try StoreError.wrapping { () throws(SQLError) in
        try connection.prepare("SELECT sum(size) FROM _chains").first { $0.int(0) } ?? 0
      }
      try verifyFile(&report)
      try verifyKey(&report)
      try verifyChains(&report, total: total, progress: progress)
      try verifyRows(&report, total: total, progress: progress)
      return report
    }
  }

  /// Recomputes every leaf and root: whether what would be folded is what was written.
  package func verifyLog() throws(StoreError) -> [IntegrityProblem] {
    try connection.read { () throws(StoreError) in
      var report = VerificationReport()
      try verifyChains(&report, total: 0, progress: { _ in true })
      return report.problems
    }
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
  }

  private func verifyChains(
    _ report: inout VerificationReport, total: Int, progress: (WorkProgress) -> Bool
  ) throws(StoreError) {
    struct Chain {
      let id: Int64
      let author: AuthorID
      let size: UInt64
      let root: Bytes32
      let frontier: [UInt8]
    }
    let chains = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        "SELECT id, author, size, root, frontier FROM _chains ORDER BY id"
      ).map {
        Chain(
          id: $0.int64(0), author: AuthorID($0.bytes16(1)), size: UInt64(bitPattern: $0.int64(2)),
          root: $0.bytes32(3), frontier: $0.blob(4))
      }
    }
    let select = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        "SELECT seq, stream, header, payload FROM _events WHERE chain = ? ORDER BY seq")
    }
    for chain in chains {
      var walk = ChainWalk(author: chain.author, seeds: try seeds(of: chain.id))
      let isWhole = try select.walk(chain.id) { (row) throws(StoreError) -> Bool in
        walk.take(row, into: &report)
        return report.eventCount % 4096 != 0
          || progress(WorkProgress(done: report.eventCount, total: 2 * total))
      }
      if !isWhole { throw StoreError(.interrupted, operation: "verify", subject: "the log") }
      report.chainCount += 1
      let author = chain.author.hex
      if walk.range.end != chain.size {
        report.note(
          "chainSizeMismatch", "\(author): \(walk.range.end) events, \(chain.size) stated")
      } else if walk.range.root != chain.root {
        report.note("rootMismatch", "\(author): the \(chain.size) events are not those written")
      } else if walk.range.frontier != chain.frontier {
        report.note("frontierMismatch", author)
      }
    }
  }

  private func seeds(of chain: Int64) throws(StoreError) -> [UInt64: Bytes32] {
    var seeds: [UInt64: Bytes32] = [:]
    _ = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT block, seed FROM _seeds WHERE chain = ?").forEach(chain) {
        seeds[UInt64(bitPattern: $0.int64(0))] = $0.bytes32(1)
      }
    }
    return seeds
  }

  private func verifyRows(
    _ report: inout VerificationReport, total: Int, progress: (WorkProgress) -> Bool
  ) throws(StoreError) {
    let check = try StoreError.wrapping { () throws(SQLError) in try RowCheck(connection) }
    let walk = try StoreError.wrapping { () throws(SQLError) in try StreamWalk(connection) }
    var folded = 0
    let isWhole = try walk.run(after: nil) { (stream, events) throws(StoreError) -> Bool in
      folded += events.count
      if !events.isEmpty {
        try check.compare(stream, events: events, schema: schema, report: &report)
      }
      report.streamCount += 1
      return report.streamCount % 512 != 0
        || progress(WorkProgress(done: report.eventCount + folded, total: 2 * total))
    }
    if !isWhole { throw StoreError(.interrupted, operation: "verify", subject: "the rows") }
    try check.finish(&report)
  }
}

/// Recomputes a chain's tree while its rows go by.
private struct ChainWalk {
  let author: AuthorID
  let seeds: [UInt64: Bytes32]
  var range = CompactRange()
  private var salts: (block: UInt64, values: BlockSalts)?

  init(author: AuthorID, seeds: [UInt64: Bytes32]) {
    self.author = author
    self.seeds = seeds
  }

  mutating func take(_ row: borrowing Row, into report: inout VerificationReport) {
    report.eventCount += 1
    let seq = UInt64(bitPattern: row.int64(0))
    if seq != range.end { report.note("missingEvent", "\(author.hex):\(range.end)") }
    let block = seq / Limits.blockEventCount
    if salts?.block != block {
      if let seed = seeds[block] {
        salts = (block, BlockSalts(seed: seed))
      } else {
        report.note("missingSeed", "\(author.hex) block \(block)")
        salts = (block, BlockSalts(seed: Bytes32(front: .zero, back: .zero)))
      }
    }
    guard let salt = salts?.values.salt(at: Int(seq % Limits.blockEventCount)) else { return }
    let leaf = row.withBlob(2) { header in
      do throws(KernelError) {
        let decoded = try EventHeader(header)
        if decoded.stream.bytes != row.bytes16(1) {
          report.note("streamMismatch", "\(author.hex):\(seq)")
        }
      } catch {
        report.note("headerMalformed", "\(author.hex):\(seq)")
      }
      if row.isNull(3) { return MerkleLeaf.hash(header: header, salt: salt, payload: Span()) }
      return row.withBlob(3) { MerkleLeaf.hash(header: header, salt: salt, payload: $0) }
    }
    range.append(leaf)
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
      let stored = try selectStream.first(stream.bytes) { $0.bytes16(0) }
      var isChanged = stored != digest
      if isChanged { report.note("digestMismatch", "stream \(id)") }
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
      selectStream: try connection.prepare("SELECT digest FROM _mealStreams WHERE stream = ?"),
      selectTotals: try connection.prepare(
        """
        SELECT (SELECT count(*) FROM MealEntries) + (SELECT count(*) FROM NutritionLogs),
          digest, version FROM _projections WHERE name = 'meals'
        """))
  }
}
