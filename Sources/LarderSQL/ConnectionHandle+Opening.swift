// The order in which a connection gets its settings: first what protects us from the file, then the
// question whose file it is, then what may read or write it.

import CSQLite

extension ConnectionHandle {
  /// Settings that touch no byte of the file and limit what its content can do to us.
  func guardAgainstTheFile(_ settings: Connection.Settings) throws(SQLError) {
    // The database is open. `sqlite3_limit` returns the old value, so nothing is to check.
    try check(unsafe sqlite3_busy_timeout(database, settings.busyMillisecondsMax), "busy_timeout")
    unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, settings.valueByteCountMax)
    unsafe sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 1_000_000)
    unsafe sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 1)  // VACUUM needs one.
    unsafe sqlite3_limit(database, SQLITE_LIMIT_WORKER_THREADS, 0)
    for (option, isOn) in [
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
      (SQLITE_DBCONFIG_ENABLE_FKEY, true),
      // No corruption by SQL, nothing that somebody else put into the schema and that runs or
      // answers in place of our rows, no strings in double quotes, no extension.
      (SQLITE_DBCONFIG_DEFENSIVE, true),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
      (SQLITE_DBCONFIG_ENABLE_VIEW, true),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      (SQLITE_DBCONFIG_DQS_DDL, false),
      (SQLITE_DBCONFIG_DQS_DML, false),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
      // One plan for a statement, whatever is bound, and no compiling again between two uses.
      (SQLITE_DBCONFIG_ENABLE_QPSG, true),
    ] {
      let result = unsafe larder_sqlite3_configure(database, Int32(option), isOn ? 1 : 0)
      try check(result, "sqlite3_db_config")
    }
    try execute("PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA temp_store = FILE")
  }

  /// Makes sure the file is ours and returns its version; a fresh file becomes ours.
  func identify(
    _ format: Connection.Format, mode: Connection.Mode, busyMillisecondsMax: Int32
  ) throws(SQLError) -> Int32 {
    if mode == .create, try isFresh() {
      try execute("PRAGMA page_size = \(format.pageByteCount); PRAGMA auto_vacuum = NONE")
      try switchToWAL(busyMillisecondsMax: busyMillisecondsMax)
      try begin(.write)
      do {
        // Another process may have made it ours, or its own, since we looked.
        if try isFresh() {
          try execute(
            """
            PRAGMA application_id = \(format.applicationID);
            PRAGMA user_version = \(format.version)
            """)
        }
      } catch {
        rollback()
        throw error
      }
      try commit()
    }
    let found = Int32(truncatingIfNeeded: try number("PRAGMA application_id"))
    let version = Int32(truncatingIfNeeded: try number("PRAGMA user_version"))
    guard found == format.applicationID else {
      throw SQLError(
        code: .wrongApplication, operation: "PRAGMA application_id", resultCode: SQLITE_NOTADB,
        message: "the file has application id \(found), not \(format.applicationID)", path: path)
    }
    guard version > 0 else {
      throw SQLError(
        code: .corrupt, operation: "PRAGMA user_version", resultCode: SQLITE_CORRUPT,
        message: "the file is ours and has version \(version), which is none", path: path)
    }
    guard version <= format.version else {
      throw SQLError(
        code: .newerVersion, operation: "PRAGMA user_version", resultCode: SQLITE_NOTADB,
        message: "the file has version \(version), the newest known is \(format.version)",
        path: path)
    }
    return version
  }

  /// Settings that need the file to be ours.
  func tune(_ settings: Connection.Settings, isReadOnly: Bool) throws(SQLError) {
    if !isReadOnly { try switchToWAL(busyMillisecondsMax: settings.busyMillisecondsMax) }
    try execute(
      """
      PRAGMA synchronous = \(settings.synchronous.rawValue);
      PRAGMA secure_delete = FAST;
      PRAGMA cache_size = -\(max(1, settings.cacheByteCount / 1024))
      """)
  }

  /// Whether the file is empty or an empty database without an owner.
  private func isFresh() throws(SQLError) -> Bool {
    guard try number("PRAGMA application_id") == 0, try number("PRAGMA user_version") == 0 else {
      return false
    }
    return try number("SELECT count(*) FROM sqlite_schema") == 0
  }

  /// Two that switch a new file at once each hold what the other waits for; SQLite then fails at
  /// once instead of waiting. The wait is done here.
  private func switchToWAL(busyMillisecondsMax: Int32) throws(SQLError) {
    var waitedMilliseconds: Int32 = 0
    while true {
      do {
        return try switchToWAL()
      } catch {
        guard error.code == .busy, waitedMilliseconds < busyMillisecondsMax else { throw error }
        waitedMilliseconds += max(1, sqlite3_sleep(5))
      }
    }
  }

  private func switchToWAL() throws(SQLError) {
    let operation: SQL = "PRAGMA journal_mode = WAL"
    let statement = try Statement(operation, on: self, isSetting: true)
    let mode = try statement.first { $0.text(0) } ?? ""
    guard mode == "wal" else {
      throw SQLError(
        code: .cannotOpen, operation: operation.text, resultCode: SQLITE_CANTOPEN,
        message: "the file system cannot hold a WAL database (journal mode \(mode))", path: path)
    }
  }

  /// How long statements wait for a lock from now on.
  func setBusyTimeout(milliseconds: Int32) {
    // The database is open; this cannot fail on one that is.
    _ = unsafe sqlite3_busy_timeout(database, milliseconds)
  }

  /// Switches foreign keys on or off; SQLite ignores this inside a transaction.
  func setForeignKeys(_ isOn: Bool) throws(SQLError) {
    // The database is open.
    let result = unsafe larder_sqlite3_configure(
      database, SQLITE_DBCONFIG_ENABLE_FKEY, isOn ? 1 : 0)
    try check(result, "sqlite3_db_config")
  }

  /// The first column of the first row of `sql`.
  func number(_ sql: SQL) throws(SQLError) -> Int64 {
    let statement = try Statement(sql, on: self)
    return try statement.first { $0.int64(0) } ?? 0
  }

  /// Runs a script, ignoring rows.
  func execute(_ sql: SQL) throws(SQLError) {
    if wasRolledBack { throw rolledBackError(sql.text) }
    // The string lives for the call; no callback is given, and the message is read afterwards.
    let result = unsafe sqlite3_exec(database, sql.text, nil, nil, nil)
    if result != SQLITE_OK {
      noteRollback()
      throw error(result, sql.text)
    }
  }
}
