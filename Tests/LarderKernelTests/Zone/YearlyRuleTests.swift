import LarderKernel
import Testing

@Suite("TimeZoneRules: yearly rules")
struct YearlyRuleTests {
  /// The rules of a file that has nothing but this footer.
  private func rules(_ footer: String) throws -> TimeZoneRules {
    var file = TimeZoneFile()
    file.footer = "\n" + footer + "\n"
    return try TimeZoneRules(file.bytes.span)
  }

  @Test(
    "reads offsets in every form",
    arguments: [
      ("UTC0", 0), ("CET-1", 3_600), ("EST5", -18_000), ("EST+5", -18_000), ("EST05", -18_000),
      ("NST3:30", -12_600), ("NPT-5:45", 20_700), ("LMT0:53:28", -3_208), ("<+1030>-10:30", 37_800),
      ("<-03>3", -10_800), ("<abc>-24:59:59", 89_999), ("abc24:59:59", -89_999),
      ("ABCDEF-00:00:01", 1),
    ] as [(String, Int32)])
  func offsets(footer: String, offset: Int32) throws {
    #expect(try rules(footer).offset(atUTC: 1_000_000_000) == offset)
  }

  @Test(
    "refuses what is no rule",
    arguments: [
      // Designations.
      "U0", "UT0", "0", "<>0", "<ab>0", "<abc0", "abc>0", "U1C0", "<a c>0", "-1",
      "\u{e9}\u{e9}\u{e9}0",
      // Offsets.
      "UTC", "UTC+", "UTC25", "UTC001", "UTC1:", "UTC1:0", "UTC1:60", "UTC1:00:", "UTC1:00:60",
      "UTC1:00:00:00", "UTC--1", "UTC 1", "UTC1 ",
      // Summer time without its dates, or without one of them.
      "CET-1CEST", "CET-1CEST-2", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,",
      "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,M3.5.0,M10.5.0x", "CET-1,M3.5.0,M10.5.0",
      "CET-1CEST25,M3.5.0,M10.5.0",
      // Dates.
      "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0",
      "CET-1CEST,M003.5.0,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,J366,J1", "CET-1CEST,366,1",
      "CET-1CEST,-1,1", "CET-1CEST,J,J1", "CET-1CEST,0001,1", "CET-1CEST,m3.5.0,M10.5.0",
      // Times.
      "CET-1CEST,M3.5.0/,M10.5.0", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0/-168,M10.5.0",
      "CET-1CEST,M3.5.0/2:60,M10.5.0", "CET-1CEST,M3.5.0/0002,M10.5.0",
      "CET-1CEST,M3.5.0/2:0,M10.5.0",
    ])
  func refused(footer: String) {
    do {
      _ = try rules(footer)
      Issue.record("accepted \(footer)")
    } catch {
      #expect((error as? TimeZoneError)?.code == .badFooter)
    }
  }

  @Test("29 February has no number among J days and has one among the others")
  func leapDays() throws {
    // 28 February and 1 March of 2023 and 2024, midnight; the summer begins on the day given.
    let march = (common: Int64(1_677_628_800), leap: Int64(1_709_251_200))
    let withoutLeapDay = try rules("AAA0BBB,J60/0,J300/0")
    #expect(withoutLeapDay.offset(atUTC: march.common - 1) == 0)
    #expect(withoutLeapDay.offset(atUTC: march.common) == 3_600)
    #expect(withoutLeapDay.offset(atUTC: march.leap - 1) == 0)
    #expect(withoutLeapDay.offset(atUTC: march.leap) == 3_600)
    let fromZero = try rules("AAA0BBB,59/0,300/0")
    #expect(fromZero.offset(atUTC: march.common) == 3_600)
    #expect(fromZero.offset(atUTC: march.common - 1) == 0)
    #expect(fromZero.offset(atUTC: march.leap - 86_401) == 0)
    #expect(fromZero.offset(atUTC: march.leap - 86_400) == 3_600)
  }

  @Test(
    "summer time may last all year, also across its ends",
    arguments: [
      "EST5EDT,0/0,J365/25", "EST5EDT,J1/0,J365/25", "EST5EDT4,0/-1,J365/26",
      "EST5EDT,M5.1.1,M5.1.1/3",
      "XXX3EDT4,0/0,J365/23",
    ])
  func endlessSummer(footer: String) throws {
    let rules = try rules(footer)
    // Every hour around the ends of 2023, 2024 and 2025, and a day in each month.
    for newYear in [1_672_531_200, 1_704_067_200, 1_735_689_600] as [Int64] {
      for hour in -48...48 as ClosedRange<Int64> {
        #expect(rules.offset(atUTC: newYear + hour * 3_600) == -14_400)
      }
      for month in 0..<12 as Range<Int64> {
        #expect(rules.offset(atUTC: newYear + month * 2_629_746) == -14_400)
      }
    }
  }

  @Test("spans of summer time hold in the south, below standard time, and at hours beyond the day")
  func unusualSpans() throws {
    // Sydney: 2026-10-03 16:00 UTC to 2027-04-03 16:00 UTC.
    let sydney = try rules("AEST-10AEDT,M10.1.0,M4.1.0/3")
    #expect(sydney.offset(atUTC: 1_791_043_199) == 36_000)
    #expect(sydney.offset(atUTC: 1_791_043_200) == 39_600)
    #expect(sydney.offset(atUTC: 1_798_761_600) == 39_600)
    #expect(sydney.offset(atUTC: 1_806_767_999) == 39_600)
    #expect(sydney.offset(atUTC: 1_806_768_000) == 36_000)
    // Dublin's law: winter time is the exception. 2026-10-25 01:00 UTC to 2027-03-28 01:00 UTC.
    let dublin = try rules("IST-1GMT0,M10.5.0,M3.5.0/1")
    #expect(dublin.offset(atUTC: 1_792_889_999) == 3_600)
    #expect(dublin.offset(atUTC: 1_792_890_000) == 0)
    #expect(dublin.offset(atUTC: 1_806_195_599) == 0)
    #expect(dublin.offset(atUTC: 1_806_195_600) == 3_600)
    // Nuuk: the Saturday before the last Sunday of March, at −1 h of it: 2026-03-29 01:00 UTC.
    let nuuk = try rules("<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
    #expect(nuuk.offset(atUTC: 1_774_745_999) == -7_200)
    #expect(nuuk.offset(atUTC: 1_774_746_000) == -3_600)
    // A week late and a week early, over the end of the year and far over it.
    let newYear: Int64 = 1_767_225_600
    let late = try rules("AAA0BBB,J350/167,J30/-167")
    #expect(late.offset(atUTC: newYear - 217 * 3_600 - 1) == 0)
    #expect(late.offset(atUTC: newYear - 217 * 3_600) == 3_600)
    #expect(late.offset(atUTC: newYear + 528 * 3_600 - 1) == 3_600)
    #expect(late.offset(atUTC: newYear + 528 * 3_600) == 0)
    let crossed = try rules("AAA0BBB,J365/167,J1/-167")
    #expect(crossed.offset(atUTC: newYear - 168 * 3_600 - 1) == 3_600)
    #expect(crossed.offset(atUTC: newYear - 168 * 3_600) == 0)
    #expect(crossed.offset(atUTC: newYear + 143 * 3_600 - 1) == 0)
    #expect(crossed.offset(atUTC: newYear + 143 * 3_600) == 3_600)
  }
}
