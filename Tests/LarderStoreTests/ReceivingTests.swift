import LarderCrypto
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Receiving")
struct ReceivingTests {
  /// A store with `count` meals of four events, and its batches of at most 512.
  private func written(_ count: UInt64, from first: UInt64 = 0) throws -> (SampleStore, [Batch]) {
    let sample = SampleStore()
    let store = try sample.create(seedText: "author \(first)")
    for number in first..<(first + count) {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    return (sample, try store.ownBatches(from: 0))
  }

  /// The batch cut into runs of `count`, each with an edge of its own.
  private func pieces(_ sample: SampleStore, of count: Int) throws -> [Batch] {
    let store = try sample.open()
    let size = try store.statements.log.ownChain().chain.size
    var pieces: [Batch] = []
    var seq: UInt64 = 0
    while seq < size {
      let end = min(size, seq + UInt64(count), (seq / 512 + 1) * 512)
      pieces.append(try store.ownBatch(seq..<end))
      seq = end
    }
    return pieces
  }

  private func events(_ sample: SampleStore) throws -> [Event] {
    var events: [Event] = []
    let reader = try sample.reader()
    let walk = try ChainWalk(reader.connection)
    for chain in try walk.chains() {
      _ = try walk.forwards(chain, from: 0) {
        events.append($0)
        return true
      }
    }
    return events
  }

  private func check(_ sample: SampleStore, has other: SampleStore) throws {
    let report = try sample.reader().verify { _ in true }
    #expect(report.problems == [])
    #expect(try SecondReader.findings(in: sample.paths.folder) == [])
    let theirs = try events(other)
    let author = theirs[0].id.author
    let mine = try events(sample).filter { $0.id.author == author }
    let isSame = mine.map(\.id) == theirs.map(\.id)
    #expect(isSame && mine.count == theirs.count)
    let isEqual = mine.map(\.payload) == theirs.map(\.payload)
    #expect(isEqual)
    #expect(try sample.open().rebuild { _ in true }.changedStreamCount == 0)
  }

  // [RECV-1], [RECV-2]
  @Test("what another device wrote is stored, folded, and known the second time")
  func storing() throws {
    let (other, batches) = try written(300)
    #expect(batches.count == 3)
    let sample = SampleStore()
    let store = try sample.create()
    let results = try store.receive(batches)
    #expect(results.map(\.outcome) == [.stored, .stored, .stored])
    #expect(results.map(\.addedCount) == [512, 512, 176])
    try check(sample, has: other)
    #expect(try store.receive(batches).map(\.outcome) == [.known, .known, .known])
    let day = try #require(CivilDay("2026-05-02"))
    #expect(try sample.reader().day(day).logs.count == 900)
    #expect(try sample.reader().day(day).totals == other.reader().day(day).totals)
  }

  // [RECV-3]
  @Test("batches may arrive in any order, with gaps that close later", arguments: 0..<6)
  func anyOrder(seed: Int) throws {
    let (other, _) = try written(330)
    var batches = try pieces(other, of: 24)
    batches += try pieces(other, of: 64)
    var random = SplitMix(state: UInt64(seed))
    batches.shuffle(using: &random)
    let sample = SampleStore()
    let store = try sample.create()
    for batch in batches {
      let result = try store.receive([batch])
      #expect(result[0].outcome == .stored || result[0].outcome == .known)
    }
    try check(sample, has: other)
    let chains = try ChainWalk(store.connection).chains(of: batches[0].edge.edge.author)
    #expect(chains.count == 1 && chains[0].isAttached && chains[0].size == 1320)
    let blocks = try store.connection.prepare("SELECT count(*) FROM _blocks").first { $0.int(0) }
    #expect(blocks == 2)
  }

  // [RECV-3]
  @Test("events that arrive ahead of a gap are folded at once")
  func aheadOfGap() throws {
    let (other, _) = try written(100)
    let batches = try pieces(other, of: 100)
    let sample = SampleStore()
    let store = try sample.create()
    _ = try store.receive([batches[3]])
    #expect(try sample.reader().verify { _ in true }.problems == [])
    let day = try #require(CivilDay("2026-05-02"))
    #expect(try sample.reader().day(day).logs.count == 75)
    _ = try store.receive([batches[0], batches[2], batches[1]])
    try check(sample, has: other)
  }

  // [FORK-1], [FORK-2], [EVT-20]
  @Test("two histories of one author are both kept and folded, in any order")
  func forks() throws {
    let sample = SampleStore()
    let store = try sample.create(seedText: "forked")
    for number in 0..<140 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    let common = try store.ownBatches(from: 0)
    let copy = try sample.copy()
    copy.isRecorded = false
    for number in 200..<350 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number), items: 2), to: store)
    }
    let copied = try copy.open()
    copy.now += 5000
    for number in 400..<560 as Range<UInt64> {
      _ = try copy.append(try copy.meal(copy.stream(number), items: 2), to: copied)
    }
    let mine = try store.ownBatches(from: 0)
    let theirs = try copied.ownBatches(from: 0)
    let orders = [common + mine + theirs, theirs + mine + common, mine + theirs.reversed()]
    var digests: Set<Bytes16> = []
    for batches in orders {
      let target = SampleStore()
      let receiver = try target.create()
      let results = try receiver.receive(batches)
      #expect(results.contains { $0.outcome == .forked })
      let report = try target.reader().verify { _ in true }
      #expect(report.problems == [])
      #expect(try SecondReader.findings(in: target.paths.folder) == [])
      #expect(report.eventCount == 560 + 450 + 480)
      let day = try #require(CivilDay("2026-05-02"))
      #expect(try target.reader().day(day).logs.count == 140 * 3 + 150 * 2 + 160 * 2)
      digests.insert(report.digest)
      #expect(try receiver.receive(batches).allSatisfy { $0.outcome == .known })
      #expect(try receiver.rebuild { _ in true }.changedStreamCount == 0)
    }
    #expect(digests.count == 1)
  }

  // [BATCH-4]
  @Test("a batch that is not what its author signed is refused, and the others are kept")
  func refusing() throws {
    let (_, batches) = try written(300)
    let bad = Batch(
      publicKey: batches[1].publicKey, edge: batches[1].edge, salts: batches[1].salts,
      events: batches[1].events.dropLast() + [batches[1].events.last.map { $0 ^ 1 } ?? 0])
    let sample = SampleStore()
    let store = try sample.create()
    let results = try store.receive([batches[0], bad, batches[2]])
    #expect(results[0].outcome == .stored && results[2].outcome == .stored)
    guard case .refused = results[1].outcome else {
      Issue.record("the bad batch was \(results[1].outcome)")
      return
    }
    #expect(try sample.reader().verify { _ in true }.eventCount == 512 + 176)
    #expect(try store.receive([batches[1]])[0].outcome == .stored)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [WIT-1]
  @Test("the first event after receiving says what was seen, once, and comes after it")
  func witnessing() throws {
    let (other, batches) = try written(3)
    let sample = SampleStore()
    let store = try sample.create()
    sample.now = 1_000_000_000
    _ = try store.receive(batches)
    let events = try sample.append(try sample.meal(sample.stream(9)), to: store)
    #expect(events.map(\.id.seq) == [1, 2, 3, 4])
    let control = try sample.reader().events(of: .control)
    #expect(control.count == 1)
    let payload = try #require(control[0].payload)
    let witnessed = try HeadsWitnessed(payload.span)
    #expect(witnessed.tips.map(\.author) == [try other.reader().device().author])
    #expect(witnessed.tips.map(\.size) == [12])
    let last = try #require(try self.events(other).map(\.header.hlc).max())
    #expect(events.allSatisfy { $0.header.hlc > last })
    _ = try sample.append(try sample.meal(sample.stream(10)), to: store)
    #expect(try sample.reader().events(of: .control).count == 1)
  }

  // [EVT-18], [TABLE-7]
  @Test("an event of an unknown kind is stored and listed, and nothing stops")
  func unknownKinds() throws {
    let other = SampleStore()
    let source = try other.create(seedText: "other")
    let stream = other.stream(0)
    _ = try other.append(try other.meal(stream), to: source)
    _ = try other.append([try NewEvent(MealTagged(), in: stream)], to: source)
    let sample = SampleStore()
    let store = try sample.create()
    #expect(try store.receive(try source.ownBatches(from: 0))[0].outcome == .stored)
    let report = try sample.reader().verify { _ in true }
    #expect(report.problems == [] && report.unfoldedCount == 1)
    #expect(try sample.reader().meal(stream)?.logs.count == 3)
  }
}

/// A kind no build knows.
private struct MealTagged: EventPayload {
  static let kind = EventKind("MealTagged") ?? .mealCaptured

  init() {}

  func write(to writer: inout PayloadWriter) {}

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    while try reader.nextField(in: bytes) != nil { throw reader.unknownField() }
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
