// How amounts of nutrients and of food look: exact under the keys of a document, with sensible
// digits for a person. Whole numbers go in; no binary fraction is involved.
import LarderKernel

/// The figure of a nutrient: the unit it is shown in, its key in documents, its label.
struct NutrientFigure: Sendable {
  /// A unit of display.
  enum Unit: String, Sendable {
    case kilocalorie = "kcal"
    case gram = "g"
    case milligram = "mg"
    case microgram = "µg"
  }

  /// The nutrient.
  let nutrient: Nutrient

  /// The unit it is shown in, in documents and to people alike: kcal for energy; g for what labels
  /// give in grams; mg for minerals and most vitamins; µg for trace nutrients.
  var unit: Unit {
    switch nutrient {
    case .energy: .kilocalorie
    case .fat, .saturatedFat, .monounsaturatedFat, .polyunsaturatedFat, .transFat, .omega3Fat,
      .omega6Fat, .carbohydrates, .sugars, .addedSugars, .starch, .polyols, .fiber,
      .solubleFiber, .insolubleFiber, .protein, .salt, .alcohol, .water:
      .gram
    default: nutrient.unit == .nanogram ? .microgram : .milligram
    }
  }

  /// The key in documents: `energy_kcal`, `carbs_g`, `vitamin_b12_ug`.
  var key: String {
    let suffix = unit == .microgram ? "ug" : unit.rawValue
    return "\(words(separatedBy: "_"))_\(suffix)"
  }

  /// What people read: `energy`, `carbs`, `saturated fat`, `vitamin B12`.
  var label: String {
    let words = words(separatedBy: " ")
    guard words.hasPrefix("vitamin ") else { return words }
    return "vitamin " + words.dropFirst("vitamin ".count).uppercased()
  }

  /// The exact amount in the unit of display.
  func exact(_ amount: Int64) -> ExactDecimal {
    ExactDecimal(amount, scale: scale)
  }

  /// The amount for people, with its unit: `412 kcal`, `12.3 g`, `0.05 g`, `120 mg`.
  func text(_ amount: Int64) -> String {
    "\(number(amount)) \(unit.rawValue)"
  }

  /// The amount for people without its unit. Energy is whole; else whole from 100 on, with one
  /// decimal place from 0.1 on, and below that with two. What rounds to nothing and is something
  /// is shown as less than the least that would be shown.
  func number(_ amount: Int64) -> String {
    guard amount > 0 else { return "0" }
    let exact = exact(amount)
    if nutrient == .energy { return exact.rounded(to: 0).units == 0 ? "<1" : exact.fixed(0) }
    if exact.rounded(to: 1).units >= 1000 { return exact.fixed(0) }
    let hundredths = exact.rounded(to: 2).units
    if hundredths >= 10 { return exact.fixed(1) }
    return hundredths == 0 ? "<0.01" : exact.fixed(2)
  }

  private var scale: Int {
    switch (nutrient.unit, unit) {
    case (.microgram, .gram): 6
    case (_, _): 3
    }
  }

  private func words(separatedBy separator: String) -> String {
    if nutrient == .carbohydrates { return "carbs" }
    var text = ""
    for character in nutrient.name {
      if character.isUppercase { text += separator }
      text += character.lowercased()
    }
    return text
  }
}

extension JSONValue {
  /// The known nutrients as an object of exact decimals, in the order of their numbers.
  static func nutrients(_ amounts: NutrientAmounts) -> JSONValue {
    .object(
      of: Nutrient.allCases.compactMap { nutrient in
        amounts[nutrient].map { amount in
          let figure = NutrientFigure(nutrient: nutrient)
          return (figure.key, .decimal(figure.exact(amount)))
        }
      })
  }
}

extension Quantity {
  /// What people read, and can type: `60 g`, `330 ml`, `1.5 servings`, exact. Three decimals get a
  /// zero, `60.0050 g`, where the point could be taken for a mark of thousands.
  var text: String {
    let couldMarkThousands = value % 10 != 0 && (1000..<1_000_000).contains(value)
    let number = decimal.description + (couldMarkThousands ? "0" : "")
    switch unit {
    case .milligram: return "\(number) g"
    case .microlitre: return "\(number) ml"
    case .milliserving: return number == "1" ? "1 serving" : "\(number) servings"
    }
  }

  /// The amount in grams, millilitres or servings.
  var decimal: ExactDecimal { ExactDecimal(value, scale: 3) }

  /// The key of `decimal` in documents: `amount_g`, `amount_ml`, `amount_servings`.
  var key: String {
    switch unit {
    case .milligram: "amount_g"
    case .microlitre: "amount_ml"
    case .milliserving: "amount_servings"
    }
  }
}
