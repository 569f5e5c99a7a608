import LarderHash
import LarderKernel
import Testing

@testable import LarderStore

/// What broke elsewhere, as input: FIELD groups of clocks, conflicts and growth.
@Suite("Clocks, conflicts and growth of a store")
struct ClockTests {
  private func change(
    _ sample: SampleStore, _ store: Store, _ change: MealChanged, in stream: StreamID
  ) throws {
    _ = try sample.append([try NewEvent(change, in: stream)], to: store)
  }

  private func exchange(_ one: Store, _ other: Store) throws {
    _ = try one.receive(try other.ownBatches(from: 0))
    _ = try other.receive(try one.ownBatches(from: 0))
  }

  /// Two devices that both have one meal.
  private func pair() throws -> (SampleStore, Store, SampleStore, Store, StreamID) {
    let one = SampleStore()
    let first = try one.create(seedText: "one")
    let other = SampleStore()
    let second = try other.create(seedText: "other")
    let stream = one.stream(1)
    _ = try one.append(try one.meal(stream), to: first)
    try exchange(first, second)
    return (one, first, other, second, stream)
  }

  // [MEAL-9]
  @Test("edits of different fields, made offline on two devices, are both kept")
  func differentFields() throws {
    let (one, first, other, second, stream) = try pair()
    try change(one, first, MealChanged(title: .set("A")), in: stream)
    _ = try other.append(
      [
        try NewEvent(
          ItemChanged(item: ItemID(1), quantity: try Quantity(150_000, .milligram)), in: stream)
      ], to: second)
    try exchange(first, second)
    for sample in [one, other] {
      let meal = try #require(try sample.reader().meal(stream))
      #expect(meal.entry?.title == "A")
      #expect(meal.logs.first { $0.item == ItemID(1) }?.amount == 150_000)
      #expect(try sample.reader().verify { _ in true }.problems == [])
    }
  }

  // [HLC-4], [HLC-5]
  @Test("a clock 370 days ahead is no reason to lose, and a later edit elsewhere wins")
  func futureClock() throws {
    let (one, first, other, second, stream) = try pair()
    let now = other.now
    other.now = now + 370 * 86_400_000
    try change(other, second, MealChanged(title: .set("from the future")), in: stream)
    other.now = now
    try exchange(first, second)
    #expect(try one.reader().meal(stream)?.entry?.title == "from the future")
    try change(one, first, MealChanged(title: .set("later")), in: stream)
    try exchange(first, second)
    for sample in [one, other] {
      #expect(try sample.reader().meal(stream)?.entry?.title == "later")
    }
    let digests = try [one, other].map { try $0.reader().verify { _ in true }.digest }
    #expect(digests[0] == digests[1])
  }

  // [BATCH-4]
  @Test("of ten batches with a broken seventh all others are kept, and the clock is theirs")
  func brokenBatch() throws {
    let sample = SampleStore()
    let store = try sample.create(seedText: "writer")
    for number in 0..<10 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    var batches = try (0..<10 as Range<UInt64>).map { try store.ownBatch(($0 * 4)..<($0 * 4 + 4)) }
    let good = batches[6]
    batches[6] = Batch(
      publicKey: good.publicKey, edge: good.edge, salts: good.salts,
      events: Array(good.events.reversed()))
    let target = SampleStore()
    let receiver = try target.create()
    let results = try receiver.receive(batches)
    #expect(results.map(\.addedCount) == [4, 4, 4, 4, 4, 4, 0, 4, 4, 4])
    #expect(try target.reader().verify { _ in true }.problems == [])
    _ = try receiver.receive([good])
    #expect(try target.reader().verify { _ in true }.eventCount == 40)
  }

  // [STORE-5]
  @Test("an append that fails leaves no trace in the writer that goes on")
  func failedAppend() throws {
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    let stream = sample.stream(2)
    let tooLong = MealCaptured(
      occasion: try sample.occasion(), source: .manual, title: String(repeating: "x", count: 2000))
    #expect(throws: StoreError.self) {
      try sample.append(
        try sample.meal(sample.stream(3)) + [try NewEvent(tooLong, in: stream)], to: store)
    }
    let events = try sample.append(try sample.meal(sample.stream(4)), to: store)
    #expect(events.map(\.id.seq) == [4, 5, 6, 7])
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }
}
