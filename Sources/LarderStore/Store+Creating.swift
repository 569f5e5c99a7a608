// Making a store, and bringing one of an earlier format to this one.

package import LarderCrypto
internal import LarderFiles
internal import LarderHash
internal import LarderKernel
internal import LarderSQL

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
      try createDatabase(
        paths, plans: ProjectionPlan.all(of: settings.schema), author: author, name: deviceName,
        now: now)
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
    _ paths: StorePaths, plans: [ProjectionPlan], author: AuthorPublicKey, name: String, now: Int64
  ) throws(StoreError) {
    try StoreError.filing { () throws(FileError) in try Files.createFolder(paths.temporary) }
    let made = paths.temporary + "/store-in-making.sqlite"
    // Left by a making that was interrupted; nobody but the holder of the lock has it open.
    for suffix in ["", "-wal", "-shm"] {
      try StoreError.filing { () throws(FileError) in try Files.remove(made + suffix) }
    }
    try fillDatabase(made, paths, plans: plans, author: author, name: name, now: now)
    try StoreError.filing { () throws(FileError) in
      for suffix in ["-wal", "-shm"] { try Files.remove(made + suffix) }
      try Files.rename(made, to: paths.database)
    }
  }

  /// Makes the tables in a new database, whole and durable; its connection is closed on return.
  private static func fillDatabase(
    _ path: String, _ paths: StorePaths, plans: [ProjectionPlan], author: AuthorPublicKey,
    name: String, now: Int64
  ) throws(StoreError) {
    let connection = try connect(paths, path: path, mode: .create, waitMilliseconds: 0)
    try StoreError.filing { () throws(FileError) in try Files.restrict(path, mode: 0o600) }
    try StoreError.wrapping { () throws(SQLError) in
      try createTables(connection, plans: plans, author: author, name: name, now: now)
      _ = try connection.checkpoint(.truncate)
    }
  }

  private static func createTables(
    _ connection: borrowing Connection, plans: [ProjectionPlan], author: AuthorPublicKey,
    name: String, now: Int64
  ) throws(SQLError) {
    try connection.write { (_) throws(SQLError) in
      try connection.execute(StoreTables.log)
      try connection.execute(StoreTables.logIndexes)
      try connection.execute(StoreTables.bookkeeping)
      for plan in plans {
        try connection.execute(plan.create(.live))
        try connection.execute(plan.index(.live, generation: 1))
        try insert(plan, generation: 1, state: .live, connection)
      }
      try DiaryViews.create(connection)
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

extension Store {
  /// Enters a generation of a projection that has no rows yet.
  static func insert(
    _ plan: ProjectionPlan, generation: Int64, state: ProjectionGeneration.State,
    _ connection: borrowing Connection
  ) throws(SQLError) {
    try connection.prepare(
      """
      INSERT INTO _projections(name, generation, state, version, shape, digest, tables)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      plan.name, generation, state.rawValue, plan.version, plan.shape, Bytes16.zero,
      plan.names.joined(separator: " "))
  }

  /// Brings a store of an earlier format to this one: a transaction that reads no row.
  static func upgrade(
    _ connection: borrowing Connection, _ lock: FileLock, _ settings: Settings
  ) throws(StoreError) {
    if connection.version == StoreTables.format.version { return }
    try holding(lock, settings.waitMilliseconds, settings.holder) { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try connection.withoutForeignKeys { () throws(SQLError) in
          try connection.write { (transaction) throws(SQLError) in
            // Somebody else may have done it by now.
            let isDone = try connection.prepare(
              "SELECT 1 FROM sqlite_schema WHERE name = '_refolds'"
            ).first { _ in true }
            if isDone == true { return }
            try connection.execute(StoreTables.fromFormat1)
            try connection.setVersion(StoreTables.format.version, in: transaction)
          }
        }
      }
    }
  }
}
