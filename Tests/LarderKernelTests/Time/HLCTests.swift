import LarderKernel
import Testing

@Suite("HLC")
struct HLCTests {
  private static let now: Int64 = 1_777_700_000_000

  // [HLC-1]
  @Test("a reading is 48 bits of milliseconds and a counter of 16")
  func parts() throws {
    let reading = try #require(HLC(rawValue: 0x0000_0001_0203_0005))
    #expect(reading.milliseconds == 0x1_0203)
    #expect(reading.counter == 5)
    #expect(HLC(milliseconds: Self.now).milliseconds == Self.now)
    #expect(HLC(rawValue: 1 << 63) == nil)
    #expect(HLC(rawValue: UInt64(Int64.max)) == .maximum)
    #expect(HLC(milliseconds: -5) == .zero)
    #expect(HLC(milliseconds: .max) == .maximum)
    #expect(HLC(milliseconds: 1 << 47) == .maximum)
    #expect(HLC(milliseconds: 1 << 47 - 1).counter == 0)
  }

  // [HLC-2]
  @Test("the next reading is now, or one more than the last where now is not later")
  func next() {
    let start = HLC(milliseconds: Self.now)
    #expect(start.next(now: Self.now + 1) == HLC(milliseconds: Self.now + 1))
    #expect(start.next(now: Self.now).counter == 1)
    #expect(start.next(now: Self.now - 60_000).rawValue == start.rawValue + 1)
    #expect(HLC.zero.next(now: Self.now) == start)
    // A full counter runs over into the milliseconds.
    var reading = start
    for _ in 0..<65_536 { reading = reading.next(now: Self.now) }
    #expect(reading == HLC(milliseconds: Self.now + 1))
  }

  // [HLC-2]
  @Test("at the end of the clock the reading stays, and a write still succeeds")
  func saturation() {
    #expect(HLC.maximum.next(now: Self.now) == .maximum)
    #expect(HLC.maximum.next(now: .max) == .maximum)
    let last = HLC(rawValue: UInt64(Int64.max) - 1)
    #expect(last?.next(now: Self.now) == .maximum)
  }

  // [HLC-3] H9 H11
  @Test("an absurd own clock is left out: before 2020 and from 2100 on")
  func absurd() {
    let last = HLC(milliseconds: Self.now)
    for clock in [
      Int64.min, -1, 0, 1_577_836_799_999, 4_102_444_800_000, Int64.max,
    ] {
      #expect(!HLC.isPlausible(milliseconds: clock))
      #expect(last.next(now: clock).rawValue == last.rawValue + 1)
      #expect(HLC.zero.next(now: clock).rawValue == 1)
    }
    #expect(HLC.isPlausible(milliseconds: 1_577_836_800_000))
    #expect(HLC.isPlausible(milliseconds: 4_102_444_799_999))
    #expect(HLC.zero.next(now: 4_102_444_799_999).milliseconds == 4_102_444_799_999)
  }

  // [HLC-4] H11
  @Test("no reading of another device is refused; what is written after it sorts after it")
  func received() throws {
    let mine = HLC(milliseconds: Self.now)
    let ahead = HLC(milliseconds: Self.now + 370 * 86_400_000)
    #expect(mine.received(ahead) == ahead)
    #expect(ahead.received(mine) == ahead)
    let edit = mine.received(ahead).next(now: Self.now)
    #expect(edit > ahead)
    #expect(mine.received(.maximum).next(now: Self.now) == .maximum)
  }

  // [HLC-4]
  @Test("readings extend causality: whatever was seen before has a smaller one")
  func causality() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<200 {
      var clocks = [HLC](repeating: .zero, count: 3)
      // Each device's clock is wrong in its own way, one of them absurdly.
      let skews = (0..<3).map { _ in Int64(generator.below(2_000_000_000)) - 1_000_000_000 }
      var seen = [Int](repeating: 0, count: 3)
      var written: [(reading: HLC, past: [Int], author: Int)] = []
      var causes: [Set<Int>] = [[], [], []]
      for step in 0..<60 {
        let device = generator.below(3)
        if generator.below(3) == 0, !written.isEmpty {
          let event = generator.below(written.count)
          clocks[device] = clocks[device].received(written[event].reading)
          causes[device].formUnion(written[event].past + [event])
        } else {
          let now = device == 2 ? Int64(step) : Self.now + Int64(step) + skews[device]
          clocks[device] = clocks[device].next(now: now)
          for cause in causes[device] {
            #expect(written[cause].reading < clocks[device])
          }
          written.append((clocks[device], Array(causes[device]), device))
          causes[device].insert(written.count - 1)
          seen[device] += 1
        }
      }
    }
  }
}
