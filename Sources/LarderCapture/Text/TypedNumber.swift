// A decimal number as people write it, exactly: digits and where the point stands. A number that
// one reader would take for a thousand times what another does is refused, not guessed at: 1.500 is
// one and a half in London and fifteen hundred in Berlin, and 1,500 the other way round.

/// An unsigned decimal number: significand ÷ 10^scale.
struct TypedNumber: Hashable, Sendable {
  /// The most digits a number may have without its leading zeros.
  static let digitCountMaximum = 18

  /// The digits as a whole number, below 10¹⁸.
  let significand: UInt64
  /// How many of the digits stand behind the decimal mark.
  let scale: Int

  /// Takes the number that `text` begins with; what follows is left in `text`.
  ///
  /// The decimal mark is a point, a comma, or U+066B. A point or comma before exactly three digits
  /// and after one to three that do not begin with zero could mark thousands and is refused, as is
  /// more than one mark. Groups of three may be set apart by U+00A0, U+2009, U+202F, U+066C or an
  /// apostrophe.
  /// - Throws: `notANumber`, `negative`, `ambiguousNumber`, `tooLong`.
  init(
    takenFrom text: inout Substring, operation: CaptureError.Operation
  ) throws(CaptureError) {
    let start = text.unicodeScalars
    if let first = start.first, "-\u{2212}\u{2013}".unicodeScalars.contains(first) {
      let isNumber = start.dropFirst().first.map { Self.isNumberPart($0) } ?? false
      throw CaptureError(
        isNumber ? .negative : .notANumber, operation: operation, subject: "number")
    }
    let taken = Self.split(start)
    text = Substring(taken.rest)
    let parts = taken.parts
    guard let first = parts.first, !first.digits.isEmpty || parts.count > 1,
      parts.last?.digits.isEmpty == false
    else { throw CaptureError(.notANumber, operation: operation, subject: "number") }
    let marks = parts.filter { $0.mark == .pointOrComma || $0.mark == .decimal }
    guard marks.count <= 1 else {
      throw CaptureError(.ambiguousNumber, operation: operation, subject: "number")
    }
    let fraction = marks.first?.digits ?? []
    let groups = parts.dropLast(marks.count)
    guard parts.dropFirst(groups.count).first?.mark != .group,
      groups.dropFirst().allSatisfy({ $0.mark == .group && $0.digits.count == 3 }),
      groups.count == 1 || (1...3).contains(first.digits.count)
    else { throw CaptureError(.notANumber, operation: operation, subject: "number") }
    let whole = groups.flatMap(\.digits)
    let couldMarkThousands =
      marks.first?.mark == .pointOrComma && fraction.count == 3 && groups.count == 1
      && (1...3).contains(whole.count) && whole.first != 0
    guard !couldMarkThousands else {
      throw CaptureError(.ambiguousNumber, operation: operation, subject: "number")
    }
    let digits = (whole + fraction).drop { $0 == 0 }
    guard digits.count <= Self.digitCountMaximum, fraction.count <= Self.digitCountMaximum else {
      throw CaptureError(.tooLong, operation: operation, subject: "number")
    }
    significand = digits.reduce(0) { $0 * 10 + UInt64($1) }
    scale = fraction.count
  }

  /// Significand × `numerator` ÷ 10^(scale + `power`), rounded half up, once; nil above `limit`.
  func scaled(by numerator: UInt64, power: Int, divisor: UInt64 = 1, limit: Int64) -> Int64? {
    let product = UInt128(significand) * UInt128(numerator)
    let denominator = (0..<(scale + power)).reduce(UInt128(divisor)) { value, _ in value * 10 }
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: denominator)
    let result = quotient + (remainder >= denominator - remainder ? 1 : 0)
    return result <= UInt128(limit) ? Int64(result) : nil
  }

  private enum Mark {
    case none
    case pointOrComma
    case decimal
    case group
  }

  /// A run of digits with the mark before it.
  private struct Part {
    let mark: Mark
    var digits: [UInt8] = []
  }

  private static func isNumberPart(_ scalar: Unicode.Scalar) -> Bool {
    TypedText.digit(scalar) != nil || decimalMark(scalar) != nil
  }

  private static func decimalMark(_ scalar: Unicode.Scalar) -> Mark? {
    switch scalar {
    case ".", ",": .pointOrComma
    case "\u{066B}": .decimal
    default: nil
    }
  }

  private static func isGroupMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{A0}", "\u{2009}", "\u{202F}", "\u{066C}", "'", "\u{2019}": true
    default: false
    }
  }

  /// The runs of digits at the beginning of `scalars`, and the rest. A group mark counts only
  /// between digits.
  private static func split(
    _ scalars: Substring.UnicodeScalarView
  ) -> (parts: [Part], rest: Substring.UnicodeScalarView) {
    var parts = [Part(mark: .none)]
    var rest = scalars
    while let scalar = rest.first {
      let following = rest.dropFirst()
      if let digit = TypedText.digit(scalar) {
        parts[parts.count - 1].digits.append(digit)
      } else if let mark = decimalMark(scalar) {
        parts.append(Part(mark: mark))
      } else if isGroupMark(scalar), parts.last?.digits.isEmpty == false,
        let next = following.first, TypedText.digit(next) != nil
      {
        parts.append(Part(mark: .group))
      } else {
        break
      }
      rest = following
    }
    return (parts, rest)
  }
}
