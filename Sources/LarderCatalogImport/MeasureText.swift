// What a label's text says about mass and volume: "3 tbsp (45 g)", "17,1 g", "8 OZA (240 ml)".
//
// Invariants: only what the text states in a unit of mass or volume counts; the first metric
// statement is the one that holds, others only confirm or contradict it; nothing is guessed.

import LarderKernel

/// The mass or volume a text states.
struct MeasureText: Hashable, Sendable {
  /// The statement that holds; nil where there is none, or none that is sure.
  let quantity: Quantity?
  /// Whether that statement is in a metric unit or in fluid ounces, so that it tells mass from
  /// volume; ounces alone are used for both.
  let isSureOfDimension: Bool
  /// Whether another statement of the same dimension differs by more than five percent.
  let contradictsItself: Bool
  /// Whether a number with a unit could be read in two ways: "1,050 g".
  let isAmbiguous: Bool

  /// Reads `text`.
  init(_ text: String) {
    var reader = MeasureReader(text)
    let measures = reader.measures()
    let chosen =
      measures.first { $0.unit.isMetric } ?? measures.first { $0.unit.dimension == .volume }
      ?? measures.first
    isAmbiguous = chosen?.amount == nil && chosen != nil
    quantity = chosen.flatMap(\.quantity)
    isSureOfDimension = chosen.map { $0.unit.isMetric || $0.unit.dimension == .volume } ?? false
    let whole = quantity
    contradictsItself = measures.contains { other in
      guard let whole, let quantity = other.quantity, quantity.unit == whole.unit else {
        return false
      }
      return MeasureText.differs(quantity.value, whole.value)
    }
  }

  /// Whether two amounts differ by more than five percent of the larger, and by more than half a
  /// gram or millilitre, which rounding on labels may do.
  static func differs(_ left: Int64, _ right: Int64) -> Bool {
    let distance = abs(left - right)
    return distance > 500 && distance > max(left, right) / 20
  }
}

/// One number with its unit.
struct Measure: Hashable, Sendable {
  /// How many; nil where the digits can be read in two ways.
  let amount: ExactDecimal?
  /// What it divides, for fractions such as 1/2: 1 otherwise.
  let divisor: UInt64
  /// Of what.
  let unit: MeasureUnit

  /// In mg or µl; nil for 0, for what cannot be read, and past a tonne or a cubic metre.
  var quantity: Quantity? {
    let (divisor, overflows) = divisor.multipliedReportingOverflow(by: unit.divisor)
    guard !overflows,
      let value = amount?.rounded(
        timesTenTo: 0, multiplier: unit.numerator, divisor: divisor)
    else { return nil }
    return try? Quantity(value, unit.dimension == .mass ? .milligram : .microlitre)
  }
}

/// Walks over a text and picks up every number that a unit of mass or volume follows.
private struct MeasureReader {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ text: String) {
    scalars = Array(text.lowercased().unicodeScalars)
  }

  mutating func measures() -> [Measure] {
    var result: [Measure] = []
    while place < scalars.count {
      // A number inside a word ("b12") is none.
      guard isDigit(place), !isDigit(place - 1), !isLetter(place - 1) else {
        place += 1
        continue
      }
      if let measure = measure() { result.append(measure) }
    }
    return result
  }

  /// A number and its unit, from a digit on; leaves `place` behind what was read.
  private mutating func measure() -> Measure? {
    let count = takeNumber()
    if let fraction = takeFraction(after: count) {
      skipSpaces()
      return takeUnit().map {
        Measure(amount: fraction.amount, divisor: fraction.divisor, unit: $0)
      }
    }
    let isProduct = takeTimes()
    let digits = isProduct ? takeNumber() : count
    skipSpaces()
    guard let unit = takeUnit() else { return nil }
    guard isProduct else { return Measure(amount: Self.amount(digits), divisor: 1, unit: unit) }
    let amount = Self.amount(digits).flatMap { one in
      UInt128(String(String.UnicodeScalarView(count))).flatMap { times in
        let (product, overflows) = one.coefficient.multipliedReportingOverflow(by: times)
        return overflows ? nil : ExactDecimal(coefficient: product, exponent: one.exponent)
      }
    }
    return Measure(amount: amount, divisor: 1, unit: unit)
  }

  /// "1/2" or "1 1/2" where `whole` was just read; takes nothing where there is no fraction, which
  /// has one or two digits on each side ("28/2024" is none).
  private mutating func takeFraction(
    after whole: [Unicode.Scalar]
  ) -> (amount: ExactDecimal, divisor: UInt64)? {
    let start = place
    var units: UInt64 = 0
    var above = whole
    if peek(place) != "/", let number = Self.smallNumber(whole) {
      skipSpaces()
      above = place > start ? takeNumber() : []
      units = number
    }
    if peek(place) == "/", let numerator = Self.smallNumber(above) {
      place += 1
      if let divisor = Self.smallNumber(takeNumber()), divisor > 0 {
        let amount = UInt128(units * divisor + numerator)
        return (ExactDecimal(coefficient: amount, exponent: 0), divisor)
      }
    }
    place = start
    return nil
  }

  /// Takes the "x" of "6 x 330 ml", up to the second number; nothing where there is none.
  private mutating func takeTimes() -> Bool {
    let start = place
    skipSpaces()
    if let sign = peek(place), sign == "x" || sign == "*" || sign == "×" {
      place += 1
      skipSpaces()
      if isDigit(place) { return true }
    }
    place = start
    return false
  }

  /// The digits from here on with the marks between them.
  private mutating func takeNumber() -> [Unicode.Scalar] {
    let start = place
    while place < scalars.count, isDigit(place) || (isMark(place) && isDigit(place + 1)) {
      place += 1
    }
    return Array(scalars[start..<place])
  }

  /// The unit that stands here, of one or two words; takes nothing where there is none.
  private mutating func takeUnit() -> MeasureUnit? {
    let start = place
    let first = takeWord()
    let afterFirst = place
    skipSpaces()
    let second = takeWord()
    if !second.isEmpty, let unit = MeasureUnit(word: first + " " + second) { return unit }
    place = afterFirst
    if let unit = MeasureUnit(word: first) { return unit }
    place = start
    return nil
  }

  /// The letters from here on, and the full stop of an abbreviation.
  private mutating func takeWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = peek(place), scalar.properties.isAlphabetic {
      word.append(scalar)
      place += 1
    }
    if !word.isEmpty, peek(place) == "." { place += 1 }
    return String(word)
  }

  private mutating func skipSpaces() {
    while let scalar = peek(place), LooseNumber.isBlank(scalar) { place += 1 }
  }

  private func peek(_ index: Int) -> Unicode.Scalar? {
    scalars.indices.contains(index) ? scalars[index] : nil
  }

  private func isDigit(_ index: Int) -> Bool {
    peek(index).map { LooseNumber.digitValue($0) != nil } ?? false
  }

  private func isLetter(_ index: Int) -> Bool {
    peek(index).map(\.properties.isAlphabetic) ?? false
  }

  private func isMark(_ index: Int) -> Bool {
    peek(index).map { $0 == "." || $0 == "," || $0 == "\u{066b}" } ?? false
  }

  private static func smallNumber(_ digits: [Unicode.Scalar]) -> UInt64? {
    digits.count <= 2 ? UInt64(String(String.UnicodeScalarView(digits))) : nil
  }

  /// The number of digits and marks; nil where one comma stands before exactly three digits and
  /// behind another digit than 0, which is a fraction in one country and thousands in another.
  private static func amount(_ digits: [Unicode.Scalar]) -> ExactDecimal? {
    let commas = digits.indices.filter { digits[$0] == "," }
    if let comma = commas.first, commas.count == 1, !digits.contains("."),
      digits.count - comma == 4, digits.first != "0"
    {
      return nil
    }
    guard case .number(let number) = LooseNumber(String(String.UnicodeScalarView(digits))) else {
      return nil
    }
    return number
  }
}
