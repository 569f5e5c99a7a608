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
  /// - Throws: `notInstalled` where there is none; `corrupt`, `unsupportedVersion`: installing
  ///   again mends both; `ioFailure`.
  public static func open(_ location: CatalogLocation) throws(CatalogError) -> Catalog {
    do {
      let connection = try CatalogError.wrapping { () throws(SQLError) in
        try Connection(
          path: location.databasePath, mode: .readOnly, format: CatalogFile.format,
          settings: CatalogFile.settings(location))
      }
      let install = try CatalogInstallRecord.read(connection)
      return try Catalog(connection, install)
    } catch {
      guard (error.underlying as? SQLError)?.code == .cannotOpen else { throw error }
      throw CatalogError(.notInstalled, operation: "open catalog", subject: location.databasePath)
    }
  }

  private init(
    _ connection: consuming Connection, _ install: CatalogInstall
  ) throws(CatalogError) {
    let selectByCode = try Self.prepare(
      "SELECT \(CatalogRow.columns) FROM products WHERE code = ?", on: connection)
    let selectByPlace = try Self.prepare(
      """
      SELECT \(CatalogRow.columns) FROM products
      WHERE id = (SELECT product FROM places WHERE place = ?)
      """, on: connection)
    let search = try CatalogSearch(on: connection)
    fieldNames = try Self.fieldNames(connection)
    self.install = install
    self.selectByCode = selectByCode
    self.selectByPlace = selectByPlace
    self.search = search
    self.connection = connection
  }

  /// What is installed, from which file, and what became of its records.
  public func status() -> CatalogInstall { install }

  /// The lines of the installed file that were set aside, in order; up to 100,000 are kept, and all
  /// are counted in `status()`.
  /// - Throws: `corrupt`, `ioFailure`.
  public func setAside(offset: Int, limit: Int) throws(CatalogError) -> [SetAside] {
    try CatalogInstallRecord.setAside(connection, offset: offset, limit: limit)
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

  private static func prepare(
    _ sql: SQL, on connection: borrowing Connection
  ) throws(CatalogError) -> Statement {
    do {
      return try connection.prepare(sql)
    } catch {
      throw CatalogError(sql: error)
    }
  }

  private static func fieldNames(
    _ connection: borrowing Connection
  ) throws(CatalogError) -> [Int64: String] {
    var names: [Int64: String] = [:]
    try prepare("SELECT id, name FROM fieldNames", on: connection)
      .forEach { (row) throws(CatalogError) in names[row.int64(0)] = row.text(1) }
    return names
  }

  private func product(_ row: borrowing Row) throws(CatalogError) -> CatalogProduct {
    try CatalogRow.product(row, fieldNames: fieldNames, source: install.source)
  }
}
