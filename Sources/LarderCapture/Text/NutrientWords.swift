// The words people have for nutrients. The names of the Kernel's table, written in any of the usual
// ways, and what labels call them.

package import LarderKernel

/// Nutrients by the words for them.
package enum NutrientWords {
  /// The nutrient a word names, in any case, with spaces, hyphens or underscores where one likes:
  /// `carbs`, `saturated-fat`, `Vitamin B12`. Nil for any other word.
  package static func nutrient(named word: String) -> Nutrient? {
    table[squashed(word)]
  }

  /// The word to suggest for one that is not known, nil if none is near.
  package static func nearest(to word: String) -> String? {
    Spelling.nearest(to: squashed(word), among: words).map { near in
      table[near].map(usualWord) ?? near
    }
  }

  /// The word to show for a nutrient: `carbs`, `saturated-fat`, `vitamin-b12`.
  package static func usualWord(_ nutrient: Nutrient) -> String {
    if nutrient == .carbohydrates { return "carbs" }
    var word = ""
    for character in nutrient.name {
      if character.isUppercase { word += "-" }
      word += character.lowercased()
    }
    return word
  }

  private static func squashed(_ word: String) -> String {
    word.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }

  private static let table: [String: Nutrient] = {
    var table: [String: Nutrient] = [:]
    for nutrient in Nutrient.allCases { table[squashed(nutrient.name)] = nutrient }
    for (nutrient, words) in others {
      for word in words { table[word] = nutrient }
    }
    return table
  }()

  /// All words, in an order that is always the same.
  private static let words = table.keys.sorted()

  /// Words beside the Kernel's names, squashed.
  private static let others: [(Nutrient, [String])] = [
    (.energy, ["kcal", "kj", "calories"]),
    (.carbohydrates, ["carbs", "carb", "carbohydrate"]),
    (.sugars, ["sugar", "ofwhichsugars", "totalsugars"]),
    (.addedSugars, ["addedsugar"]),
    (.polyols, ["polyol", "sugaralcohols"]),
    (.fiber, ["fibre", "dietaryfiber", "dietaryfibre"]),
    (.solubleFiber, ["solublefibre"]),
    (.insolubleFiber, ["insolublefibre"]),
    (.fat, ["totalfat", "fats"]),
    (.saturatedFat, ["satfat", "saturates", "saturated", "sat"]),
    (.monounsaturatedFat, ["monounsaturates", "monounsaturated", "monofat"]),
    (.polyunsaturatedFat, ["polyunsaturates", "polyunsaturated", "polyfat"]),
    (.transFat, ["trans", "transfats"]),
    (.omega3Fat, ["omega3"]),
    (.omega6Fat, ["omega6"]),
    (.cholesterol, ["chol"]),
    (.protein, ["proteins"]),
    (.sodium, ["na"]),
    (.alcohol, ["ethanol"]),
    (.vitaminA, ["vita", "retinol"]),
    (.vitaminB1, ["b1", "vitb1", "thiamin", "thiamine"]),
    (.vitaminB2, ["b2", "vitb2", "riboflavin"]),
    (.niacin, ["b3", "vitb3", "vitaminb3", "vitaminpp"]),
    (.pantothenicAcid, ["b5", "vitb5", "vitaminb5", "pantothenate"]),
    (.vitaminB6, ["b6", "vitb6", "pyridoxine"]),
    (.biotin, ["b7", "vitb7", "vitaminb7"]),
    (.folate, ["b9", "vitb9", "vitaminb9", "folicacid"]),
    (.vitaminB12, ["b12", "vitb12", "cobalamin"]),
    (.vitaminC, ["vitc", "ascorbicacid"]),
    (.vitaminD, ["vitd"]),
    (.vitaminE, ["vite"]),
    (.vitaminK, ["vitk"]),
  ]
}
