// One record of an Open Food Facts dump as it stands there, each field read on its own: a bad field
// loses itself only.

import FoundationEssentials
import LarderCatalog
import LarderKernel

/// The fields of a record that matter here.
struct ProductRecord: Decodable {
  let code: String?
  let modifiedAt: Int64
  let revision: Int64
  let names: [String: String]
  let genericNames: [String: String]
  let mainLanguage: String
  let brand: String?
  let quantityText: String?
  let packUnit: String?
  let servingText: String?
  let servingQuantity: LooseNumber
  let servingUnit: String?
  let isObsolete: Bool
  let isFood: Bool
  let hasNoNutrition: Bool
  let popularity: Int64
  let nutrients: NutrientTable

  /// Reads the fields; only what is no JSON object is an error.
  init(from decoder: any Decoder) throws {
    let record = try decoder.container(keyedBy: RecordKey.self)
    code = record.looseText(RecordKey("code"))
    modifiedAt = max(0, record.looseInteger(RecordKey("last_modified_t")) ?? 0)
    revision = max(0, record.looseInteger(RecordKey("rev")) ?? 0)
    let language = record.looseText(RecordKey("lang")) ?? record.looseText(RecordKey("lc")) ?? ""
    mainLanguage = Self.isLanguage(language) ? language : ""
    (names, genericNames) = Self.names(record, mainLanguage: mainLanguage)
    brand = record.looseText(RecordKey("brands"))
    quantityText = record.looseText(RecordKey("quantity"))
    packUnit = record.looseText(RecordKey("product_quantity_unit"))
    servingText = record.looseText(RecordKey("serving_size"))
    servingQuantity = record.looseNumber(RecordKey("serving_quantity"))
    servingUnit = record.looseText(RecordKey("serving_quantity_unit"))
    isObsolete = record.looseText(RecordKey("obsolete")) == "on"
    isFood = (record.looseText(RecordKey("product_type")) ?? "food") == "food"
    hasNoNutrition = record.looseText(RecordKey("no_nutrition_data")) == "on"
    popularity = max(0, record.looseInteger(RecordKey("unique_scans_n")) ?? 0)
    nutrients = Self.nutrients(record)
  }

  /// The schema version from which on `nutrition` is the shape.
  private static let setsSchemaVersion: Int64 = 1003

  private static func nutrients(_ record: KeyedDecodingContainer<RecordKey>) -> NutrientTable {
    let version = record.looseInteger(RecordKey("schema_version")) ?? 0
    if version >= setsSchemaVersion, let nutrition = record.object(RecordKey("nutrition")) {
      return NutrientTable(nutrition: nutrition)
    }
    guard let nutriments = record.object(RecordKey("nutriments")) else { return NutrientTable() }
    let per = NutrientTable.EnteredPer(record.looseText(RecordKey("nutrition_data_per")))
    return NutrientTable(nutriments: nutriments, enteredPer: per)
  }

  /// Names and generic names by language: those with a language of their own, then the plain one
  /// for the main language.
  private static func names(
    _ record: KeyedDecodingContainer<RecordKey>, mainLanguage: String
  ) -> ([String: String], [String: String]) {
    var names: [String: String] = [:]
    var genericNames: [String: String] = [:]
    for key in record.allKeys {
      let text = key.stringValue
      if let language = language(of: text, after: "product_name_") {
        names[language] = record.looseText(key)
      } else if let language = language(of: text, after: "generic_name_") {
        genericNames[language] = record.looseText(key)
      }
    }
    if names[mainLanguage] == nil {
      names[mainLanguage] = record.looseText(RecordKey("product_name"))
    }
    if genericNames[mainLanguage] == nil {
      genericNames[mainLanguage] = record.looseText(RecordKey("generic_name"))
    }
    return (names, genericNames)
  }

  private static func language(of key: String, after prefix: String) -> String? {
    guard key.hasPrefix(prefix) else { return nil }
    let rest = key.dropFirst(prefix.count)
    return isLanguage(rest) ? String(rest) : nil
  }

  /// Whether `text` is a language as the source writes them: two or three small letters, and
  /// perhaps a region or script behind a hyphen. (`product_name_en_imported` is none.)
  private static func isLanguage(_ text: some StringProtocol) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return (1...2).contains(parts.count) && (2...3).contains(parts[0].count)
      && parts.allSatisfy { (2...4).contains($0.count) && $0.allSatisfy(letters.contains) }
  }
}
