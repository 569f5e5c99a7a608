// The table of nutrients: number, name, unit. Numbers are in events for ever and are never reused;
// SPEC.md, "Nutrients", is the same table in words.

/// The unit in which a nutrient is counted, always in whole numbers.
public enum NutrientUnit: String, Sendable, CaseIterable {
  /// Small calories: 1 kcal = 1000 cal.
  case calorie = "cal"
  /// Micrograms, where labels use grams or milligrams.
  case microgram = "ug"
  /// Nanograms, for trace nutrients.
  case nanogram = "ng"
}

/// A nutrient Larder has a number and a column for.
public enum Nutrient: UInt16, Sendable, CaseIterable, Comparable {
  /// Energy.
  case energy = 0
  // Macronutrients and their parts.
  case fat = 1
  case saturatedFat = 2
  case monounsaturatedFat = 3
  case polyunsaturatedFat = 4
  case transFat = 5
  case omega3Fat = 6
  case omega6Fat = 7
  case cholesterol = 8
  case carbohydrates = 9
  case sugars = 10
  case addedSugars = 11
  case starch = 12
  case polyols = 13
  case fiber = 14
  case solubleFiber = 15
  case insolubleFiber = 16
  case protein = 17
  case salt = 18
  case sodium = 19
  case alcohol = 20
  case water = 21
  case caffeine = 22
  case taurine = 23
  // Minerals.
  case potassium = 32
  case calcium = 33
  case phosphorus = 34
  case iron = 35
  case magnesium = 36
  case zinc = 37
  case copper = 38
  case manganese = 39
  case chloride = 40
  case fluoride = 41
  case selenium = 42
  case chromium = 43
  case molybdenum = 44
  case iodine = 45
  // Vitamins and the like.
  case vitaminA = 64
  case vitaminB1 = 65
  case vitaminB2 = 66
  case niacin = 67
  case pantothenicAcid = 68
  case vitaminB6 = 69
  case biotin = 70
  case folate = 71
  case vitaminB12 = 72
  case vitaminC = 73
  case vitaminD = 74
  case vitaminE = 75
  case vitaminK = 76
  case choline = 77

  /// The name in columns and code: lower camel case, without unit.
  public var name: String { String(describing: self) }

  /// The unit its amounts are whole numbers of.
  public var unit: NutrientUnit {
    switch self {
    case .energy: .calorie
    case .vitaminA, .vitaminD, .vitaminE, .vitaminK, .vitaminB12, .folate, .biotin, .iodine,
      .selenium, .chromium, .molybdenum:
      .nanogram
    default: .microgram
    }
  }

  /// The column of `NutritionLogs`: the name with its unit, such as `saturatedFatUg`.
  public var columnName: String {
    switch unit {
    case .calorie: name + "Cal"
    case .microgram: name + "Ug"
    case .nanogram: name + "Ng"
    }
  }

  /// Order by number.
  public static func < (left: Nutrient, right: Nutrient) -> Bool {
    left.rawValue < right.rawValue
  }
}
