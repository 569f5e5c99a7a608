// The civil clocks of a zone, in the Kernel's types: a thin face of its rules. What a civil time
// means is decided by the rules alone.

package import LarderKernel

/// The civil clocks of a zone.
package struct ZoneClock: Hashable, Sendable {
  private let rules: TimeZoneRules

  /// The clocks that follow `rules`.
  package init(_ rules: TimeZoneRules) {
    self.rules = rules
  }

  /// How far the clocks are from UTC at an instant.
  package func offset(_ instant: Instant) -> UTCOffset {
    Self.offset(rules.offset(atUTC: Self.seconds(instant.milliseconds)))
  }

  /// The civil date and the minute of the day at an instant.
  package func civil(_ instant: Instant) -> (day: CivilDay, minuteOfDay: Int) {
    instant.civil(utcOffset: offset(instant))
  }

  /// What the clocks mean by a civil time, in milliseconds since 1970-01-01T00:00 of their own.
  package func meaning(ofLocal milliseconds: Int64) -> LocalResolution {
    rules.offsets(atLocal: Self.seconds(milliseconds))
  }

  /// The offset of that many seconds; rules have none that an offset cannot be.
  static func offset(_ seconds: Int32) -> UTCOffset {
    UTCOffset(seconds: Int64(seconds)) ?? .zero
  }

  /// Whole seconds, rounded towards the past.
  private static func seconds(_ milliseconds: Int64) -> Int64 {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
