// One open database.
//
// Invariants: the file is ours (its application id is the one asked for) and not newer than we are;
// the journal is a WAL that nobody checkpoints by accident (`wal_autocheckpoint` off,
// `NO_CKPT_ON_CLOSE` on). Nothing in a process but SQLite opens the database, `-wal` or `-shm`
// files: a close of ours would drop SQLite's POSIX locks on them, so this module never does either.
// A connection and its statements are used by one thread at a time.

import CSQLite

/// An open SQLite database, closed when it and its statements are gone. Not Sendable.
package struct Connection: ~Copyable {
  let handle: ConnectionHandle
  /// How the file was opened.
  package let mode: Mode
  /// The `user_version` the file had when it was opened; that of the format where it was made now.
  package let version: Int32
  /// Bytes a page of the file has.
  package let pageByteCount: Int

  /// How a file is opened.
  package enum Mode: Sendable {
    /// Read and write; make the file if there is none.
    case create
    /// Read and write a file that exists.
    case readWrite
    /// Read only.
    case readOnly
  }

  /// Whose file it is, and how it is laid out when it is made.
  package struct Format: Sendable {
    /// `application_id`, not 0.
    package var applicationID: Int32
    /// The newest `user_version` the program knows, 1 or more.
    package var version: Int32
    /// Bytes a page of a new file has: a power of two, 512…65536.
    package var pageByteCount: Int32

    /// Describes a format.
    package init(applicationID: Int32, version: Int32, pageByteCount: Int32 = 4096) {
      precondition(applicationID != 0 && version >= 1, "a format has an id and a version")
      self.applicationID = applicationID
      self.version = version
      self.pageByteCount = pageByteCount
    }
  }

  /// When SQLite syncs.
  package enum Synchronous: Int32, Sendable {
    /// Never: a power cut may destroy the file. For what can be made again.
    case off = 0
    /// At checkpoints: a power cut may lose the last commits, but not the file.
    case normal = 1
    /// At every commit: what was committed stays.
    case full = 2
  }

  /// What every connection decides for itself. Nothing here has a default: all of it is about
  /// durability, limits or waiting.
  package struct Settings: Sendable {
    /// When SQLite syncs.
    package var synchronous: Synchronous
    /// The absolute path of the folder that sorters, statement journals and `VACUUM` put their
    /// temporary files in. It must exist when they need it, else they fail with `cannotOpen`.
    package var temporaryFolder: String
    /// How much memory the page cache may use.
    package var cacheByteCount: Int
    /// How long a statement waits for a lock before it fails with `busy`.
    package var busyMillisecondsMax: Int32
    /// The longest text, blob or row that is read or written, at most 1,000,000,000.
    package var valueByteCountMax: Int32

    /// Settings, all of them.
    package init(
      synchronous: Synchronous, temporaryFolder: String, cacheByteCount: Int,
      busyMillisecondsMax: Int32, valueByteCountMax: Int32
    ) {
      self.synchronous = synchronous
      self.temporaryFolder = temporaryFolder
      self.cacheByteCount = cacheByteCount
      self.busyMillisecondsMax = busyMillisecondsMax
      self.valueByteCountMax = valueByteCountMax
    }
  }

  /// Opens the database at `path`.
  /// - Throws: `cannotOpen`, `readOnly`, `notADatabase`, `corrupt`; `wrongApplication` for another
  ///   program's file and, unless `mode` is `create`, for an empty one; `newerVersion`; `busy`.
  ///   Another program's file is not changed.
  package init(
    path: String, mode: Mode, format: Format, settings: Settings
  ) throws(SQLError) {
    let flags =
      switch mode {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    let vfs = try TemporaryFolder.vfs(for: settings.temporaryFolder, path: path)
    let handle = try ConnectionHandle(path: path, flags: flags, vfs: vfs)
    try handle.guardAgainstTheFile(settings)
    let version = try handle.identify(
      format, mode: mode, busyMillisecondsMax: settings.busyMillisecondsMax)
    try handle.tune(settings, isReadOnly: mode == .readOnly)
    let pageByteCount = Int(try handle.number("PRAGMA page_size"))
    self.handle = handle
    self.mode = mode
    self.version = version
    self.pageByteCount = pageByteCount
  }

  /// The path it was opened with.
  package var path: String { handle.path }

  /// Whether the connection can only read.
  package var isReadOnly: Bool { mode == .readOnly }

  /// Stops running statements from another thread.
  package var interrupter: Interrupter { handle.interrupter }

  /// Compiles one statement, to be kept and used again. One that changes anything runs only inside
  /// ``write(_:)``; settings go through ``execute(_:)``.
  /// - Throws: `refused` if the SQL does not fit the schema; `busy`, `corrupt` and the like,
  ///   because the schema is read.
  package func prepare(_ sql: SQL) throws(SQLError) -> Statement {
    try Statement(sql, on: handle)
  }

  /// Runs a script of statements without parameters, ignoring rows: schema changes and `VACUUM`.
  package func execute(_ sql: SQL) throws(SQLError) {
    try handle.execute(sql)
  }

  /// Rows the last `INSERT`, `UPDATE` or `DELETE` changed, without those of triggers and foreign
  /// key actions.
  package var changes: Int64 {
    // The handle's database is open.
    unsafe sqlite3_changes64(handle.database)
  }

  /// The rowid of the last row this connection inserted.
  package var lastInsertedRowID: Int64 {
    // The handle's database is open.
    unsafe sqlite3_last_insert_rowid(handle.database)
  }

  /// A number that differs from an earlier one if another connection, in any process, has committed
  /// in between. The own commits do not count. O(1), no I/O beyond shared memory.
  package func dataVersion() throws(SQLError) -> Int64 {
    try handle.dataVersion()
  }

  /// Changes when commits are synced from now on. Not allowed inside a transaction.
  package func setSynchronous(_ synchronous: Synchronous) throws(SQLError) {
    precondition(!isInTransaction, "synchronous cannot change inside a transaction")
    try handle.execute("PRAGMA synchronous = \(synchronous.rawValue)")
  }

  /// The file's `user_version` now: another connection may have changed it since ``version``.
  package func currentVersion() throws(SQLError) -> Int32 {
    Int32(clamping: try handle.number("PRAGMA user_version"))
  }

  /// Writes the file's `user_version`, in the transaction it is part of.
  package func setVersion(
    _ version: Int32, in transaction: borrowing Transaction
  ) throws(SQLError) {
    try handle.execute("PRAGMA user_version = \(version)")
  }

  /// Runs `body` while foreign keys are neither checked nor acted on, for renaming tables into
  /// place. Not allowed inside a transaction: `body` opens its own.
  package func withoutForeignKeys<Result: ~Copyable, Failure: WrapsSQLError>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(!isInTransaction, "foreign keys cannot be switched inside a transaction")
    try Failure.wrapping { () throws(SQLError) in try handle.setForeignKeys(false) }
    let result: Result
    do throws(Failure) {
      result = try body()
    } catch {
      try Failure.wrapping { () throws(SQLError) in try handle.setForeignKeys(true) }
      throw error
    }
    try Failure.wrapping { () throws(SQLError) in try handle.setForeignKeys(true) }
    return result
  }
}
