import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedTimeTests {
  /// 2026-05-02T10:00Z, a Saturday.
  private let now = SampleClocks.utc("2026-05-02T10:00")

  private func read(
    _ text: String, _ clock: ZoneClock = SampleClocks.berlin, now: Instant? = nil,
    slot: MealType? = nil
  ) throws(CaptureError) -> TypedTime {
    try TypedTime(reading: text, now: now ?? self.now, clock: clock, slot: slot)
  }

  /// The time as RFC 3339 text with its day.
  private func text(
    _ text: String, _ clock: ZoneClock = SampleClocks.berlin, now: Instant? = nil,
    slot: MealType? = nil
  ) -> String? {
    guard let time = try? read(text, clock, now: now, slot: slot) else { return nil }
    return "\(time.instant.rfc3339(utcOffset: time.utcOffset)) \(time.day)"
  }

  private func error(_ text: String) -> CaptureError? {
    do throws(CaptureError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("a clock is today's, a day and a clock are both")
  func civil() throws {
    #expect(text("08:30") == "2026-05-02T08:30:00+02:00 2026-05-02")
    #expect(text("8:30") == "2026-05-02T08:30:00+02:00 2026-05-02")
    #expect(text("00:00") == "2026-05-02T00:00:00+02:00 2026-05-02")
    #expect(text("08:30:15") == "2026-05-02T08:30:15+02:00 2026-05-02")
    #expect(text("yesterday 19:00") == "2026-05-01T19:00:00+02:00 2026-05-01")
    #expect(text("Yesterday  19:00") == "2026-05-01T19:00:00+02:00 2026-05-01")
    #expect(text("today 08:30") == "2026-05-02T08:30:00+02:00 2026-05-02")
    #expect(text("-3d 08:30") == "2026-04-29T08:30:00+02:00 2026-04-29")
    #expect(text("friday 08:30") == "2026-05-01T08:30:00+02:00 2026-05-01")
    #expect(text("2026-01-02 08:30") == "2026-01-02T08:30:00+01:00 2026-01-02")
    #expect(text("2026-01-02T08:30") == "2026-01-02T08:30:00+01:00 2026-01-02")
    #expect(text("2026-01-02T08:30:15.1239") == "2026-01-02T08:30:15.123+01:00 2026-01-02")
    #expect(text("٠٨:٣٠") == "2026-05-02T08:30:00+02:00 2026-05-02")
    #expect(try read("08:30").source == .civil)
    #expect(try read("08:30").notes.isEmpty)
  }

  @Test("some time ago")
  func relative() throws {
    #expect(text("-2h") == "2026-05-02T10:00:00+02:00 2026-05-02")
    #expect(text("-30min") == "2026-05-02T11:30:00+02:00 2026-05-02")
    #expect(text("-30 m") == "2026-05-02T11:30:00+02:00 2026-05-02")
    #expect(text("-2h30min") == "2026-05-02T09:30:00+02:00 2026-05-02")
    #expect(text("-13h") == "2026-05-01T23:00:00+02:00 2026-05-01")
    #expect(text("\u{2212}2h") == "2026-05-02T10:00:00+02:00 2026-05-02")
    #expect(try read("-2h").source == .relative)
    #expect(error("-2")?.code == .unreadable)
    #expect(error("-h")?.code == .unreadable)
    #expect(error("-30min2h")?.code == .unreadable)
    #expect(error("-2h30")?.code == .unreadable)
    #expect(error("-2x")?.code == .unreadable)
    #expect(error("-100001h")?.code == .outOfRange)
    #expect(error("-99999999999999999999h")?.code == .outOfRange)
  }

  @Test("now and today are now; another day alone takes the usual time of its slot and says so")
  func days() throws {
    #expect(text("now") == "2026-05-02T12:00:00+02:00 2026-05-02")
    #expect(text("today") == "2026-05-02T12:00:00+02:00 2026-05-02")
    #expect(try read("today").source == .now)
    #expect(try TypedTime(now: now, clock: SampleClocks.berlin) == read("today"))
    #expect(text("yesterday") == "2026-05-01T12:00:00+02:00 2026-05-01")
    #expect(text("yesterday", slot: .breakfast) == "2026-05-01T08:00:00+02:00 2026-05-01")
    #expect(text("2026-05-01", slot: .dinner) == "2026-05-01T19:00:00+02:00 2026-05-01")
    #expect(try read("yesterday").source == .day)
    #expect(try read("yesterday").notes == [.clockAssumed])
  }

  @Test("one parser for a time and a bare day, east and west of UTC")
  func fieldReportB1() {
    for clock in [SampleClocks.tokyo, SampleClocks.lima] {
      #expect(text("2026-05-01T22:15:00", clock)?.hasSuffix(" 2026-05-01") == true)
      #expect(text("2026-05-01", clock)?.hasSuffix(" 2026-05-01") == true)
    }
    #expect(
      text("2026-05-01T22:15:00", SampleClocks.tokyo) == "2026-05-01T22:15:00+09:00 2026-05-01")
  }

  @Test("with an offset the civil date typed is the day, whatever day it is in UTC")
  func fieldReportB3() throws {
    let text = text("2026-03-08T23:30-07:00", SampleClocks.losAngeles)
    #expect(text == "2026-03-08T23:30:00-07:00 2026-03-08")
    #expect(try read("2026-03-08T23:30-07:00", SampleClocks.losAngeles).notes.isEmpty)
    #expect(
      try read("2026-03-08T23:30-07:00", SampleClocks.losAngeles).instant
        == SampleClocks.utc("2026-03-09T06:30"))
  }

  @Test("just after midnight and at the ends of the world the day is the civil one")
  func fieldReportB4() {
    #expect(text("2026-05-02 00:20") == "2026-05-02T00:20:00+02:00 2026-05-02")
    #expect(
      text("00:20", SampleClocks.kiritimati, now: SampleClocks.utc("2026-05-01T11:00"))
        == "2026-05-02T00:20:00+14:00 2026-05-02")
    #expect(
      text("23:50", SampleClocks.pagoPago, now: SampleClocks.utc("2026-05-03T10:55"))
        == "2026-05-02T23:50:00-11:00 2026-05-02")
  }

  @Test("an evening meal on the day of the change stays on its day")
  func fieldReportB10() {
    for day in ["2026-03-28", "2026-03-29", "2026-03-30"] {
      #expect(text("\(day) 23:30")?.hasSuffix(" \(day)") == true)
    }
  }

  @Test("the repeated hour: two offsets are two meals; without one the first is taken and said")
  func fieldReportB11() throws {
    let first = try read("2026-10-25T02:30+02:00")
    let second = try read("2026-10-25T02:30+01:00")
    #expect(first.instant == SampleClocks.utc("2026-10-25T00:30"))
    #expect(second.instant == SampleClocks.utc("2026-10-25T01:30"))
    #expect(first.day == second.day)
    #expect(first.instant < second.instant)
    let bare = try read("2026-10-25 02:30", now: SampleClocks.utc("2026-12-01T00:00"))
    #expect(bare.instant == first.instant)
    #expect(bare.notes == [.repeated(other: UTCOffset(seconds: 3600) ?? .zero)])
  }

  @Test("a time the clocks left out is read on the clock before and said")
  func gap() throws {
    let time = try read("2026-03-29 02:30")
    #expect(text("2026-03-29 02:30") == "2026-03-29T03:30:00+02:00 2026-03-29")
    #expect(time.notes == [.skipped(before: UTCOffset(seconds: 3600) ?? .zero)])
    #expect(text("2011-12-30 12:00", SampleClocks.apia) == "2011-12-31T12:00:00+14:00 2011-12-31")
  }

  @Test("Z and +00:00 mean an instant; another offset than the zone's is kept and said")
  func offsets() throws {
    for text in ["2026-05-01T14:40Z", "2026-05-01t14:40:00z", "2026-05-01T14:40:00+00:00"] {
      #expect(self.text(text, SampleClocks.tokyo) == "2026-05-01T23:40:00+09:00 2026-05-01")
      #expect(try read(text, SampleClocks.tokyo).notes.isEmpty)
    }
    let abroad = try read("2026-05-01T03:00+09:00")
    #expect(abroad.day.description == "2026-05-01")
    #expect(abroad.utcOffset.seconds == 9 * 3600)
    #expect(abroad.notes == [.offsetNotOfZone(zone: UTCOffset(seconds: 7200) ?? .zero)])
    #expect(text("2026-05-01 08:30 +0200") == "2026-05-01T08:30:00+02:00 2026-05-01")
    #expect(text("2026-05-01T08:30:00.5-03:30") == "2026-05-01T08:30:00.500-03:30 2026-05-01")
  }

  @Test("a time ahead of now is read and said")
  func future() throws {
    #expect(try read("13:00").notes == [.inFuture])
    #expect(try read("2026-05-03").notes == [.clockAssumed, .inFuture])
    #expect(try read("12:00").notes.isEmpty)
    #expect(try read("2026-05-02T10:00:00.001Z").notes == [.inFuture])
  }

  @Test(
    "what is wrong is told apart",
    arguments: [
      ("yesterdayish", CaptureError.Code.unreadable, "day"), ("", .empty, "text"),
      ("noonish", .unreadable, "day"), ("8pm", .unreadable, "day"),
      ("25:00", .notOnCalendar, "hour"), ("24:00", .notOnCalendar, "hour"),
      ("08:60", .notOnCalendar, "minute"), ("08:30:60", .notOnCalendar, "second"),
      ("08:3", .unreadable, "clock"), ("008:30", .unreadable, "clock"),
      ("08:30:", .unreadable, "clock"), ("08:30.5", .unreadable, "clock"),
      ("08:30 pm", .unreadable, "clock"), ("yesterday 25:00", .notOnCalendar, "hour"),
      ("2026-13-01 08:30", .notOnCalendar, "month"), ("2026-02-30 08:30", .notOnCalendar, "day"),
      ("2026-05-32", .notOnCalendar, "day"), ("2026-05-02T", .unreadable, "clock"),
      ("2026-05-02T08", .unreadable, "clock"), ("2026-05-02T08:30+2", .unreadable, "offset"),
      ("2026-05-02T08:30+24:00", .notOnCalendar, "offset"),
      ("2026-05-02T08:30+02:60", .notOnCalendar, "offset"),
      ("2026-05-02T08:30Europe/Berlin", .unreadable, "clock"),
      ("0000-01-01 00:00", .notOnCalendar, "year"),
      ("0001-01-01T00:00+14:00", .outOfRange, "time"),
      ("9999-12-31T23:00-02:00", .outOfRange, "time"),
      ("08:30\u{0}", .controlCharacter, "text"),
    ])
  func errors(_ text: String, _ code: CaptureError.Code, _ subject: String) {
    #expect(error(text)?.code == code)
    #expect(error(text)?.subject == subject)
    #expect(error(text)?.operation == .time)
  }

  @Test("a misspelt day is suggested")
  func suggestion() {
    #expect(error("yesterdayish")?.suggestion == "yesterday")
    #expect(error("yesterdey 08:30")?.suggestion == "yesterday")
  }

  @Test("what is written as RFC 3339 reads back as the same time, in every zone")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 6)
    let clocks = [
      SampleClocks.berlin, SampleClocks.losAngeles, SampleClocks.tokyo, SampleClocks.pagoPago,
    ]
    let range =
      SampleClocks.utc("2026-01-01T00:00")
      .milliseconds...SampleClocks.utc("2026-12-31T00:00")
      .milliseconds
    for _ in 0..<2000 {
      let milliseconds = Int64.random(in: range, using: &generator)
      guard let instant = Instant(milliseconds: milliseconds) else { continue }
      for clock in clocks {
        let offset = clock.offset(instant)
        let time = try read(instant.rfc3339(utcOffset: offset), clock)
        #expect(time.instant == instant)
        #expect(time.utcOffset == offset)
        #expect(time.day == instant.civil(utcOffset: offset).day)
      }
    }
  }

  @Test("no text makes it trap")
  func anything() {
    var generator = SeededGenerator(seed: 7)
    let parts = [
      "2026-05-02", "T", "t", " ", "08:30", ":", "-", "+", "Z", "z", "2h", "min", "d", "yesterday",
      "today", "..", ".", "9", "99999999999999999999", "٣", "\u{2212}", "/",
    ]
    for _ in 0..<5000 {
      let count = Int.random(in: 0...6, using: &generator)
      let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      _ = try? read(text)
      _ = try? TypedDayRange(reading: text, today: .maximum)
      _ = try? TypedReference(reading: text, today: .minimum)
      _ = try? TypedFood(reading: text, today: .minimum)
    }
  }
}
