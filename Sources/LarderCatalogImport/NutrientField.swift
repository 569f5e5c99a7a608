// The nutrient keys of Open Food Facts and what Larder calls them: the one table of both.

import LarderKernel

/// A nutrient key of a source and the nutrient it stands for.
struct NutrientField: Sendable {
  /// What a key is for.
  enum Meaning: Hashable, Sendable {
    /// A mass, in grams whatever unit the label used.
    case mass(Nutrient)
    /// Alcohol: percent of the volume, unless its unit says grams.
    case alcohol
    /// Energy in kcal.
    case kilocalories
    /// Energy in kJ.
    case kilojoules
  }

  /// What the key is for.
  let meaning: Meaning
  /// The key without a suffix.
  let base: RecordKey
  /// The key of the number for 100 g or 100 ml.
  let per100: RecordKey
  /// The key of the number for one serving.
  let perServing: RecordKey
  /// The key of the sign that belongs to the number.
  let modifier: RecordKey
  /// The key of the unit it was typed in.
  let unit: RecordKey
  /// The keys of the numbers for the prepared product.
  let prepared: [RecordKey]

  private init(_ key: String, _ meaning: Meaning) {
    self.meaning = meaning
    base = RecordKey(key)
    per100 = RecordKey(key + "_100g")
    perServing = RecordKey(key + "_serving")
    modifier = RecordKey(key + "_modifier")
    unit = RecordKey(key + "_unit")
    prepared = [RecordKey(key + "_prepared_100g"), RecordKey(key + "_prepared_serving")]
  }

  /// What a key with a suffix holds of a field.
  enum Column: UInt8 {
    case base, per100, perServing, modifier, unit, prepared
  }

  /// Which columns of which field a flat object has, by one look-up a key of it.
  static func columns(of keys: [RecordKey]) -> Columns {
    var columns = Columns()
    for key in keys {
      guard let place = places[key.stringValue] else { continue }
      columns.masks[place.field] |= 1 << place.column.rawValue
    }
    return columns
  }

  /// The columns that are there, by field.
  struct Columns {
    fileprivate var masks = [UInt8](repeating: 0, count: NutrientField.all.count)

    /// The fields that have at least one column, in the order of `NutrientField.all`.
    var fields: [Int] { masks.indices.filter { masks[$0] != 0 } }

    /// Whether the field with that index has the column.
    func has(_ column: Column, _ field: Int) -> Bool { masks[field] & 1 << column.rawValue != 0 }
  }

  private static let places: [String: (field: Int, column: Column)] = {
    var places: [String: (field: Int, column: Column)] = [:]
    for (index, field) in all.enumerated() {
      places[field.base.stringValue] = (index, .base)
      places[field.per100.stringValue] = (index, .per100)
      places[field.perServing.stringValue] = (index, .perServing)
      places[field.modifier.stringValue] = (index, .modifier)
      places[field.unit.stringValue] = (index, .unit)
      for key in field.prepared { places[key.stringValue] = (index, .prepared) }
    }
    return places
  }()

  /// All keys that are read. Of two for one nutrient the first that has a number counts.
  static let all: [NutrientField] =
    [
      NutrientField("energy-kcal", .kilocalories), NutrientField("energy-kj", .kilojoules),
      NutrientField("energy", .kilojoules), NutrientField("alcohol", .alcohol),
    ] + masses.map { NutrientField($0.0, .mass($0.1)) }

  private static let masses: [(String, Nutrient)] = [
    ("fat", .fat), ("saturated-fat", .saturatedFat),
    ("monounsaturated-fat", .monounsaturatedFat), ("polyunsaturated-fat", .polyunsaturatedFat),
    ("trans-fat", .transFat), ("omega-3-fat", .omega3Fat), ("omega-6-fat", .omega6Fat),
    ("cholesterol", .cholesterol), ("carbohydrates", .carbohydrates), ("sugars", .sugars),
    ("added-sugars", .addedSugars), ("starch", .starch), ("polyols", .polyols),
    ("fiber", .fiber), ("soluble-fiber", .solubleFiber), ("insoluble-fiber", .insolubleFiber),
    ("proteins", .protein), ("salt", .salt), ("sodium", .sodium), ("water", .water),
    ("caffeine", .caffeine), ("taurine", .taurine), ("potassium", .potassium),
    ("calcium", .calcium), ("phosphorus", .phosphorus), ("iron", .iron),
    ("magnesium", .magnesium), ("zinc", .zinc), ("copper", .copper), ("manganese", .manganese),
    ("chloride", .chloride), ("fluoride", .fluoride), ("selenium", .selenium),
    ("chromium", .chromium), ("molybdenum", .molybdenum), ("iodine", .iodine),
    ("vitamin-a", .vitaminA), ("vitamin-b1", .vitaminB1), ("vitamin-b2", .vitaminB2),
    ("vitamin-pp", .niacin), ("pantothenic-acid", .pantothenicAcid), ("vitamin-b6", .vitaminB6),
    ("biotin", .biotin), ("vitamin-b9", .folate), ("folates", .folate),
    ("vitamin-b12", .vitaminB12), ("vitamin-c", .vitaminC), ("vitamin-d", .vitaminD),
    ("vitamin-e", .vitaminE), ("vitamin-k", .vitaminK), ("phylloquinone", .vitaminK),
    ("choline", .choline),
  ]
}
