// The installed catalog: what is this food? Look-up by code and by words; never writes.
//
// Invariant: everything it gives out carries the source's notice. A catalog that is installed while
// this one is open is seen by the next `open`; this one keeps answering from the old.

public import LarderKernel
import LarderSQL

/// The installed catalog of a store, open for reading. Not Sendable: one thread at a time.
public struct Catalog: ~Copyable {
  let connection: Connection
  private let install: CatalogInstall
  private let fieldNames: [Int64: String]
  private let selectByCode: Statement
  private let selectByPlace: Statement
  let search: CatalogSearch

  /// Opens the catalog of the store at `location`.
  /// - Throws: `notInstalled` where there is none; `corrupt`, `unsupportedVersion`: installing again
  ///   mends both; `ioFailure`.
  public static func open(_ location: CatalogLocation) throws(CatalogError) -> Catalog {
    do {
      return try Catalog(location)
    } catch {
      let underlying = error.underlying as? SQLError
      guard underlying?.code == .cannotOpen else { throw error }
      throw CatalogError(.notInstalled, operation: "open catalog", subject: location.databasePath)
    }
  }

  private init(_ location: CatalogLocation) throws(CatalogError) {
    do {
      connection = try Connection(
        path: location.databasePath, mode: .readOnly, format: CatalogFile.format,
        settings: CatalogFile.settings(location))
      selectByCode = try connection.prepare(
        "SELECT \(CatalogRow.columns) FROM products WHERE code = ?")
      selectByPlace = try connection.prepare(
        """
        SELECT \(CatalogRow.columns) FROM products
        WHERE id = (SELECT product FROM places WHERE place = ?)
        """)
      search = try CatalogSearch(on: connection)
      var names: [Int64: String] = [:]
      try connection.prepare("SELECT id, name FROM fieldNames").forEach { row in
        names[row.int64(0)] = row.text(1)
      }
      fieldNames = names
    } catch {
      throw CatalogError(sql: error)
    }
    install = try CatalogInstallRecord.read(connection)
  }

  /// What is installed, from which file, and what became of its records.
  public func status() -> CatalogInstall { install }

  /// The lines of the installed file that were set aside, in order; up to 100,000 are kept, and all
  /// are counted in `status()`.
  /// - Throws: `corrupt`, `ioFailure`.
  public func setAside(offset: Int, limit: Int) throws(CatalogError) -> [SetAside] {
    try CatalogError.wrapping { () throws(SQLError) in
      try CatalogInstallRecord.setAside(connection, offset: offset, limit: limit)
    }
  }

  /// The product with `code`, whether or not the check digit is right; nil where there is none.
  /// One index look-up.
  /// - Throws: `corrupt`, `ioFailure`.
  public func product(code: ProductCode) throws(CatalogError) -> CatalogProduct? {
    try selectByCode.first(code.canonical) { (row) throws(CatalogError) in try product(row) }
  }

  /// The product at `place` of the ranking.
  func product(place: Int64) throws(CatalogError) -> CatalogProduct? {
    try selectByPlace.first(place) { (row) throws(CatalogError) in try product(row) }
  }

  private func product(_ row: borrowing Row) throws(CatalogError) -> CatalogProduct {
    try CatalogRow.product(row, fieldNames: fieldNames, source: install.source)
  }
}
