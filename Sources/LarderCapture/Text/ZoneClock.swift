// The clocks of a zone, as far as reading a time needs them: one function from an instant to an
// offset. What a civil time means follows from it.

package import LarderKernel

/// The civil clocks of a zone.
package struct ZoneClock: Sendable {
  /// What a civil time means.
  package enum Meaning: Hashable, Sendable {
    /// The clocks showed it once.
    case once(UTCOffset)
    /// The clocks were put back and showed it twice: first with `earlier`, then with `later`.
    case twice(earlier: UTCOffset, later: UTCOffset)
    /// The clocks were put forward and never showed it.
    case never(before: UTCOffset, after: UTCOffset)
  }

  /// How far the clocks are from UTC at an instant.
  package let offset: @Sendable (Instant) -> UTCOffset

  /// The clocks with these offsets.
  package init(offset: @escaping @Sendable (Instant) -> UTCOffset) {
    self.offset = offset
  }

  /// The civil date and the minute of the day at an instant.
  package func civil(_ instant: Instant) -> (day: CivilDay, minuteOfDay: Int) {
    instant.civil(utcOffset: offset(instant))
  }

  /// What the clocks mean by a civil time, in milliseconds since 1970-01-01T00:00 of their own.
  /// Exact for zones that change their clocks at most once in two days, as all of today's do. Nil
  /// beyond the years 1…9999.
  package func meaning(ofLocal milliseconds: Int64) -> Meaning? {
    let day: Int64 = 86_400_000
    guard let before = Self.instant(milliseconds - day).map(offset),
      let after = Self.instant(milliseconds + day).map(offset)
    else { return nil }
    let isBefore = shows(milliseconds, offset: before)
    let isAfter = shows(milliseconds, offset: after)
    if before == after {
      guard !isBefore else { return .once(before) }
      // Two changes within two days: the offset in force between them.
      let between = Self.instant(milliseconds - Int64(before.seconds) * 1000).map(offset) ?? before
      return shows(milliseconds, offset: between)
        ? .once(between) : .never(before: before, after: between)
    }
    switch (isBefore, isAfter) {
    case (true, true): return .twice(earlier: before, later: after)
    case (true, false): return .once(before)
    case (false, true): return .once(after)
    case (false, false): return .never(before: before, after: after)
    }
  }

  private func shows(_ local: Int64, offset expected: UTCOffset) -> Bool {
    Instant(milliseconds: local - Int64(expected.seconds) * 1000).map(offset) == expected
  }

  /// The instant, or the nearest there is within a day of the ends of time.
  private static func instant(_ milliseconds: Int64) -> Instant? {
    Instant(milliseconds: milliseconds)
      ?? Instant(milliseconds: min(max(milliseconds, Limits.instantMinimum), Limits.instantMaximum))
  }
}
