// A civil date of the proleptic Gregorian calendar. Never an instant: saving and loading one moves
// nothing, in any zone. Conversions: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".

/// A civil date, such as 2026-05-02, in the years 1 to 9999.
public struct CivilDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Days since 1970-01-01, negative before.
  public let daysSince1970: Int32

  /// 0001-01-01, the first date there is.
  public static let minimum = CivilDay(unchecked: -719_162)
  /// 9999-12-31, the last date there is.
  public static let maximum = CivilDay(unchecked: 2_932_896)

  /// The date; nil outside the years 1…9999.
  public init?(daysSince1970: Int64) {
    guard
      (Int64(Self.minimum.daysSince1970)...Int64(Self.maximum.daysSince1970))
        .contains(daysSince1970)
    else { return nil }
    self.init(unchecked: Int32(daysSince1970))
  }

  /// The date, or the first or last there is.
  init(clampingDaysSince1970 days: Int32) {
    self.init(unchecked: min(max(days, -719_162), 2_932_896))
  }

  private init(unchecked days: Int32) {
    daysSince1970 = days
  }

  /// The date of a year (1…9999), month and day; nil if the calendar has none such.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDay.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(unchecked: Int32(era * 146_097 + dayOfEra - 719_468))
  }

  /// The date of exactly `YYYY-MM-DD`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let copy = String(text)
    self.init(utf8: copy.utf8Span.span)
  }

  /// The date of exactly `YYYY-MM-DD`, in ASCII; nil for anything else.
  package init?(utf8 text: Span<UInt8>) {
    guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
      return nil
    }
    func number(_ places: Range<Int>) -> Int? {
      var number = 0
      for place in places {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) else { return nil }
        number = number * 10 + Int(text[place] - UInt8(ascii: "0"))
      }
      return number
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// Year, month and day.
  public var components: (year: Int, month: Int, day: Int) {
    let shifted = Int(daysSince1970) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The date `count` days later; nil beyond the calendar's ends.
  public func advanced(by count: Int) -> CivilDay? {
    CivilDay(daysSince1970: Int64(daysSince1970) + Int64(clamping: count))
  }

  /// 0 for Monday to 6 for Sunday, as ISO 8601 counts.
  public var weekday: Int {
    let shifted = (Int(daysSince1970) + 3) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// `YYYY-MM-DD`.
  public var description: String {
    let (year, month, day) = components
    func digit(_ number: Int, _ unit: Int) -> UInt8 {
      UInt8(ascii: "0") + UInt8(number / unit % 10)
    }
    let hyphen = UInt8(ascii: "-")
    let text = [
      digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), hyphen,
      digit(month, 10), digit(month, 1), hyphen, digit(day, 10), digit(day, 1),
    ]
    return String(decoding: text, as: UTF8.self)
  }

  /// Order in time.
  public static func < (left: CivilDay, right: CivilDay) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  private static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
