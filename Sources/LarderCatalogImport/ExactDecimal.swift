// A decimal number as it was written, and its one rounding to whole units.
//
// Invariant: the value is coefficient × 10^exponent, never a binary fraction. Digits beyond the
// 28th significant one are cut off, which cannot change a rounding half up: it looks at one digit.

/// A non-negative decimal number.
struct ExactDecimal: Hashable, Sendable {
  /// The digits, at most 28 of them.
  let coefficient: UInt128
  /// The power of ten they count.
  let exponent: Int

  /// Whether the number is 0.
  var isZero: Bool { coefficient == 0 }

  /// The number `coefficient` × 10^`exponent`.
  init(coefficient: UInt128, exponent: Int) {
    self.coefficient = coefficient
    self.exponent = exponent
  }

  /// The number times `multiplier`, divided by `divisor`, times 10^`power`, rounded half up once;
  /// nil past 10¹⁸.
  func rounded(timesTenTo power: Int, multiplier: UInt64 = 1, divisor: UInt64 = 1) -> Int64? {
    let shift = exponent + power
    guard !isZero, shift > -60 else { return 0 }
    guard shift < 30 else { return nil }
    var numerator = coefficient
    var denominator = UInt128(divisor)
    guard Self.multiply(&numerator, by: UInt128(multiplier)) else { return nil }
    for _ in 0..<abs(shift) {
      if shift > 0 {
        guard Self.multiply(&numerator, by: 10) else { return nil }
      } else {
        // A denominator past the type's end is more than twice any numerator.
        guard Self.multiply(&denominator, by: 10) else { return 0 }
      }
    }
    guard numerator <= UInt128.max / 2, denominator <= UInt128.max / 2 else {
      return numerator < denominator ? 0 : nil
    }
    let quotient = numerator / denominator
    let remainder = numerator % denominator
    let result = quotient + (2 * remainder >= denominator ? 1 : 0)
    return result <= Self.resultMaximum ? Int64(result) : nil
  }

  /// The nearest binary number, for comparisons with a tolerance only.
  var approximate: Double {
    var value = Double(coefficient)
    let step = exponent < 0 ? 0.1 : 10
    for _ in 0..<min(abs(exponent), 400) { value *= step }
    return value
  }

  private static let resultMaximum: UInt128 = 1_000_000_000_000_000_000

  private static func multiply(_ value: inout UInt128, by factor: UInt128) -> Bool {
    let (product, overflows) = value.multipliedReportingOverflow(by: factor)
    value = product
    return !overflows
  }
}
