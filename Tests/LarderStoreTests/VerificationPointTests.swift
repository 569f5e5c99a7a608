import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

// [VERIFY-7]
@Suite("Verifications that are stopped")
struct VerificationPointTests {
  /// A signed store with three packed blocks, a tail and more streams than are compared at once.
  private func store() throws -> (SampleStore, Store) {
    let sample = SampleStore()
    let store = try sample.create()
    let meals = try (0..<800 as Range<UInt64>).map {
      try sample.meal(sample.stream($0), items: 1)
    }
    _ = try store.append(operations: meals, now: sample.now, seed: sample.seed)
    try store.signFullBlocks()
    return (sample, store)
  }

  /// What verifying says when it is stopped at the call `number`, and gone on with from its bytes;
  /// nil if there are not so many calls.
  private func stopped(
    at number: Int, _ sample: SampleStore
  ) throws -> (point: VerificationPoint?, report: VerificationReport)? {
    var point: VerificationPoint?
    var calls = 0
    let reader = try sample.reader()
    do throws(StoreError) {
      _ = try reader.verify(
        keeping: { point = $0 },
        progress: { _ in
          calls += 1
          return calls < number
        })
      return nil
    } catch {
      #expect(error.code == .interrupted)
    }
    let read = point.flatMap { VerificationPoint($0.bytes.span) }
    #expect(read == point)
    return (point, try reader.verify(from: read) { _ in true })
  }

  /// Stops at every call; each time the end must be as without a stop.
  private func check(_ sample: SampleStore) throws -> (stops: Int, whole: VerificationReport) {
    let whole = try sample.reader().verify { _ in true }
    var number = 1
    while let (point, report) = try stopped(at: number, sample) {
      var expected = whole
      expected.isContinued = point != nil
      #expect(report == expected, "stopped at call \(number)")
      number += 1
    }
    return (number - 1, whole)
  }

  @Test("whenever it is stopped, going on finds what one run finds")
  func goingOn() throws {
    let (sample, _) = try store()
    let (stops, whole) = try check(sample)
    #expect(stops == 3 + 1 + 1 && whole.problems == [])
    #expect(whole.eventCount == 1600 && whole.foldedCount == 1600 && whole.edgeCount == 3)
  }

  @Test(
    "damage before and behind the stop is found once",
    arguments: [
      "DELETE FROM _blocks WHERE block = 1",
      "UPDATE _blocks SET data = zeroblob(9) WHERE block IN (0, 2)",
      "UPDATE _blocks SET marks = zeroblob(2048) WHERE block = 2",
      "UPDATE _edges SET rootAfter = zeroblob(32) WHERE first IN (0, 1024)",
      "UPDATE _edges SET count = 0 WHERE first = 512",
      "UPDATE _edges SET first = -7 WHERE first = 512",
      "UPDATE _seeds SET seed = zeroblob(32) WHERE block IN (1, 3)",
      "UPDATE _blocks SET first = -1 WHERE block = 2",
      "UPDATE _chains SET root = zeroblob(32)",
      "UPDATE _chains SET frontier = x''",
      "DELETE FROM _tail WHERE seq = 1580",
      "DELETE FROM _streams WHERE block = 1",
      "UPDATE NutritionLogs SET name = 'other'",
      "DELETE FROM MealEntries WHERE id LIKE '%7'",
    ])
  func damage(_ damage: String) throws {
    let (sample, store) = try store()
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.execute(SQL(trusted: damage))
      }
    }
    let (stops, whole) = try check(sample)
    #expect(stops > 0 && !whole.problems.isEmpty)
    let log = try sample.reader().verifyLog().map { "\($0.code): \($0.subject)" }
    #expect(try SecondReader.findings(in: sample.paths.folder).sorted() == log.sorted())
  }

  @Test("a history that branches can be stopped anywhere too")
  func branches() throws {
    let sample = SampleStore()
    let store = try sample.create(seedText: "branching")
    let first = try (0..<300 as Range<UInt64>).map { try sample.meal(sample.stream($0)) }
    _ = try store.append(operations: first, now: sample.now, seed: sample.seed)
    let copy = try sample.copy()
    copy.isRecorded = false
    let more = try (300..<600 as Range<UInt64>).map { try sample.meal(sample.stream($0)) }
    _ = try store.append(operations: more, now: sample.now, seed: sample.seed)
    let copied = try copy.open()
    copy.now += 5000
    let others = try (600..<900 as Range<UInt64>).map { try copy.meal(copy.stream($0)) }
    _ = try copied.append(operations: others, now: copy.now, seed: copy.seed)
    let target = SampleStore()
    let receiver = try target.create()
    let batches = try store.ownBatches(from: 0) + copied.ownBatches(from: 0)
    #expect(try receiver.receive(batches).contains { $0.outcome == .forked })
    let (stops, whole) = try check(target)
    #expect(stops > 4 && whole.problems == [] && whole.chainCount > 2)
  }

  @Test("nothing is trusted of a store that has changed, or lies elsewhere")
  func changes() throws {
    let (sample, store) = try store()
    var points: [VerificationPoint] = []
    _ = try sample.reader().verify(keeping: { points.append($0) }, progress: { _ in true })
    let point = try #require(points.last)
    #expect(try sample.reader().verify(from: point) { _ in true }.isContinued)
    #expect(try !sample.copy().reader().verify(from: point) { _ in true }.isContinued)
    _ = try sample.append(try sample.meal(sample.stream(7000)), to: store)
    let report = try sample.reader().verify(from: point) { _ in true }
    #expect(!report.isContinued && report.eventCount == 1604)
  }

  @Test("any change of a bit of what is remembered makes it nothing")
  func bits() throws {
    let (sample, _) = try store()
    var points: [VerificationPoint] = []
    _ = try sample.reader().verify(keeping: { points.append($0) }, progress: { _ in true })
    for point in [points.first, points.last] {
      let bytes = try #require(point).bytes
      for bit in 0..<(bytes.count * 8) {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect(VerificationPoint(changed.span) == nil)
      }
      for count in 0..<bytes.count {
        let cut = Array(bytes.prefix(count))
        #expect(VerificationPoint(cut.span) == nil)
      }
    }
  }

  @Test("it is remembered in a file only its owner can read, and forgotten")
  func file() throws {
    let (sample, _) = try store()
    let author = try sample.reader().device().author
    let file = VerificationFile(stateFolder: sample.state, author: author)
    #expect(file.read() == nil)
    var point: VerificationPoint?
    _ = try sample.reader().verify(keeping: { point = $0 }, progress: { _ in true })
    try file.write(try #require(point))
    #expect(file.read() == point)
    try file.remove()
    #expect(file.read() == nil)
  }
}
