import LarderKernel
import Testing

@Suite("CivilDay")
struct CivilDayTests {
  /// A calendar that only knows how to go to the next day.
  private struct Walk {
    var year: Int
    var month = 1
    var day = 1

    var isLeap: Bool { year % 400 == 0 || (year % 4 == 0 && year % 100 != 0) }

    mutating func advance() {
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      day += 1
      guard day > lengths[month - 1] else { return }
      (day, month) = (1, month + 1)
      if month > 12 { (month, year) = (1, year + 1) }
    }
  }

  // [DAY-1]
  @Test(
    "every day agrees with a calendar that walks day by day",
    arguments: [
      // 1800-01-01 is 62,091 days before 1970-01-01.
      (1800, -62_091, 2301), (1, -719_162, 30), (9990, 2_929_245, 10_000),
    ])
  func walk(_ first: Int, _ firstNumber: Int64, _ end: Int) throws {
    var walk = Walk(year: first)
    var number = firstNumber
    var weekday = (Int(firstNumber) % 7 + 3 + 7) % 7
    while walk.year < end {
      let day = try #require(CivilDay(daysSince1970: number))
      let (year, month, dayOfMonth) = day.components
      if year != walk.year || month != walk.month || dayOfMonth != walk.day
        || day.weekday != weekday
        || CivilDay(year: year, month: month, day: dayOfMonth) != day
      {
        Issue.record("day \(number): \(day), expected \(walk)")
        return
      }
      walk.advance()
      number += 1
      weekday = (weekday + 1) % 7
    }
    if end == 10_000 { #expect(CivilDay(daysSince1970: number) == nil) }
  }

  // [DAY-1]
  @Test("known days have their numbers and weekdays")
  func known() throws {
    #expect(CivilDay("1970-01-01")?.daysSince1970 == 0)
    #expect(CivilDay("1970-01-01")?.weekday == 3)
    #expect(CivilDay("2000-02-29")?.daysSince1970 == 11_016)
    #expect(CivilDay("2026-05-02")?.daysSince1970 == 20_575)
    #expect(CivilDay("2026-05-02")?.weekday == 5)
    #expect(CivilDay("0001-01-01") == .minimum)
    #expect(CivilDay("9999-12-31") == .maximum)
    #expect(CivilDay.minimum.advanced(by: -1) == nil)
    #expect(CivilDay.maximum.advanced(by: 1) == nil)
    #expect(CivilDay.minimum.advanced(by: Int.max) == nil)
    #expect(CivilDay.maximum.advanced(by: Int.min) == nil)
    #expect(CivilDay(daysSince1970: Int64.max) == nil)
  }

  // [DAY-2]
  @Test("text is exactly YYYY-MM-DD of a day there is")
  func text() {
    for good in ["0001-01-01", "0999-12-31", "1900-02-28", "2024-02-29", "9999-12-31"] {
      #expect(CivilDay(good)?.description == good)
    }
    for wrong in [
      "", "2026-5-2", "2026-05-2", "26-05-02", "2026-05-02 ", " 2026-05-02", "2026/05/02",
      "2026-05-02T00:00", "2026-13-01", "2026-00-01", "2026-04-31", "2026-02-29", "1900-02-29",
      "0000-01-01", "10000-01-01", "2026-05-00", "+026-05-02", "2026--5-02", "٢٠٢٦-٠٥-٠٢",
      "2026-05-0\u{301}2", "2026-05", "-2026-05-02",
    ] {
      #expect(CivilDay(wrong) == nil, "\(wrong)")
    }
  }

  // [DAY-3] B4 B7
  @Test("a day saved and loaded a hundred times is the same day in any zone")
  func idempotent() throws {
    for offset in [3600, -28_800, 46_800, 50_400, -39_600] as [Int64] {
      let original = try #require(CivilDay("2026-03-29"))
      let instant = try #require(Instant(milliseconds: 1_774_742_400_000))
      var moment = Moment(
        consumedAt: instant, zone: try #require(ZoneName("Europe/Brussels")),
        utcOffset: try #require(UTCOffset(seconds: offset)), day: original)
      for _ in 0..<100 {
        let event = DayNoted(day: moment.day, note: .set("x"))
        moment.day = try DayNoted(event.bytes.span).day
        moment.day = try #require(CivilDay(moment.day.description))
      }
      #expect(moment.day == original)
    }
  }

  // [DAY-3] B10
  @Test("days step by one over the change of clocks: three meals are on three days")
  func springForward() throws {
    // 23:30 in Berlin on 28, 29 and 30 March 2026; the clocks change on the 29th.
    let meals: [(Int64, Int64)] = [
      (1_774_737_000_000, 3600), (1_774_819_800_000, 7200), (1_774_906_200_000, 7200),
    ]
    let days = try meals.map { milliseconds, offset in
      try #require(Instant(milliseconds: milliseconds))
        .civil(utcOffset: #require(UTCOffset(seconds: offset)))
    }
    #expect(days.map(\.day.description) == ["2026-03-28", "2026-03-29", "2026-03-30"])
    #expect(days.map(\.minuteOfDay) == [1410, 1410, 1410])
    #expect(days[0].day.advanced(by: 1) == days[1].day)
    #expect(days[1].day.advanced(by: 1) == days[2].day)
  }
}
