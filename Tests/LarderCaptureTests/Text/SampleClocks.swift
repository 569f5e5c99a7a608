// Clocks of a few zones, by the rules of the tz database for the years the tests speak of.
import LarderCapture
import LarderKernel

enum SampleClocks {
  static let utc = clock("UTC0")
  static let tokyo = clock("JST-9")
  static let lima = clock("<-05>5")
  static let kiritimati = clock("<+14>-14")
  static let pagoPago = clock("SST11")
  static let berlin = clock("CET-1CEST,M3.5.0,M10.5.0/3")
  static let losAngeles = clock("PST8PDT,M3.2.0,M11.1.0")
  /// On 2011-12-30 at 10:00Z the clocks went from ten hours behind to fourteen ahead.
  static let apia = clock(
    "<+14>-14", offsets: [-10 * 3600, 14 * 3600], changes: [(utc("2011-12-30T10:00"), 1)])

  /// The clocks of a yearly rule, and before it those of `offsets`: the first at the beginning,
  /// then from each change on the one with its index.
  static func clock(
    _ rule: String, offsets: [Int32] = [0], changes: [(instant: Instant, offset: UInt8)] = []
  ) -> ZoneClock {
    let names = Array("X\0".utf8)
    let empty = header(changes: 0, types: 1, names: 1) + [0, 0, 0, 0, 0, 0, 0]
    var bytes =
      empty
      + header(changes: changes.count, types: offsets.count, names: names.count)
    for change in changes { bytes += bigEndian(change.instant.milliseconds / 1000) }
    bytes += changes.map(\.offset)
    for offset in offsets { bytes += bigEndian(offset) + [0, 0] }
    bytes += names + Array("\n\(rule)\n".utf8)
    guard let rules = try? TimeZoneRules(bytes.span) else {
      preconditionFailure("the sample rules are well formed")
    }
    return ZoneClock(rules)
  }

  /// The instant of `2026-05-02T08:30` UTC.
  static func utc(_ text: String) -> Instant {
    let parts = text.split(separator: "T")
    let clock = parts[1].split(separator: ":").compactMap { Int64($0) }
    guard let day = CivilDay(String(parts[0])), clock.count == 2,
      let instant = Instant(
        milliseconds: ((Int64(day.daysSince1970) * 24 + clock[0]) * 60 + clock[1]) * 60_000)
    else { preconditionFailure("a sample time is of the form 2026-05-02T08:30") }
    return instant
  }

  /// The header of a TZif block (RFC 9636, 3.1).
  private static func header(changes: Int, types: Int, names: Int) -> [UInt8] {
    Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
      + [0, 0, 0, changes, types, names].flatMap { bigEndian(Int32($0)) }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<(value.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
