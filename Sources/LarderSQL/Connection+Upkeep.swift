// Checkpoints, checks and copies.

import CSQLite

extension Connection {
  /// How far a checkpoint goes.
  package enum CheckpointMode: Sendable {
    /// Moves what it can without waiting for anyone.
    case passive
    /// Waits for readers and writers, moves everything, and cuts the WAL file to nothing.
    case truncate
    /// As `truncate`, but waits for nobody: where anyone is in the way it moves what it can.
    case truncateAtOnce

    fileprivate var code: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncate, .truncateAtOnce: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// What a checkpoint found and did.
  package struct Checkpoint: Hashable, Sendable {
    /// Frames (pages) in the WAL; 0 after one that was cut.
    package let walFrameCount: Int
    /// Of those, the frames that are in the database file now.
    package let movedFrameCount: Int
    /// Whether a reader, a writer or another checkpoint was in the way for too long.
    package let isBlocked: Bool

    /// Whether the database file holds everything.
    package var isComplete: Bool { !isBlocked && walFrameCount == movedFrameCount }
  }

  /// Moves the WAL into the database file and syncs it. Only the writer does this, holding the
  /// write lock, outside of a transaction. Being blocked is no error.
  /// - Throws: `full`, `ioFailure`, `corrupt`.
  package func checkpoint(_ mode: CheckpointMode) throws(SQLError) -> Checkpoint {
    precondition(
      !isReadOnly && !isInTransaction, "only a writer outside of a transaction does that")
    guard mode == .truncateAtOnce else { return try runCheckpoint(mode) }
    let waiting = Int32(clamping: try handle.number("PRAGMA busy_timeout"))
    handle.setBusyTimeout(milliseconds: 0)
    defer { handle.setBusyTimeout(milliseconds: waiting) }
    return try runCheckpoint(mode)
  }

  private func runCheckpoint(_ mode: CheckpointMode) throws(SQLError) -> Checkpoint {
    var walFrameCount: Int32 = 0
    var movedFrameCount: Int32 = 0
    // The database is open; the strings and numbers live for the call.
    let result = unsafe sqlite3_wal_checkpoint_v2(
      handle.database, "main", mode.code, &walFrameCount, &movedFrameCount)
    let isBlocked = result & 0xff == SQLITE_BUSY
    if !isBlocked { try handle.check(result, "sqlite3_wal_checkpoint_v2") }
    handle.noteWAL(frameCount: Int(max(0, walFrameCount)))
    return Checkpoint(
      walFrameCount: Int(max(0, walFrameCount)), movedFrameCount: Int(max(0, movedFrameCount)),
      isBlocked: isBlocked)
  }

  /// Bytes of the WAL that count, as this connection's last commit or checkpoint found it; 0 before
  /// the first. O(1), no I/O.
  package var walByteCount: Int {
    handle.walFrameCount == 0 ? 0 : 32 + handle.walFrameCount * (pageByteCount + 24)
  }

  /// What is wrong with the file, page by page and index by index; empty if nothing is. Reads
  /// everything.
  /// - Throws: `corrupt` where the damage stops the check itself, `ioFailure`, `interrupted`.
  package func integrityCheck(problemCountMax: Int) throws(SQLError) -> [String] {
    try check("PRAGMA integrity_check(\(problemCountMax))")
  }

  /// As ``integrityCheck(problemCountMax:)`` without comparing indexes to tables: O(pages).
  package func quickCheck(problemCountMax: Int) throws(SQLError) -> [String] {
    try check("PRAGMA quick_check(\(problemCountMax))")
  }

  private func check(_ sql: SQL) throws(SQLError) -> [String] {
    let problems = try prepare(sql).map { $0.text(0) }
    return problems == ["ok"] ? [] : problems
  }

  /// How far a copy has come.
  package struct BackupProgress: Hashable, Sendable {
    /// Pages still to copy.
    package let remainingPageCount: Int
    /// Pages there are.
    package let pageCount: Int
  }

  /// Copies the database as it is now, with what is in its WAL, into one new file at `path`.
  ///
  /// Not allowed inside a transaction. Writers go on meanwhile; the copy holds one state, and a
  /// checkpoint cannot cut the WAL until it is done. When this returns the copy's bytes are synced,
  /// its folder is not. After a failure what was written stays, for the caller to delete.
  /// - Parameter progress: called after each `pagesPerStep` pages; false stops with `interrupted`.
  /// - Throws: `cannotOpen` if the file exists and is not empty or cannot be made, `full`,
  ///   `ioFailure`, `corrupt`, `busy`, `interrupted`.
  package func backup(
    to path: String, pagesPerStep: Int32, progress: (BackupProgress) -> Bool
  ) throws(SQLError) {
    precondition(pagesPerStep > 0, "a step copies at least one page")
    let target = try ConnectionHandle(
      path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs: nil)
    guard try target.number("PRAGMA page_count") == 0 else {
      throw SQLError(
        code: .cannotOpen, operation: "backup", resultCode: SQLITE_CANTOPEN,
        message: "the file for the copy exists already", path: path)
    }
    try target.execute("PRAGMA synchronous = FULL")
    // The read transaction holds one state; else every commit beside us would begin the copy anew.
    try read { () throws(SQLError) in
      _ = try dataVersion()
      try copy(to: target, pagesPerStep: pagesPerStep, progress: progress)
    }
  }

  private func copy(
    to target: ConnectionHandle, pagesPerStep: Int32, progress: (BackupProgress) -> Bool
  ) throws(SQLError) {
    let operation = "backup"
    // Both databases stay open until `sqlite3_backup_finish`, which is called on every way out.
    guard
      let backup = unsafe sqlite3_backup_init(target.database, "main", handle.database, "main")
    else {
      throw target.error(unsafe sqlite3_extended_errcode(target.database), operation)
    }
    var result = SQLITE_OK
    var isStopped = false
    while result == SQLITE_OK && !isStopped {
      result = unsafe sqlite3_backup_step(backup, pagesPerStep)
      isStopped = !progress(
        BackupProgress(
          remainingPageCount: Int(unsafe sqlite3_backup_remaining(backup)),
          pageCount: Int(unsafe sqlite3_backup_pagecount(backup))))
    }
    let finished = unsafe sqlite3_backup_finish(backup)
    if isStopped && result == SQLITE_OK {
      throw SQLError(
        code: .interrupted, operation: operation, resultCode: SQLITE_INTERRUPT,
        message: "the copy was stopped", path: path)
    }
    guard result == SQLITE_DONE else { throw target.error(result, operation) }
    try target.check(finished, operation)
  }
}
