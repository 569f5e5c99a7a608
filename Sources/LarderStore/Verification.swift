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
  /// The digests of the projections that were compared, by name.
  package var digests: [String: Bytes16] = [:]
  /// Projections whose tables another version has made, so that they could not be compared.
  package var others: [OtherVersion] = []
  /// Whether a verification that was stopped was gone on with.
  package var isContinued = false
  /// What is wrong, at most 1000 findings.
  package var problems: [IntegrityProblem] = []

  /// A projection of another version.
  package struct OtherVersion: Hashable, Sendable {
    /// The projection.
    package let name: String
    /// The version of its tables.
    package let version: Int64
    /// Whether a newer build has made them.
    package let isNewer: Bool
  }

  static let problemCountMax = 1000

  /// The digest of what a projection's fold makes of everything.
  package func digest(of projection: String) -> Bytes16 { digests[projection] ?? .zero }

  /// The digest of the diary's two tables.
  package var digest: Bytes16 { digest(of: MealProjection.name) }

  mutating func add(_ digest: Bytes16, to projection: String) {
    digests[projection] = self.digest(of: projection) &+ digest
  }

  mutating func note(_ code: String, _ subject: String) {
    if problems.count < Self.problemCountMax {
      problems.append(IntegrityProblem(code: code, subject: subject))
    }
  }
}

extension StoreReader {
  /// As ``verify(state:from:keeping:progress:)``, and counts what differs in the rows.
  package func verify(
    progress: (WorkProgress) -> Bool, differences: inout RowDifferences
  ) throws(StoreError) -> VerificationReport {
    var found = RowDifferences()
    defer { differences = found }
    return try verify(
      state: nil, from: nil, keeping: { _ in }, progress: progress, differences: &found)
  }

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
    var differences = RowDifferences()
    return try verify(
      state: state, from: known, keeping: keeping, progress: progress, differences: &differences)
  }

  private func verify(
    state: Store.State?, from known: VerificationPoint?, keeping: (VerificationPoint) -> Void,
    progress: (WorkProgress) -> Bool, differences: inout RowDifferences
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
        try verifyRows(&point, keeping: keeping, progress: progress, &differences)
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
        SELECT name || ',' || version || ',' || generation || ',' || hex(digest) || ','
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
    // Larder makes no trigger and three views; who put others there is not known.
    try StoreError.wrapping { () throws(SQLError) in
      var views = Dictionary(
        uniqueKeysWithValues: DiaryViews.all.map { ($0.name.name, $0.sql.text) })
      _ = try connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"
      ).forEach { row in
        let (type, name) = (row.optionalText(0) ?? "", row.optionalText(1) ?? "")
        if type == "view", let own = views.removeValue(forKey: name), own == row.optionalText(2) {
          return
        }
        report.note("schemaChanged", "\(type) \(name)")
      }
      try verifyViews(missing: views.keys.sorted(), &report)
      let there = Set(
        try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").map {
          $0.text(0)
        })
      var wanted = StoreTables.logIndexNames
      let live = try ProjectionGeneration.all(connection).filter { $0.state == .live }
      for plan in ProjectionPlan.all(of: schema) {
        guard let generation = live.first(where: { $0.isMade(by: plan) }) else { continue }
        wanted += plan.indexNames(generation: generation.generation)
      }
      for name in wanted where !there.contains(name) { report.note("indexMissing", name) }
    }
  }

  /// Names the views that are not there though everything they read is.
  private func verifyViews(
    missing: [String], _ report: inout VerificationReport
  ) throws(SQLError) {
    let tables = try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").map {
      $0.text(0)
    }
    guard DiaryViews.tables.allSatisfy({ tables.contains($0.name) }) else { return }
    for name in missing { report.note("viewMissing", name) }
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
    progress: (WorkProgress) -> Bool, _ differences: inout RowDifferences
  ) throws(StoreError) {
    guard case .rows(var rows) = point.place else { return }
    let plans = ProjectionPlan.all(of: schema)
    let check = try StoreError.wrapping { () throws(SQLError) in
      try RowCheck(plans, schema: schema.events, connection)
    }
    point.report.others = check.others.map { other in
      let own = plans.first { $0.name == other.name }?.version ?? 0
      return VerificationReport.OtherVersion(
        name: other.name, version: other.version, isNewer: other.version > own)
    }
    let walk = try StoreError.wrapping { () throws(SQLError) in try StreamWalk(connection) }
    let isWhole = try walk.run(
      after: rows.stream, unreadable: { (_) throws(StoreError) in rows.isUnreadable = true }
    ) { (stream, events) throws(StoreError) -> Bool in
      point.report.foldedCount += events.count
      if stream != .control {
        try check.compare(
          stream, events: events, report: &point.report, differences: &differences)
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
