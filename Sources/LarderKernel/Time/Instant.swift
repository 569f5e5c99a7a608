// A moment in UTC. Never a day: which civil day a meal belongs to is recorded, not computed.

/// A moment: milliseconds since 1970-01-01T00:00:00Z, in the years 1 to 9999.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// The moment; nil outside the years 1…9999.
  public init?(milliseconds: Int64) {
    guard (Limits.instantMinimum...Limits.instantMaximum).contains(milliseconds) else { return nil }
    self.milliseconds = milliseconds
  }

  /// The moment, or the first or last there is: for what a clock says, which nobody checked.
  public init(clamping milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Limits.instantMinimum), Limits.instantMaximum)
  }

  /// The civil date and the minute of day on a clock `utcOffset` seconds east of UTC.
  public func civil(utcOffset: UTCOffset) -> (day: CivilDay, minuteOfDay: Int) {
    let local = milliseconds + Int64(utcOffset.seconds) * 1000
    let day = Int32(clamping: local.floorDivided(by: 86_400_000))
    let rest = local - Int64(day) * 86_400_000
    return (CivilDay(clampingDaysSince1970: day), Int(rest / 60_000))
  }

  /// RFC 3339 text on a clock `utcOffset` east of UTC, such as `2026-05-02T23:40:00+09:00`.
  ///
  /// The text always means this moment. RFC 3339 has no seconds in an offset, so those are left out
  /// of the clock as well; and a date outside the years 1…9999 is written in UTC. Milliseconds are
  /// written only where there are any.
  public func rfc3339(utcOffset: UTCOffset) -> String {
    let wholeMinutes = utcOffset.withoutSeconds
    let local = milliseconds + Int64(wholeMinutes.seconds) * 1000
    guard (Limits.instantMinimum...Limits.instantMaximum).contains(local) else {
      return rfc3339(utcOffset: .zero)
    }
    let (day, minuteOfDay) = civil(utcOffset: wholeMinutes)
    let inMinute = local - local.floorDivided(by: 60_000) * 60_000
    var text = "\(day)T" + twoDigits(minuteOfDay / 60) + ":" + twoDigits(minuteOfDay % 60) + ":"
    text += twoDigits(Int(inMinute / 1000))
    if inMinute % 1000 != 0 {
      text += "." + String(String(1000 + inMinute % 1000).dropFirst())
    }
    return text + utcOffset.rfc3339
  }

  /// Order in time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// How far a civil clock is ahead of UTC, in seconds: −93,599…93,599, the bounds of RFC 9636.
public struct UTCOffset: Hashable, Sendable {
  /// Seconds east of UTC.
  public let seconds: Int32

  /// UTC itself.
  public static let zero = UTCOffset(unchecked: 0)

  /// The offset; nil outside ±93,599 s.
  public init?(seconds: Int64) {
    let limit = Limits.utcOffsetMaximum
    guard (-limit...limit).contains(seconds) else { return nil }
    self.init(unchecked: Int32(seconds))
  }

  private init(unchecked seconds: Int32) {
    self.seconds = seconds
  }

  /// The whole minutes of the offset, towards UTC.
  var withoutSeconds: UTCOffset { UTCOffset(unchecked: seconds / 60 * 60) }

  /// `+09:00`, `-03:30`, or `Z` for UTC; seconds are dropped.
  public var rfc3339: String {
    let minutes = abs(seconds) / 60
    if minutes == 0 { return "Z" }
    let sign = seconds < 0 ? "-" : "+"
    return sign + twoDigits(Int(minutes) / 60) + ":" + twoDigits(Int(minutes) % 60)
  }
}

/// At least two decimal digits of a small non-negative number.
func twoDigits(_ number: Int) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}

extension Int64 {
  /// The quotient rounded towards minus infinity; `divisor` is positive.
  func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
