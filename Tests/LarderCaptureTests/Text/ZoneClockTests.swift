import LarderCapture
import LarderKernel
import Testing

@Suite struct ZoneClockTests {
  @Test("an instant has the offset, date and minute its clocks show")
  func civil() {
    let berlin = SampleClocks.berlin
    let lastOfWinter = SampleClocks.utc("2026-03-29T00:59")
    let firstOfSummer = SampleClocks.utc("2026-03-29T01:00")
    #expect(berlin.offset(lastOfWinter).seconds == 3600)
    #expect(berlin.offset(firstOfSummer).seconds == 7200)
    #expect(berlin.civil(lastOfWinter).minuteOfDay == 119)
    #expect(berlin.civil(firstOfSummer).minuteOfDay == 180)
    #expect(SampleClocks.kiritimati.civil(firstOfSummer).day.description == "2026-03-29")
    #expect(SampleClocks.pagoPago.civil(firstOfSummer).day.description == "2026-03-28")
  }

  @Test("milliseconds before a change, and before 1970, are on the clock before")
  func milliseconds() throws {
    let change = SampleClocks.utc("2026-03-29T01:00").milliseconds
    let before = try #require(Instant(milliseconds: change - 1))
    #expect(SampleClocks.berlin.offset(before).seconds == 3600)
    let old = SampleClocks.clock(
      "UTC0", offsets: [3600, 0], changes: [(SampleClocks.utc("1960-01-01T00:00"), 1)])
    let end = SampleClocks.utc("1960-01-01T00:00").milliseconds
    #expect(old.offset(try #require(Instant(milliseconds: end - 1))).seconds == 3600)
    #expect(old.offset(try #require(Instant(milliseconds: end))).seconds == 0)
  }

  @Test("a civil time means once, twice, or never what the rules say")
  func meanings() {
    func meaning(_ text: String) -> LocalResolution {
      SampleClocks.berlin.meaning(ofLocal: SampleClocks.utc(text).milliseconds)
    }
    #expect(meaning("2026-07-10T12:00") == .unique(7200))
    #expect(meaning("2026-03-29T02:30") == .gap(before: 3600, after: 7200))
    #expect(meaning("2026-10-25T02:30") == .ambiguous(earlier: 7200, later: 3600))
  }

  @Test("the ends of time trap nowhere")
  func ends() throws {
    for clock in [SampleClocks.kiritimati, SampleClocks.pagoPago, SampleClocks.berlin] {
      for milliseconds in [Limits.instantMinimum, Limits.instantMaximum] {
        let instant = try #require(Instant(milliseconds: milliseconds))
        #expect(clock.meaning(ofLocal: milliseconds).isUnique)
        #expect(clock.civil(instant).day >= .minimum)
      }
    }
  }
}
