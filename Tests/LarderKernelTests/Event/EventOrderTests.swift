import LarderHash
import LarderKernel
import Testing

@Suite("Event order")
struct EventOrderTests {
  private func event(
    _ hlc: UInt64, _ author: UInt64, _ seq: UInt64, _ leaf: UInt64
  ) throws -> Event {
    Event(
      id: EventID(author: AuthorID(Bytes16(high: author, low: 0)), seq: seq),
      header: EventHeader(
        hlc: try #require(HLC(rawValue: hlc)), recordedAt: try #require(Instant(milliseconds: 0)),
        stream: .control, kind: .mealRestored, version: 1, flags: []),
      payload: nil, leaf: Bytes32(front: Bytes16(high: leaf, low: 0), back: .zero))
  }

  // [HLC-5]
  @Test("clock, then author, then seq, then leaf: of two events exactly one precedes the other")
  func total() throws {
    let numbers: [UInt64] = [0, 1, 1 << 40]
    var events: [Event] = []
    for hlc in numbers {
      for author in numbers {
        for seq in numbers {
          for leaf in numbers { events.append(try event(hlc, author, seq, leaf)) }
        }
      }
    }
    for (left, leftPlace) in zip(events, events.indices) {
      for (right, rightPlace) in zip(events, events.indices) {
        #expect(Event.precedes(left, right) == (leftPlace < rightPlace))
      }
    }
    var generator = SplitMix64(seed: 4)
    #expect(events.shuffled(using: &generator).sorted(by: Event.precedes) == events)
  }

  // [HLC-5]
  @Test("authors and leaves sort by their bytes, not as signed numbers")
  func bytewise() throws {
    let low = try event(1, 0x7fff_ffff_ffff_ffff, 0, 0)
    let high = try event(1, 0x8000_0000_0000_0000, 0, 0)
    #expect(Event.precedes(low, high) && !Event.precedes(high, low))
    let lowLeaf = try event(1, 0, 0, 0x7f << 56)
    let highLeaf = try event(1, 0, 0, 0x80 << 56)
    #expect(Event.precedes(lowLeaf, highLeaf) && !Event.precedes(highLeaf, lowLeaf))
  }
}
