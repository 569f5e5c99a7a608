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
      if !agrees(
        kilocalories, amounts, hasUnweighedAlcohol: hasUnweighedAlcohol,
        slack: slack(basis, serving: serving))
      {
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
  /// `slack` of room [CATALOG-6]. Factors: Regulation (EU) No 1169/2011, annex XIV.
  ///
  /// Labels differ in what they count as carbohydrates and by what factor, and the record does not
  /// say: fibre is beside them at 2 kcal a gram (EU) or inside them at 0 to 4 (US); polyols give 0
  /// (erythritol) to 4 (the general factor, which US labels may use). Organic acids give 3 and are
  /// on no label: vinegar and lemon juice have 6 % of them. What is not known may be anything, so
  /// it bounds nothing from above.
  private static func agrees(
    _ kilocalories: Double, _ amounts: NutrientAmounts, hasUnweighedAlcohol: Bool, slack: Double
  ) -> Bool {
    func given(_ nutrient: Nutrient) -> Double { grams(amounts[nutrient] ?? 0) }
    let fixed = given(.fat) * 9 + given(.protein) * 4 + given(.alcohol) * 7
    let sure = max(0, given(.carbohydrates) - given(.polyols) - given(.fiber))
    let least = fixed + sure * 4
    if (kilocalories + slack) * tolerance < least { return false }
    guard atwater(amounts) != nil, !hasUnweighedAlcohol else { return true }
    let most = fixed + given(.carbohydrates) * 4 + given(.fiber) * 2
    return kilocalories <= most * tolerance + min(slack + 6 * 3, slackMaximum)
  }

  /// How many kcal the rounding of a label comes to in what the numbers refer to.
  ///
  /// US labels (21 CFR 101.9(c)) are rounded for one serving: energy by up to 5 kcal, fat,
  /// carbohydrates and protein by up to 0.5 g each, all of them down to 0. EU labels are rounded
  /// for 100 g and less so. Numbers for 100 g that were computed from a serving carry its rounding
  /// magnified: but no more than what EU law calls low in energy, 40 kcal (Regulation (EC)
  /// No 1924/2006), for whoever eats 100 g of it is misled whatever the reason.
  private static func slack(_ basis: Basis, serving: Quantity?) -> Double {
    let roundings = 5 + 0.5 * (9 + 4 + 4)
    let unit: QuantityUnit? =
      switch basis {
      case .per100Grams: .milligram
      case .per100Millilitres: .microlitre
      case .perServing: nil
      }
    guard let serving, serving.unit == unit else { return roundings }
    let share = min(1, Double(serving.value) / 100_000)
    return min(roundings / share, slackMaximum)
  }

  /// The most kcal in 100 g or 100 ml that no difference is noted for.
  private static let slackMaximum = 40.0

  /// What food really has may differ from its label by this much (EU guidance on tolerances, 2012:
  /// 20 % of 10 to 40 g), as may what a gram of it really gives from the general factor.
  private static let tolerance = 1.2

  /// Pure fat has 900 kcal in 100 g.
  private static let kilocaloriesMaximum = 900.0

  private static func grams(_ micrograms: Int64) -> Double { Double(micrograms) / 1_000_000 }
}
