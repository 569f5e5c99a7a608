// One energy from up to three fields that may contradict each other.
//
// Rules, in order: a kcal that was typed and fits the kJ beats a kcal field that repeats the kJ;
// equal numbers in both fields are told apart by the macros, else taken for kJ; a kcal that is
// 4.184 times the kJ means both are swapped; kcal before kJ; kJ ÷ 4.184 where there is no kcal,
// rounded once. Tolerances compare labels with each other and touch no number that is stored.

import LarderCatalog
import LarderKernel

/// The energy of a record for one basis.
struct EnergyReading {
  /// In cal; nil where it is not known.
  private(set) var amount: Int64?
  /// Which field it came from, and what was done to it.
  private(set) var field = ""
  /// What was noticed.
  private(set) var flags: CatalogFlags = []

  /// A number and its field.
  struct Given {
    let number: ExactDecimal
    let field: String

    var value: Double { number.approximate }
  }

  /// Decides.
  /// - Parameters:
  ///   - kilocalories: the kcal field's number.
  ///   - kilojoules: the kJ field's number.
  ///   - typed: the kcal as somebody typed it, if that was for the same basis.
  ///   - atwater: the kcal the macronutrients give, if all three are known.
  init(kilocalories: Given?, kilojoules: Given?, typed: Given?, atwater: Double?) {
    guard let kilocalories else {
      if let typed {
        take(typed)
      } else if let kilojoules {
        takeJoules(kilojoules)
        flags.insert(.energyFromKj)
      }
      return
    }
    if let typed, Self.isKilojoules(kilocalories, of: typed) {
      take(typed)
      flags.insert(.kcalFieldHoldsKj)
    } else if let kilojoules {
      decide(kilocalories, kilojoules, atwater: atwater)
    } else {
      take(kilocalories)
    }
  }

  private mutating func decide(_ kcal: Given, _ kj: Given, atwater: Double?) {
    let asKcal = kcal.value
    let asKj = kj.value
    if asKcal > 2, Self.isClose(asKcal, asKj, share: 0.01, slack: 0.5) {
      if let atwater, abs(asKcal - atwater) < abs(asKj / Self.joulesPerCalorie - atwater) {
        take(kcal)
        flags.insert(.kjFieldHoldsKcal)
      } else {
        takeJoules(kj)
        flags.insert(.kcalFieldHoldsKj)
      }
    } else if asKcal > asKj, asKj > 0,
      Self.isClose(asKcal, asKj * Self.joulesPerCalorie, share: 0.03, slack: 2)
    {
      take(kj, suffix: " as kcal")
      flags.insert(.energySwapped)
    } else {
      take(kcal)
      if !Self.isClose(asKcal * Self.joulesPerCalorie, asKj, share: 0.05, slack: 10) {
        flags.insert(.energyMismatch)
      }
    }
  }

  private mutating func take(_ given: Given, suffix: String = "") {
    amount = given.number.rounded(timesTenTo: 3)
    field = given.field + suffix
  }

  /// cal = kJ × 1000 ÷ 4.184 = kJ × 10⁶ ÷ 4184, rounded once.
  private mutating func takeJoules(_ given: Given) {
    amount = given.number.rounded(timesTenTo: 6, divisor: 4184)
    field = given.field + "/4.184"
  }

  /// Whether a kcal field holds what `typed` is in kJ.
  private static func isKilojoules(_ field: Given, of typed: Given) -> Bool {
    typed.value > 2
      && isClose(field.value, typed.value * joulesPerCalorie, share: 0.02, slack: 2)
  }

  private static func isClose(
    _ left: Double, _ right: Double, share: Double, slack: Double
  ) -> Bool {
    abs(left - right) <= max(share * max(left, right), slack)
  }

  /// The thermochemical calorie, which labels use.
  private static let joulesPerCalorie = 4.184
}
