// What a connection and its statements share: the open database and the state of its transaction.
//
// Invariant: the database is open as long as this object lives. Every statement holds it, so a
// statement cannot outlive its database, in whatever order its owner lets go of them. Not Sendable,
// like everything that holds it: the database was opened without mutexes.

import CSQLite

/// An open database, closed when the last of its connection and statements is gone.
@safe
final class ConnectionHandle {
  // Open from `init` to `deinit`; only this module sees it.
  let database: OpaquePointer
  let path: String
  let interrupter: Interrupter
  private(set) var transaction: TransactionKind?
  /// SQLite rolled the transaction back by itself; what runs until its end must not commit alone.
  private(set) var wasRolledBack = false
  /// Frames in the WAL after the last commit of this connection.
  private(set) var walFrameCount = 0
  // Prepared at first use, finalised in `deinit`. Index: `Control.rawValue`.
  private var controls: [OpaquePointer?] = unsafe [nil, nil, nil, nil, nil]

  /// Opens the file; the connection has no settings yet.
  init(path: String, flags: Int32, vfs: String?) throws(SQLError) {
    let operation = "open"
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLError(
        code: .cannotOpen, operation: operation, resultCode: SQLITE_CANTOPEN,
        message: "a database path is neither empty nor holds NUL", path: path)
    }
    // A name that begins with "file:" or ":" means something else to SQLite.
    let name = path.hasPrefix("/") ? path : "./" + path
    var opened: OpaquePointer?
    // The strings live for the call, and SQLite copies them.
    let result = unsafe sqlite3_open_v2(
      name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
    guard let opened = unsafe opened else {
      throw SQLError(
        code: .outOfMemory, operation: operation, resultCode: SQLITE_NOMEM,
        message: "no memory for a connection", path: path)
    }
    unsafe database = opened
    self.path = path
    interrupter = unsafe Interrupter(opened)
    // From here on `deinit` closes, also where opening failed.
    guard result == SQLITE_OK else { throw error(result, operation) }
    // The hook's argument is this object, which lives until the database is closed.
    _ = unsafe sqlite3_wal_hook(
      database,
      { handle, _, _, frameCount in
        guard let handle = unsafe handle else { return SQLITE_OK }
        unsafe Unmanaged<ConnectionHandle>.fromOpaque(handle).takeUnretainedValue()
          .noteWAL(frameCount: Int(frameCount))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    interrupter.invalidate()
    while let control = unsafe controls.popLast() {
      // Each was prepared by `prepare` and is finalised once; its result repeats an old failure.
      unsafe sqlite3_finalize(control)
    }
    // Statements and backups hold this object, so none is left.
    let result = unsafe sqlite3_close(database)
    precondition(result == SQLITE_OK, "a database was closed under a statement")
  }

  /// Whether SQLite commits each statement by itself, which is so outside of transactions.
  var isAutocommitting: Bool {
    unsafe sqlite3_get_autocommit(database) != 0
  }

  /// Remembers how long the WAL is.
  func noteWAL(frameCount: Int) {
    walFrameCount = frameCount
  }

  // MARK: Transactions

  /// Begins a transaction. Nested use is a programmer error.
  func begin(_ kind: TransactionKind) throws(SQLError) {
    precondition(transaction == nil, "transactions do not nest")
    if !isAutocommitting {
      // An earlier rollback failed. Without it there is no new beginning.
      try perform(.rollback)
    }
    try perform(kind == .write ? .beginImmediate : .begin)
    transaction = kind
    wasRolledBack = false
  }

  /// Commits the transaction; if that fails it is rolled back.
  func commit() throws(SQLError) {
    if wasRolledBack {
      transaction = nil
      wasRolledBack = false
      throw rolledBackError("COMMIT")
    }
    do {
      try perform(.commit)
    } catch {
      rollback()
      throw error
    }
    transaction = nil
  }

  /// Rolls the transaction back. SQLite may have done so already.
  ///
  /// A failure is not lost: it leaves the database inside the transaction, and the next `begin`
  /// tries again and throws.
  func rollback() {
    if !isAutocommitting {
      try? perform(.rollback)
    }
    transaction = nil
    wasRolledBack = false
  }

  func rolledBackError(_ operation: String) -> SQLError {
    SQLError(
      code: .rolledBack, operation: operation, resultCode: SQLITE_ABORT_ROLLBACK_CODE,
      message: "an earlier failure rolled the transaction back", path: path)
  }

  // MARK: Errors

  /// Throws unless `result` is `SQLITE_OK`.
  func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SQLError) {
    guard result == SQLITE_OK else { throw error(result, operation()) }
  }

  /// The error for `result`, with SQLite's message about the call that failed last.
  func error(_ result: Int32, _ operation: String) -> SQLError {
    // The message is valid until the next call on this connection and is copied here.
    makeError(result, operation, message: unsafe String(cString: sqlite3_errmsg(database)))
  }

  /// The error for a statement that failed while it ran.
  ///
  /// Functions inside SQL (`json_extract`, the query parser of FTS5) put their arguments into
  /// messages of the general code, and those are bound values: that code keeps its number only.
  func stepError(_ result: Int32, _ operation: String) -> SQLError {
    let error =
      result & 0xff == SQLITE_ERROR
      ? makeError(result, operation, message: "the SQL failed on the values given to it")
      : error(result, operation)
    noteRollback()
    return error
  }

  /// After a failure: whether SQLite ended the transaction by itself.
  func noteRollback() {
    if transaction != nil && isAutocommitting { wasRolledBack = true }
  }

  private func makeError(_ result: Int32, _ operation: String, message: String) -> SQLError {
    let ranOutOfSpace = unsafe larder_sqlite3_ran_out_of_space(database) != 0
    return SQLError(
      code: SQLError.Code(result: result, ranOutOfSpace: ranOutOfSpace), operation: operation,
      resultCode: result, message: message, path: path)
  }

  // MARK: Control statements

  private enum Control: Int {
    case begin, beginImmediate, commit, rollback, dataVersion

    var sql: SQL {
      switch self {
      case .begin: "BEGIN"
      case .beginImmediate: "BEGIN IMMEDIATE"
      case .commit: "COMMIT"
      case .rollback: "ROLLBACK"
      case .dataVersion: "PRAGMA data_version"
      }
    }
  }

  private func perform(_ control: Control) throws(SQLError) {
    let statement = try unsafe prepared(control)
    // `statement` is a live statement of this database; reset repeats the result of the step.
    let result = unsafe sqlite3_step(statement)
    let failure = result == SQLITE_DONE ? nil : error(result, control.sql.text)
    unsafe sqlite3_reset(statement)
    if let failure { throw failure }
  }

  /// A number that changes when another connection has committed.
  func dataVersion() throws(SQLError) -> Int64 {
    let statement = try unsafe prepared(.dataVersion)
    // As in `perform`; the column is read while the statement stands on its one row.
    let result = unsafe sqlite3_step(statement)
    let failure = result == SQLITE_ROW ? nil : error(result, Control.dataVersion.sql.text)
    let version = unsafe sqlite3_column_int64(statement, 0)
    unsafe sqlite3_reset(statement)
    if let failure { throw failure }
    return version
  }

  private func prepared(_ control: Control) throws(SQLError) -> OpaquePointer {
    if let statement = unsafe controls[control.rawValue] { return unsafe statement }
    let statement = try unsafe prepare(control.sql)
    unsafe controls[control.rawValue] = unsafe statement
    return unsafe statement
  }

  /// Compiles one statement, which the caller finalises.
  func prepare(_ sql: SQL) throws(SQLError) -> OpaquePointer {
    var text = sql.text
    var statement: OpaquePointer?
    var isWhole = false
    // `text` lives for the call. SQLite copies it; `tail` points into it.
    let result = text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let result = unsafe sqlite3_prepare_v3(
          database, characters.baseAddress, Int32(clamping: characters.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
        if let start = characters.baseAddress, let end = unsafe tail {
          let rest = unsafe characters[(unsafe end - start)...]
          isWhole = unsafe rest.allSatisfy { $0 == 0x20 || $0 == 0x0a || $0 == 0x3b }
        }
        return result
      }
    }
    try check(result, sql.text)
    guard let statement = unsafe statement, isWhole else {
      preconditionFailure("not exactly one statement: \(sql.text)")
    }
    return unsafe statement
  }
}

/// What a transaction may do.
enum TransactionKind {
  case read, write
}

/// `SQLITE_ABORT_ROLLBACK`, a macro Swift does not see.
let SQLITE_ABORT_ROLLBACK_CODE: Int32 = SQLITE_ABORT | (2 << 8)
