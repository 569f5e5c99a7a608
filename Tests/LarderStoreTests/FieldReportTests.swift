import LarderCrypto
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

/// Inputs that broke other systems, on whole stores. The letter and number beside a test are those
/// of the report it answers.
@Suite("What broke in other systems: conflicts, replay and clocks")
struct FieldReportTests {
  private func grams(_ grams: Int64) throws -> ItemChanged {
    ItemChanged(item: ItemID(1), quantity: try Quantity(grams * 1000, .milligram))
  }

  private func amount(_ meal: DiaryMeal?) -> Int64? {
    meal?.logs.first { $0.item == ItemID(1) }.map { $0.amount / 1000 }
  }

  // MARK: Conflicts

  // H1, H2
  // [MEAL-9]
  @Test("edits of different fields, made offline on two devices, are both kept on both")
  func differentFields() throws {
    let devices = try Devices(2)
    try devices.write(MealChanged(title: .set("A")), on: 0)
    try devices.write(try grams(150), on: 1)
    try devices.exchange()
    for device in 0..<2 {
      let meal = try devices.shown(on: device)
      #expect(meal?.entry?.title == "A")
      #expect(amount(meal) == 150)
      #expect(meal?.logs.count == 3)
    }
    try devices.expectAgreement()
  }

  // H2
  // [HLC-5], [MEAL-9], [FORK-2]
  @Test(
    "of two amounts one wins everywhere, in any order of receipt, and both stay in the log",
    arguments: [0, 1, -1])
  func sameField(secondsLater: Int64) throws {
    let devices = try Devices(2)
    let (first, second) = (devices.samples[0], devices.samples[1])
    // Its first event names what it has seen, which takes a reading of its own.
    try devices.write(MealChanged(note: .set("seen")), on: 1)
    first.now += 10_000
    second.now = first.now + secondsLater * 1000
    let events = [
      try devices.write(try grams(100), on: 0), try devices.write(try grams(150), on: 1),
    ]
    if secondsLater == 0 { #expect(events[0].header.hlc == events[1].header.hlc) }
    let winner: Int64 = Event.precedes(events[0], events[1]) ? 150 : 100
    if secondsLater != 0 { #expect(winner == (secondsLater > 0 ? 150 : 100)) }
    let batches = [
      try devices.stores[0].ownBatch(0..<4), try devices.stores[0].ownBatch(4..<5),
      try devices.stores[1].ownBatch(0..<3),
    ]
    try devices.exchange()
    try devices.expectAgreement()
    let digest = try first.reader().verify { _ in true }.digest
    for device in 0..<2 { #expect(amount(try devices.shown(on: device)) == winner) }
    for order in orders(of: batches) {
      let (sample, _) = try SampleStore.receiving(order)
      let reader = try sample.reader()
      #expect(amount(try reader.meal(devices.meal)) == winner)
      #expect(try reader.verify { _ in true }.digest == digest)
      var amounts: Set<Int64?> = []
      for event in try reader.events(of: devices.meal) where event.header.kind == .itemChanged {
        let payload = try #require(event.payload)
        amounts.insert(try ItemChanged(payload.span).quantity?.value)
      }
      #expect(amounts == [100_000, 150_000])
    }
  }

  // H1
  // [EVT-14], [MEAL-9]
  @Test("a device that knows nothing of an edit blanks nothing: absent is not null")
  func staleKnowledge() throws {
    let devices = try Devices(2)
    try devices.write(
      MealChanged(title: .set("Soup"), note: .set("two plates"), tags: .set(["warm"])), on: 0)
    try devices.write(try grams(200), on: 0)
    devices.samples[1].now += 60_000
    let stale = try devices.write(MealChanged(mealType: .dinner), on: 1)
    let payload = try #require(stale.payload)
    #expect(try MealChanged(payload.span) == MealChanged(mealType: .dinner))
    try devices.write(ItemChanged(item: ItemID(1), note: .set("cold")), on: 1)
    try devices.exchange()
    for device in 0..<2 {
      let meal = try devices.shown(on: device)
      #expect(meal?.entry?.title == "Soup" && meal?.entry?.note == "two plates")
      #expect(meal?.entry?.tagsJSON == #"["warm"]"# && meal?.entry?.occasion.mealType == .dinner)
      #expect(amount(meal) == 200)
      #expect(meal?.logs.first?.note == "cold")
    }
    try devices.write(MealChanged(note: .clear), on: 1)
    try devices.exchange()
    for device in 0..<2 {
      let entry = try devices.shown(on: device)?.entry
      #expect(entry?.note == nil && entry?.title == "Soup" && entry?.tagsJSON != nil)
    }
    try devices.expectAgreement()
  }

  // H12
  // [RECV-1], [WIT-1]
  @Test("devices that have nothing to say make no events by meeting, however often they do")
  func exchangeEnds() throws {
    let devices = try Devices(3)
    for device in 0..<3 { try devices.write(try grams(Int64(100 + device)), on: device) }
    #expect(try devices.exchange() > 0)
    for _ in 0..<5 { #expect(try devices.exchange() == 0) }
    // The tips that an event of each names are no news that has to be named in turn.
    for device in 0..<3 { try devices.write(MealChanged(title: .set("\(device)")), on: device) }
    try devices.exchange()
    for _ in 0..<5 { #expect(try devices.exchange() == 0) }
    try devices.expectAgreement()
  }

  // MARK: Deletions

  // H3
  // [MEAL-5], [FORK-2]
  @Test("a deleted meal stays deleted beside later edits and stale copies, in any order")
  func deletedMeal() throws {
    let devices = try Devices(3)
    try devices.write(MealDeleted(items: .delete), on: 0)
    devices.samples[1].now += 60_000
    try devices.write(MealChanged(title: .set("still here")), on: 1)
    try devices.write(try grams(500), on: 1)
    try devices.write(
      ItemAdded(
        occasion: try devices.samples[1].occasion(), item: ItemID(9),
        line: try devices.samples[1].line("bread")), on: 1)
    devices.samples[2].now += 120_000
    try devices.write(MealDeleted(items: .keep), on: 2)
    let batches = [
      try devices.stores[0].ownBatch(0..<4), try devices.stores[0].ownBatch(4..<5),
      try devices.stores[1].ownBatch(0..<4), try devices.stores[2].ownBatch(0..<2),
    ]
    try devices.exchange()
    for device in 0..<3 { #expect(try devices.shown(on: device) == nil) }
    try devices.expectAgreement()
    // Again what it was made of, as a device that still holds it would send it.
    for store in devices.stores { _ = try store.receive([batches[0]]) }
    try devices.expectAgreement()
    for order in orders(of: batches) {
      let (sample, store) = try SampleStore.receiving(order + [batches[0], batches[2]])
      #expect(try sample.reader().meal(devices.meal) == nil)
      #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
      let reader = try sample.reader()
      #expect(try reader.meal(devices.meal) == nil)
      #expect(try reader.day(try #require(CivilDay("2026-05-02"))).meals == [])
      #expect(try reader.verify { _ in true }.problems == [])
    }
  }

  // H3
  // [MEAL-7], [FORK-2]
  @Test("a removed item stays away beside later edits and a second adding, in any order")
  func removedItem() throws {
    let devices = try Devices(2)
    try devices.write(ItemRemoved(item: ItemID(1)), on: 0)
    devices.samples[1].now += 60_000
    try devices.write(try grams(500), on: 1)
    try devices.write(
      ItemAdded(
        occasion: try devices.samples[1].occasion(), item: ItemID(1),
        line: try devices.samples[1].line("again")), on: 1)
    let batches = [
      try devices.stores[0].ownBatch(0..<4), try devices.stores[0].ownBatch(4..<5),
      try devices.stores[1].ownBatch(0..<2), try devices.stores[1].ownBatch(2..<3),
    ]
    try devices.exchange()
    for device in 0..<2 {
      #expect(try devices.shown(on: device)?.logs.map(\.item) == [ItemID(2), ItemID(3)])
    }
    try devices.expectAgreement()
    for order in orders(of: batches) {
      let (sample, store) = try SampleStore.receiving(order + batches)
      let meal = try sample.reader().meal(devices.meal)
      #expect(meal?.logs.map(\.item) == [ItemID(2), ItemID(3)])
      #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
      #expect(try sample.reader().meal(devices.meal) == meal)
    }
  }

  // MARK: Clocks

  // H9, H11
  // [HLC-2], [HLC-4], [HLC-5]
  @Test("a clock that was 370 days ahead loses nothing, and whoever edits later wins everywhere")
  func futureClock() throws {
    let devices = try Devices(3)
    let wrong = devices.samples[1]
    let now = wrong.now
    wrong.now = now + 370 * 86_400_000
    let future = try devices.write(MealChanged(title: .set("from the future")), on: 1)
    wrong.now = now
    try devices.reopen(1)
    // The third has not heard of it: what it wrote meanwhile is earlier for everyone.
    try devices.write(MealChanged(title: .set("unaware")), on: 2)
    try devices.exchange()
    for device in 0..<3 {
      #expect(try devices.shown(on: device)?.entry?.title == "from the future")
    }
    // Whoever has seen it wins, the device itself and others, after opening again too.
    for device in [0, 1, 2, 0] {
      try devices.reopen(device)
      let event = try devices.write(MealChanged(title: .set("by \(device)")), on: device)
      #expect(event.header.hlc > future.header.hlc)
      #expect(event.header.recordedAt.milliseconds == devices.samples[device].now)
      try devices.exchange()
      for other in 0..<3 {
        #expect(try devices.shown(on: other)?.entry?.title == "by \(device)")
      }
    }
    // Where a meal stands in the diary is not the clock's business.
    let day = try #require(CivilDay("2026-05-02"))
    for sample in devices.samples { #expect(try sample.reader().day(day).meals.count == 1) }
    #expect(future.header.recordedAt.milliseconds == now + 370 * 86_400_000 + 1000)
    try devices.expectAgreement()
    // And whoever asks is told.
    for sample in devices.samples {
      let state = Store.State(folder: sample.state, machine: sample.machine, elapsed: { 0 })
      let found = try sample.reader().examine(state: state, container: nil, now: sample.now)
      #expect(
        found.contains {
          if case .clockAhead(let ahead) = $0 {
            ahead / 86_400_000 == 369 || ahead / 86_400_000 == 370
          } else {
            false
          }
        })
    }
  }

  // H9, H11
  // [RECV-1], [BATCH-4], [HLC-4]
  @Test("a batch of ten events, one of them damaged, leaves no trace, nor in the clock")
  func damagedEvent() throws {
    let sender = SampleStore()
    let source = try sender.create(seedText: "sender")
    sender.now += 370 * 86_400_000
    _ = try sender.append(try sender.meal(sender.stream(1), items: 9), to: source)
    let good = try source.ownBatch(0..<10)
    var events = good.events
    let seventh = try #require(try Self.payload(6, of: good))
    events[seventh.upperBound - 1] ^= 1
    let edge = good.edge.edge
    let otherRoot = Edge(
      author: edge.author, first: edge.first, count: edge.count, rootBefore: edge.rootBefore,
      rootAfter: BLAKE2b.hash256([1]), leavesRoot: edge.leavesRoot)
    let secret = BLAKE2b.hash256(Array("sender".utf8))
    guard let key = AuthorSecretKey(seed: secret.bytes.span) else { throw CancellationError() }
    let bad = [
      Batch(publicKey: good.publicKey, edge: good.edge, salts: good.salts, events: events),
      Batch(
        publicKey: good.publicKey, edge: key.sign(otherRoot), salts: good.salts,
        events: good.events),
    ]
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    let before = try sample.contents()
    for batch in bad {
      guard case .refused = try store.receive([batch])[0].outcome else {
        Issue.record("a damaged batch was taken")
        continue
      }
      #expect(try sample.contents() == before)
    }
    let own = try sample.append(try sample.meal(sample.stream(2)), to: store)
    #expect(own.map(\.id.seq) == [4, 5, 6, 7])
    #expect(own[0].header.hlc == HLC(milliseconds: sample.now))
    #expect(try sample.reader().others() == [])
    #expect(try store.receive([good])[0].addedCount == 10)
    let later = try sample.append(try sample.meal(sample.stream(3)), to: store)
    #expect(later[0].header.hlc > HLC(milliseconds: sender.now))
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  /// Where the payload of an event lies in the batch's bytes.
  private static func payload(_ index: Int, of batch: Batch) throws -> Range<Int>? {
    var reader = try EventSequenceReader(count: Int(batch.edge.edge.count))
    for _ in 0..<index { _ = try reader.next(in: batch.events.span) }
    guard case .payload(let place) = try reader.next(in: batch.events.span)?.body else {
      return nil
    }
    return place
  }

  // H9
  // [BATCH-4]
  @Test("of ten batches with a broken seventh all others are kept, and the clock is theirs")
  func brokenBatch() throws {
    let sender = SampleStore()
    let source = try sender.create(seedText: "writer")
    for number in 0..<10 as Range<UInt64> {
      _ = try sender.append(try sender.meal(sender.stream(number)), to: source)
    }
    var batches = try (0..<10 as Range<UInt64>).map { try source.ownBatch(($0 * 4)..<($0 * 4 + 4)) }
    let good = batches[6]
    batches[6] = Batch(
      publicKey: good.publicKey, edge: good.edge, salts: good.salts,
      events: Array(good.events.reversed()))
    let sample = SampleStore()
    let store = try sample.create()
    let results = try store.receive(batches)
    #expect(results.map(\.addedCount) == [4, 4, 4, 4, 4, 4, 0, 4, 4, 4])
    #expect(try sample.reader().verify { _ in true }.problems == [])
    _ = try store.receive([good])
    #expect(try sample.reader().verify { _ in true }.eventCount == 40)
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
  }
}
