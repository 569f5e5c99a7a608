// The hybrid logical clock (Kulkarni et al., "Logical Physical Clocks", 2014), as a sort key: no
// reading is ever refused, and a write never fails for its clock. SPEC.md, "Time and order".

/// A reading of the hybrid logical clock: 48 bits of milliseconds and a 16-bit counter, in 0…2⁶³−1.
public struct HLC: RawRepresentable, Hashable, Comparable, Sendable {
  /// The reading, 0…2⁶³−1.
  public let rawValue: UInt64

  /// The highest reading there is.
  public static let maximum = HLC(clamped: UInt64(Int64.max))
  /// The lowest reading there is.
  public static let zero = HLC(clamped: 0)

  /// The reading with that value; nil above 2⁶³−1.
  public init?(rawValue: UInt64) {
    guard rawValue <= UInt64(Int64.max) else { return nil }
    self.rawValue = rawValue
  }

  private init(clamped rawValue: UInt64) {
    self.rawValue = min(rawValue, UInt64(Int64.max))
  }

  /// The first reading of that millisecond since 1970; clamped into the clock's range.
  public init(milliseconds: Int64) {
    let time = UInt64(max(0, milliseconds))
    self.init(clamped: time > UInt64(Int64.max) >> 16 ? UInt64(Int64.max) : time << 16)
  }

  /// The milliseconds since 1970 of the reading.
  public var milliseconds: Int64 { Int64(rawValue >> 16) }
  /// The counter within the millisecond.
  public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

  /// The reading of the next local event: `min(max(now, last + 1), 2⁶³−1)`.
  ///
  /// A clock that says something absurd (before 2020 or from 2100 on) is left out.
  /// - Parameter now: the physical clock in milliseconds since 1970.
  public func next(now: Int64) -> HLC {
    let following = HLC(clamped: rawValue + 1)
    guard HLC.isPlausible(milliseconds: now) else { return following }
    return max(HLC(milliseconds: now), following)
  }

  /// The reading after an event of another author was received: `max(last, remote)`.
  public func received(_ remote: HLC) -> HLC {
    max(self, remote)
  }

  /// Whether a physical clock's reading lies in 2020…2099.
  public static func isPlausible(milliseconds: Int64) -> Bool {
    (1_577_836_800_000..<4_102_444_800_000).contains(milliseconds)
  }

  /// Order of the readings.
  public static func < (left: HLC, right: HLC) -> Bool { left.rawValue < right.rawValue }
}
