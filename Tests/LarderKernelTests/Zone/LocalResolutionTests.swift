import LarderKernel
import Testing

@Suite("TimeZoneRules: local times")
struct LocalResolutionTests {
  @Test("clocks that go back show an hour twice, clocks that go forward skip one")
  func centralEurope() throws {
    let rules = try TimeZoneRules(TimeZoneFile.centralEurope.bytes.span)
    // 2026-10-25: at 01:00 UTC it is 03:00, then 02:00 again.
    let again: Int64 = 1_792_890_000 + 3_600
    #expect(rules.offsets(atLocal: again - 1) == .unique(7_200))
    let twice = LocalResolution.ambiguous(earlier: 7_200, later: 3_600)
    #expect(rules.offsets(atLocal: again) == twice)
    #expect(rules.offsets(atLocal: again + 3_599) == twice)
    #expect(rules.offsets(atLocal: again + 3_600) == .unique(3_600))
    #expect(twice.instant(ofLocal: again) == 1_792_886_400)
    #expect(twice.offset == 7_200 && !twice.isUnique)
    // 2026-03-29: at 01:00 UTC it is 02:00, and at once 03:00.
    let skipped: Int64 = 1_774_746_000 + 3_600
    #expect(rules.offsets(atLocal: skipped - 1) == .unique(3_600))
    let gap = LocalResolution.gap(before: 3_600, after: 7_200)
    #expect(rules.offsets(atLocal: skipped) == gap)
    #expect(rules.offsets(atLocal: skipped + 3_599) == gap)
    #expect(rules.offsets(atLocal: skipped + 3_600) == .unique(7_200))
    // 02:30 becomes 03:30.
    #expect(gap.instant(ofLocal: skipped + 1_800) == 1_774_747_800)
    #expect(gap.offset == 7_200 && !gap.isUnique)
    let unique = LocalResolution.unique(3_600)
    #expect(unique.isUnique && unique.offset == 3_600 && unique.instant(ofLocal: 3_600) == 0)
    // In the table too: 1980-04-06 and 1980-09-28.
    #expect(rules.offsets(atLocal: 323_830_800 + 3_600) == gap)
    #expect(rules.offsets(atLocal: 338_950_800 + 3_600) == twice)
    // The jump from local mean time was 392 seconds forward.
    #expect(
      rules.offsets(atLocal: -2_422_054_408 + 3_208) == .gap(before: 3_208, after: 3_600))
  }

  @Test("a whole day can be skipped or come twice")
  func dateLine() throws {
    var file = TimeZoneFile()
    file.types = [.init(offset: -36_000), .init(offset: 50_400)]
    file.transitions = [1_325_239_200]
    file.indexes = [1]
    file.footer = "\n<+14>-14\n"
    let samoa = try TimeZoneRules(file.bytes.span)
    // 30 December 2011, noon, never came.
    let noon: Int64 = 1_325_246_400
    let gap = LocalResolution.gap(before: -36_000, after: 50_400)
    #expect(samoa.offsets(atLocal: noon) == gap)
    #expect(gap.instant(ofLocal: noon) + 50_400 == noon + 86_400)
    file.types.swapAt(0, 1)
    file.footer = "\n<-10>10\n"
    let back = try TimeZoneRules(file.bytes.span)
    #expect(
      back.offsets(atLocal: 1_325_239_200) == .ambiguous(earlier: 50_400, later: -36_000))
  }

  @Test("agrees with trying every offset, around random transitions and rules")
  func bruteForce() throws {
    var random = SplitMix64(seed: 0x1a7d_0004)
    let footers: [(String, [Int32])] = [
      ("\n\n", []), ("\nAAA-1BBB,M3.5.0,M10.5.0/3\n", [3_600, 7_200]),
      ("\nAAA10BBB,M10.1.0,M4.1.0/3\n", [-36_000, -32_400]),
      ("\nAAA0BBB-20,0/0,J365/25\n", [0, 72_000]),
      ("\nAAA-24BBB24,J1/-167,J3/167\n", [86_400, -86_400]),
      ("\nAAA2BBB,J2/5,1/5\n", [-7_200, -3_600]),
    ]
    for (footer, footerOffsets) in footers {
      for _ in 0..<60 {
        var file = TimeZoneFile()
        file.types = (0..<5).map { _ in
          .init(offset: Int32(random.below(183_599)) - 89_999)
        }
        // The rule must continue the last transition.
        if let offset = footerOffsets.first { file.types[4].offset = offset }
        var time: Int64 = 1_000_000_000
        for _ in 0..<random.below(6) {
          time += 1 + Int64(random.below(random.below(2) == 0 ? 100_000 : 4_000_000))
          file.transitions.append(time)
          file.indexes.append(UInt8(random.below(5)))
        }
        file.footer = footer
        if !file.indexes.isEmpty { file.indexes[file.indexes.count - 1] = 4 }
        // Where it does not at that time of year, it is left out.
        let rules: TimeZoneRules
        if let consistent = try? TimeZoneRules(file.bytes.span) {
          rules = consistent
        } else {
          file.footer = "\n\n"
          rules = try TimeZoneRules(file.bytes.span)
        }
        let offsets = Set(file.types.map(\.offset) + footerOffsets)
        for _ in 0..<40 {
          let local = 999_800_000 + Int64(random.below(Int(time - 999_600_000)))
          check(local, in: rules, offsets)
        }
        check(time + 94_670_856 + Int64(random.below(31_556_952)), in: rules, offsets)
      }
    }
  }

  /// Compares with all offsets that the zone has, each tried.
  private func check(_ local: Int64, in rules: TimeZoneRules, _ offsets: Set<Int32>) {
    var instants: Set<Int64> = []
    for offset in offsets where rules.offset(atUTC: local - Int64(offset)) == offset {
      instants.insert(local - Int64(offset))
    }
    let found = rules.offsets(atLocal: local)
    switch found {
    case .unique(let offset):
      #expect(instants == [local - Int64(offset)])
    case .ambiguous(let earlier, let later):
      #expect(earlier > later)
      #expect(instants.count > 1)
      #expect(instants.min() == local - Int64(earlier))
      #expect(instants.max() == local - Int64(later))
    case .gap(let before, let after):
      #expect(instants.isEmpty)
      #expect(before < after)
    }
  }

  @Test("the ends of time have an answer")
  func extremes() throws {
    let rules = try TimeZoneRules(TimeZoneFile.centralEurope.bytes.span)
    for seconds in [Int64.min, .min + 1, -1 << 59, 1 << 59, .max - 1, .max] {
      _ = rules.offset(atUTC: seconds)
      #expect(rules.offsets(atLocal: seconds).isUnique)
    }
  }
}
