import LarderKernel
import Testing

@Suite("Instant")
struct InstantTests {
  private func civil(_ milliseconds: Int64, _ offset: Int64) throws -> String {
    let (day, minute) = try #require(Instant(milliseconds: milliseconds))
      .civil(utcOffset: #require(UTCOffset(seconds: offset)))
    let hour = minute / 60
    return "\(day) \(hour):\(minute % 60)"
  }

  private func text(_ milliseconds: Int64, _ offset: Int64) throws -> String {
    try #require(Instant(milliseconds: milliseconds))
      .rfc3339(utcOffset: #require(UTCOffset(seconds: offset)))
  }

  // [DAY-4] B4 B5
  @Test("the clock a meal was read from decides its day and minute, not the reader's")
  func clocks() throws {
    // 00:20 in Brussels, in Kiritimati (+14) and in Pago Pago (−11).
    #expect(try civil(1_777_760_400_000, 7200) == "2026-05-03 0:20")
    #expect(try civil(1_777_717_200_000, 50_400) == "2026-05-03 0:20")
    #expect(try civil(1_777_807_200_000, -39_600) == "2026-05-03 0:20")
    // Breakfast at seven in Paris, and the next day at seven in Karachi.
    #expect(try civil(1_777_698_000_000, 7200) == "2026-05-02 7:0")
    #expect(try civil(1_777_773_600_000, 18_000) == "2026-05-03 7:0")
  }

  // [DAY-4] B11
  @Test("an hour that comes twice is two moments of one day, in their order")
  func fallBack() throws {
    let first = try #require(Instant(milliseconds: 1_792_888_200_000))
    let second = try #require(Instant(milliseconds: 1_792_891_800_000))
    #expect(first < second)
    #expect(try text(first.milliseconds, 7200) == "2026-10-25T02:30:00+02:00")
    #expect(try text(second.milliseconds, 3600) == "2026-10-25T02:30:00+01:00")
    #expect(try civil(first.milliseconds, 7200) == civil(second.milliseconds, 3600))
  }

  // [DAY-5]
  @Test("RFC 3339 text means exactly the moment it was made from")
  func rfc3339() throws {
    #expect(try text(1_777_732_800_000, 32_400) == "2026-05-02T23:40:00+09:00")
    #expect(try text(0, 0) == "1970-01-01T00:00:00Z")
    #expect(try text(-1, 0) == "1969-12-31T23:59:59.999Z")
    #expect(try text(1_005, -12_600) == "1969-12-31T20:30:01.005-03:30")
    // Amsterdam until 1937: 19 minutes 32 seconds ahead. RFC 3339 has no seconds there.
    #expect(try text(0, 1172) == "1970-01-01T00:19:00+00:19")
    #expect(try text(0, -1172) == "1969-12-31T23:41:00-00:19")
    #expect(try text(0, 30) == "1970-01-01T00:00:00Z")
    // Dates that the calendar of four digits does not have are written in UTC.
    #expect(try text(Limits.instantMaximum, 3600) == "9999-12-31T23:59:59.999Z")
    #expect(try text(Limits.instantMinimum, -3600) == "0001-01-01T00:00:00Z")
    #expect(try text(Limits.instantMaximum, -3600) == "9999-12-31T22:59:59.999-01:00")
  }

  // [DAY-4]
  @Test("moments and offsets have ends, and a civil date is clamped to the calendar's")
  func ends() throws {
    #expect(Instant(milliseconds: Limits.instantMinimum - 1) == nil)
    #expect(Instant(milliseconds: Limits.instantMaximum + 1) == nil)
    #expect(UTCOffset(seconds: 93_599)?.seconds == 93_599)
    #expect(UTCOffset(seconds: 93_600) == nil)
    #expect(UTCOffset(seconds: -93_600) == nil)
    #expect(UTCOffset(seconds: .min) == nil)
    #expect(try civil(Limits.instantMaximum, 93_599) == "9999-12-31 1:59")
    #expect(try civil(Limits.instantMinimum, -93_599) == "0001-01-01 22:0")
  }
}

@Suite("MealType")
struct MealTypeTests {
  // [KIND-2]
  @Test("a slot is 1 to 64 bytes without control characters")
  func words() {
    for good in ["breakfast", "Z'Nüni", "夜食", "a b", String(repeating: "x", count: 64)] {
      #expect(MealType(rawValue: good)?.rawValue == good)
    }
    for wrong in ["", "a\nb", "\u{0}", "\u{7f}", "\u{9f}", String(repeating: "é", count: 33)] {
      #expect(MealType(rawValue: wrong) == nil)
    }
    #expect(MealType.snack.description == "snack")
  }
}
