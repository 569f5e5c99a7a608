// Writes the rows of one projection, live or of a generation that is being made: one path for both.
// A stream's rows are changed by difference: what is new is inserted, what was there is updated,
// what is no longer there is deleted, and nothing is ever replaced by deletion and insertion.
//
// A statement that may either insert or update (UPSERT) is not used: SQLite keeps a journal of its
// own for each of its runs, which costs more than the row.
//
// Invariant: rows of a stream are there only if the stream is known. A row that is there all the
// same was put there by somebody else; inserting then fails as `constraint`.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// The statements of one projection's tables in one place.
final class ProjectionTables {
  let plan: ProjectionPlan
  private let tables: [TableStatements]
  private let summaries: [[SummaryTable]]
  private let insertStream: Statement
  private let updateStream: Statement
  private let selectStream: Statement

  init(
    _ plan: ProjectionPlan, _ place: ProjectionPlan.Place, _ connection: borrowing Connection
  ) throws(SQLError) {
    self.plan = plan
    var tables: [TableStatements] = []
    for table in plan.tables {
      tables.append(try TableStatements(table, plan.table(table, place), connection))
    }
    self.tables = tables
    var summaries: [[SummaryTable]] = []
    for plans in plan.summaries {
      var made: [SummaryTable] = []
      for summary in plans { made.append(try SummaryTable(summary, place, connection)) }
      summaries.append(made)
    }
    self.summaries = summaries
    let streams = plan.streams(place)
    insertStream = try connection.prepare(
      "INSERT INTO \(streams)(stream, digest, failure) VALUES (?, ?, ?)")
    updateStream = try connection.prepare(
      "UPDATE \(streams) SET digest = ?, failure = ? WHERE stream = ?")
    selectStream = try connection.prepare("SELECT digest FROM \(streams) WHERE stream = ?")
  }

  /// The digest of a stream's rows; nil if the tables know nothing of it.
  func known(_ stream: StreamID) throws(SQLError) -> Bytes16? {
    try selectStream.first(stream.bytes) { $0.bytes16(0) }
  }

  /// Makes the tables hold `rows`.
  /// - Parameters:
  ///   - failure: why the stream cannot be folded at all; nil if it can.
  ///   - old: the digest the tables had for the stream; nil where they knew nothing of it.
  /// - Returns: the stream's new digest.
  func write(
    _ rows: ProjectionRows, failure: String?, old: Bytes16?
  ) throws(SQLError) -> Bytes16 {
    let digest = rows.digest
    let bytes = rows.encoded
    guard let old else {
      for row in rows.rows {
        try tables[row.table].insert(row, bytes.span)
        for summary in summaries[row.table] { summary.add(row, in: bytes.span) }
      }
      try insertStream.run(rows.stream.bytes, digest, failure)
      return digest
    }
    if digest != old { try change(rows, bytes.span) }
    try updateStream.run(digest, failure, rows.stream.bytes)
    return digest
  }

  /// Writes what was counted for summaries: once in a transaction, behind the last row.
  func flush() throws(SQLError) {
    for summary in summaries.joined() { try summary.flush() }
  }

  /// Forgets what a transaction that failed counted.
  func discard() {
    for summary in summaries.joined() { summary.discard() }
  }

  /// Changes the rows of a stream the tables know. A row comes before those that refer to it, and
  /// goes after them.
  private func change(_ rows: ProjectionRows, _ bytes: Span<UInt8>) throws(SQLError) {
    let id = rows.stream.hex
    var gone: [Set<String>] = []
    for (table, summaries) in zip(tables, summaries) {
      gone.append(try table.ids(of: id))
      for summary in summaries { try summary.remove(id) }
    }
    for row in rows.rows {
      let isThere = gone[row.table].remove(rows.id(of: row)) != nil
      if isThere {
        try tables[row.table].update(row, bytes)
      } else {
        try tables[row.table].insert(row, bytes)
      }
      for summary in summaries[row.table] { summary.add(row, in: bytes) }
    }
    for place in tables.indices.reversed() {
      for id in gone[place].sorted() { try tables[place].delete(id) }
    }
  }
}

/// The statements of one table.
private final class TableStatements {
  private let insertRow: Statement
  private let updateRow: Statement
  private let deleteRow: Statement
  private let selectIDs: Statement

  init(
    _ table: ProjectionTable, _ name: SQL.Identifier, _ connection: borrowing Connection
  ) throws(SQLError) {
    let columns = table.columnNames
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let sets = columns.enumerated().dropFirst().map { "\($0.element) = ?\($0.offset + 1)" }
    let names = columns.joined(separator: ", ")
    insertRow = try connection.prepare(
      "INSERT INTO \(name)\(SQL(trusted: "(\(names)) VALUES (\(places))"))")
    // The same values in the same order as the insertion; the first finds the row.
    updateRow = try connection.prepare(
      "UPDATE \(name) SET \(SQL(trusted: sets.joined(separator: ", "))) WHERE id = ?1")
    deleteRow = try connection.prepare("DELETE FROM \(name) WHERE id = ?")
    selectIDs = try connection.prepare("SELECT id FROM \(name) WHERE id >= ? AND id < ?")
  }

  func insert(_ row: ProjectionRows.Row, _ bytes: Span<UInt8>) throws(SQLError) {
    try insertRow.run { $0.bind(row, in: bytes) }
  }

  func update(_ row: ProjectionRows.Row, _ bytes: Span<UInt8>) throws(SQLError) {
    try updateRow.run { $0.bind(row, in: bytes) }
  }

  func delete(_ id: String) throws(SQLError) { try deleteRow.run(id) }

  /// Hexadecimal digits end before "g", so this range is the identifiers that begin with the
  /// stream.
  func ids(of stream: String) throws(SQLError) -> Set<String> {
    Set(try selectIDs.map(stream, stream + "g") { $0.text(0) })
  }
}

extension StatementValues {
  /// Binds all values of a row of a fold.
  fileprivate mutating func bind(_ row: ProjectionRows.Row, in bytes: Span<UInt8>) {
    row.forEachValue(in: bytes) { value in
      switch value {
      case .null: bindNull()
      case .integer(let number): bind(number)
      case .text(let range): bind(text: bytes.extracting(range))
      case .blob(let range): bind(blob: bytes.extracting(range))
      }
    }
  }
}
