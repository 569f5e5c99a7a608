// Builds a catalog file beside the installed one and puts it in its place.
//
// Invariants: nothing of the installed catalog is touched before the finished file is renamed over
// it, so whatever stops an install leaves it as it was. Of several records of one code one wins,
// whatever their order: the newest revision, then the larger content hash. Memory does not grow
// with the number of products: rows are written in transactions of `batchCount`.

import LarderFiles
import LarderHash
import LarderKernel
import LarderSQL

/// Takes the products of a new catalog, one by one.
package struct CatalogBuilder: ~Copyable {
  private let connection: Connection
  private var insertion: CatalogInsertion
  private var batch: [CatalogProduct] = []
  private var aside: [SetAside] = []
  private var asideCounts: [SetAsideReason: Int64] = [:]
  private var productRecordCount: Int64 = 0
  private var newestModifiedAt: Int64 = 0

  /// How many products make a transaction.
  private static let batchCount = 1000
  /// How many set-aside lines are listed; all are counted.
  package static let setAsideListMaximum = 100_000

  /// Builds the catalog of the store at `location` from the products `feed` adds, and puts it in
  /// place. Two syncs, at the end.
  /// - Parameters:
  ///   - isCancelled: asked between transactions while the search tables are made.
  ///   - feed: adds all products and then says what they were read from.
  /// - Throws: `busy` if another install runs, `noProducts`, `cancelled`, `full`, `ioFailure`, and
  ///   what `feed` throws. After an error the installed catalog is as it was.
  package static func install(
    at location: CatalogLocation, isCancelled: () -> Bool,
    feed: (inout CatalogBuilder) throws(CatalogError) -> CatalogInstallSource
  ) throws(CatalogError) -> CatalogInstall {
    let lock = try lock(location)
    defer {
      // What cannot be removed now is removed by the next install.
      try? removeBuild(location)
      lock.release()
    }
    let install = try build(location, isCancelled: isCancelled, feed: feed)
    do {
      try Files.replace(location.databasePath, withFileAt: location.buildPath)
    } catch {
      throw CatalogError(error, operation: "put catalog in place")
    }
    return install
  }

  /// Adds a product.
  package mutating func add(_ product: CatalogProduct) throws(CatalogError) {
    batch.append(product)
    newestModifiedAt = max(newestModifiedAt, product.revision.modifiedAt)
    if batch.count == Self.batchCount { try flush() }
  }

  /// Notes that a record was set aside.
  package mutating func setAside(line: Int64, _ reason: SetAsideReason) {
    asideCounts[reason, default: 0] += 1
    if aside.count < Self.setAsideListMaximum {
      aside.append(SetAside(line: line, reason: reason))
    }
  }

  /// How many records were added or set aside.
  package var recordCount: Int64 {
    productRecordCount + Int64(batch.count) + asideCounts.values.reduce(0, +)
  }

  private init(_ location: CatalogLocation) throws(SQLError) {
    let connection = try Connection(
      path: location.buildPath, mode: .create, format: CatalogFile.format,
      settings: CatalogFile.settings(location))
    // Out of WAL, for the finished file must stand alone; a killed build is thrown away.
    try connection.execute("PRAGMA journal_mode = MEMORY")
    try connection.execute(CatalogFile.tables)
    insertion = try CatalogInsertion(on: connection)
    self.connection = connection
    batch.reserveCapacity(Self.batchCount)
  }

  /// Makes the whole file; it is closed when this returns.
  private static func build(
    _ location: CatalogLocation, isCancelled: () -> Bool,
    feed: (inout CatalogBuilder) throws(CatalogError) -> CatalogInstallSource
  ) throws(CatalogError) -> CatalogInstall {
    var builder: CatalogBuilder
    do {
      builder = try CatalogBuilder(location)
    } catch {
      throw CatalogError(sql: error)
    }
    let source = try feed(&builder)
    try builder.flush()
    return try builder.complete(source, isCancelled: isCancelled)
  }

  private mutating func complete(
    _ source: CatalogInstallSource, isCancelled: () -> Bool
  ) throws(CatalogError) -> CatalogInstall {
    guard productRecordCount > 0 else {
      throw CatalogError(.noProducts, operation: "install catalog", subject: source.fileName)
    }
    let index = try CatalogIndexing.indexAll(connection, isCancelled: isCancelled)
    let install = CatalogInstall(
      source: source.source, fileName: source.fileName, fileHash: source.fileHash,
      fileByteCount: source.fileByteCount, installedAt: source.installedAt,
      rulesVersion: source.rulesVersion,
      newestModifiedAt: newestModifiedAt > 0 ? newestModifiedAt : nil, recordCount: recordCount,
      productCount: index.productCount, duplicateCount: productRecordCount - index.productCount,
      setAsideCounts: asideCounts, flaggedCount: index.flaggedCount, flagCounts: index.flagCounts,
      digest: index.digest)
    try CatalogInstallRecord.write(install, setAside: aside, on: connection)
    return install
  }

  private mutating func flush() throws(CatalogError) {
    do {
      try Self.write(batch, on: connection, with: &insertion)
    } catch {
      throw CatalogError(sql: error)
    }
    productRecordCount += Int64(batch.count)
    batch.removeAll(keepingCapacity: true)
  }

  private static func write(
    _ batch: [CatalogProduct], on connection: borrowing Connection,
    with insertion: inout CatalogInsertion
  ) throws(SQLError) {
    try connection.write { (_) throws(SQLError) in
      for product in batch { try insertion.add(product) }
    }
  }

  private static func lock(_ location: CatalogLocation) throws(CatalogError) -> FileLock {
    do {
      try Files.createFolder(location.temporaryFolder)
      let lock = try FileLock(path: location.lockPath)
      try lock.acquire(waitingAtMost: 0, holder: "catalog install")
      try removeBuild(location)
      return lock
    } catch {
      throw CatalogError(error, operation: "begin catalog")
    }
  }

  private static func removeBuild(_ location: CatalogLocation) throws(FileError) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try Files.remove(location.buildPath + suffix)
    }
  }
}
