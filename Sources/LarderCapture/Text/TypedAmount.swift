// How much was eaten, as people type it: `40g`, `1,5 kg`, `330ml`, `2 servings`.

package import LarderKernel

/// Reads amounts.
package enum TypedAmount {
  /// The longest amount that is read, in bytes.
  package static let byteCountMaximum = 64

  /// The amount `text` states: a number, as `TypedNumber` reads it, and a unit, with or without a
  /// space. Units: mg, g, kg, oz (28.349523125 g), lb (453.59237 g); ml, cl, dl, l; serving. The
  /// result is rounded once, half up, to a mg, µl or milliserving.
  /// - Throws: `empty`, `tooLong`, `controlCharacter`, `notANumber`, `negative`,
  ///   `ambiguousNumber`, `zero`, `tooSmall`, `tooLarge`, `missingUnit`, `unknownUnit`,
  ///   `ambiguousUnit`, `trailingText`.
  package static func read(_ text: String) throws(CaptureError) -> Quantity {
    // The line only checks: joining its words would lose the no-break spaces that group digits.
    _ = try TypedText.line(text, byteCountMaximum: byteCountMaximum, operation: .amount)
    var rest = TypedText.trimmed(text[...])
    let number = try TypedNumber(takenFrom: &rest, operation: .amount)
    let unit = try unit(TypedText.trimmed(rest))
    guard number.significand > 0 else {
      throw CaptureError(.zero, operation: .amount, subject: "number")
    }
    let value = number.scaled(
      by: unit.numerator, power: unit.power, limit: Limits.amountMaximum)
    guard let value else {
      throw CaptureError(.tooLarge, operation: .amount, subject: "number")
    }
    guard value > 0 else {
      throw CaptureError(.tooSmall, operation: .amount, subject: "number")
    }
    do throws(KernelError) {
      return try Quantity(value, unit.counted)
    } catch {
      throw CaptureError(.tooLarge, operation: .amount, subject: "number")
    }
  }

  /// Whether `text`, found behind an `=`, was meant as an amount, right or wrong: it is empty, is
  /// one of the words numbers go wrong in (`NaN`, `inf`), is a unit alone, or begins with a digit,
  /// a sign, mark or quotation mark before a digit, or a sign of comparison.
  package static func isAttempt(_ text: some StringProtocol) -> Bool {
    let trimmed = TypedText.trimmed(Substring(text))
    // Asked behind every "=" of a text: what is too long for a word is not read to its end.
    let canBeWord = trimmed.utf8.count <= byteCountMaximum
    if trimmed.isEmpty || (canBeWord && unit(named: trimmed.lowercased()) != nil) { return true }
    var scalars = trimmed.unicodeScalars[...].drop { "\"'".unicodeScalars.contains($0) }
    if let first = scalars.first, "<>≤≥~≈".unicodeScalars.contains(first) { return true }
    if let first = scalars.first, "+-\u{2212}\u{2013}.,\u{066B}".unicodeScalars.contains(first) {
      scalars = scalars.dropFirst()
    }
    if canBeWord, ["nan", "inf", "infinity", "∞"].contains(String(scalars).lowercased()) {
      return true
    }
    return scalars.first { $0 != " " }.map { TypedText.digit($0) != nil } ?? false
  }

  /// A unit: how many of the counted unit, as numerator ÷ 10^power.
  private struct Unit {
    let counted: QuantityUnit
    let numerator: UInt64
    let power: Int

    init(_ counted: QuantityUnit, _ numerator: UInt64, power: Int = 0) {
      self.counted = counted
      self.numerator = numerator
      self.power = power
    }
  }

  private static func unit(_ text: Substring) throws(CaptureError) -> Unit {
    guard !text.isEmpty else {
      throw CaptureError(.missingUnit, operation: .amount, subject: "unit")
    }
    let name = text.lowercased()
    if let unit = unit(named: name) { return unit }
    if ["fl oz", "floz", "fl. oz", "fl. oz.", "fl oz."].contains(name) {
      throw CaptureError(.ambiguousUnit, operation: .amount, subject: "unit", suggestion: "ml")
    }
    let first = name.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    let isWord = name.allSatisfy { $0.isLetter || $0 == "." || $0.isWhitespace }
    guard unit(named: first) == nil, isWord else {
      throw CaptureError(.trailingText, operation: .amount, subject: "unit")
    }
    throw CaptureError(
      .unknownUnit, operation: .amount, subject: "unit",
      suggestion: name.count > 3 ? Spelling.nearest(to: name, among: suggestedUnits) : nil)
  }

  private static let suggestedUnits = [
    "serving", "gram", "kilogram", "milligram", "millilitre", "litre", "ounce", "pound",
  ]

  private static func unit(named name: String) -> Unit? {
    switch name {
    case "mg", "milligram", "milligrams": Unit(.milligram, 1)
    case "g", "gr", "gram", "grams": Unit(.milligram, 1000)
    case "kg", "kilo", "kilos", "kilogram", "kilograms": Unit(.milligram, 1_000_000)
    case "oz", "ounce", "ounces": Unit(.milligram, 28_349_523_125, power: 6)
    case "lb", "lbs", "pound", "pounds": Unit(.milligram, 45_359_237, power: 2)
    case "ml", "millilitre", "millilitres", "milliliter", "milliliters": Unit(.microlitre, 1000)
    case "cl": Unit(.microlitre, 10_000)
    case "dl": Unit(.microlitre, 100_000)
    case "l", "litre", "litres", "liter", "liters": Unit(.microlitre, 1_000_000)
    case "serving", "servings", "portion", "portions": Unit(.milliserving, 1000)
    default: nil
    }
  }
}
