import LarderCapture
import LarderKernel
import Testing

@Suite struct ZoneClockTests {
  private func local(_ text: String) -> Int64 { SampleClocks.utc(text).milliseconds }
  private func hours(_ count: Int64) -> UTCOffset { UTCOffset(seconds: count * 3600) ?? .zero }

  @Test("a civil time has one meaning, two or none")
  func meanings() {
    let berlin = SampleClocks.berlin
    #expect(berlin.meaning(ofLocal: local("2026-01-10T12:00")) == .once(hours(1)))
    #expect(berlin.meaning(ofLocal: local("2026-07-10T12:00")) == .once(hours(2)))
    #expect(berlin.meaning(ofLocal: local("2026-03-29T01:59")) == .once(hours(1)))
    #expect(
      berlin.meaning(ofLocal: local("2026-03-29T02:00"))
        == .never(before: hours(1), after: hours(2)))
    #expect(
      berlin.meaning(ofLocal: local("2026-03-29T02:59"))
        == .never(before: hours(1), after: hours(2)))
    #expect(berlin.meaning(ofLocal: local("2026-03-29T03:00")) == .once(hours(2)))
    #expect(berlin.meaning(ofLocal: local("2026-10-25T01:59")) == .once(hours(2)))
    #expect(
      berlin.meaning(ofLocal: local("2026-10-25T02:00"))
        == .twice(earlier: hours(2), later: hours(1)))
    #expect(
      berlin.meaning(ofLocal: local("2026-10-25T02:59"))
        == .twice(earlier: hours(2), later: hours(1)))
    #expect(berlin.meaning(ofLocal: local("2026-10-25T03:00")) == .once(hours(1)))
  }

  @Test("a day that was left out has no time, the days beside it have")
  func dateLine() {
    let apia = SampleClocks.apia
    #expect(apia.meaning(ofLocal: local("2011-12-29T23:59")) == .once(hours(-10)))
    #expect(
      apia.meaning(ofLocal: local("2011-12-30T12:00"))
        == .never(before: hours(-10), after: hours(14)))
    #expect(apia.meaning(ofLocal: local("2011-12-31T00:00")) == .once(hours(14)))
  }

  @Test("two changes within two days are seen through")
  func doubleChange() {
    let clock = SampleClocks.changing(
      hours: 1, at: [("2026-06-01T00:00", 3), ("2026-06-02T00:00", 1)])
    #expect(clock.meaning(ofLocal: local("2026-06-01T12:00")) == .once(hours(3)))
    #expect(
      clock.meaning(ofLocal: local("2026-06-01T01:30")) == .never(before: hours(1), after: hours(3))
    )
  }

  @Test("every instant's civil time means that instant")
  func inverse() {
    var generator = SeededGenerator(seed: 5)
    let clocks = [SampleClocks.berlin, SampleClocks.losAngeles, SampleClocks.kiritimati]
    for _ in 0..<3000 {
      let milliseconds = Int64.random(
        in: local("2025-12-01T00:00")...local("2027-01-31T00:00"), using: &generator)
      guard let instant = Instant(milliseconds: milliseconds),
        let clock = clocks.randomElement(using: &generator)
      else { continue }
      let offset = clock.offset(instant)
      switch clock.meaning(ofLocal: milliseconds + Int64(offset.seconds) * 1000) {
      case .once(let only): #expect(only == offset)
      case .twice(let earlier, let later): #expect([earlier, later].contains(offset))
      case .never, nil: Issue.record("a time the clocks showed is said to have been left out")
      }
    }
  }

  @Test("the ends of time have a meaning or none, but never a trap")
  func ends() {
    for clock in [SampleClocks.kiritimati, SampleClocks.pagoPago] {
      _ = clock.meaning(ofLocal: Limits.instantMinimum)
      _ = clock.meaning(ofLocal: Limits.instantMaximum)
    }
    #expect(SampleClocks.utc.meaning(ofLocal: Limits.instantMaximum) == .once(.zero))
  }
}
