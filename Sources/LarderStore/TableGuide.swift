// What the promised tables and columns hold, for people: the words of `larder schema`. The tables,
// columns and types themselves are asked of the database. SPEC.md, "Tables of the diary".

internal import LarderKernel
internal import LarderSQL

/// A promised table or view.
public struct TableDescription: Hashable, Sendable {
  /// A column.
  public struct Column: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// `INTEGER`, `TEXT`; empty where a view computes it.
    public let type: String
    /// The unit of its numbers; nil where there is none.
    public let unit: String?
    /// What it holds; empty for a column of an app's.
    public let about: String
  }

  /// Its name.
  public let name: String
  /// Whether it is a view.
  public let isView: Bool
  /// What a row is; empty for a table of an app's.
  public let about: String
  /// Its columns.
  public let columns: [Column]
}

extension StoreReader {
  /// The promised tables and views there are: all whose name does not begin with an underscore.
  package func tables() throws(StoreError) -> [TableDescription] {
    try StoreError.wrapping { () throws(SQLError) in
      let found = try connection.prepare(
        """
        SELECT name, type FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE '\\_%' ESCAPE '\\'
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name
        """
      ).map { ($0.text(0), $0.text(1) == "view") }
      let info = try connection.prepare(
        "SELECT name, type FROM pragma_table_info(?) WHERE name NOT LIKE '\\_%' ESCAPE '\\'")
      var result: [TableDescription] = []
      for (name, isView) in found {
        let columns = try info.map(name) { row in
          TableGuide.column(row.text(0), type: row.text(1), of: name)
        }
        result.append(
          TableDescription(
            name: name, isView: isView, about: TableGuide.tables[name] ?? "", columns: columns))
      }
      return result
    }
  }
}

enum TableGuide {
  /// What a row is.
  static let tables = [
    "MealEntries": "a meal that was captured and not deleted",
    "NutritionLogs": "a food that was eaten, in a meal or by itself",
    "Meals": "a template: a meal to reuse",
    "MealItems": "a food of a template",
    "ProductOverrides": "what a person says about a product",
    "Settings": "a setting of the diary",
    "DayStarts": "from which day on days begin when",
    "DayNotes": "the note of a day",
    "RecentFoods": "a food that was logged: how often and when last",
    "Diary": "a row of NutritionLogs on its day of the diary",
    "DaySums": "what a day of the diary sums to",
    "WeekSums": "what a week sums to",
  ]

  /// What a column holds and its unit, whatever table it is in unless that says otherwise.
  private static let columns: [String: (about: String, unit: String?)] = [
    "id": ("the stream's digits, and behind them the item's", nil),
    "consumedAt": ("when it was eaten", "ms since 1970, UTC"),
    "mealType": ("the slot: breakfast, lunch, dinner, snack, or a person's own", nil),
    "title": ("the meal's title", nil),
    "source": ("the entrance: aiPhoto, aiVoice, aiText, barcode, manual, template", nil),
    "photoPath": ("the cover's path below the store", nil),
    "photoThumbPath": ("the path of its preview", nil),
    "voiceTranscript": ("what was said", nil),
    "captureMeta": ("an app's own text, verbatim", nil),
    "day": ("the civil date on the clock it was read from", "YYYY-MM-DD"),
    "minute": ("the minute of that date", "minutes after midnight"),
    "zone": ("the clock's zone", "IANA name"),
    "utcOffset": ("how far that clock was ahead of UTC", "s"),
    "note": ("a note", nil),
    "tags": ("the tags", "JSON array of texts"),
    "copiedFrom": ("the meal it was copied from", nil),
    "captureId": ("the key by which importing twice makes one meal", nil),
    "loggedBy": ("who did it, as the app says", nil),
    "mealEntryId": ("the meal in MealEntries; NULL for a food of none", nil),
    "mealId": ("the template in Meals", nil),
    "name": ("the name", nil),
    "amount": ("how much", "as the column unit says"),
    "unit": ("the unit of amount: mg, ul or mserving (thousandths of a serving)", nil),
    "productCode": ("the product's code", nil),
    "productCatalog": ("the catalog it is in", nil),
    "productAskedCode": ("the code that was asked for, where that is another", nil),
    "productRevision": ("the revision of the catalog's record", nil),
    "position": ("its place, from 0", nil),
    "basis": ("what the food's numbers refer to: 100g, 100ml, serving", nil),
    "servingAmount": ("the size of a serving", "as servingUnit says"),
    "servingUnit": ("mg or ul", nil),
    "origin": ("where the numbers come from: catalog, label, user, ai", nil),
    "confidence": ("how sure an analysis was", "thousandths"),
    "servedMg": ("what lay on the plate, where the numbers are of another state", "mg"),
    "code": ("the canonical code", nil),
    "brand": ("the brand", nil),
    "value": ("the value, in CBOR's diagnostic notation", nil),
    "fromDay": ("the first civil day it holds for", "YYYY-MM-DD"),
    "startMinute": ("when these days begin", "minutes after midnight"),
    "uses": ("how often it was logged", nil),
    "lastConsumedAt": ("when it was eaten last", "ms since 1970, UTC"),
    "diaryDay": ("the day of the diary", "YYYY-MM-DD"),
    "mealTitle": ("the meal's title", nil),
    "items": ("how many foods", nil),
    "week": ("the Monday it begins with", "YYYY-MM-DD"),
  ]

  /// Where a table's column is not what its name says elsewhere.
  private static let exceptions: [String: (about: String, unit: String?)] = [
    "DaySums.day": ("the day of the diary", "YYYY-MM-DD"),
    "DayNotes.day": ("the day", "YYYY-MM-DD"),
  ]

  private static let nutrients = Dictionary(
    uniqueKeysWithValues: MealProjection.nutrients.map { ($0.columnName, $0) })

  static func column(_ name: String, type: String, of table: String) -> TableDescription.Column {
    if let known = exceptions["\(table).\(name)"] ?? columns[name] {
      return TableDescription.Column(
        name: name, type: type, unit: known.unit, about: known.about)
    }
    if let nutrient = nutrients[name] {
      let basis = table == "ProductOverrides" ? "per basis" : "in the amount"
      let sum = table.hasSuffix("Sums")
      return TableDescription.Column(
        name: name, type: type, unit: unit(nutrient.unit),
        about: sum ? "sum where known; NULL if unknown of all" : "\(basis); NULL where unknown")
    }
    if name.hasSuffix("Known"), nutrients[String(name.dropLast(5))] != nil {
      return TableDescription.Column(
        name: name, type: type, unit: nil, about: "of how many foods it is known")
    }
    return TableDescription.Column(name: name, type: type, unit: nil, about: "")
  }

  private static func unit(_ unit: NutrientUnit) -> String {
    switch unit {
    case .calorie: "cal"
    case .microgram: "µg"
    case .nanogram: "ng"
    }
  }
}
