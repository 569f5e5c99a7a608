import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

/// Inputs that broke other systems, on whole stores. The letter and number beside a test are those
/// of the report it answers.
@Suite("What broke in other systems: half writes, doubles and unknown events")
struct FieldReportReplayTests {
  /// A write of the store's that a test makes fail.
  struct Fault: CustomTestStringConvertible {
    let verb: SQL
    let table: SQL.Identifier

    init(_ verb: SQL, _ table: SQL.Identifier) {
      self.verb = verb
      self.table = table
    }

    var testDescription: String { "\(verb.text) \(table.name)" }
  }

  /// Runs `body` while the fault stands in the way of this connection alone.
  private func failing(_ fault: Fault, _ store: Store, _ body: () throws -> Void) throws {
    try store.connection.execute(
      """
      CREATE TEMP TRIGGER fault BEFORE \(fault.verb) ON main.\(fault.table)
      BEGIN SELECT RAISE(ABORT, 'fault'); END
      """)
    #expect(throws: StoreError.self, "\(fault.testDescription) was not tried", performing: body)
    try store.connection.execute("DROP TRIGGER temp.fault")
  }

  // H5, H6
  // [RECV-1]
  @Test("a receive that fails at any of its writes leaves neither events nor rows")
  func failedReceive() throws {
    let devices = try Devices(2)
    let (sample, store) = (devices.samples[0], devices.stores[0])
    try devices.write(MealChanged(title: .set("theirs")), on: 1)
    try devices.write(ItemRemoved(item: ItemID(1)), on: 1)
    try devices.write(MealTagged(), on: 1)
    let other = devices.samples[1]
    let meals = try (10..<150).map { try other.meal(other.stream($0)) }
    _ = try devices.stores[1].append(operations: meals, now: other.now, seed: other.seed)
    let batches = try devices.stores[1].ownBatches(from: 0)
    #expect(batches.count == 2)
    let before = try sample.contents()
    let faults = [
      Fault("INSERT", "_authors"), Fault("INSERT", "_chains"), Fault("INSERT", "_seeds"),
      Fault("INSERT", "_blocks"), Fault("INSERT", "_streams"), Fault("UPDATE", "_chains"),
      Fault("INSERT", "_edges"), Fault("INSERT", "_tail"), Fault("UPDATE", "MealEntries"),
      Fault("UPDATE", "NutritionLogs"), Fault("DELETE", "NutritionLogs"),
      Fault("UPDATE", "_folded_meals"), Fault("INSERT", "_unfolded"),
      Fault("INSERT", "MealEntries"), Fault("INSERT", "NutritionLogs"),
      Fault("INSERT", "_folded_meals"), Fault("UPDATE", "_projections"), Fault("UPDATE", "_device"),
    ]
    for fault in faults {
      try failing(fault, store) { _ = try store.receive(batches) }
      #expect(try sample.contents() == before, "\(fault.testDescription)")
    }
    // What this device writes in between is as if nothing had come.
    let own = try devices.write(MealChanged(note: .set("mine")), on: 0)
    #expect(own.id.seq == 4 && own.header.hlc == HLC(milliseconds: sample.now))
    #expect(try store.receive(batches).map(\.addedCount) == [512, 52])
    try devices.exchange()
    #expect(try devices.shown(on: 0)?.entry?.title == "theirs")
    try devices.expectAgreement()
  }

  // H6
  // [STORE-5], [TABLE-4]
  @Test("an append that fails at any of its writes is neither in the store nor in its writer")
  func failedAppend() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let meals = try (0..<127).map { try sample.meal(sample.stream($0)) }
    _ = try store.append(operations: meals, now: sample.now, seed: sample.seed)
    let stream = sample.stream(0)
    sample.now += 1000
    // Fills the block and begins the next one, adds a meal, changes one and tags it.
    let operations = [
      try sample.meal(sample.stream(500)),
      [
        try NewEvent(MealChanged(title: .set("new")), in: stream),
        try NewEvent(ItemRemoved(item: ItemID(1)), in: stream),
        try NewEvent(MealTagged(), in: stream),
      ],
    ]
    let before = try sample.contents()
    let faults = [
      Fault("DELETE", "_tail"), Fault("INSERT", "_blocks"), Fault("INSERT", "_streams"),
      Fault("INSERT", "_seeds"), Fault("INSERT", "_tail"), Fault("INSERT", "MealEntries"),
      Fault("INSERT", "NutritionLogs"), Fault("INSERT", "_folded_meals"),
      Fault("UPDATE", "MealEntries"), Fault("UPDATE", "NutritionLogs"),
      Fault("DELETE", "NutritionLogs"), Fault("UPDATE", "_folded_meals"),
      Fault("INSERT", "_unfolded"), Fault("UPDATE", "_projections"), Fault("UPDATE", "_chains"),
      Fault("UPDATE", "_device"),
    ]
    for fault in faults {
      try failing(fault, store) {
        _ = try store.append(operations: operations, now: sample.now, seed: sample.seed)
      }
      #expect(try sample.contents() == before, "\(fault.testDescription)")
    }
    let events = try store.append(operations: operations, now: sample.now, seed: sample.seed)
    #expect(events.map(\.id.seq) == Array(508..<515))
    #expect(events[0].header.hlc == HLC(milliseconds: sample.now))
    let reader = try sample.reader()
    #expect(try reader.meal(stream)?.entry?.title == "new")
    #expect(try reader.meal(stream)?.logs.count == 2)
    #expect(try reader.verify { _ in true }.problems == [])
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
    // The record outside of the store was not ahead of it at any time.
    let opened = try sample.open()
    _ = try sample.append(try sample.meal(sample.stream(501)), to: opened)
    #expect(opened.notices == [] && store.notices == [])
    #expect(try sample.reader().incarnations().count == 1)
  }

  // H6
  // [STORE-5]
  @Test("an append whose last event no reader would accept leaves no trace in the writer")
  func refusedAppend() throws {
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    let before = try sample.contents()
    let tooLong = MealCaptured(
      occasion: try sample.occasion(), source: .manual, title: String(repeating: "x", count: 2000))
    #expect(throws: StoreError.self) {
      try sample.append(
        try sample.meal(sample.stream(3)) + [try NewEvent(tooLong, in: sample.stream(2))],
        to: store)
    }
    #expect(try sample.contents() == before)
    let events = try sample.append(try sample.meal(sample.stream(4)), to: store)
    #expect(events.map(\.id.seq) == [4, 5, 6, 7])
    #expect(events[0].header.hlc == HLC(milliseconds: sample.now))
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // H5
  // [RECV-1], [MEAL-1]
  @Test("what arrives twice, at once or later, or in runs that overlap, counts once")
  func appliedOnce() throws {
    let sender = SampleStore()
    let source = try sender.create(seedText: "sender")
    for number in 1...5 as ClosedRange<UInt64> {
      _ = try sender.append(try sender.meal(sender.stream(number)), to: source)
    }
    let stream = sender.stream(1)
    let change = ItemChanged(item: ItemID(1), quantity: try Quantity(150_000, .milligram))
    _ = try sender.append([try NewEvent(change, in: stream)], to: source)
    let day = try #require(CivilDay("2026-05-02"))
    let expected = try sender.reader().day(day)
    let runs: [[Range<UInt64>]] = [
      [0..<21, 0..<21], [0..<8, 4..<12, 0..<21], [4..<21, 0..<8], [6..<14, 0..<9, 12..<21, 0..<21],
      [20..<21, 0..<12, 3..<21],
    ]
    for run in runs {
      let batches = try run.map { try source.ownBatch($0) }
      for isAtOnce in [true, false] {
        let sample = SampleStore()
        let store = try sample.create()
        var added = 0
        if isAtOnce {
          added = try store.receive(batches).reduce(0) { $0 + $1.addedCount }
        } else {
          for batch in batches { added += try store.receive([batch])[0].addedCount }
        }
        #expect(added == 21, "\(run)")
        let before = try sample.contents()
        #expect(try store.receive(batches).allSatisfy { $0.outcome == .known }, "\(run)")
        #expect(try sample.contents() == before, "\(run)")
        let reader = try sample.reader()
        #expect(try reader.day(day) == expected, "\(run)")
        #expect(try reader.verify { _ in true }.eventCount == 21, "\(run)")
        #expect(try store.rebuild { _ in true }.changedStreamCount == 0, "\(run)")
      }
    }
  }

  // MARK: Unknown events

  // H12
  // [EVT-18], [TABLE-7], [MEAL-17]
  @Test("unknown kinds and newer versions are kept as they came, and stop nothing after them")
  func unknownEvents() throws {
    let devices = try Devices(2)
    let tagged = try devices.write(MealTagged(), on: 1)
    try devices.write(MealChanged(title: .set("first")), on: 1)
    let newer = try devices.write(NewerMealChanged(), on: 1)
    try devices.write(ItemRemoved(item: ItemID(3)), on: 1)
    try devices.write(MealChanged(title: .set("last")), on: 1)
    for _ in 0..<3 { try devices.exchange() }
    let reader = try devices.samples[0].reader()
    let meal = try devices.shown(on: 0)
    #expect(meal?.entry?.title == "last" && meal?.logs.count == 2)
    let listed = try devices.stores[0].connection.prepare(
      "SELECT kind, version, reason FROM _unfolded ORDER BY seq"
    ).map { "\($0.text(0)) \($0.int(1)) \($0.text(2))" }
    #expect(listed == ["MealTagged 1 unknownKind", "MealChanged 2 newerVersion"])
    // As they were written, in the listing of everything and in that of the meal.
    var everything: [EventID: Event] = [:]
    _ = try reader.events(after: LogPosition()) {
      everything[$0.id] = $0; return true
    }
    for event in [tagged, newer] {
      #expect(everything[event.id]?.header == event.header)
      #expect(everything[event.id]?.payload == event.payload)
      #expect(try reader.events(of: devices.meal).contains { $0.id == event.id })
    }
    // Whoever is given what is here has their bytes, with their author's word for them.
    let batch = try devices.stores[1].ownBatches(from: 0)[0]
    let chain = try #require(
      try ChainWalk(devices.stores[0].connection).chains(of: tagged.id.author).first)
    let kept = try devices.stores[0].statements.edges.edges(of: chain)
    #expect(kept == [batch.edge])
    // The meal can be written to, on both.
    try devices.write(MealChanged(title: .set("mine")), on: 0)
    try devices.write(MealTagged(), on: 0)
    try devices.exchange()
    for device in 0..<2 {
      #expect(try devices.shown(on: device)?.entry?.title == "mine")
      #expect(
        try devices.samples[device].reader().verify { _ in true }.unfoldedCount == 3)
    }
    try devices.expectAgreement()
  }

  // H12
  // [TABLE-7], [MEAL-17], [RECV-1]
  @Test("a critical unknown event closes its own meal to local writes, and no other, and no sync")
  func criticalEvent() throws {
    let devices = try Devices(2)
    let new = try NewEvent(MealTagged(), in: devices.meal, isCritical: true)
    _ = try devices.samples[1].append([new], to: devices.stores[1])
    try devices.exchange()
    let closed = #expect(throws: StoreError.self) {
      try devices.write(MealChanged(title: .set("mine")), on: 0)
    }
    #expect(closed?.code == .closedStream)
    let other = devices.samples[0].stream(7)
    _ = try devices.samples[0].append(
      try devices.samples[0].meal(other), to: devices.stores[0])
    #expect(try devices.exchange() == 5)
    for sample in devices.samples { #expect(try sample.reader().meal(other)?.logs.count == 3) }
    try devices.expectAgreement()
  }
}

/// A version of a known kind that only a newer build has, with a field it does not have today.
private struct NewerMealChanged: EventPayload {
  static let kind = EventKind.mealChanged
  static let version: UInt16 = 2

  init() {}

  func write(to writer: inout PayloadWriter) { writer.field(200, text: "new") }

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    while try reader.nextField(in: bytes) != nil { _ = try reader.text(in: bytes) }
  }
}
