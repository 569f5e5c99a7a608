// The writer of a store: one at a time among processes, one transaction for log and projections.
//
// Invariants: the lock is held for exactly one transaction or checkpoint; what `append` returned is
// durable; the rows of every stream are what the fold makes of its events.

internal import LarderCrypto
internal import LarderFiles
package import LarderHash
package import LarderKernel
internal import LarderSQL

/// Writes a store. Not thread-safe: whoever owns it is alone with it.
package final class Store {
  package let paths: StorePaths
  package let schema: Schema
  let plans: [ProjectionPlan]
  let connection: Connection
  let statements: Statements
  private let lock: FileLock
  let settings: Settings
  /// The record outside of the store, of the author `headAuthor`.
  var head: HeadRecordFile?
  var headAuthor: AuthorID?
  /// Where the store lies, once it was asked.
  var place: StorePlace?
  /// What was noticed about where the store is, each once.
  package internal(set) var notices: [IdentityNotice] = []
  /// The own chain as of `dataVersion`; nil when it must be read again.
  var own: OwnChain?
  private var dataVersion: Int64 = -1
  /// What the store's projections are, as of `projectionsVersion`.
  var projections: LiveProjections?
  var projectionsVersion: Int64 = -1
  /// Whether the events that stand alone were found to be those of the chain's tree.
  private var isTailChecked = false
  /// Whether a block of this device's was filled that is not signed yet.
  package internal(set) var hasUnsignedBlock = false

  /// How the store is to be opened for writing.
  package struct Settings: Sendable {
    /// The kinds and upcasters of this build.
    package var schema: Schema
    /// How long to wait for another writer, in milliseconds.
    package var waitMilliseconds: Int
    /// Who holds the lock while this store writes: a program and a process number.
    package var holder: String
    /// Where the head record is; nil where none is kept, so that copies are not noticed.
    package var state: State?
    /// Called while tables are made that must be there before the first write; false stops.
    package var progress: @Sendable (WorkProgress) -> Bool

    /// All of them.
    package init(
      schema: Schema, waitMilliseconds: Int, holder: String, state: State?,
      progress: @escaping @Sendable (WorkProgress) -> Bool = { _ in true }
    ) {
      self.schema = schema
      self.waitMilliseconds = waitMilliseconds
      self.holder = holder
      self.state = state
      self.progress = progress
    }
  }

  /// Opens the store in `paths` for writing.
  /// - Throws: `notFound` if there is none, `unsupportedVersion` for a newer one's, `corrupt`,
  ///   `denied`, `ioFailure`.
  package convenience init(at paths: StorePaths, settings: Settings) throws(StoreError) {
    let there = try StoreError.filing { () throws(FileError) in
      try Files.identity(of: paths.database)
    }
    guard there != nil else {
      throw StoreError(.notFound, operation: "open store", subject: paths.folder)
    }
    let lock = try StoreError.filing { () throws(FileError) in try FileLock(path: paths.lock) }
    let connection = try Self.connect(
      paths, mode: .readWrite, waitMilliseconds: settings.waitMilliseconds)
    try self.init(paths, settings: settings, lock: lock, connection: connection)
  }

  private init(
    _ paths: StorePaths, settings: Settings, lock: FileLock, connection: consuming Connection
  ) throws(StoreError) {
    try Self.upgrade(connection, lock, settings)
    let statements = try StoreError.wrapping { () throws(SQLError) in
      try Statements(connection)
    }
    try Self.checkKey(paths, author: try statements.log.ownChain().author)
    self.paths = paths
    schema = settings.schema
    plans = ProjectionPlan.all(of: settings.schema)
    self.settings = settings
    self.lock = lock
    self.statements = statements
    self.connection = connection
  }

  /// Every statement the writer keeps.
  struct Statements: ~Copyable {
    let log: EventLog
    let edges: EdgeTable
    let unfolded: UnfoldedTable
    let selectDigest: Statement
    let updateDigest: Statement
    let insertRefold: Statement
    let deleteRefold: Statement
  }

  /// Opens a connection to the store's database, or to the one being made at `path`.
  static func connect(
    _ paths: StorePaths, path: String? = nil, mode: Connection.Mode, waitMilliseconds: Int
  ) throws(StoreError) -> Connection {
    if mode != .readOnly {
      try StoreError.filing { () throws(FileError) in try Files.createFolder(paths.temporary) }
    }
    return try StoreError.wrapping { () throws(SQLError) in
      try Connection(
        path: path ?? paths.database, mode: mode, format: StoreTables.format,
        settings: Connection.Settings(
          synchronous: .full, temporaryFolder: paths.temporary, cacheByteCount: 8 << 20,
          busyMillisecondsMax: Int32(clamping: waitMilliseconds), valueByteCountMax: 64 << 20))
    }
  }

  /// Refuses to write without the key of the author that writes here.
  /// - Throws: `keyMissing`.
  static func checkKey(_ paths: StorePaths, author: AuthorID) throws(StoreError) {
    let problem: StoreError
    do throws(StoreError) {
      if try DeviceKeyFile.keys(in: paths.deviceKey).authors.contains(author) { return }
      problem = StoreError(.keyMissing, operation: "check key", subject: "another author's key")
    } catch {
      problem = StoreError(
        .keyMissing, operation: "check key", subject: error.code.description, underlying: error)
    }
    throw problem
  }

  /// Runs `body` in one write transaction under the writers' lock; a second time where there was no
  /// space, once the write-ahead log has been moved into the database and can be filled again.
  /// - Throws: `busy`, with the holder as `subject`, when the wait is over; `full`, `corrupt`,
  ///   `ioFailure`; what `body` throws. Then nothing was written.
  func writing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try Self.holding(lock, settings.waitMilliseconds, settings.holder) { () throws(StoreError) in
      do throws(StoreError) {
        return try connection.write { (_) throws(StoreError) in try body() }
      } catch  where error.code == .full {
        guard (try? connection.checkpoint(.passive))?.isComplete == true else { throw error }
        // The body may have kept a chain that was rolled back.
        own = nil
        return try connection.write { (_) throws(StoreError) in try body() }
      }
    }
  }

  static func holding<Result>(
    _ lock: FileLock, _ milliseconds: Int, _ holder: String,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do throws(FileError) {
      try lock.acquire(waitingAtMost: milliseconds, holder: holder)
    } catch {
      let subject = error.code == .busy ? lock.lastHolder() ?? error.path : error.path
      throw StoreError(
        StoreError(file: error).code, operation: "wait for the writers' lock", subject: subject,
        underlying: error)
    }
    defer { lock.release() }
    return try body()
  }

  // MARK: Appending

  /// Appends one operation, whole or not at all; its events and rows are durable on return.
  /// - Parameters:
  ///   - now: the physical clock, in milliseconds since 1970.
  ///   - seed: draws 32 random bytes; called when a block begins.
  /// - Throws: `limitExceeded` above 512 events, `invalidEvent`, `closedStream`, `busy`, `full`,
  ///   `corrupt`, `ioFailure`.
  package func append(
    _ operation: [NewEvent], now: Int64, seed: () -> Bytes32
  ) throws(StoreError) -> [Event] {
    try append(operations: [operation], now: now, seed: seed)
  }

  /// Appends several operations in one transaction: all of them or none.
  package func append(
    operations: [[NewEvent]], now: Int64, seed: () -> Bytes32
  ) throws(StoreError) -> [Event] {
    for operation in operations where operation.count > Limits.operationEventCountMaximum {
      throw StoreError(
        .limitExceeded, operation: "append", subject: "\(operation.count) events in one operation")
    }
    return try upToDate { () throws(StoreError) in
      try appendNow(operations, now: now, seed: seed)
    }
  }

  private func appendNow(
    _ operations: [[NewEvent]], now: Int64, seed: () -> Bytes32
  ) throws(StoreError) -> [Event] {
    try authoring(now: now) { (own) throws(StoreError) in
      let block = own.chain.size / Limits.blockEventCount
      let events = try statements.log.append(operations, to: &own, now: now, seed: seed)
      try project(events, isLocal: true)
      if own.chain.size / Limits.blockEventCount > block { hasUnsignedBlock = true }
      return events
    }
  }

  /// The own chain, read again if another process has written.
  func currentChain() throws(StoreError) -> OwnChain {
    let version = try StoreError.wrapping { () throws(SQLError) in try connection.dataVersion() }
    if let own, version == dataVersion { return own }
    dataVersion = version
    let own = try statements.log.ownChain()
    if !isTailChecked { try statements.log.checkTail(of: own.chain) }
    isTailChecked = true
    return own
  }

  /// All events of a stream.
  func events(of stream: StreamID) throws(StoreError) -> [Event] {
    try statements.log.reader.events(of: stream)
  }

  /// Moves what the write-ahead log holds into the database: a step of its own, after the answer.
  /// - Returns: whether everything was moved; readers may hold some of it back.
  @discardableResult
  package func checkpoint() throws(StoreError) -> Bool {
    try Self.holding(lock, settings.waitMilliseconds, settings.holder) { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try connection.checkpoint(.passive).isComplete
      }
    }
  }

  /// As ``checkpoint()``, and cuts the log's file to nothing unless somebody reads in it right now.
  ///
  /// How much of a log was moved is known only as long as anyone has the store open: whoever opens
  /// it next writes behind all that lies there. Were it only moved, it would grow for as long as
  /// processes come and go.
  /// - Returns: whether it was cut.
  @discardableResult
  package func cutLog() throws(StoreError) -> Bool {
    try Self.holding(lock, settings.waitMilliseconds, settings.holder) { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try connection.checkpoint(.truncateAtOnce).isComplete
      }
    }
  }

  /// How many bytes the write-ahead log has.
  package var walByteCount: Int { connection.walByteCount }
}

extension Store.Statements {
  fileprivate init(_ connection: borrowing Connection) throws(SQLError) {
    let live = "WHERE name = ? AND state = 'live'" as SQL
    self.init(
      log: try EventLog(connection), edges: try EdgeTable(connection),
      unfolded: try UnfoldedTable(connection),
      selectDigest: try connection.prepare("SELECT digest FROM _projections \(live)"),
      updateDigest: try connection.prepare("UPDATE _projections SET digest = ? \(live)"),
      insertRefold: try connection.prepare(
        "INSERT OR IGNORE INTO _refolds(name, generation, stream) VALUES (?, ?, ?)"),
      deleteRefold: try connection.prepare(
        "DELETE FROM _refolds WHERE name = ? AND generation = ? AND stream = ?"))
  }
}
