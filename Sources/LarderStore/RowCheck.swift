// The rows of the tables against what the folds make of the events: for verifying, and for showing
// what a rebuild would change. Changes nothing.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Compares the live rows of this build's projections with their folds.
final class RowCheck {
  private let schema: EventSchema
  private let plans: [PlanCheck]
  private let readers: ProjectionReaders
  /// Projections whose tables another version has made.
  let others: [ProjectionGeneration]
  /// Projections that no build has made yet.
  let unmade: [String]
  /// Projections of which there are tables, and nothing that says which.
  private let missing: [String]

  init(
    _ plans: [ProjectionPlan], schema: EventSchema, _ connection: borrowing Connection
  ) throws(SQLError) {
    let live = try ProjectionGeneration.all(connection).filter { $0.state == .live }
    var checks: [PlanCheck] = []
    var others: [ProjectionGeneration] = []
    var missing: [String] = []
    var unmade: [String] = []
    let hasTable = try connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?")
    for plan in plans {
      guard let found = live.first(where: { $0.name == plan.name }) else {
        let isThere = try hasTable.first(plan.tables[0].name) { _ in true } ?? false
        if isThere { missing.append(plan.name) } else { unmade.append(plan.name) }
        continue
      }
      if found.isMade(by: plan) {
        checks.append(try PlanCheck(plan, found, connection))
      } else {
        others.append(found)
      }
    }
    self.schema = schema
    self.plans = checks
    self.others = others
    self.missing = missing
    self.unmade = unmade
    readers = ProjectionReaders(checks.map(\.plan))
  }

  /// Compares the rows of one stream.
  func compare(
    _ stream: StreamID, events: [Event], report: inout VerificationReport,
    differences: inout RowDifferences
  ) throws(StoreError) {
    let all = StreamEvents(of: stream, events: events, schema: schema)
    var unfolded = Set(all.unreadable.map(\.id))
    for place in readers.places(of: events) {
      let check = plans[place]
      let (rows, failure) = Projecting.rows(check.plan.projection, of: all)
      unfolded.formUnion(rows.setAside.map(\.id))
      report.add(rows.digest, to: check.plan.name)
      let isChanged = try StoreError.wrapping { () throws(SQLError) in
        try check.compare(
          rows, failure: failure?.description, report: &report, differences: &differences)
      }
      if isChanged {
        report.changedStreamCount += 1
        differences.streamCounts[check.plan.name, default: 0] += 1
      }
    }
    report.unfoldedCount += unfolded.count
  }

  /// Compares the counts and sums over all streams, and the summaries.
  func finish(_ report: inout VerificationReport) throws(StoreError) {
    for check in plans {
      for summary in check.summaries {
        let isRight = try StoreError.wrapping { () throws(SQLError) in try summary.isRight() }
        if !isRight { report.note("summaryMismatch", summary.name) }
      }
    }
    for name in missing { report.note("projectionMissing", name) }
    var rowCount = 0
    for check in plans {
      let (digest, count) = try StoreError.wrapping { () throws(SQLError) in try check.totals() }
      rowCount += count
      if digest != report.digest(of: check.plan.name) {
        report.note("digestMismatch", "projection \(check.plan.name)")
      }
    }
    if rowCount != report.rowCount {
      report.note("rowMismatch", "\(rowCount) rows are there, \(report.rowCount) belong to events")
    }
  }
}

/// The comparing statements of one projection.
private final class PlanCheck {
  let plan: ProjectionPlan
  private let tables: [TableCheck]
  let summaries: [SummaryCheck]
  private let selectStream: Statement
  private let selectDigest: Statement

  init(
    _ plan: ProjectionPlan, _ live: ProjectionGeneration, _ connection: borrowing Connection
  ) throws(SQLError) {
    self.plan = plan
    var tables: [TableCheck] = []
    for table in plan.tables { tables.append(try TableCheck(table, connection)) }
    self.tables = tables
    var summaries: [SummaryCheck] = []
    for summary in plan.summaries.joined() {
      summaries.append(try SummaryCheck(summary, connection))
    }
    self.summaries = summaries
    selectStream = try connection.prepare(
      "SELECT digest, failure FROM \(plan.streams(.live)) WHERE stream = ?")
    selectDigest = try connection.prepare(
      "SELECT digest FROM _projections WHERE name = ? AND state = 'live'")
  }

  /// Compares the rows of one stream with those of its fold.
  /// - Returns: whether they differ.
  func compare(
    _ rows: ProjectionRows, failure: String?, report: inout VerificationReport,
    differences: inout RowDifferences
  ) throws(SQLError) -> Bool {
    let id = rows.stream.hex
    let stored = try selectStream.first(rows.stream.bytes) {
      ($0.bytes16(0), $0.optionalText(1))
    }
    var isChanged = false
    if stored?.0 != rows.digest {
      isChanged = true
      report.note("digestMismatch", "stream \(id)")
    } else if let stored, stored.1 != failure {
      isChanged = true
      report.note("rowMismatch", "\(plan.streams(.live).name) \(id)")
    }
    let bytes = rows.encoded
    for (place, table) in tables.enumerated() {
      var expected = CBORWriter()
      var wanted: [ProjectionRows.Row] = []
      for row in rows.rows where row.table == place {
        expected.append(encoded: bytes.span.extracting(row.bytes))
        wanted.append(row)
      }
      var found = CBORWriter()
      report.rowCount += try table.read(id, place: place, into: &found)
      if expected.bytes == found.bytes { continue }
      isChanged = true
      report.note("rowMismatch", "\(table.table.name) \(id)")
      differences.add(table.table, expected: expected.bytes, found: found.bytes)
    }
    return isChanged
  }

  /// The digest the store has, and how many rows there are.
  func totals() throws(SQLError) -> (digest: Bytes16?, rowCount: Int) {
    var rowCount = 0
    for table in tables { rowCount += try table.rowCount() }
    return (try selectDigest.first(plan.name) { $0.bytes16(0) }, rowCount)
  }
}

/// The comparing statements of one table.
private final class TableCheck {
  let table: ProjectionTable
  private let selectRows: Statement
  private let countRows: Statement

  init(_ table: ProjectionTable, _ connection: borrowing Connection) throws(SQLError) {
    let name = ProjectionPlan.identifier(table.name, .live)
    let columns = SQL(trusted: table.columnNames.joined(separator: ", "))
    self.table = table
    selectRows = try connection.prepare(
      "SELECT \(columns) FROM \(name) WHERE id >= ? AND id < ? ORDER BY id")
    countRows = try connection.prepare("SELECT count(*) FROM \(name)")
  }

  func rowCount() throws(SQLError) -> Int { try countRows.first { $0.int(0) } ?? 0 }

  /// Writes a stream's rows as a fold would have given them.
  /// - Returns: how many they are.
  func read(
    _ stream: String, place: Int, into writer: inout CBORWriter
  ) throws(SQLError) -> Int {
    try selectRows.forEach(stream, stream + "g") { row in
      writer.beginArray(count: table.columns.count + 2)
      writer.append(unsigned: UInt64(place))
      row.withText(0) { writer.append(utf8: $0) }
      for (offset, column) in table.columns.enumerated() {
        let index = offset + 1
        if row.isNull(index) {
          writer.appendNull()
          continue
        }
        switch column.type {
        case .integer: writer.append(integer: row.int64(index))
        case .text: row.withText(index) { writer.append(utf8: $0) }
        case .blob: row.withBlob(index) { writer.append(bytes: $0) }
        }
      }
    }
  }
}

/// Compares a summary with the rows it sums up.
final class SummaryCheck {
  let name: String
  private let selectMissing: Statement
  private let selectStray: Statement

  init(_ plan: SummaryPlan, _ connection: borrowing Connection) throws(SQLError) {
    let (wanted, found) = plan.comparison(.live)
    name = plan.name
    selectMissing = try connection.prepare("SELECT * FROM (\(wanted)) EXCEPT \(found) LIMIT 1")
    selectStray = try connection.prepare("\(found) EXCEPT SELECT * FROM (\(wanted)) LIMIT 1")
  }

  func isRight() throws(SQLError) -> Bool {
    let isMissing = try selectMissing.first { _ in true } ?? false
    let isStray = try selectStray.first { _ in true } ?? false
    return !isMissing && !isStray
  }
}
