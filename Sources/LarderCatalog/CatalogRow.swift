// A row of `products` as a product.

import LarderKernel
import LarderSQL

/// The columns a product is read from, in this order, and the reading of them.
enum CatalogRow {
  static let columns: SQL = """
    code, givenCode, modifiedAt, revision, names, genericNames, mainLanguage, brand,
    quantityText, servingText, basis, servingValue, servingUnit, nutrients, upperLimits, fields,
    flags, popularity
    """

  /// The product of `row`.
  /// - Throws: `corrupt` for values an import never writes.
  static func product(
    _ row: borrowing Row, fieldNames: [Int64: String], source: CatalogSource
  ) throws(CatalogError) -> CatalogProduct {
    do {
      return CatalogProduct(
        code: try ProductCode(canonical: row.text(0), asked: row.text(1)),
        revision: CatalogProduct.Revision(modifiedAt: row.int64(2), number: row.int64(3)),
        names: try names(row, 4), genericNames: try names(row, 5), mainLanguage: row.text(6),
        brand: row.optionalText(7), quantityText: row.optionalText(8),
        servingText: row.optionalText(9), snapshot: try snapshot(row),
        upperLimits: try amounts(row, 14), fields: try fields(row, names: fieldNames),
        flags: CatalogFlags(rawValue: row.int64(16)), popularity: row.int64(17), source: source)
    } catch {
      throw CatalogError(
        .corrupt, operation: "read catalog", subject: "products", underlying: error)
    }
  }

  /// The names in a column, none for `NULL`.
  static func names(_ row: borrowing Row, _ column: Int) throws(CBORError) -> ProductNames {
    guard !row.isNull(column) else { return ProductNames() }
    return try row.withBlob(column) { bytes throws(CBORError) in try ProductNames(from: bytes) }
  }

  private static func snapshot(_ row: borrowing Row) throws -> NutrientSnapshot {
    var serving: Quantity?
    if let value = row.optionalInt64(11) {
      guard let unit = QuantityUnit(rawValue: UInt8(clamping: row.int64(12))) else {
        throw CBORError(code: .outOfRange, offset: 0)
      }
      serving = try Quantity(value, unit)
    }
    guard let basis = Basis(rawValue: UInt8(clamping: row.int64(10))) else {
      throw CBORError(code: .outOfRange, offset: 0)
    }
    return try NutrientSnapshot(
      basis: basis, serving: serving, nutrients: try amounts(row, 13))
  }

  private static func amounts(
    _ row: borrowing Row, _ column: Int
  ) throws(CBORError) -> NutrientAmounts {
    guard !row.isNull(column) else { return NutrientAmounts() }
    return try row.withBlob(column) { bytes throws(CBORError) in
      try CatalogCoding.amounts(bytes)
    }
  }

  private static func fields(
    _ row: borrowing Row, names: [Int64: String]
  ) throws(CBORError) -> [CatalogProduct.Field] {
    try row.withBlob(15) { bytes throws(CBORError) in
      var fields: [CatalogProduct.Field] = []
      try CatalogCoding.numbers(bytes) { number, field in
        guard let small = UInt16(exactly: number), let nutrient = Nutrient(rawValue: small),
          let name = names[field]
        else { return false }
        fields.append(CatalogProduct.Field(nutrient: nutrient, field: name))
        return true
      }
      return fields
    }
  }
}
