// `larder query` and `larder schema`: the promised tables, for whoever knows SQL.

import Larder
import LarderStore

/// The verbs that read with SQL.
enum QueryCommand {
  /// So many rows are gathered where all must be known before the first is shown.
  private static let gatheredRowCountMax = 100_000

  // MARK: query

  static func run(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let sql = invocation.arguments[0]
    if invocation.has(.csv), invocation.form != .text {
      throw CommandError.usage(
        .invalidArgument, "--csv, --json and --jsonl exclude each other", hint: "give one of them")
    }
    _ = try await access.history()
    if invocation.has(.csv) || invocation.form == .lines {
      var answer = Answer(elements: { [] }, result: { .null }, lines: { _ in [] })
      answer.stream = { write async throws(CommandError) in
        try stream(sql, isCSV: invocation.has(.csv), access, write)
      }
      return answer
    }
    var names: [String] = []
    var rows: [[SQLValue]] = []
    try query(sql, access, columns: { names = $0 }) { values in
      rows.append(values)
      return rows.count <= gatheredRowCountMax
    }
    if rows.count > gatheredRowCountMax {
      throw CommandError(
        .invalidArgument, "the answer has more than \(gatheredRowCountMax) rows",
        hint: "--jsonl and --csv show them as they come; or add LIMIT", exit: .usage)
    }
    if invocation.form == .document { try checkNames(names) }
    let (columns, found) = (names, rows)
    return Answer(
      result: {
        .object(of: [
          ("columns", .array(columns.map(JSONValue.string))),
          ("rows", .array(found.map { object(columns, $0) })),
        ])
      },
      lines: { width in table(columns, found).lines(width: width) })
  }

  /// Writes each row as it comes.
  private static func stream(
    _ sql: String, isCSV: Bool, _ access: StoreAccess, _ write: Answer.Writing
  ) throws(CommandError) {
    let output = access.context.output
    var names: [String] = []
    var unfit: CommandError?
    try query(
      sql, access,
      columns: { columns in
        names = columns
        if isCSV {
          output.append(CSVText.line(columns))
        } else {
          do throws(CommandError) { try checkNames(columns) } catch { unfit = error }
        }
      },
      row: { values in
        if unfit != nil { return false }
        if isCSV {
          output.append(CSVText.line(values.map { text($0) }))
          return !output.hasFailed
        }
        return write({ object(names, values) }, { [] })
      })
    if let unfit { throw unfit }
  }

  private static func query(
    _ sql: String, _ access: StoreAccess, columns: ([String]) -> Void,
    row: ([SQLValue]) -> Bool
  ) throws(CommandError) {
    let context = access.context
    do {
      try StoreQuery(at: access.location.paths, waitMilliseconds: access.waitMilliseconds).run(
        sql, [], isStopped: { context.isInterrupted() }, columns: columns, row: row)
    } catch let error as StoreError {
      if error.code == .refused {
        throw CommandError.usage(
          .invalidArgument, "the query was refused: \(error.subject)",
          hint: "one SELECT of the tables `larder schema` shows")
      }
      if error.code == .interrupted {
        throw CommandError(
          .interrupted, "stopped: the query", hint: "nothing was changed", exit: .interrupted)
      }
      throw CommandError(error, store: access.configuration.store)
    } catch {
      throw CommandError(
        .storeFailed, "the query failed: \(error)", hint: "`larder verify` checks the store",
        exit: .failed)
    }
  }

  // MARK: Values

  /// A document's keys must differ.
  private static func checkNames(_ names: [String]) throws(CommandError) {
    guard let name = names.first(where: { one in names.filter { $0 == one }.count > 1 }) else {
      return
    }
    throw CommandError.usage(
      .invalidArgument, "two columns are called \(CommandError.quoted(name))",
      hint: "give one of them another name with AS")
  }

  private static func object(_ names: [String], _ values: [SQLValue]) -> JSONValue {
    .object(of: zip(names, values).map { ($0, json($1)) })
  }

  private static func json(_ value: SQLValue) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .string(hex(bytes))
    }
  }

  /// A value in a table and in CSV; nothing for NULL.
  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): JSONValue.real(number).text
    case .text(let text): text
    case .blob(let bytes): hex(bytes)
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func table(_ names: [String], _ rows: [[SQLValue]]) -> TextTable {
    let columns = names.indices.map { place in
      let isNumber = rows.allSatisfy { row in
        switch row[place] {
        case .integer, .real, .null: true
        case .text, .blob: false
        }
      }
      return TextTable.Column(names[place], isRightAligned: isNumber, overflow: .wrap)
    }
    var table = TextTable(columns)
    for row in rows { table.append(row.map { StyledText(text($0)) }) }
    return table
  }

  // MARK: schema

  static func schema(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let history = try await access.history()
    var tables = try await access.storing { () async throws(StoreError) in
      try await history.tables()
    }
    if let name = invocation.arguments.first {
      let all = tables.map(\.name)
      tables = tables.filter { $0.name.lowercased() == name.lowercased() }
      if tables.isEmpty {
        throw CommandError(
          .notFound, "there is no table \(CommandError.quoted(name))",
          hint: "tables are \(all.joined(separator: ", "))", exit: .notFound)
      }
    }
    let (found, isOne) = (tables, invocation.arguments.first != nil)
    return Answer(
      result: { .object(of: [("tables", .array(found.map(document)))]) },
      lines: { width in
        isOne ? found.flatMap { columns($0, width) } : overview(found).lines(width: width)
      })
  }

  private static func overview(_ tables: [TableDescription]) -> TextTable {
    var table = TextTable([
      TextTable.Column("table"), TextTable.Column("columns", isRightAligned: true),
      TextTable.Column("a row is", overflow: .wrap),
    ])
    for one in tables {
      table.append([
        StyledText(one.name, .bold), StyledText(String(one.columns.count)),
        StyledText(one.about.isEmpty ? "an app's" : one.about),
      ])
    }
    return table
  }

  private static func columns(_ one: TableDescription, _ width: Int?) -> [StyledText] {
    var table = TextTable(
      [
        TextTable.Column("column"), TextTable.Column("type"), TextTable.Column("unit"),
        TextTable.Column("holds", overflow: .wrap),
      ], indent: 2)
    for column in one.columns {
      table.append([
        StyledText(column.name, .bold), StyledText(column.type), StyledText(column.unit ?? ""),
        StyledText(column.about),
      ])
    }
    let title = StyledText(one.name, .bold) + StyledText(one.about.isEmpty ? "" : ": \(one.about)")
    return [title] + table.lines(width: width)
  }

  private static func document(_ table: TableDescription) -> JSONValue {
    .object(of: [
      ("name", .string(table.name)), ("is_view", .bool(table.isView)),
      ("about", table.about.isEmpty ? nil : .string(table.about)),
      (
        "columns",
        .array(
          table.columns.map { column in
            .object(of: [
              ("name", .string(column.name)),
              ("type", column.type.isEmpty ? nil : .string(column.type)),
              ("unit", column.unit.map(JSONValue.string)),
              ("about", column.about.isEmpty ? nil : .string(column.about)),
            ])
          })
      ),
    ])
  }
}

/// Comma-separated values (RFC 4180), with a line feed behind each line.
enum CSVText {
  /// A line of fields.
  static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  private static func field(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains {
      $0 == "\"" || $0 == "," || $0 == "\n" || $0 == "\r"
    }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}
