import LarderCrypto
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Store")
struct StoreTests {
  // [STORE-1], [STORE-2]
  @Test("a new store is made once, and found again")
  func making() throws {
    let sample = SampleStore()
    let missing = #expect(throws: StoreError.self) { try sample.open() }
    #expect(missing?.code == .notFound)
    _ = try sample.create()
    let again = #expect(throws: StoreError.self) { try sample.create() }
    #expect(again?.code == .exists)
    let device = try sample.reader().device()
    #expect(device.name == "test" && device.author != AuthorID(.zero))
    let key = try DeviceKeyFile.read(sample.paths.deviceKey)
    #expect(AuthorID(key.publicKey.authorID) == device.author)
  }

  // [STORE-8], [TABLE-4]
  @Test("an operation's events are numbered, chained, folded and read back")
  func appending() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(1)
    let events = try sample.append(try sample.meal(stream), to: store)
    #expect(events.map(\.id.seq) == [0, 1, 2, 3])
    #expect(events.map { $0.header.flags.contains(.continued) } == [false, true, true, true])
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.header.hlc < $1.header.hlc })
    let reader = try sample.reader()
    let day = try reader.day(try #require(CivilDay("2026-05-02")))
    #expect(day.meals.count == 1 && day.logs.count == 3)
    #expect(day.totals[.energy] == Int64(360_000))
    #expect(try reader.events(of: stream).map(\.payload) == events.map(\.payload))
    #expect(try reader.verify { _ in true }.problems == [])
  }

  // [TABLE-2]
  @Test("keeping the items of a deleted meal leaves the totals as they were")
  func keepingItems() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(1)
    let day = try #require(CivilDay("2026-05-02"))
    _ = try sample.append(try sample.meal(stream), to: store)
    let reader = try sample.reader()
    let before = try reader.day(day).totals
    _ = try sample.append([try NewEvent(MealDeleted(items: .keep), in: stream)], to: store)
    let kept = try reader.day(day)
    #expect(kept.totals == before)
    #expect(kept.meals.count == 1 && kept.meals[0].entry == nil)
    #expect(kept.logs.allSatisfy { !$0.isGrouped })
    _ = try sample.append([try NewEvent(MealRestored(), in: stream)], to: store)
    #expect(try reader.day(day).meals[0].entry != nil)
    _ = try sample.append([try NewEvent(MealDeleted(items: .delete), in: stream)], to: store)
    #expect(try reader.day(day).meals == [])
    #expect(try reader.verify { _ in true }.problems == [])
  }

  // [TABLE-3], [TABLE-4]
  @Test("changed rows are changed in place, removed items leave, and live equals rebuilt")
  func rebuilding() throws {
    let sample = SampleStore()
    let store = try sample.create()
    for number in 1...20 as ClosedRange<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    let stream = sample.stream(99)
    _ = try sample.append(try sample.meal(stream), to: store)
    _ = try sample.append(
      [
        try NewEvent(
          ItemChanged(item: ItemID(2), quantity: try Quantity(60_000, .milligram)), in: stream),
        try NewEvent(ItemRemoved(item: ItemID(1)), in: stream),
      ], to: store)
    let reader = try sample.reader()
    let day = try #require(CivilDay("2026-05-02"))
    let before = try reader.day(day)
    #expect(before.logs.count == 62)
    var steps = 0
    let report = try store.rebuild { _ in
      steps += 1
      return true
    }
    #expect(steps > 0 && report.streamCount == 21 && report.changedStreamCount == 0)
    #expect(
      report["meals"].digestBefore == report["meals"].digestAfter
        && report["meals"].digestAfter != .zero)
    #expect(report.rowCount(of: "MealEntries") == 21 && report.rowCount(of: "NutritionLogs") == 62)
    #expect(try reader.day(day) == before)
    #expect(try reader.verify { _ in true }.problems == [])
    _ = try sample.append([try NewEvent(MealDeleted(items: .delete), in: stream)], to: store)
    #expect(try reader.day(day).logs.count == 60)
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
  }

  // [TABLE-8], [VERIFY-9]
  @Test("rows somebody edited are found by verify and mended by rebuild")
  func editedRows() throws {
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.execute("UPDATE NutritionLogs SET energyCal = energyCal + 1")
        try store.connection.execute("UPDATE _folded_meals SET digest = zeroblob(16)")
      }
    }
    let found = try sample.reader().verify { _ in true }.problems
    #expect(found.contains { $0.code == "rowMismatch" })
    #expect(found.contains { $0.code == "digestMismatch" })
    #expect(try store.rebuild { _ in true }.changedStreamCount == 1)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [TABLE-5]
  @Test("an interrupted rebuild changes nothing, and goes on where it stopped")
  func interruptedRebuild() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let operations = try (1...600).map { try sample.meal(sample.stream($0), items: 1) }
    _ = try store.append(operations: operations, now: sample.now, seed: sample.seed)
    let day = try #require(CivilDay("2026-05-02"))
    let stopped = #expect(throws: StoreError.self) { try store.rebuild { _ in false } }
    #expect(stopped?.code == .interrupted)
    #expect(try sample.reader().day(day).logs.count == 600)
    // A meal logged in between, and one changed that was folded already, are in the result.
    _ = try sample.append(try sample.meal(sample.stream(1000)), to: store)
    _ = try sample.append(
      [try NewEvent(MealDeleted(items: .delete), in: sample.stream(1))], to: store)
    var first: Int?
    _ = try store.rebuild { progress in
      if first == nil { first = progress.done }
      return true
    }
    #expect(first == 512)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [TABLE-8]
  @Test("a flipped bit in the log is found")
  func damage() throws {
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.execute(
          "UPDATE _tail SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 2")
      }
    }
    let found = try sample.reader().verify { _ in true }.problems
    #expect(found.contains { $0.code == "rootMismatch" })
  }

  // [STORE-5]
  @Test("a batch with one bad event is refused whole")
  func wholeOrNothing() throws {
    let sample = SampleStore()
    let store = try sample.create()
    var tooMany: [NewEvent] = []
    while tooMany.count <= Limits.operationEventCountMaximum {
      tooMany += try sample.meal(sample.stream(UInt64(tooMany.count)))
    }
    let error = #expect(throws: StoreError.self) { try sample.append(tooMany, to: store) }
    #expect(error?.code == .limitExceeded)
    let stream = sample.stream(1)
    let tooLong = MealCaptured(
      occasion: try sample.occasion(), source: .manual, title: String(repeating: "x", count: 2000))
    let refused = #expect(throws: StoreError.self) {
      try sample.append(
        try sample.meal(sample.stream(2)) + [try NewEvent(tooLong, in: stream)], to: store)
    }
    #expect(refused?.code == .invalidEvent && refused?.subject == stream.hex)
    let note = DayNoted(
      day: try #require(CivilDay("2026-05-02")), note: .set(String(repeating: "x", count: 9000)))
    #expect(throws: StoreError.self) { try NewEvent(note, in: stream) }
    let report = try sample.reader().verify { _ in true }
    #expect(report.problems == [] && report.eventCount == 0)
  }

  // [STORE-6]
  @Test("two writers in one process take turns, and both see one chain")
  func twoWriters() throws {
    let sample = SampleStore()
    let first = try sample.create()
    let second = try sample.open()
    for number in 0..<20 as Range<UInt64> {
      let store = number % 2 == 0 ? first : second
      let events = try sample.append(try sample.meal(sample.stream(number), items: 1), to: store)
      #expect(events.map(\.id.seq) == [2 * number, 2 * number + 1])
    }
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  @Test("a row nobody but us should have written is not written over")
  func foreignRow() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(1)
    let meal = try sample.meal(stream)
    _ = try sample.append(meal, to: store)
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.execute("DELETE FROM _folded_meals")
      }
    }
    let refused = #expect(throws: StoreError.self) { try sample.append(meal, to: store) }
    #expect(refused?.code == .corrupt)
    #expect(try sample.reader().events(of: stream).count == meal.count)
    _ = try store.rebuild { _ in true }
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }
}
