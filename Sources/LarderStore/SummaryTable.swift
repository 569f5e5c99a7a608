// Writes a summary: sums by key of the rows of one table, changed by what is added and taken away.
//
// Invariant: between transactions a summary has one row for each key that a row of its table has,
// with the sums of these rows; `pending` holds what the transaction that runs has yet to add.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// A summary of this build, with its names and columns.
struct SummaryPlan: Sendable {
  let summary: any Summary.Type
  /// The table it sums up.
  let table: ProjectionTable
  /// The places of its keys among the table's columns, ascending, `id` being 0; and their names.
  let keys: [Int]
  let keyNames: [String]
  /// The places of the columns its values are made of, each once, ascending.
  let sourceColumns: [Int]
  /// Which of these each value is made of; nil for a count.
  let numbers: [Int?]
  /// What each of the table's first columns is to the summary, up to the last that is anything.
  let roles: [Role]

  /// What a column is to a summary.
  struct Role: Sendable {
    var isKey = false
    var source: Int?
  }

  init(_ summary: any Summary.Type, of table: ProjectionTable) {
    self.summary = summary
    self.table = table
    let names = table.columnNames
    keys = summary.keys.compactMap(names.firstIndex).sorted()
    keyNames = keys.map { names[$0] }
    let sources = summary.values.map { $0.source.flatMap(names.firstIndex) }
    sourceColumns = Set(sources.compactMap(\.self)).sorted()
    let columns = sourceColumns
    numbers = sources.map { $0.flatMap(columns.firstIndex) }
    var roles = Array(repeating: Role(), count: (keys + columns).reduce(0, max) + 1)
    for key in keys { roles[key].isKey = true }
    for (number, column) in columns.enumerated() { roles[column].source = number }
    self.roles = roles
  }

  var name: String { summary.name }

  /// The columns it reads of a row: its keys, then what its values are made of.
  var columns: [Int] { keys + sourceColumns }

  func type(of place: Int) -> ProjectionTable.ValueType {
    place == 0 ? .text : table.columns[place - 1].type
  }

  /// The column that counts how many of the rows have the value of the `place`th sum.
  func knownColumn(_ place: Int) -> String { "_known\(place)" }

  /// Makes the table. `_key` holds the keys' values one after the other, as CBOR.
  func create(_ place: ProjectionPlan.Place) -> SQL {
    var columns = zip(keyNames, keys).map { "\($0) \(type(of: $1).rawValue)" }
    for (place, value) in summary.values.enumerated() {
      switch value {
      case .count(let name): columns.append("\(name) INTEGER NOT NULL")
      case .largest(_, let name): columns.append("\(name) INTEGER")
      case .sum(_, let name):
        columns.append("\(name) INTEGER")
        columns.append("\(knownColumn(place)) INTEGER NOT NULL")
      }
    }
    return SQL(
      trusted: """
        CREATE TABLE "\(ProjectionPlan.identifier(name, place).name)"(
          _key BLOB PRIMARY KEY,
          \(columns.joined(separator: ",\n  "))
        ) STRICT, WITHOUT ROWID;

        """)
  }

  /// The columns of the table's index by which the largest value of a key is found.
  var indexes: [[String]] {
    summary.values.compactMap { value in
      if case .largest(let source, _) = value { return keyNames + [source] }
      return nil
    }
  }

  /// Selects what this summary must hold, and what it holds.
  func comparison(_ place: ProjectionPlan.Place) -> (wanted: SQL, found: SQL) {
    let keys = keyNames.joined(separator: ", ")
    let values = summary.values.map { value in
      switch value {
      case .count: "count(*)"
      case .sum(let source, _): "sum(\(source))"
      case .largest(let source, _): "max(\(source))"
      }
    }
    let source = ProjectionPlan.identifier(table.name, place)
    let own = ProjectionPlan.identifier(name, place)
    let names = SQL(trusted: (keyNames + summary.values.map(\.column)).joined(separator: ", "))
    let wanted = SQL(trusted: ([keys] + values).joined(separator: ", "))
    return (
      "SELECT \(wanted) FROM \(source) GROUP BY \(SQL(trusted: keys))",
      "SELECT \(names) FROM \(own)"
    )
  }
}

/// The statements of one summary in one place.
final class SummaryTable {
  let plan: SummaryPlan
  private var pending: [[UInt8]: Delta] = [:]
  /// The key of the row that is counted, and the columns that are summed; nil where unknown.
  private var key = CBORWriter(reserving: 128)
  private var numbers: [Int64?]
  private let empty: [(sum: Int64, known: Int64, largest: Int64?)]
  private let selectRows: Statement
  private let selectKey: Statement
  private let insert: Statement
  private let update: Statement
  private let updateLargest: Statement
  private let delete: Statement

  /// What is to be added to the row of a key.
  private struct Delta {
    var count: Int64 = 0
    /// By value: its sum, of how many rows it is, and the largest of those that were added.
    var values: [(sum: Int64, known: Int64, largest: Int64?)]
    /// Whether a row was taken away, so that the largest may be gone.
    var hasRemoval = false
  }

  init(
    _ plan: SummaryPlan, _ place: ProjectionPlan.Place, _ connection: borrowing Connection
  ) throws(SQLError) {
    self.plan = plan
    numbers = Array(repeating: nil, count: plan.sourceColumns.count)
    empty = plan.numbers.map { _ in (sum: 0, known: 0, largest: nil) }
    let own = ProjectionPlan.identifier(plan.name, place)
    let (columns, changes, largest) = Self.columns(plan, place)
    let names = SQL(trusted: columns.joined(separator: ", "))
    let places = SQL(trusted: columns.map { _ in "?" }.joined(separator: ", "))
    let sets = largest.isEmpty ? "_key = _key" : largest.joined(separator: ", ")
    let count = plan.summary.values.first { $0.source == nil }?.column ?? ""
    let source = ProjectionPlan.identifier(plan.table.name, place)
    let read = plan.columns.map { ", " + plan.table.columnNames[$0] }.joined()
    selectRows = try connection.prepare(
      "SELECT id\(SQL(trusted: read)) FROM \(source) WHERE id >= ? AND id < ?")
    selectKey = try connection.prepare("SELECT 1 FROM \(own) WHERE _key = ?")
    insert = try connection.prepare("INSERT INTO \(own)(\(names)) VALUES (\(places))")
    update = try connection.prepare(
      "UPDATE \(own) SET \(SQL(trusted: changes.joined(separator: ", "))) WHERE _key = ?1")
    updateLargest = try connection.prepare(
      "UPDATE \(own) AS own SET \(SQL(trusted: sets)) WHERE _key = ?")
    delete = try connection.prepare(
      "DELETE FROM \(own) WHERE _key = ? AND \(SQL(trusted: count)) = 0")
  }

  /// The columns in the order of their values; how they change by these values, the key being the
  /// first; and how the largest values are found again.
  private static func columns(
    _ plan: SummaryPlan, _ place: ProjectionPlan.Place
  ) -> (columns: [String], changes: [String], largest: [String]) {
    let table = ProjectionPlan.identifier(plan.table.name, place).name
    let hasKey = plan.keyNames.map { "source.\($0) IS own.\($0)" }.joined(separator: " AND ")
    var columns = ["_key"] + plan.keyNames
    var changes: [String] = []
    var largest: [String] = []
    for (place, value) in plan.summary.values.enumerated() {
      let name = value.column
      let next = changes.count + 2
      columns.append(name)
      switch value {
      case .count: changes.append("\(name) = \(name) + ?\(next)")
      case .sum:
        let known = plan.knownColumn(place)
        columns.append(known)
        changes.append(
          "\(name) = iif(\(known) + ?\(next + 1) = 0, NULL, ifnull(\(name), 0) + ?\(next))")
        changes.append("\(known) = \(known) + ?\(next + 1)")
      case .largest(let source, _):
        changes.append(
          "\(name) = ifnull(max(\(name), ?\(next)), ifnull(\(name), ?\(next)))")
        largest.append(
          "\(name) = (SELECT max(source.\(source)) FROM \"\(table)\" AS source WHERE \(hasKey))")
      }
    }
    return (columns, changes, largest)
  }

  /// Forgets what a transaction that failed had yet to add.
  func discard() { pending.removeAll() }

  // MARK: Counting

  /// Counts a row a fold gave.
  func add(_ row: ProjectionRows.Row, in bytes: Span<UInt8>) {
    key.removeAll(keepingCapacity: true)
    var place = 0
    row.forEachValue(in: bytes, first: plan.roles.count) { value in
      defer { place += 1 }
      let role = plan.roles[place]
      if role.isKey {
        switch value {
        case .null: key.appendNull()
        case .integer(let number): key.append(integer: number)
        case .text(let range): key.append(utf8: bytes.extracting(range))
        case .blob(let range): key.append(bytes: bytes.extracting(range))
        }
      }
      if let source = role.source {
        if case .integer(let number) = value {
          numbers[source] = number
        } else {
          numbers[source] = nil
        }
      }
    }
    count(isAdded: true)
  }

  /// Takes away the rows the table has of a stream.
  func remove(_ stream: String) throws(SQLError) {
    try selectRows.forEach(stream, stream + "g") { remove($0) }
  }

  private func remove(_ row: borrowing Row) {
    key.removeAll(keepingCapacity: true)
    let keyCount = plan.keys.count
    for (offset, place) in plan.columns.enumerated() {
      let index = offset + 1
      if offset >= keyCount {
        if let source = plan.roles[place].source { numbers[source] = row.optionalInt64(index) }
      } else if row.isNull(index) {
        key.appendNull()
      } else {
        switch plan.type(of: place) {
        case .integer: key.append(integer: row.int64(index))
        case .text: row.withText(index) { key.append(utf8: $0) }
        case .blob: row.withBlob(index) { key.append(bytes: $0) }
        }
      }
    }
    count(isAdded: false)
  }

  /// Counts the row whose key and numbers were read.
  private func count(isAdded: Bool) {
    let sign: Int64 = isAdded ? 1 : -1
    func change(_ delta: inout Delta) {
      delta.count += sign
      if !isAdded { delta.hasRemoval = true }
      for (place, number) in plan.numbers.enumerated() {
        guard let number, let value = numbers[number] else { continue }
        delta.values[place].sum &+= sign &* value
        delta.values[place].known += sign
        if isAdded {
          delta.values[place].largest = max(delta.values[place].largest ?? value, value)
        }
      }
    }
    change(&pending[key.bytes, default: Delta(values: empty)])
  }

  // MARK: Writing

  /// Writes what was counted.
  func flush() throws(SQLError) {
    defer { pending.removeAll() }
    for (key, delta) in pending.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let isThere = try selectKey.first(key) { _ in true } ?? false
      if isThere {
        try update.run {
          $0.bind(key)
          bind(delta, to: &$0)
        }
        if delta.hasRemoval { try updateLargest.run(key) }
        if delta.count < 0 { try delete.run(key) }
      } else if delta.count > 0 {
        try insert.run {
          $0.bind(key)
          bind(keys: key, to: &$0)
          bind(delta, to: &$0, isNew: true)
        }
      }
    }
  }

  private func bind(
    _ delta: Delta, to values: inout StatementValues, isNew: Bool = false
  ) {
    for (value, change) in zip(plan.summary.values, delta.values) {
      switch value {
      case .count: values.bind(delta.count)
      case .sum:
        if isNew, change.known == 0 { values.bindNull() } else { values.bind(change.sum) }
        values.bind(change.known)
      case .largest: values.bind(change.largest)
      }
    }
  }

  private func bind(keys: [UInt8], to values: inout StatementValues) {
    // The key is an array's content without its head.
    var writer = CBORWriter(reserving: keys.count + 12)
    writer.beginArray(count: plan.keys.count + 2)
    writer.append(unsigned: 0)
    writer.appendNull()
    writer.append(encoded: keys.span)
    let bytes = writer.bytes
    let row = ProjectionRows.Row(table: 0, item: nil, bytes: 0..<bytes.count)
    var place = 0
    row.forEachValue(in: bytes.span) { value in
      defer { place += 1 }
      if place == 0 { return }
      switch value {
      case .null: values.bindNull()
      case .integer(let number): values.bind(number)
      case .text(let range): values.bind(text: bytes.span.extracting(range))
      case .blob(let range): values.bind(blob: bytes.span.extracting(range))
      }
    }
  }
}
