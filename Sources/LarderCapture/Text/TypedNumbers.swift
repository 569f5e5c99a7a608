// What a food contains, as people type it: `energy=420kcal,carbs=55g`. Unknown stays unknown; a
// limit or a trace is not a number.

package import LarderKernel

/// Nutrient numbers as typed, and what they are the numbers of.
package struct TypedNumbers: Hashable, Sendable {
  /// What the numbers are the numbers of.
  package enum Reference: Hashable, Sendable {
    /// The amount that was eaten.
    case amountEaten
    /// 100 g, 100 ml, or a serving with the mass or volume it has, if that was said.
    case basis(Basis, serving: Quantity?)
  }

  /// The longest list that is read, in bytes.
  package static let byteCountMaximum = 4096

  /// The amounts, each in its nutrient's unit.
  package let nutrients: NutrientAmounts
  /// What they are the numbers of.
  package let reference: Reference

  /// The numbers `text` lists: `NAME=NUMBER UNIT`, with commas or semicolons between them. Names
  /// are those of `NutrientWords`; energy is in kcal or kJ (÷ 4.184), all else in kg, g, mg, µg or
  /// ng; each is rounded once, half up. `per=100g`, `per=100ml`, `per=serving` or `per=30g` (a
  /// serving of that much) says what the numbers are of; without it, of the amount eaten.
  /// - Throws: `empty`, `tooLong`, `controlCharacter`, `unreadable`, `unknownWord`, `duplicate`,
  ///   `tooLarge`, `missingUnit`, `unknownUnit`, `ambiguousUnit`, `trailingText`, and as
  ///   `TypedNumber`.
  package init(reading text: String) throws(CaptureError) {
    _ = try TypedText.line(text, byteCountMaximum: Self.byteCountMaximum, operation: .numbers)
    var nutrients = NutrientAmounts()
    var reference: Reference?
    for (name, value) in try Self.pairs(of: text) {
      if name.lowercased() == "per" {
        guard reference == nil else {
          throw CaptureError(.duplicate, operation: .numbers, subject: "per")
        }
        reference = try Self.reference(String(value))
        continue
      }
      guard let nutrient = NutrientWords.nutrient(named: name) else {
        throw CaptureError(
          .unknownWord, operation: .numbers, subject: "nutrient",
          suggestion: NutrientWords.nearest(to: name))
      }
      guard nutrients[nutrient] == nil else {
        throw CaptureError(.duplicate, operation: .numbers, subject: nutrient.name)
      }
      let amount = try Self.amount(of: nutrient, named: name, reading: value)
      do throws(KernelError) {
        try nutrients.set(nutrient, to: amount)
      } catch {
        throw CaptureError(.tooLarge, operation: .numbers, subject: nutrient.name)
      }
    }
    guard !nutrients.isEmpty else {
      throw CaptureError(.empty, operation: .numbers, subject: "numbers")
    }
    self.nutrients = nutrients
    self.reference = reference ?? .amountEaten
  }

  /// The snapshot to record for an item of `quantity`.
  ///
  /// Numbers of the amount eaten become those of a serving, so that what was typed is what was
  /// eaten, to the last digit: of a mass or volume by making that the serving, of servings by
  /// division (exact for one serving, else rounded half up).
  /// - Throws: `notComparable` if the numbers say nothing about such a quantity, `tooLarge`.
  package func snapshot(for quantity: Quantity) throws(CaptureError) -> NutrientSnapshot {
    switch (reference, quantity.unit) {
    case (.basis(let basis, let serving), let unit):
      guard Self.covers(basis, serving: serving, unit: unit) else {
        throw CaptureError(.notComparable, operation: .numbers, subject: "per")
      }
      return try Self.snapshot(basis, serving: serving, nutrients: nutrients)
    case (.amountEaten, .milliserving):
      let divided = try nutrients(dividedBy: quantity.value)
      return try Self.snapshot(.perServing, serving: nil, nutrients: divided)
    case (.amountEaten, .milligram), (.amountEaten, .microlitre):
      return try Self.snapshot(.perServing, serving: quantity, nutrients: nutrients)
    }
  }

  /// The numbers of one serving where these are of `milliservings`, each rounded half up.
  private func nutrients(dividedBy milliservings: Int64) throws(CaptureError) -> NutrientAmounts {
    guard milliservings != 1000 else { return nutrients }
    var result = NutrientAmounts()
    for nutrient in Nutrient.allCases {
      guard let amount = nutrients[nutrient] else { continue }
      let part = (2000 * Int128(amount) + Int128(milliservings)) / (2 * Int128(milliservings))
      do throws(KernelError) {
        try result.set(nutrient, to: Int64(clamping: part))
      } catch {
        throw CaptureError(.tooLarge, operation: .numbers, subject: nutrient.name)
      }
    }
    return result
  }

  private static func snapshot(
    _ basis: Basis, serving: Quantity?, nutrients: NutrientAmounts
  ) throws(CaptureError) -> NutrientSnapshot {
    do throws(KernelError) {
      return try NutrientSnapshot(basis: basis, serving: serving, nutrients: nutrients)
    } catch {
      throw CaptureError(.notComparable, operation: .numbers, subject: "per")
    }
  }

  /// Whether numbers of that basis say anything about an amount in `unit`.
  private static func covers(_ basis: Basis, serving: Quantity?, unit: QuantityUnit) -> Bool {
    switch (basis, unit) {
    case (.per100Grams, .milligram), (.per100Millilitres, .microlitre): true
    case (.perServing, .milliserving): true
    case (.perServing, _): serving?.unit == unit
    case (.per100Grams, _), (.per100Millilitres, _): false
    }
  }

  /// Names and values. A comma begins a new pair only if an `=` follows before the next comma;
  /// otherwise it is a decimal mark.
  private static func pairs(of text: String) throws(CaptureError) -> [(String, Substring)] {
    var pieces: [String] = []
    for list in text.split(separator: ";", omittingEmptySubsequences: false) {
      var isFirst = true
      for piece in list.split(separator: ",", omittingEmptySubsequences: false) {
        if isFirst || piece.contains("=") {
          pieces.append(String(piece))
        } else {
          pieces[pieces.count - 1] += "," + piece
        }
        isFirst = false
      }
    }
    return try pieces.map { piece throws(CaptureError) in
      guard let mark = piece.firstIndex(of: "=") else {
        throw CaptureError(.unreadable, operation: .numbers, subject: "pair")
      }
      let name = TypedText.trimmed(piece[..<mark])
      return (String(name), TypedText.trimmed(piece[piece.index(after: mark)...]))
    }
  }

  private static func reference(_ value: String) throws(CaptureError) -> Reference {
    let word = value.lowercased()
    if word == "serving" || word == "portion" { return .basis(.perServing, serving: nil) }
    let quantity = try TypedAmount.read(value)
    switch (quantity.unit, quantity.value) {
    case (.milligram, 100_000): return .basis(.per100Grams, serving: nil)
    case (.microlitre, 100_000): return .basis(.per100Millilitres, serving: nil)
    case (.milligram, _), (.microlitre, _): return .basis(.perServing, serving: quantity)
    case (.milliserving, 1000): return .basis(.perServing, serving: nil)
    case (.milliserving, _):
      throw CaptureError(.notComparable, operation: .numbers, subject: "per")
    }
  }

  // MARK: Values

  private static func amount(
    of nutrient: Nutrient, named name: String, reading value: Substring
  ) throws(CaptureError) -> Int64 {
    var rest = value
    let number = try TypedNumber(takenFrom: &rest, operation: .numbers)
    var unit = TypedText.trimmed(rest).lowercased()
    if unit.isEmpty { unit = unitInName(name) }
    guard !unit.isEmpty else {
      throw CaptureError(.missingUnit, operation: .numbers, subject: nutrient.name)
    }
    let isEnergy = nutrient.unit == .calorie
    guard let factor = isEnergy ? energyFactor(unit) : massFactor(unit, counted: nutrient.unit)
    else { throw unitError(unit, of: nutrient) }
    let amount = number.scaled(
      by: factor.numerator, power: factor.power, divisor: factor.divisor,
      limit: Limits.nutrientAmountMaximum)
    guard let amount else {
      throw CaptureError(.tooLarge, operation: .numbers, subject: nutrient.name)
    }
    return amount
  }

  /// The unit of a number without one: that of `kcal=420`, else none.
  private static func unitInName(_ name: String) -> String {
    let word = name.lowercased()
    return word == "kcal" || word == "kj" ? word : ""
  }

  /// What a number is multiplied by: numerator ÷ (10^power × divisor).
  private struct Factor {
    var numerator: UInt64
    var power = 0
    var divisor: UInt64 = 1
  }

  /// Small calories of a unit of energy; 1 kcal = 4.184 kJ.
  private static func energyFactor(_ unit: String) -> Factor? {
    switch unit {
    case "kcal": Factor(numerator: 1000)
    case "kj": Factor(numerator: 1_000_000, divisor: 4184)
    default: nil
    }
  }

  /// Micrograms or nanograms of a unit of mass.
  private static func massFactor(_ unit: String, counted: NutrientUnit) -> Factor? {
    let nanograms: UInt64
    switch unit {
    case "kg": nanograms = 1_000_000_000_000
    case "g": nanograms = 1_000_000_000
    case "mg": nanograms = 1_000_000
    // The two characters for micro, and the spellings of keyboards that have neither.
    case "\u{B5}g", "\u{3BC}g", "ug", "mcg": nanograms = 1000
    case "ng": nanograms = 1
    default: return nil
    }
    return Factor(numerator: nanograms, power: counted == .nanogram ? 0 : 3)
  }

  private static func unitError(_ unit: String, of nutrient: Nutrient) -> CaptureError {
    let isEnergy = nutrient.unit == .calorie
    let hasDigit = unit.unicodeScalars.contains { TypedText.digit($0) != nil }
    if hasDigit || unit.contains(",") {
      return CaptureError(.trailingText, operation: .numbers, subject: nutrient.name)
    }
    // "cal" is said of both calories, and an IU is another mass for every vitamin.
    let isAmbiguous = isEnergy ? ["cal", "cals", "calories"].contains(unit) : unit == "iu"
    return CaptureError(
      isAmbiguous ? .ambiguousUnit : .unknownUnit, operation: .numbers, subject: nutrient.name,
      suggestion: isEnergy ? "kcal" : nutrient.unit == .nanogram ? "µg" : "g")
  }
}
