import CSQLite
import LarderHash
import LarderKernel
import Testing

@testable import LarderSQL
@testable import LarderStore

/// Inputs that broke other systems, on whole stores. The letter and number beside a test are those
/// of the report it answers.
@Suite("What broke in other systems: long histories")
struct FieldReportSizeTests {
  /// Work that SQLite has counted.
  private struct Work: Hashable, CustomStringConvertible {
    /// Runs of statements.
    var runs = 0
    /// Steps of the virtual machine: a row that is looked at costs some.
    var steps = 0
    /// Pages of the database that were asked for.
    var pages = 0
    /// Pages that were written.
    var writtenPages = 0

    var description: String { "\(runs) runs, \(steps) steps, \(pages) + \(writtenPages) pages" }
  }

  /// What `body` makes a connection do.
  private func work(of handle: ConnectionHandle, _ body: () throws -> Void) rethrows -> Work {
    _ = counted(handle)
    try body()
    return counted(handle)
  }

  /// What the connection has done since this was asked last, by statements it keeps.
  private func counted(_ handle: ConnectionHandle) -> Work {
    var work = Work()
    // The database is open, and a statement that is found is not finalised before the next one is
    // asked for.
    var statement = unsafe sqlite3_next_stmt(handle.database, nil)
    while let current = unsafe statement {
      work.runs += Int(unsafe sqlite3_stmt_status(current, SQLITE_STMTSTATUS_RUN, 1))
      work.steps += Int(unsafe sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 1))
      unsafe statement = unsafe sqlite3_next_stmt(handle.database, current)
    }
    func status(_ counter: Int32) -> Int {
      var (value, highest): (Int32, Int32) = (0, 0)
      _ = unsafe sqlite3_db_status(handle.database, counter, &value, &highest, 1)
      return Int(value)
    }
    work.pages = status(SQLITE_DBSTATUS_CACHE_HIT) + status(SQLITE_DBSTATUS_CACHE_MISS)
    work.writtenPages = status(SQLITE_DBSTATUS_CACHE_WRITE)
    return work
  }

  private func day(_ number: Int) throws -> CivilDay {
    let first = try #require(CivilDay("2016-01-01"))
    return try #require(CivilDay(daysSince1970: Int64(first.daysSince1970) + Int64(number)))
  }

  /// What a capture, an edit of the oldest meal and reading a day cost after `count` meals.
  private func work(afterMeals count: Int) throws -> [Work] {
    let sample = SampleStore()
    let oldest = sample.stream(0)
    let store = try sample.create()
    let meals = try (0..<count).map {
      try sample.meal(sample.stream(UInt64($0)), day: try day($0 / 3).description)
    }
    _ = try store.append(operations: meals, now: sample.now, seed: sample.seed)
    // What is read once for each process has been.
    _ = try sample.append(try sample.meal(sample.stream(1 << 20)), to: store)
    let capture = try sample.meal(sample.stream(1 << 21))
    let change = ItemChanged(item: ItemID(2), quantity: try Quantity(60_000, .milligram))
    let reader = try sample.reader()
    let days = [try day(1), try day(count / 6), try #require(CivilDay("2026-05-02"))]
    for day in days { _ = try reader.day(day) }
    var result = [
      try work(of: store.connection.handle) { _ = try sample.append(capture, to: store) },
      try work(of: store.connection.handle) {
        _ = try sample.append([try NewEvent(change, in: oldest)], to: store)
      },
    ]
    for day in days {
      result.append(try work(of: reader.connection.handle) { _ = try reader.day(day) })
    }
    #expect(try reader.verify { _ in true }.problems == [])
    return result
  }

  // M1, M2, M3
  // [TABLE-4]
  @Test("what an append, an edit or a day's reading costs does not grow with the history")
  func flatWork() throws {
    let short = try work(afterMeals: 150)
    let long = try work(afterMeals: 1500)
    for (few, many) in zip(short, long) {
      #expect(few.runs > 0 && few.steps > 0 && few.pages > 0)
      #expect(few.runs == many.runs && few.steps == many.steps, "\(few), \(many)")
      // The trees of ten times as many rows may be a level deeper.
      #expect(many.pages <= few.pages * 2, "\(few), \(many)")
      #expect(many.writtenPages <= few.writtenPages * 2, "\(few), \(many)")
    }
    #expect(short[0].writtenPages > 0 && short[1].writtenPages > 0)
  }

  // M4
  @Test("more than a thousand of anything are there whole for every reader")
  func noCap() throws {
    let sample = SampleStore()
    let store = try sample.create(seedText: "writer")
    let crowded = try #require(CivilDay("2026-05-02"))
    let apart = try (0..<1100).map {
      try sample.meal(sample.stream(UInt64($0)), items: 1, day: try day($0).description)
    }
    let together = try (2000..<3050).map { try sample.meal(sample.stream($0), items: 1) }
    _ = try store.append(operations: apart + together, now: sample.now, seed: sample.seed)
    // A meal with very many items, then edits of it.
    let large = sample.stream(9999)
    var operations = [try sample.meal(large, items: 0, day: try day(1100).description)]
    for first in stride(from: 0, to: 1200, by: 400) {
      operations.append(
        try (first..<(first + 400)).map {
          try NewEvent(
            ItemAdded(
              occasion: try sample.occasion(), item: ItemID(UInt64($0 + 1)),
              line: try sample.line("food")), in: large)
        })
    }
    operations += try (0..<1100).map {
      [try NewEvent(MealChanged(title: .set("\($0)")), in: large)]
    }
    _ = try store.append(operations: operations, now: sample.now, seed: sample.seed)
    let eventCount = 2 * (1100 + 1050) + 1 + 1200 + 1100

    let receiver = SampleStore()
    let received = try receiver.create().receive(try store.ownBatches(from: 0))
    #expect(received.reduce(0) { $0 + $1.addedCount } == eventCount)
    for sample in [sample, receiver] {
      let reader = try sample.reader()
      var listed: Set<EventID> = []
      _ = try reader.events(after: LogPosition()) { listed.insert($0.id).inserted }
      #expect(listed.count == eventCount)
      #expect(try reader.events(of: large).count == 1 + 1200 + 1100)
      let days = try reader.days(from: try day(0), to: try day(4000))
      #expect(days.count == 1102)
      #expect(days.reduce(0) { $0 + $1.meals.count } == 1100 + 1050 + 1)
      #expect(try reader.day(crowded).meals.count == 1050)
      let meal = try #require(try reader.meal(large))
      #expect(meal.logs.count == 1200 && meal.entry?.title == "1099")
      let rebuilt = try sample.open().rebuild { _ in true }
      #expect(rebuilt.changedStreamCount == 0)
      #expect(
        rebuilt.rowCount(of: "MealEntries") == 1100 + 1050 + 1
          && rebuilt.rowCount(of: "NutritionLogs") == 1100 + 1050 + 1200)
      #expect(try reader.verify { _ in true }.eventCount == eventCount)
    }
    // Behind more than a thousand events that are no captures.
    #expect(try sample.reader().lastCapture() == large)
    #expect(try receiver.reader().lastCapture() == nil)
  }
}
