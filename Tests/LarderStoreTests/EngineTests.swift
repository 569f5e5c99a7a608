import Foundation
import LarderHash
import LarderKernel
import LarderSQL
import Synchronization
import Testing

@testable import LarderStore

@Suite("Projections of an app's own")
struct EngineTests {
  private let day = "2026-05-02"

  private func water(_ millilitres: UInt64, _ day: String? = nil) throws -> WaterDrunk {
    WaterDrunk(try #require(CivilDay(day ?? self.day)), millilitres: millilitres)
  }

  private func rows(_ store: Store, _ sql: SQL) throws -> [String] {
    let select = try store.connection.prepare(sql)
    return try select.map { $0.text(0) }
  }

  private let sums: SQL = """
    SELECT day || ' ' || drinks || ' ' || ifnull(millilitres, '-') || ' ' || ifnull(largest, '-')
    FROM water_PerDay ORDER BY day
    """

  private func expectSound(_ sample: SampleStore, _ store: Store) throws {
    #expect(try sample.reader().verify { _ in true }.problems == [])
    let report = try store.rebuild { _ in true }
    #expect(report.changedStreamCount == 0)
    for projection in report.projections {
      #expect(projection.digestBefore == projection.digestAfter)
    }
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [PROJ-1], [PROJ-3], [SUM-1]
  @Test("rows and sums follow the events, one by one and together")
  func followsEvents() throws {
    let sample = SampleStore()
    sample.schema = .water
    let store = try sample.create()
    for (number, amount) in [200, 300, 300, 50].enumerated() {
      let event = try NewEvent(try water(UInt64(amount)), in: sample.stream(UInt64(number)))
      _ = try sample.append([event], to: store)
    }
    #expect(try rows(store, sums) == ["2026-05-02 4 850 300"])
    try expectSound(sample, store)
    // The largest one shrinks, one goes to another day, one becomes unknown.
    let streams = try rows(store, "SELECT id FROM water_Log ORDER BY millilitres, id").compactMap {
      StreamID(hex: $0)
    }
    _ = try sample.append([try NewEvent(try water(10), in: streams[2])], to: store)
    _ = try sample.append([try NewEvent(try water(300, "2026-05-03"), in: streams[3])], to: store)
    _ = try sample.append([try NewEvent(try water(0), in: streams[0])], to: store)
    #expect(try rows(store, sums) == ["2026-05-02 3 210 200", "2026-05-03 1 300 300"])
    _ = try sample.append([try NewEvent(try water(0, "2026-05-03"), in: streams[3])], to: store)
    #expect(try rows(store, sums) == ["2026-05-02 3 210 200", "2026-05-03 1 - -"])
    _ = try sample.append([try NewEvent(try water(7), in: streams[3])], to: store)
    #expect(try rows(store, sums) == ["2026-05-02 4 217 200"])
    try expectSound(sample, store)
  }

  // [PROJ-2], D12
  @Test("one event is in two projections, and counts once in each")
  func twoProjections() throws {
    let sample = SampleStore()
    sample.schema = .water
    let store = try sample.create()
    let stream = sample.stream(1)
    var line = try sample.line("cola")
    line.quantity = try Quantity(330_000, .microlitre)
    line.snapshot = try NutrientSnapshot(
      basis: .per100Millilitres, serving: nil, nutrients: try NutrientAmounts([.energy: 42_000]))
    var events = try sample.meal(stream, items: 0)
    for number in [9, 2, 5] as [UInt64] {
      events.append(
        try NewEvent(
          ItemAdded(occasion: try sample.occasion(), item: ItemID(number), line: line), in: stream))
    }
    _ = try sample.append(events, to: store)
    let civil = try #require(CivilDay(day))
    let totals = try sample.reader().day(civil).totals
    #expect(totals[.energy] ?? 0 == 415_800)
    #expect(try rows(store, sums) == ["2026-05-02 3 990 330"])
    try expectSound(sample, store)
    // Their rows are in the order of their items, whatever the fold's.
    #expect(
      try rows(store, "SELECT substr(id, -1) FROM water_Log ORDER BY id") == ["2", "5", "9"])
  }

  // [PROJ-4]
  @Test("a fold that gives up leaves its stream without rows, and nothing else")
  func failingFold() throws {
    let sample = SampleStore()
    sample.schema = .water
    let store = try sample.create()
    let bad = sample.stream(1)
    _ = try sample.append([try NewEvent(try water(250), in: bad)], to: store)
    _ = try sample.append([try NewEvent(try water(666), in: bad)], to: store)
    _ = try sample.append([try NewEvent(try water(100), in: sample.stream(2))], to: store)
    #expect(try rows(store, sums) == ["2026-05-02 1 100 100"])
    let failures = try rows(
      store, "SELECT failure FROM _folded_water_log WHERE failure IS NOT NULL")
    #expect(failures.count == 1 && failures[0].contains("666"))
    try expectSound(sample, store)
  }

  // [PROJ-5]
  @Test(
    "a build without the projection keeps its tables, notes what changes, and it is folded later")
  func anotherBuild() throws {
    let sample = SampleStore()
    sample.schema = .water
    let stream = sample.stream(1)
    do {
      let store = try sample.create()
      _ = try sample.append([try NewEvent(try water(250), in: stream)], to: store)
    }
    for schema in [Schema.standard, .waterKind] {
      sample.schema = schema
      let store = try sample.open()
      _ = try sample.append([try NewEvent(try water(100), in: sample.stream(2))], to: store)
      _ = try sample.append(try sample.meal(sample.stream(3)), to: store)
      #expect(try rows(store, sums) == ["2026-05-02 1 250 250"])
      #expect(try sample.reader().verify { _ in true }.problems == [])
      _ = try store.rebuild { _ in true }
      #expect(try rows(store, sums) == ["2026-05-02 1 250 250"])
    }
    sample.schema = .water
    let store = try sample.open()
    _ = try sample.append([try NewEvent(try water(1), in: sample.stream(4))], to: store)
    #expect(try rows(store, sums) == ["2026-05-02 4 451 250"])
    #expect(try rows(store, "SELECT name FROM _refolds").isEmpty)
    #expect(try rows(store, "SELECT kind FROM _unfolded").isEmpty)
    try expectSound(sample, store)
  }

  // [PROJ-6]
  @Test("events no build could read are folded by the first that can")
  func laterKnown() throws {
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append([try NewEvent(try water(100), in: sample.stream(2))], to: store)
    #expect(try rows(store, "SELECT reason FROM _unfolded") == ["unknownKind"])
    sample.schema = .water
    let later = try sample.open()
    // Its tables are made before the first write.
    _ = try sample.append(try sample.meal(sample.stream(3)), to: later)
    #expect(try rows(later, sums) == ["2026-05-02 1 100 100"])
    #expect(try rows(later, "SELECT reason FROM _unfolded").isEmpty)
    try expectSound(sample, later)
  }

  // [PROJ-7]
  @Test("an older version is made again before the first write; a newer one is not written")
  func versions() throws {
    let sample = SampleStore()
    sample.schema = .water
    do {
      let store = try sample.create()
      for number in 0..<600 as Range<UInt64> {
        _ = try sample.append(
          [try NewEvent(try water(250 + number), in: sample.stream(number))], to: store)
      }
    }
    sample.schema = .water2
    #expect(try sample.reader().verify { _ in true }.others.map(\.name) == ["water/log"])
    do {
      var settings = sample.settings
      let calls = ProgressCalls()
      settings.progress = { calls.note($0) }
      let newer = try Store(at: sample.paths, settings: settings)
      _ = try sample.append(try sample.meal(sample.stream(1)), to: newer)
      #expect(calls.count > 1)
      #expect(try rows(newer, "SELECT sum(glasses) || '' FROM water_Log") == ["1050"])
      try expectSound(sample, newer)
    }
    sample.schema = .water
    let older = try sample.open()
    let refused = #expect(throws: StoreError.self) {
      try sample.append(try sample.meal(sample.stream(2)), to: older)
    }
    #expect(refused?.code == .unsupportedVersion)
    let civil = try #require(CivilDay(day))
    #expect(try sample.reader().day(civil).meals.count == 1)
    let notRebuilt = #expect(throws: StoreError.self) { try older.rebuild { _ in true } }
    #expect(notRebuilt?.code == .unsupportedVersion)
    #expect(try older.rebuild(["meals"]) { _ in true }.changedStreamCount == 0)
  }

  // [PROJ-7], [TABLE-8]
  @Test("tables of an older version are not made again out of a log that is damaged")
  func damagedLog() throws {
    let sample = SampleStore()
    sample.schema = .water
    do {
      let store = try sample.create()
      let meals = try (0..<300).map { try sample.meal(sample.stream($0)) }
      _ = try store.append(operations: meals, now: sample.now, seed: sample.seed)
      try store.connection.write { (_) throws(StoreError) in
        try StoreError.wrapping { () throws(SQLError) in
          try store.connection.execute("UPDATE _blocks SET data = zeroblob(99) WHERE block = 1")
        }
      }
    }
    sample.schema = .water2
    let newer = try sample.open()
    let before = try rows(newer, "SELECT count(*) || '' FROM NutritionLogs")
    let refused = #expect(throws: StoreError.self) {
      try sample.append(try sample.meal(sample.stream(999)), to: newer)
    }
    #expect(refused?.code == .corrupt)
    #expect(try rows(newer, "SELECT count(*) || '' FROM NutritionLogs") == before)
    #expect(before == ["900"])
  }

  // [PROJ-8]
  @Test("tables that were kept are taken back by the build that made them")
  func takingBack() throws {
    let sample = SampleStore()
    sample.schema = .water
    do {
      let store = try sample.create()
      _ = try sample.append([try NewEvent(try water(250), in: sample.stream(1))], to: store)
    }
    sample.schema = .water2
    do {
      let newer = try sample.open()
      _ = try newer.rebuild(["water/log"], isKept: true) { _ in true }
      _ = try sample.append([try NewEvent(try water(500), in: sample.stream(2))], to: newer)
      #expect(try rows(newer, "SELECT sum(glasses) || '' FROM water_Log") == ["3"])
      let refused = #expect(throws: StoreError.self) {
        try newer.takeBack("water/log", version: 1) { _ in true }
      }
      #expect(refused?.code == .unsupportedVersion)
    }
    sample.schema = .water
    let older = try sample.open()
    _ = try older.takeBack("water/log", version: nil) { _ in true }
    #expect(try rows(older, sums) == ["2026-05-02 2 750 500"])
    _ = try sample.append([try NewEvent(try water(1), in: sample.stream(3))], to: older)
    #expect(try rows(older, sums) == ["2026-05-02 3 751 500"])
    #expect(try sample.reader().verify { _ in true }.problems == [])
    // The newer tables are kept now, and can be dropped.
    let states = try sample.reader().projectionList().filter { $0.name == "water/log" }
    #expect(states.map(\.state) == ["live", "kept"])
    try older.dropProjection("water/log", version: 2)
    let nothing = #expect(throws: StoreError.self) {
      try older.dropProjection("water/log", version: nil)
    }
    #expect(nothing?.code == .notFound)
    #expect(
      try rows(older, "SELECT name FROM sqlite_schema WHERE name LIKE '\\_g%' ESCAPE '\\'").isEmpty)
    try expectSound(sample, older)
  }

  // [PROJ-9]
  @Test("a projection this build does not have can be dropped, and is made again by who has it")
  func droppingAnothers() throws {
    let sample = SampleStore()
    sample.schema = .water
    do {
      let store = try sample.create()
      _ = try sample.append([try NewEvent(try water(250), in: sample.stream(1))], to: store)
    }
    sample.schema = .standard
    do {
      let plain = try sample.open()
      try plain.dropProjection("water/log", version: nil)
      #expect(try rows(plain, "SELECT name FROM sqlite_schema WHERE name LIKE '%water%'").isEmpty)
      _ = try sample.append([try NewEvent(try water(50), in: sample.stream(2))], to: plain)
    }
    sample.schema = .water
    let store = try sample.open()
    _ = try sample.append([try NewEvent(try water(1), in: sample.stream(3))], to: store)
    #expect(try rows(store, sums) == ["2026-05-02 3 301 250"])
    try expectSound(sample, store)
  }

  // [TABLE-5]
  @Test("all tables can be dropped, and are made again with the same digests")
  func droppedTables() throws {
    let sample = SampleStore()
    sample.schema = .water
    let store = try sample.create()
    for number in 0..<20 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
      _ = try sample.append([try NewEvent(try water(number), in: sample.stream(number))], to: store)
    }
    let before = try sample.reader().verify { _ in true }.digests
    try store.connection.withoutForeignKeys { () throws(StoreError) in
      try store.connection.write { (_) throws(StoreError) in
        try StoreError.wrapping { () throws(SQLError) in
          for name in store.plans.flatMap(\.names).reversed() {
            try store.connection.execute("DROP TABLE \(ProjectionPlan.identifier(name, .live))")
          }
        }
      }
    }
    _ = try store.rebuild { _ in true }
    let after = try sample.reader().verify { _ in true }
    #expect(after.problems == [] && after.digests == before && before.count == 2)
    _ = try sample.append([try NewEvent(try water(5), in: sample.stream(99))], to: store)
    try expectSound(sample, store)
  }

  // [SUM-2]
  @Test("a sum somebody changed is found, and made right")
  func changedSum() throws {
    let sample = SampleStore()
    sample.schema = .water
    let store = try sample.create()
    _ = try sample.append([try NewEvent(try water(250), in: sample.stream(1))], to: store)
    for sql in [
      "UPDATE water_PerDay SET millilitres = 3", "DELETE FROM water_PerDay",
      "INSERT INTO water_PerDay VALUES (x'00', 'never', 1, 1, 1, 1)",
    ] as [SQL] {
      try store.connection.write { (_) throws(StoreError) in
        try StoreError.wrapping { () throws(SQLError) in try store.connection.execute(sql) }
      }
      let found = try sample.reader().verify { _ in true }.problems
      #expect(found.map(\.code) == ["summaryMismatch"])
      try store.mend(found.map(ExaminationFinding.Kind.integrity)) { _ in true }
      try expectSound(sample, store)
    }
  }

  // [PROJ-10]
  @Test("a rebuild that does not give what is expected changes nothing")
  func unexpectedDigest() throws {
    let sample = SampleStore()
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    let digest = try sample.reader().verify { _ in true }.digest
    let refused = #expect(throws: StoreError.self) {
      try store.rebuild(["meals"], expecting: .zero) { _ in true }
    }
    #expect(refused?.code == .unexpected)
    #expect(try sample.reader().projectionList().contains { $0.state == "building" })
    _ = try sample.append(try sample.meal(sample.stream(2)), to: store)
    _ = try store.rebuild(["meals"], expecting: digest &+ digestOf(sample, 2)) { _ in true }
    try expectSound(sample, store)
  }

  private func digestOf(_ sample: SampleStore, _ number: UInt64) throws -> Bytes16 {
    let reader = try sample.reader()
    let civil = try #require(CivilDay(day))
    let stream = try #require(try reader.day(civil).meals.last?.stream)
    return MealFold.rows(
      of: stream, events: try reader.events(of: stream), schema: .standard
    ).digest
  }
}

/// Counts calls from wherever they come.
private final class ProgressCalls: Sendable {
  private let calls = Mutex(0)
  var count: Int { calls.withLock { $0 } }
  func note(_ progress: WorkProgress) -> Bool {
    calls.withLock { $0 += 1 }
    return progress.done <= progress.total
  }
}
