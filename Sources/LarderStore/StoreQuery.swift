// SQL that a person or an app wrote, on the promised tables of a store.

internal import LarderFiles
package import LarderSQL

/// Runs queries on a store through a connection of its own, which reads one state of the database
/// and holds nobody up. Not thread-safe.
package final class StoreQuery {
  private let connection: QueryConnection

  /// Opens the store in `paths` for queries.
  /// - Throws: as ``StoreReader``.
  package init(at paths: StorePaths, waitMilliseconds: Int) throws(StoreError) {
    // Sorting may need it; where it cannot be made, only large queries fail.
    try? Files.createFolder(paths.temporary)
    connection = try StoreError.wrapping { () throws(SQLError) in
      try QueryConnection(
        path: paths.database, format: StoreTables.format,
        settings: Connection.Settings(
          synchronous: .full, temporaryFolder: paths.temporary, cacheByteCount: 8 << 20,
          busyMillisecondsMax: Int32(clamping: waitMilliseconds), valueByteCountMax: 16 << 20)
      ) { !$0.hasPrefix("_") && !$0.lowercased().hasPrefix("sqlite_") }
    }
  }

  /// Runs one SELECT; as `QueryConnection.run`.
  /// - Throws: `refused` with what was refused; `interrupted`, `busy`, `corrupt`, `ioFailure`; what
  ///   the closures throw.
  package func run(
    _ sql: String, _ arguments: [SQLValue], isStopped: @escaping () -> Bool,
    columns: ([String]) throws -> Void, row: ([SQLValue]) throws -> Bool
  ) throws {
    do {
      try connection.run(
        sql, arguments, isStopped: isStopped, columns: columns, row: row)
    } catch let error as SQLError {
      guard error.code == .refused else { throw StoreError(sql: error) }
      throw StoreError(.refused, operation: "query", subject: error.message, underlying: error)
    }
  }
}
