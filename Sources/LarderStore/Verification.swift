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
      try verifyChains(&report, total: total, progress: progress)
      try verifyRows(&report, total: total, progress: progress)
      return report
    }
  }

  private func verifyFile(_ report: inout VerificationReport) throws(StoreError) {
    let findings = try StoreError.wrapping { () throws(SQLError) in
      try connection.quickCheck(problemCountMax: 20)
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
    let streams = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT DISTINCT stream FROM _events")
    }
    var folded = 0
    let isWhole = try streams.walk { (row) throws(StoreError) -> Bool in
      let stream = StreamID(row.bytes16(0))
      let events = try events(of: stream)
      folded += events.count
      if events.contains(where: { Projecting.isFolded($0.header) }) {
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
    let subject = "\(author.hex):\(seq)"
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
    let header = row.blob(2)
    do throws(KernelError) {
      let decoded = try EventHeader(header.span)
      if decoded.stream.bytes != row.bytes16(1) { report.note("streamMismatch", subject) }
    } catch {
      report.note("headerMalformed", subject)
    }
    let payload = row.optionalBlob(3) ?? []
    guard let salt = salts?.values.salt(at: Int(seq % Limits.blockEventCount)) else { return }
    range.append(MerkleLeaf.hash(header: header.span, salt: salt, payload: payload.span))
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
    let folded = events.filter { Projecting.isFolded($0.header) }
    let rows = MealFold.rows(of: stream, events: folded, schema: schema)
    report.unfoldedCount += Projecting.unfolded(folded, rows: rows, schema: schema).count
    report.digest = report.digest &+ rows.digest
    try StoreError.wrapping { () throws(SQLError) in
      let stored = try selectStream.first(stream.bytes) { $0.bytes16(0) }
      var isChanged = stored != rows.digest
      if isChanged { report.note("digestMismatch", "stream \(stream.hex)") }
      var expected: [[UInt8]] = rows.entry.map { [Self.fingerprint($0)] } ?? []
      var found = try selectEntry.map(stream.hex) { Self.fingerprint($0, MealColumns.entries) }
      if expected != found {
        isChanged = true
        report.note("rowMismatch", "MealEntries \(stream.hex)")
      }
      report.rowCount += found.count
      expected = rows.logs.map { Self.fingerprint($0) }
      found = try selectLogs.map(stream.hex, stream.hex + "g") {
        Self.fingerprint($0, MealColumns.logs)
      }
      if Set(expected) != Set(found) {
        isChanged = true
        report.note("rowMismatch", "NutritionLogs \(stream.hex)")
      }
      if isChanged { report.changedStreamCount += 1 }
      report.rowCount += found.count
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
      report.note("rowMismatch", "\(rowCount - report.rowCount) rows belong to no event")
    }
    if digest != report.digest { report.note("digestMismatch", "projection meals") }
  }

  private static func fingerprint(_ row: MealEntryRow) -> [UInt8] {
    var sink = RowFingerprint()
    row.put(into: &sink)
    return sink.bytes
  }

  private static func fingerprint(_ row: NutritionLogRow) -> [UInt8] {
    var sink = RowFingerprint()
    row.put(into: &sink)
    return sink.bytes
  }

  private static func fingerprint(
    _ row: borrowing Row, _ columns: [MealColumns.Column]
  ) -> [UInt8] {
    var sink = RowFingerprint()
    for place in columns.indices {
      if row.isNull(place) {
        sink.bindNull()
      } else if columns[place].isInteger {
        sink.bind(row.int64(place))
      } else {
        sink.bind(row.text(place))
      }
    }
    return sink.bytes
  }
}

extension RowCheck {
  init(_ connection: borrowing Connection) throws(SQLError) {
    let entries = SQL(trusted: MealColumns.entries.map(\.name).joined(separator: ", "))
    let logs = SQL(trusted: MealColumns.logs.map(\.name).joined(separator: ", "))
    self.init(
      selectEntry: try connection.prepare("SELECT \(entries) FROM MealEntries WHERE id = ?"),
      selectLogs: try connection.prepare(
        "SELECT \(logs) FROM NutritionLogs WHERE id >= ? AND id < ?"),
      selectStream: try connection.prepare("SELECT digest FROM _mealStreams WHERE stream = ?"),
      selectTotals: try connection.prepare(
        """
        SELECT (SELECT count(*) FROM MealEntries) + (SELECT count(*) FROM NutritionLogs),
          digest, version FROM _projections WHERE name = 'meals'
        """))
  }
}
