// Writes products as rows, the winner of each code.

import LarderHash
import LarderKernel
import LarderSQL

/// The statements that insert products, and the numbers of the field names so far.
struct CatalogInsertion: ~Copyable {
  private let insertProduct: Statement
  private let insertField: Statement
  private var fieldNumbers: [String: Int64] = [:]

  init(on connection: borrowing Connection) throws(SQLError) {
    let insertProduct = try connection.prepare(
      """
      INSERT INTO products (
        code, givenCode, modifiedAt, revision, contentHash, names, genericNames, mainLanguage,
        brand, quantityText, servingText, basis, servingValue, servingUnit, nutrients,
        upperLimits, fields, flags, completeness, popularity)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (code) DO UPDATE SET
        givenCode = excluded.givenCode, modifiedAt = excluded.modifiedAt,
        revision = excluded.revision, contentHash = excluded.contentHash,
        names = excluded.names, genericNames = excluded.genericNames,
        mainLanguage = excluded.mainLanguage, brand = excluded.brand,
        quantityText = excluded.quantityText, servingText = excluded.servingText,
        basis = excluded.basis, servingValue = excluded.servingValue,
        servingUnit = excluded.servingUnit, nutrients = excluded.nutrients,
        upperLimits = excluded.upperLimits, fields = excluded.fields, flags = excluded.flags,
        completeness = excluded.completeness, popularity = excluded.popularity
      WHERE (excluded.modifiedAt, excluded.revision, excluded.contentHash, excluded.popularity)
        > (modifiedAt, revision, contentHash, popularity)
      """)
    insertField = try connection.prepare("INSERT INTO fieldNames (id, name) VALUES (?, ?)")
    self.insertProduct = insertProduct
  }

  /// Inserts `product`, or lets it take the place of an older one with its code. Inside a write
  /// transaction.
  mutating func add(_ product: CatalogProduct) throws(SQLError) {
    let fields = try encodedFields(product.fields)
    let limits = product.upperLimits.isEmpty ? nil : CatalogCoding.encoded(product.upperLimits)
    let serving = product.snapshot.serving
    try insertProduct.run(
      product.code.canonical, product.code.asked, product.revision.modifiedAt,
      product.revision.number, product.contentHash, CatalogCoding.encoded(product.names),
      product.genericNames.isEmpty ? nil : CatalogCoding.encoded(product.genericNames),
      product.mainLanguage, product.brand, product.quantityText, product.servingText,
      Int64(product.snapshot.basis.rawValue), serving?.value,
      serving.map { Int64($0.unit.rawValue) },
      CatalogCoding.encoded(product.snapshot.nutrients), limits, fields, product.flags.rawValue,
      product.completeness, product.popularity)
  }

  /// A CBOR map from nutrient to the number of the field's name.
  private mutating func encodedFields(
    _ fields: [CatalogProduct.Field]
  ) throws(SQLError) -> [UInt8] {
    var writer = CBORWriter(reserving: 4 * fields.count + 4)
    writer.beginMap(count: fields.count)
    for field in fields {
      writer.append(unsigned: UInt64(field.nutrient.rawValue))
      writer.append(integer: try number(of: field.field))
    }
    return writer.bytes
  }

  private mutating func number(of field: String) throws(SQLError) -> Int64 {
    if let number = fieldNumbers[field] { return number }
    let number = Int64(fieldNumbers.count + 1)
    try insertField.run(number, field)
    fieldNumbers[field] = number
    return number
  }
}
