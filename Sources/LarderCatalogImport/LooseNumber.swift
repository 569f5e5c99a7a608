// What people and programs write where a number belongs: digits of any script, point or comma,
// group marks, "<0.5", "~3", "traces", "-", nothing.
//
// Invariant: what is not surely a number is no number. Signs of comparison are kept apart from the
// value, so that a limit is never taken for one.

/// A reading of a field that should hold a number.
enum LooseNumber: Hashable, Sendable {
  /// Nothing was given: absent, null, blank or "-".
  case notGiven
  /// A number.
  case number(ExactDecimal)
  /// A number that is only about right: "~3".
  case approximate(ExactDecimal)
  /// Less than, or at most, this: "<0.5".
  case upperLimit(ExactDecimal)
  /// More than, or at least, this: ">5".
  case lowerLimit(ExactDecimal)
  /// A number below zero, which no amount of food is.
  case negative
  /// Something else: "traces", "a lot", a list.
  case unreadable

  /// Reads text; both "3.5" and "3,5" are three and a half.
  init(_ text: some StringProtocol) {
    var scalars = Self.trimmed(Array(text.unicodeScalars)[...])
    guard let first = scalars.first else {
      self = .notGiven
      return
    }
    let sign = Sign(first)
    if sign != nil { scalars.removeFirst() }
    if sign == .less || sign == .more, scalars.first == "=" { scalars.removeFirst() }
    scalars = Self.trimmed(scalars)
    guard !scalars.isEmpty else {
      self = sign == .minus ? .notGiven : .unreadable
      return
    }
    guard let number = Self.decimal(scalars) else {
      self = .unreadable
      return
    }
    self =
      switch sign {
      case nil, .plus: .number(number)
      case .about: .approximate(number)
      case .less: .upperLimit(number)
      case .more: .lowerLimit(number)
      case .minus: number.isZero ? .number(number) : .negative
      }
  }

  /// Whether it is the number 0.
  var isZero: Bool {
    if case .number(let number) = self { number.isZero } else { false }
  }

  /// The number as given with a modifier beside it, as Open Food Facts keeps "<0.5" in two fields.
  func modified(by modifier: String?) -> LooseNumber {
    guard let modifier = modifier?.unicodeScalars.first.flatMap(Sign.init) else { return self }
    guard case .number(let number) = self else { return self }
    return switch modifier {
    case .plus: self
    case .about: .approximate(number)
    case .less: .upperLimit(number)
    case .more: .lowerLimit(number)
    case .minus: .notGiven
    }
  }

  private enum Sign {
    case plus, minus, about, less, more

    init?(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "+": self = .plus
      case "-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}":
        self = .minus
      case "~", "\u{2248}": self = .about
      case "<", "\u{2264}": self = .less
      case ">", "\u{2265}": self = .more
      default: return nil
      }
    }
  }

  /// The number of `scalars`: digits with at most one decimal mark and an exponent. Of two kinds of
  /// mark the last is the decimal one, the other groups by threes.
  private static func decimal(_ scalars: ArraySlice<Unicode.Scalar>) -> ExactDecimal? {
    let end = scalars.firstIndex { $0 == "e" || $0 == "E" } ?? scalars.endIndex
    var power = 0
    if end < scalars.endIndex {
      let digits = scalars[(end + 1)...].map(String.init).joined()
      guard let read = Int(digits), abs(read) <= 1000 else { return nil }
      power = read
    }
    let body = scalars[..<end]
    let marks = body.indices.filter { Mark(body[$0]) != nil }
    let decimalMark = marks.last.flatMap { last in
      isGrouping(marks, of: body) ? nil : last
    }
    guard groupsAreWhole(marks.filter { $0 != decimalMark }, of: body, before: decimalMark) else {
      return nil
    }
    return digits(of: body, decimalMark: decimalMark, power: power)
  }

  private static func digits(
    of body: ArraySlice<Unicode.Scalar>, decimalMark: Int?, power: Int
  ) -> ExactDecimal? {
    var coefficient: UInt128 = 0
    var exponent = power
    var digitCount = 0
    var significantCount = 0
    for index in body.indices where Mark(body[index]) == nil {
      guard let digit = digitValue(body[index]) else { return nil }
      digitCount += 1
      let isFraction = decimalMark.map { index > $0 } ?? false
      guard significantCount < 28 else {
        if !isFraction { exponent += 1 }
        continue
      }
      coefficient = coefficient * 10 + UInt128(digit)
      if coefficient > 0 { significantCount += 1 }
      if isFraction { exponent -= 1 }
    }
    return digitCount > 0 ? ExactDecimal(coefficient: coefficient, exponent: exponent) : nil
  }

  private enum Mark {
    case point, comma, groupOnly

    init?(_ scalar: Unicode.Scalar) {
      switch scalar {
      case ".", "\u{066b}": self = .point
      case ",", "\u{066c}": self = .comma
      case "'", "\u{2019}": self = .groupOnly
      default:
        guard isBlank(scalar) else { return nil }
        self = .groupOnly
      }
    }
  }

  /// Whether all marks are one kind that occurs more than once, so that none is the decimal one.
  private static func isGrouping(_ marks: [Int], of body: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = marks.first else { return false }
    let kind = Mark(body[first])
    return (kind == .groupOnly || marks.count > 1)
      && marks.allSatisfy { Mark(body[$0]) == kind }
  }

  /// Whether `marks` are of one kind and stand before each three digits up to the decimal mark.
  private static func groupsAreWhole(
    _ marks: [Int], of body: ArraySlice<Unicode.Scalar>, before decimalMark: Int?
  ) -> Bool {
    guard let first = marks.first else { return true }
    let end = decimalMark ?? body.endIndex
    return first > body.startIndex
      && marks.allSatisfy { Mark(body[$0]) == Mark(body[first]) && (end - $0) % 4 == 0 }
      && (decimalMark.map { Mark(body[$0]) != Mark(body[first]) } ?? true)
  }

  private static func trimmed(
    _ scalars: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar> {
    let front = scalars.drop(while: isBlank)
    let back = front.lastIndex { !isBlank($0) } ?? front.startIndex - 1
    return front[...back]
  }

  /// Whether `scalar` is white space of any kind.
  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || (0x09...0x0d).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// The value of a decimal digit of any script.
  static func digitValue(_ scalar: Unicode.Scalar) -> UInt8? {
    if scalar.isASCII {
      return ("0"..."9").contains(scalar) ? UInt8(scalar.value - 0x30) : nil
    }
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return UInt8(value)
  }
}
