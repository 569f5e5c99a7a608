// The numbers of a food as they were when it was logged, and the arithmetic of what was eaten:
// 128-bit products, one division, rounding half up, once. SPEC.md, "Amounts".

/// What the amounts of a snapshot refer to.
public enum Basis: UInt8, Sendable, CaseIterable {
  /// Per 100 g.
  case per100Grams = 0
  /// Per 100 ml.
  case per100Millilitres = 1
  /// Per serving.
  case perServing = 2

  /// The name in tables and output: `100g`, `100ml`, `serving`.
  public var name: String {
    switch self {
    case .per100Grams: "100g"
    case .per100Millilitres: "100ml"
    case .perServing: "serving"
    }
  }
}

/// The full nutrient numbers of a food, with what they refer to.
public struct NutrientSnapshot: Hashable, Sendable {
  /// What the amounts refer to.
  public let basis: Basis
  /// The mass or volume of one serving, nil where unknown.
  public let serving: Quantity?
  /// The amounts.
  public let nutrients: NutrientAmounts

  /// A snapshot.
  /// - Throws: `outOfRange` if the serving is itself given in servings.
  public init(
    basis: Basis, serving: Quantity?, nutrients: NutrientAmounts
  ) throws(KernelError) {
    guard serving?.unit != .milliserving else {
      throw KernelError(.outOfRange, operation: "make snapshot", subject: "serving")
    }
    self.basis = basis
    self.serving = serving
    self.nutrients = nutrients
  }

  /// The amount of `nutrient` in `quantity` of this food, in the nutrient's unit; nil where it is
  /// unknown, where mass would have to stand for volume, where a serving would need a size it does
  /// not have, and where the result passes 10¹².
  public func amount(of nutrient: Nutrient, in quantity: Quantity) -> Int64? {
    nutrients[nutrient].flatMap { scale(for: quantity)?.apply(to: $0) }
  }

  /// What was eaten in `quantity` of every nutrient this build has a column for, ascending by
  /// number; what is unknown is absent.
  public func eaten(_ quantity: Quantity) -> [NutrientAmounts.Element] {
    guard let scale = scale(for: quantity) else { return [] }
    var result: [NutrientAmounts.Element] = []
    result.reserveCapacity(nutrients.elements.count)
    for element in nutrients.elements where Nutrient(rawValue: element.number) != nil {
      guard let amount = scale.apply(to: element.amount) else { continue }
      result.append(NutrientAmounts.Element(number: element.number, amount: amount))
    }
    return result
  }

  /// A fraction a nutrient amount is multiplied by: rounding half up, once.
  struct Scale {
    let numerator: UInt128
    let denominator: UInt128

    func apply(to amount: Int64) -> Int64? {
      // Nearly every product fits 64 bits, where the division is many times faster.
      if let small = UInt64(exactly: numerator), let unit = UInt64(exactly: denominator) {
        let (product, overflow) = UInt64(amount).multipliedReportingOverflow(by: small)
        if !overflow, product < UInt64.max / 4, unit < UInt64.max / 4 {
          let result = (2 * product + unit) / (2 * unit)
          return result <= UInt64(Limits.nutrientAmountMaximum) ? Int64(result) : nil
        }
      }
      let product = UInt128(amount) * numerator
      let result = (2 * product + denominator) / (2 * denominator)
      return result <= UInt128(Limits.nutrientAmountMaximum) ? Int64(result) : nil
    }
  }

  private func scale(for quantity: Quantity) -> Scale? {
    let amount = UInt128(quantity.value)
    switch (basis, quantity.unit) {
    case (.per100Grams, .milligram), (.per100Millilitres, .microlitre):
      return Scale(numerator: amount, denominator: 100_000)
    case (.perServing, .milliserving):
      return Scale(numerator: amount, denominator: 1000)
    case (.perServing, _):
      guard let serving, serving.unit == quantity.unit else { return nil }
      return Scale(numerator: amount, denominator: UInt128(serving.value))
    case (.per100Grams, .milliserving):
      guard let serving, serving.unit == .milligram else { return nil }
      return Scale(numerator: amount * UInt128(serving.value), denominator: 100_000_000)
    case (.per100Millilitres, .milliserving):
      guard let serving, serving.unit == .microlitre else { return nil }
      return Scale(numerator: amount * UInt128(serving.value), denominator: 100_000_000)
    case (.per100Grams, .microlitre), (.per100Millilitres, .milligram):
      return nil
    }
  }
}
