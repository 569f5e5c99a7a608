// What the numbers of a food say about each other. Notes only; no number is changed here.

import LarderCatalog
import LarderKernel

/// Checks of a product's numbers.
enum Plausibility {
  /// The kcal that fat, carbohydrates and protein give at 9, 4 and 4 kcal a gram; nil unless all
  /// three are known.
  static func atwater(_ amounts: NutrientAmounts) -> Double? {
    guard let fat = amounts[.fat], let carbohydrates = amounts[.carbohydrates],
      let protein = amounts[.protein]
    else { return nil }
    return grams(fat) * 9 + grams(carbohydrates) * 4 + grams(protein) * 4
  }

  /// What is to be noted about `amounts`.
  static func flags(
    _ amounts: NutrientAmounts, basis: Basis, serving: Quantity?, hasUnweighedAlcohol: Bool
  ) -> CatalogFlags {
    var flags: CatalogFlags = []
    let kilocalories = amounts[.energy].map { Double($0) / 1000 }
    if let kilocalories {
      if !agrees(kilocalories, amounts, hasUnweighedAlcohol: hasUnweighedAlcohol) {
        flags.insert(.energyMacrosMismatch)
      }
      if basis != .perServing, kilocalories > kilocaloriesMaximum {
        flags.insert(.energyImplausible)
      }
      if basis == .perServing, let serving,
        kilocalories * 100_000 > kilocaloriesMaximum * Double(serving.value)
      {
        flags.insert(.servingImplausible)
      }
    }
    let macros = [Nutrient.fat, .carbohydrates, .protein].map { grams(amounts[$0] ?? 0) }
    if basis != .perServing, macros.reduce(0, +) > 105 { flags.insert(.macrosImplausible) }
    return flags
  }

  /// Whether `kilocalories` lie between what the nutrients give at least and at most, with 20 % and
  /// 2 kcal of slack. Polyols give 0 to 4 kcal a gram; fibre, inside or beside the carbohydrates, 0
  /// to 4; alcohol 7. What is not known may be anything, so it bounds nothing from above.
  private static func agrees(
    _ kilocalories: Double, _ amounts: NutrientAmounts, hasUnweighedAlcohol: Bool
  ) -> Bool {
    func given(_ nutrient: Nutrient) -> Double { grams(amounts[nutrient] ?? 0) }
    let fixed = given(.fat) * 9 + given(.protein) * 4 + given(.alcohol) * 7
    let sure = max(0, given(.carbohydrates) - given(.polyols) - given(.fiber))
    if kilocalories * 1.2 + 2 < fixed + sure * 4 { return false }
    guard atwater(amounts) != nil, !hasUnweighedAlcohol else { return true }
    let most = fixed + given(.carbohydrates) * 4 + given(.fiber) * 2
    return kilocalories <= most * 1.2 + 2
  }

  /// Pure fat has 900 kcal in 100 g.
  private static let kilocaloriesMaximum = 900.0

  private static func grams(_ micrograms: Int64) -> Double { Double(micrograms) / 1_000_000 }
}
