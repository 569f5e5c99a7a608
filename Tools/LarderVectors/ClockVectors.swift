// The clock and the total order.

import LarderHash
import LarderKernel

enum ClockVectors {
  private static let now: Int64 = 1_777_723_200_123

  static func all() throws -> [Vector] {
    try steps.map(vector) + [order(), received()]
  }

  private static let steps: [(String, String, [(last: UInt64, now: Int64)])] = [
    ("later", "a clock that went on", [(UInt64(now) << 16, now + 1), (0, now)]),
    ("same_millisecond", "a second event within a millisecond", [(UInt64(now) << 16, now)]),
    ("behind", "a clock behind what was seen", [(UInt64(now) << 16 | 7, now - 3_600_000)]),
    ("counter_full", "a full counter runs over", [(UInt64(now) << 16 | 0xffff, now)]),
    (
      "absurd", "a clock before 2020 or from 2100 on is left out",
      [
        (5, 1_577_836_799_999), (5, 1_577_836_800_000), (5, 4_102_444_799_999),
        (5, 4_102_444_800_000), (5, -1), (5, .min), (5, .max),
      ]
    ),
    (
      "maximum", "at its end the clock stays",
      [(1 << 63 - 2, now), (1 << 63 - 1, now), (1 << 63 - 1, .max)]
    ),
  ]

  private static func vector(
    _ name: String, _ description: String, _ steps: [(last: UInt64, now: Int64)]
  ) throws -> Vector {
    let results = try steps.map { step in
      let last = try constant(HLC(rawValue: step.last), "hlc")
      return JSON.object([
        "last": .digits(step.last), "now": .digits(step.now),
        "next": .digits(last.next(now: step.now).rawValue),
      ])
    }
    return Vector("hlc", name, description, ["steps": .array(results)])
  }

  private static func received() throws -> Vector {
    let pairs: [(UInt64, UInt64)] = [(5, 6), (6, 5), (5, 5), (0, 1 << 63 - 1), (1 << 63 - 1, 0)]
    return Vector(
      "hlc", "received", "what another device wrote moves the clock forward, never back",
      [
        "received": .array(
          try pairs.map { last, remote in
            let reading = try constant(HLC(rawValue: last), "hlc")
            let result = reading.received(try constant(HLC(rawValue: remote), "hlc"))
            return .object([
              "last": .digits(last), "remote": .digits(remote), "result": .digits(result.rawValue),
            ])
          })
      ])
  }

  private static func order() throws -> Vector {
    let high: UInt64 = 1 << 63
    let keys: [(hlc: UInt64, author: UInt64, seq: UInt64, leaf: UInt64)] = [
      (2, 0, 0, 0), (1, high, 0, 0), (1, high - 1, 9, high), (1, high - 1, 9, 1),
      (1, high - 1, 10, 0), (0, high, high, high), (1, 0, 0, 0), (high - 1, 0, 0, 0),
    ]
    let instant = try constant(Instant(milliseconds: 0), "recordedAt")
    let events = try keys.map { key in
      Event(
        id: EventID(author: AuthorID(Bytes16(high: key.author, low: 0)), seq: key.seq),
        header: EventHeader(
          hlc: try constant(HLC(rawValue: key.hlc), "hlc"), recordedAt: instant, stream: .control,
          kind: .mealRestored, version: 1, flags: []),
        payload: nil, leaf: Bytes32(front: Bytes16(high: key.leaf, low: 0), back: .zero))
    }
    return Vector(
      "hlc", "order", "the total order: clock, author, seq, leaf",
      [
        "sorted": .array(
          events.sorted(by: Event.precedes).map {
            .object([
              "hlc": .digits($0.header.hlc.rawValue), "author": .string($0.id.author.hex),
              "seq": .digits($0.id.seq), "leaf": .string($0.leaf.hex),
            ])
          })
      ])
  }
}
