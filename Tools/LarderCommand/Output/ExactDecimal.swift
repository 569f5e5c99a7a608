// Whole numbers of a small unit, printed in a larger one: 12,300,000 µg as 12.3 g. No binary
// fraction is ever involved, so no noise can appear.

/// The number units ÷ 10^scale, exactly.
struct ExactDecimal: Hashable, Sendable, CustomStringConvertible {
  /// How many of the small unit.
  let units: Int64
  /// How many decimal places the point moves to the left, 0…18.
  let scale: Int

  /// A decimal.
  init(_ units: Int64, scale: Int) {
    precondition((0...18).contains(scale), "a scale is 0…18")
    self.units = units
    self.scale = scale
  }

  /// Plain digits with a point, without an exponent or needless zeros: `12.3`, `0.005`, `-7`.
  var description: String {
    let sign = units < 0 ? "-" : ""
    let divisor = Self.power(of: scale)
    let (whole, remainder) = units.magnitude.quotientAndRemainder(dividingBy: divisor)
    guard remainder > 0 else { return "\(sign)\(whole)" }
    let digits = String(remainder)
    var fraction = String(repeating: "0", count: scale - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    return "\(sign)\(whole).\(fraction)"
  }

  /// The nearest decimal with at most `places` places, halves away from zero.
  func rounded(to places: Int) -> ExactDecimal {
    guard places >= 0, places < scale else { return self }
    let divisor = Self.power(of: scale - places)
    let (whole, remainder) = units.magnitude.quotientAndRemainder(dividingBy: divisor)
    let magnitude = Int64(whole + (remainder >= divisor - remainder ? 1 : 0))
    return ExactDecimal(units < 0 ? -magnitude : magnitude, scale: places)
  }

  /// Exactly `places` places, rounded as `rounded(to:)`: `3.0`, `0.50`.
  func fixed(_ places: Int) -> String {
    var text = rounded(to: places).description
    guard places > 0 else { return text }
    let present = text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 }
    if present == nil { text += "." }
    return text + String(repeating: "0", count: places - (present ?? 0))
  }

  private static func power(of exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
