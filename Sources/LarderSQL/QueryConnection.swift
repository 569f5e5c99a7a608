// Runs SQL that a person or an app wrote, and lets it read promised tables and nothing else.
//
// Invariants: the connection is read-only. What a statement would do is judged while it is
// compiled: only reading columns of tables and views of the allow-list, and calling functions of
// the allow-list, is let through. It can be stopped while it runs, and no value is larger than the
// limit, so that no query takes more memory or time than its caller allows.

import CSQLite

/// A connection for queries. Not thread-safe.
package final class QueryConnection {
  /// The longest text or blob, in bytes.
  private static let valueByteCountMax: Int32 = 16 << 20
  /// Instructions of SQLite's machine between two questions whether to go on.
  private static let instructionCount: Int32 = 10_000

  private let handle: ConnectionHandle
  private let judge: QueryJudge

  /// Opens the database at `path` for queries of the tables and views that `isPromised` names.
  /// - Throws: as ``Connection/init(path:mode:format:settings:)``.
  package init(
    path: String, format: Connection.Format, settings: Connection.Settings,
    isPromised: (String) -> Bool
  ) throws(SQLError) {
    let vfs = try TemporaryFolder.vfs(for: settings.temporaryFolder, path: path)
    handle = try ConnectionHandle(path: path, flags: SQLITE_OPEN_READONLY, vfs: vfs)
    var limits = settings
    limits.valueByteCountMax = Self.valueByteCountMax
    try handle.guardAgainstTheFile(limits)
    _ = try handle.identify(
      format, mode: .readOnly, busyMillisecondsMax: settings.busyMillisecondsMax)
    try handle.tune(limits, isReadOnly: true)
    judge = QueryJudge(tables: try Self.tables(handle).filter(isPromised))
    // SQLite makes these tables at their first use, which would look like making a table.
    try handle.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')")
    // The database is open. `sqlite3_limit` returns the old value, so nothing is to check.
    unsafe sqlite3_limit(handle.database, SQLITE_LIMIT_EXPR_DEPTH, 200)
    unsafe sqlite3_limit(handle.database, SQLITE_LIMIT_COMPOUND_SELECT, 100)
    unsafe sqlite3_limit(handle.database, SQLITE_LIMIT_ATTACHED, 0)
    // The argument of both is the judge, which this object keeps as long as the database.
    let context = unsafe Unmanaged.passUnretained(judge).toOpaque()
    try handle.check(
      unsafe sqlite3_set_authorizer(
        handle.database,
        { context, action, first, second, _, _ in
          guard let context = unsafe context else { return SQLITE_DENY }
          return unsafe Unmanaged<QueryJudge>.fromOpaque(context).takeUnretainedValue()
            .verdict(
              action, first.map { unsafe String(cString: $0) },
              second.map { unsafe String(cString: $0) })
        }, context), "sqlite3_set_authorizer")
    unsafe sqlite3_progress_handler(
      handle.database, Self.instructionCount,
      { context in
        guard let context = unsafe context else { return 1 }
        return unsafe Unmanaged<QueryJudge>.fromOpaque(context).takeUnretainedValue().isStopped()
          ? 1 : 0
      }, context)
  }

  /// Names of the tables and views that are no virtual ones.
  private static func tables(_ handle: ConnectionHandle) throws(SQLError) -> [String] {
    try Statement(
      """
      SELECT name FROM sqlite_schema
      WHERE type IN ('table', 'view') AND sql NOT LIKE 'CREATE VIRTUAL%'
      """, on: handle
    ).map { $0.text(0) }
  }

  /// Runs one query.
  /// - Parameters:
  ///   - sql: one SELECT statement.
  ///   - arguments: a value for each parameter.
  ///   - isStopped: asked now and then; true ends the query.
  ///   - columns: called once, with the names of the columns.
  ///   - row: called with each row; false ends the query.
  /// - Throws: `refused` for SQL that is no query of promised tables, with what was refused; what
  ///   `columns` and `row` throw; `interrupted`, `tooBig`, `busy`, `corrupt`, `ioFailure`.
  package func run(
    _ sql: String, _ arguments: [SQLValue], isStopped: @escaping () -> Bool,
    columns: ([String]) throws -> Void, row: ([SQLValue]) throws -> Bool
  ) throws {
    judge.isStopped = isStopped
    defer { judge.isStopped = { false } }
    let statement = try unsafe prepare(sql)
    // Compiled by `prepare`, and finalised here once; its result repeats a failure that was thrown.
    defer { unsafe sqlite3_finalize(statement) }
    try unsafe bind(arguments, to: statement)
    let count = unsafe sqlite3_column_count(statement)
    try columns(
      (0..<count).map { index in
        // SQLite's own copy lives as long as the statement.
        unsafe sqlite3_column_name(statement, index).map { unsafe String(cString: $0) } ?? ""
      })
    while true {
      let result = unsafe sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { throw failure(result) }
      let values = (0..<count).map { unsafe value(statement, $0) }
      if try !row(values) { return }
    }
  }

  // MARK: Compiling

  private func prepare(_ sql: String) throws(SQLError) -> OpaquePointer {
    if sql.utf8.contains(0) { throw refused("the SQL holds NUL") }
    judge.denied = nil
    var text = sql
    var statement: OpaquePointer?
    var second: OpaquePointer?
    // `text` lives for the call; the tail points into it, and SQLite copies what it compiles.
    let result = text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let result = unsafe sqlite3_prepare_v3(
          handle.database, characters.baseAddress, Int32(clamping: characters.count), 0,
          &statement, &tail)
        guard result == SQLITE_OK, let start = characters.baseAddress, let tail = unsafe tail
        else { return result }
        // What follows must be nothing but blanks and comments.
        let rest = Int32(clamping: characters.count - (unsafe tail - start))
        return unsafe sqlite3_prepare_v3(handle.database, tail, rest, 0, &second, nil)
      }
    }
    // Either may be nil, which finalises nothing.
    let hasSecond = unsafe second != nil
    unsafe sqlite3_finalize(second)
    guard result == SQLITE_OK, !hasSecond, let statement = unsafe statement else {
      unsafe sqlite3_finalize(statement)
      if let denied = judge.denied { throw refused(denied) }
      if result != SQLITE_OK { throw unreadable(result) }
      throw refused(hasSecond ? "there is more than one statement" : "there is no statement")
    }
    if unsafe sqlite3_stmt_readonly(statement) == 0 || sqlite3_stmt_isexplain(statement) != 0
      || sqlite3_column_count(statement) == 0
    {
      unsafe sqlite3_finalize(statement)
      throw refused("this is no SELECT")
    }
    return unsafe statement
  }

  private func bind(_ values: [SQLValue], to statement: OpaquePointer) throws(SQLError) {
    let wanted = Int(unsafe sqlite3_bind_parameter_count(statement))
    guard wanted == values.count else {
      throw refused("the SQL has \(wanted) parameters, and \(values.count) values were given")
    }
    for (place, value) in values.enumerated() {
      let index = Int32(place + 1)
      let result: Int32
      switch value {
      case .null: result = unsafe sqlite3_bind_null(statement, index)
      case .integer(let number): result = unsafe sqlite3_bind_int64(statement, index, number)
      case .real(let number): result = unsafe sqlite3_bind_double(statement, index, number)
      case .text(var text):
        // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
        result = text.withUTF8 { bytes in
          unsafe sqlite3_bind_text64(
            statement, index,
            bytes.baseAddress.map { unsafe UnsafeRawPointer($0) }?
              .assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            unsafeBitCast(-1, to: sqlite3_destructor_type.self), UInt8(SQLITE_UTF8))
        }
      case .blob(let blob):
        // As for text. A blob without bytes has no address.
        result = unsafe blob.withUnsafeBytes { bytes in
          unsafe bytes.isEmpty
            ? sqlite3_bind_zeroblob(statement, index, 0)
            : sqlite3_bind_blob64(
              statement, index, bytes.baseAddress, UInt64(bytes.count),
              unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
      }
      guard result == SQLITE_OK else { throw failure(result) }
    }
  }

  /// The value of a column; valid until the next step, and copied.
  private func value(_ statement: OpaquePointer, _ index: Int32) -> SQLValue {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      // The count is asked after the pointer, as SQLite wants it.
      let start = unsafe sqlite3_column_text(statement, index)
      let bytes = unsafe UnsafeBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(statement, index)))
      return .text(unsafe String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_column_blob(statement, index)
      let bytes = unsafe UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
      return .blob(unsafe Array(bytes))
    default: return .null
    }
  }

  // MARK: Errors

  private func refused(_ message: String) -> SQLError {
    SQLError(
      code: .refused, operation: "query", resultCode: SQLITE_AUTH, message: message,
      path: handle.path)
  }

  /// SQL that cannot be compiled: SQLite's words, and where they apply.
  private func unreadable(_ result: Int32) -> SQLError {
    let error = handle.error(result, "query")
    let offset = unsafe sqlite3_error_offset(handle.database)
    guard error.code == .refused || result & 0xff == SQLITE_ERROR else { return error }
    return refused(error.message + (offset >= 0 ? ", at character \(offset + 1)" : ""))
  }

  private func failure(_ result: Int32) -> SQLError {
    let error = handle.stepError(result, "query")
    return result & 0xff == SQLITE_ERROR ? refused(error.message) : error
  }
}

/// Says what a statement may do while it is compiled, and whether it may go on.
private final class QueryJudge {
  /// In lower case, as SQLite compares names.
  private let tables: Set<String>
  /// What was denied last, in words.
  var denied: String?
  var isStopped: () -> Bool = { false }

  init(tables: [String]) {
    self.tables = Set(tables.map { $0.lowercased() })
  }

  func verdict(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_READ:
      guard let first else { break }
      let table = first.lowercased()
      if ["json_each", "json_tree"].contains(table) { return SQLITE_OK }
      guard tables.contains(table) else {
        denied = "there is no promised table \(first)"
        return SQLITE_DENY
      }
      // Columns that are not promised have no value.
      return second?.hasPrefix("_") == true ? SQLITE_IGNORE : SQLITE_OK
    case SQLITE_FUNCTION:
      guard let second else { break }
      if Self.functions.contains(second.lowercased()) { return SQLITE_OK }
      denied = "the function \(second) is not allowed in queries"
      return SQLITE_DENY
    default: break
    }
    denied = "only SELECT is allowed"
    return SQLITE_DENY
  }

  /// Functions that read nothing but their arguments and, those of dates, the clock.
  private static let functions: Set<String> = [
    "abs", "avg", "ceil", "ceiling", "char", "coalesce", "count", "cume_dist", "date", "datetime",
    "dense_rank", "exp", "first_value",
    "floor", "format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "json",
    "json_array", "json_array_length", "json_extract", "json_group_array", "json_group_object",
    "json_object", "json_quote", "json_type", "json_valid", "julianday", "lag", "last_value",
    "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower",
    "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pow", "power",
    "printf", "quote", "rank", "replace", "round", "row_number", "rtrim", "sign", "sqrt",
    "strftime", "substr", "substring", "sum", "time", "total", "trim", "trunc", "typeof",
    "unicode", "unixepoch", "unlikely", "upper", "->", "->>",
  ]
}
