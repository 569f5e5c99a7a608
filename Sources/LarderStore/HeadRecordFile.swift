// The file of head records of one author, in a folder outside of the store. SPEC.md, "The head
// record".
//
// Invariants: the newest whole record is never written over; the file's lock is held from before
// a record is read for writing until after the next is written, so that two copies of a store
// cannot both go on from one tip. No clock: whoever writes says what time it is.

internal import LarderFiles
package import LarderKernel

/// The head records of an author. Not thread-safe: whoever owns it is alone with it.
package final class HeadRecordFile {
  /// How long a record may wait to be made durable while a store is in use, in milliseconds.
  package static let unsynchronizedMillisecondsMax: Int64 = 10_000

  /// Where the file is.
  package let path: String
  private let stateFolder: String
  private let author: AuthorID
  private var file: RandomAccessFile
  private var fileLock: FileLock
  /// Whether the lock is held here.
  package private(set) var isLocked = false
  /// What was read or written last under the lock that is held; nil before anything was read.
  private var latest: HeadRecord.Reading?
  /// When the first record was written that may not be durable yet; nil if all are.
  private var unsynchronizedSince: Int64?
  /// Whether the file was there, with records, when it was opened.
  private var isNameDurable: Bool

  /// The file of `author` in a folder of head records.
  package static func path(stateFolder: String, author: AuthorID) -> String {
    "\(stateFolder)/\(author.hex).head"
  }

  /// Opens the file of `author`. Where there is none one is made if `isCreating`, and the folder
  /// too: only their owner can enter the one and read the other.
  /// - Returns: nil if there is none and none is to be made.
  /// - Throws: `denied`, `full`, `obstructed`, `ioFailure`.
  package static func open(
    stateFolder: String, author: AuthorID, isCreating: Bool
  ) throws(StoreError) -> HeadRecordFile? {
    let path = path(stateFolder: stateFolder, author: author)
    return try StoreError.filing { () throws(FileError) in
      if isCreating {
        try Files.createFolder(stateFolder)
      } else if try Files.identity(of: path) == nil {
        return nil
      }
      return try HeadRecordFile(path, stateFolder: stateFolder, author: author)
    }
  }

  private init(_ path: String, stateFolder: String, author: AuthorID) throws(FileError) {
    self.path = path
    self.stateFolder = stateFolder
    self.author = author
    file = try RandomAccessFile(path: path, isCreating: true)
    fileLock = try FileLock(path: path)
    isNameDurable = try !file.read(at: 0, upTo: 1).isEmpty
  }

  // MARK: Locking

  /// Takes the file's lock, waiting at most `milliseconds`, for one write transaction of the store.
  /// A file that was removed or replaced since it was opened is opened, or made, again.
  /// - Throws: `busy` when the deadline has passed; `denied`, `obstructed`, `ioFailure`.
  package func lock(waitingAtMost milliseconds: Int) throws(StoreError) {
    precondition(!isLocked, "the head record is locked already")
    try StoreError.filing { () throws(FileError) in
      try fileLock.acquire(waitingAtMost: milliseconds)
      while try !file.isInPlace() {
        // Its lock excludes nobody any more, and goes with it.
        try Files.createFolder(stateFolder)
        file = try RandomAccessFile(path: path, isCreating: true)
        fileLock = try FileLock(path: path)
        try fileLock.acquire(waitingAtMost: milliseconds)
        isNameDurable = false
        unsynchronizedSince = nil
      }
    } ifFailing: {
      fileLock.release()
    }
    isLocked = true
    latest = nil
  }

  /// Lets the lock go; without effect while it is not held.
  package func unlock() {
    fileLock.release()
    isLocked = false
    latest = nil
  }

  // MARK: Records

  /// What the file says. To be written to it must be read under the lock; a reader needs none.
  /// - Throws: `unsupportedVersion` if a newer build wrote it; `ioFailure`.
  package func read() throws(StoreError) -> HeadRecord.Reading {
    let bytes = try StoreError.filing { () throws(FileError) in
      try file.read(at: 0, upTo: HeadRecord.fileByteCount)
    }
    let reading = try HeadRecord.read(bytes.span, of: author, subject: path)
    if isLocked { latest = reading }
    return reading
  }

  /// Writes a record into the slot that does not hold the newest: one `pwrite`, and no sync, for
  /// a record that is behind does no harm. `now` is a monotonic clock's reading in milliseconds.
  /// - Precondition: the lock is held, and the file was read under it.
  /// - Throws: `full`, `ioFailure`; then the newest record is as it was.
  package func write(_ record: HeadRecord, now: Int64) throws(StoreError) {
    precondition(isLocked, "a head record is written under its lock")
    precondition(record.author == author, "a head record is its author's")
    let next: HeadRecord.Stored
    switch latest {
    case .none: preconditionFailure("a head record is written after the last was read")
    case .absent, .damaged: next = HeadRecord.Stored(record: record, counter: 1, slot: 0)
    case .found(let newest):
      guard newest.counter < HeadRecord.counterMaximum else {
        throw StoreError(.limitExceeded, operation: "write head record", subject: path)
      }
      next = HeadRecord.Stored(
        record: record, counter: newest.counter + 1, slot: 1 - newest.slot)
    }
    try StoreError.filing { () throws(FileError) in
      try file.write(
        record.slot(counter: next.counter), at: Int64(next.slot * HeadRecord.slotByteCount))
    }
    latest = .found(next)
    if unsynchronizedSince == nil { unsynchronizedSince = now }
  }

  // MARK: Durability

  /// Whether `synchronize` is due at `now`: for the first records of a new file at once, then 10 s
  /// after the first record that may not be durable. `now` is of the clock that `write` was told.
  package func isSynchronizationDue(now: Int64) -> Bool {
    guard let unsynchronizedSince else { return false }
    return !isNameDurable || now - unsynchronizedSince >= Self.unsynchronizedMillisecondsMax
  }

  /// Makes what was written durable: when it is due, before the store is closed, and before
  /// anything of this author leaves the device. One `fdatasync`, of a new file the folder's name
  /// too; nothing if nothing was written here, unless it is forced: another process may have.
  /// - Throws: `full`, `ioFailure`.
  package func synchronize(isForced: Bool = false) throws(StoreError) {
    if unsynchronizedSince == nil, !isForced { return }
    try StoreError.filing { () throws(FileError) in
      try file.synchronize()
      if !isNameDurable || isForced { try Files.syncFolder(of: path) }
    }
    isNameDurable = true
    unsynchronizedSince = nil
  }
}

extension StoreError {
  /// Runs a step of LarderFiles; what it leaves behind when it fails is undone.
  fileprivate static func filing(
    _ body: () throws(FileError) -> Void, ifFailing undo: () -> Void
  ) throws(StoreError) {
    do throws(FileError) {
      try body()
    } catch {
      undo()
      throw StoreError(file: error)
    }
  }
}
