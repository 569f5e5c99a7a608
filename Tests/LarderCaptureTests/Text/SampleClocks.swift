// Clocks of a few zones for the years the tests speak of, written down from the tz database.
import LarderCapture
import LarderKernel

enum SampleClocks {
  static let utc = fixed(hours: 0)
  static let tokyo = fixed(hours: 9)
  static let lima = fixed(hours: -5)
  static let kiritimati = fixed(hours: 14)
  static let pagoPago = fixed(hours: -11)
  /// Summer time from 2026-03-29T01:00Z to 2026-10-25T01:00Z.
  static let berlin = changing(
    hours: 1, at: [("2026-03-29T01:00", 2), ("2026-10-25T01:00", 1)])
  /// Summer time from 2026-03-08T10:00Z to 2026-11-01T09:00Z.
  static let losAngeles = changing(
    hours: -8, at: [("2026-03-08T10:00", -7), ("2026-11-01T09:00", -8)])
  /// 2011-12-30 was left out.
  static let apia = changing(hours: -10, at: [("2011-12-30T10:00", 14)])

  static func fixed(hours: Int64) -> ZoneClock {
    changing(hours: hours, at: [])
  }

  /// Clocks that are `hours` from UTC until the first of the changes, given in UTC.
  static func changing(hours: Int64, at changes: [(String, Int64)]) -> ZoneClock {
    let table = changes.map { (utc($0.0).milliseconds, $0.1) }
    return ZoneClock { instant in
      let last = table.last { $0.0 <= instant.milliseconds }
      return UTCOffset(seconds: (last?.1 ?? hours) * 3600) ?? .zero
    }
  }

  /// The instant of `2026-05-02T08:30` UTC.
  static func utc(_ text: String) -> Instant {
    let parts = text.split(separator: "T")
    let clock = parts[1].split(separator: ":").compactMap { Int64($0) }
    let day = Int64(CivilDay(String(parts[0]))?.daysSince1970 ?? 0)
    let milliseconds = ((day * 24 + clock[0]) * 60 + clock[1]) * 60_000
    return Instant(milliseconds: milliseconds) ?? epoch
  }

  static let epoch: Instant = {
    guard let instant = Instant(milliseconds: 0) else { preconditionFailure("1970 exists") }
    return instant
  }()
}
