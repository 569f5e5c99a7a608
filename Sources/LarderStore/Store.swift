// The writer of a store: one at a time among processes, one transaction for log and projections.
//
// Invariants: the lock is held for exactly one transaction or checkpoint; what `append` returned is
// durable; the rows of every stream are what the fold makes of its events.

package import LarderCrypto
internal import LarderFiles
package import LarderHash
package import LarderKernel
internal import LarderSQL

/// Writes a store. Not thread-safe: whoever owns it is alone with it.
package final class Store {
  package let paths: StorePaths
  package let schema: EventSchema
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
  /// Whether the events that stand alone were found to be those of the chain's tree.
  private var isTailChecked = false
  /// Whether a block of this device's was filled that is not signed yet.
  package internal(set) var hasUnsignedBlock = false

  /// How the store is to be opened for writing.
  package struct Settings: Sendable {
    /// The kinds and upcasters of this build.
    package var schema: EventSchema
    /// How long to wait for another writer, in milliseconds.
    package var waitMilliseconds: Int
    /// Who holds the lock while this store writes: a program and a process number.
    package var holder: String
    /// Where the head record is; nil where none is kept, so that copies are not noticed.
    package var state: State?

    /// All of them.
    package init(
      schema: EventSchema, waitMilliseconds: Int, holder: String, state: State?
    ) {
      self.schema = schema
      self.waitMilliseconds = waitMilliseconds
      self.holder = holder
      self.state = state
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
    let statements = try StoreError.wrapping { () throws(SQLError) in
      try Statements(connection)
    }
    try Self.checkKey(paths, author: try statements.log.ownChain().author)
    self.paths = paths
    schema = settings.schema
    self.settings = settings
    self.lock = lock
    self.statements = statements
    self.connection = connection
  }

  /// Every statement the writer keeps.
  struct Statements: ~Copyable {
    let meals: MealTables
    let log: EventLog
    let edges: EdgeTable
    fileprivate let selectProjection: Statement
    fileprivate let updateDigest: Statement
    fileprivate let selectRebuild: Statement
    fileprivate let insertLater: Statement
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

  private static func holding<Result>(
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
    return try authoring(now: now) { (own) throws(StoreError) in
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

  // MARK: Projecting

  /// Folds the streams of new events again and changes their rows by difference.
  /// - Parameter isLocal: whether they are this device's own: then one that cannot be read is
  ///   refused, and so is one of a closed stream.
  func project(_ events: [Event], isLocal: Bool) throws(StoreError) {
    let streams = Projecting.byStream(events)
    if streams.isEmpty { return }
    let isRebuilding = try StoreError.wrapping { () throws(SQLError) in
      try statements.selectRebuild.first { _ in true } ?? false
    }
    var digest = try liveDigest()
    for (stream, added) in streams {
      digest = digest &+ (try refold(stream, added: added, isLocal: isLocal))
      if isRebuilding {
        try StoreError.wrapping { () throws(SQLError) in
          try statements.insertLater.run(stream.bytes)
        }
      }
    }
    try StoreError.wrapping { () throws(SQLError) in try statements.updateDigest.run(digest) }
  }

  /// The digest of the live rows.
  /// - Throws: `unsupportedVersion` if another version of the fold wrote them.
  func liveDigest() throws(StoreError) -> Bytes16 {
    let found = try StoreError.wrapping { () throws(SQLError) in
      try statements.selectProjection.first { ($0.int64(0), $0.bytes16(1)) }
    }
    guard let found else {
      throw StoreError(.corrupt, operation: "read projection", subject: "meals")
    }
    guard found.0 == Int64(MealFold.version) else {
      throw StoreError(
        .unsupportedVersion, operation: "write", subject: "projection meals version \(found.0)")
    }
    return found.1
  }

  /// Folds a live stream again; `added` are its events of this transaction.
  /// - Returns: by how much its digest changed.
  private func refold(
    _ stream: StreamID, added: [Event], isLocal: Bool
  ) throws(StoreError) -> Bytes16 {
    let known = try StoreError.wrapping { () throws(SQLError) in try statements.meals.known(stream)
    }
    if isLocal, known?.isClosed == true {
      throw StoreError(.closedStream, operation: "append", subject: stream.hex)
    }
    let events = known == nil ? added : try statements.log.reader.events(of: stream)
    let new = try Projecting.fold(
      events, of: stream, added: isLocal ? added : [], schema: schema, into: statements.meals,
      old: known?.digest)
    return new &- (known?.digest ?? .zero)
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

extension Store {
  /// Makes a store in `paths`, on the device people call `deviceName`. The folder may be there,
  /// and may hold what an interrupted making left.
  ///
  /// The database is made under another name and renamed when it is whole and durable, after the
  /// key is: a store is there whole or not at all. A key that lies in the folder is kept and used,
  /// because something may still depend on it.
  /// - Parameters:
  ///   - key: the key to write if there is none.
  ///   - now: the physical clock, in milliseconds since 1970.
  /// - Throws: `exists` if there is a store, `obstructed` if a write-ahead log lies there without
  ///   its database; `corrupt` for a damaged key; `denied`, `full`, `busy`, `ioFailure`.
  package static func create(
    at paths: StorePaths, deviceName: String, key: borrowing AuthorSecretKey, now: Int64,
    settings: Settings
  ) throws(StoreError) -> Store {
    try StoreError.filing { () throws(FileError) in try Files.createFolder(paths.folder) }
    let lock = try StoreError.filing { () throws(FileError) in try FileLock(path: paths.lock) }
    try holding(lock, settings.waitMilliseconds, settings.holder) { () throws(StoreError) in
      if try isThere(paths.database) {
        throw StoreError(.exists, operation: "create store", subject: paths.folder)
      }
      if try isThere(paths.database + "-wal") {
        throw StoreError(
          .obstructed, operation: "create store", subject: paths.database + "-wal")
      }
      if !(try isThere(paths.deviceKey)) { try DeviceKeyFile.write(key, to: paths.deviceKey) }
      let author = try DeviceKeyFile.read(paths.deviceKey).publicKey
      try createDatabase(paths, author: author, name: deviceName, now: now)
    }
    let store = try Store(at: paths, settings: settings)
    store.recordFirstHead()
    return store
  }

  private static func isThere(_ path: String) throws(StoreError) -> Bool {
    try StoreError.filing { () throws(FileError) in try Files.identity(of: path) != nil }
  }

  /// Makes the database beside its place, empties its write-ahead log into it, and moves it there.
  private static func createDatabase(
    _ paths: StorePaths, author: AuthorPublicKey, name: String, now: Int64
  ) throws(StoreError) {
    try StoreError.filing { () throws(FileError) in try Files.createFolder(paths.temporary) }
    let made = paths.temporary + "/store-in-making.sqlite"
    // Left by a making that was interrupted; nobody but the holder of the lock has it open.
    for suffix in ["", "-wal", "-shm"] {
      try StoreError.filing { () throws(FileError) in try Files.remove(made + suffix) }
    }
    try fillDatabase(made, paths, author: author, name: name, now: now)
    try StoreError.filing { () throws(FileError) in
      for suffix in ["-wal", "-shm"] { try Files.remove(made + suffix) }
      try Files.rename(made, to: paths.database)
    }
  }

  /// Makes the tables in a new database, whole and durable; its connection is closed on return.
  private static func fillDatabase(
    _ path: String, _ paths: StorePaths, author: AuthorPublicKey, name: String, now: Int64
  ) throws(StoreError) {
    let connection = try connect(paths, path: path, mode: .create, waitMilliseconds: 0)
    try StoreError.filing { () throws(FileError) in try Files.restrict(path, mode: 0o600) }
    try StoreError.wrapping { () throws(SQLError) in
      try createTables(connection, author: author, name: name, now: now)
      _ = try connection.checkpoint(.truncate)
    }
  }

  private static func createTables(
    _ connection: borrowing Connection, author: AuthorPublicKey, name: String, now: Int64
  ) throws(SQLError) {
    try connection.write { (_) throws(SQLError) in
      try connection.execute(StoreTables.log)
      try connection.execute(StoreTables.logIndexes)
      try connection.execute(StoreTables.create(.live))
      try connection.execute(StoreTables.index(.live, generation: 1))
      let projection = try connection.prepare(
        "INSERT INTO _projections(name, version, generation, digest) VALUES ('meals', ?, 1, ?)")
      try projection.run(Int64(MealFold.version), Bytes16.zero)
      try insertAuthor(author, since: now, reason: nil, connection)
      let row = try connection.prepare(
        "INSERT INTO _device(id, device, author, name, hlc) VALUES (1, ?, ?, ?, 0)")
      try row.run(author.authorID, author.authorID, name)
    }
  }
}

extension Store {
  /// Enters an incarnation of this device, with its empty chain.
  static func insertAuthor(
    _ key: AuthorPublicKey, since: Int64, reason: String?, _ connection: borrowing Connection
  ) throws(SQLError) {
    try connection.prepare("INSERT INTO _authors(author, publicKey) VALUES (?, ?)").run(
      key.authorID, key.bytes)
    try connection.prepare(
      "INSERT INTO _incarnations(author, since, reason) VALUES (?, ?, ?)"
    ).run(key.authorID, since, reason)
    let chains = try ChainTable(connection)
    _ = try chains.insert(
      Chain(
        id: 0, author: AuthorID(key.authorID), parent: nil, start: 0,
        startRoot: MerkleTree.emptyRoot, range: CompactRange(), signedRoot: MerkleTree.emptyRoot,
        isAttached: true), connection: connection)
  }
}

extension Store.Statements {
  fileprivate init(_ connection: borrowing Connection) throws(SQLError) {
    self.init(
      meals: try MealTables(connection, .live), log: try EventLog(connection),
      edges: try EdgeTable(connection),
      selectProjection: try connection.prepare(
        "SELECT version, digest FROM _projections WHERE name = 'meals'"),
      updateDigest: try connection.prepare(
        "UPDATE _projections SET digest = ? WHERE name = 'meals'"),
      selectRebuild: try connection.prepare("SELECT 1 FROM _rebuild"),
      insertLater: try connection.prepare("INSERT OR IGNORE INTO _rebuildLater VALUES (?)"))
  }
}
