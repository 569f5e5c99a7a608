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

  private func key(_ text: String) throws -> AuthorSecretKey {
    let seed = BLAKE2b.hash256(Array(text.utf8)).bytes
    guard let key = AuthorSecretKey(seed: seed.span) else { throw CancellationError() }
    return key
  }

  /// The batch with the payload of its event `index` erased, as its author's edge still covers it.
  private func erased(_ batch: Batch, at index: Int) throws -> Batch {
    guard case .seed(let seed) = batch.salts else { throw CancellationError() }
    var salts = BlockSalts(seed: seed)
    var reader = try EventSequenceReader(count: Int(batch.edge.edge.count))
    var explicit: [Bytes16?] = []
    var writer = CBORWriter()
    while let entry = try reader.next(in: batch.events.span) {
      let place = explicit.count
      let salt = salts.salt(at: Int(batch.edge.edge.first % 512) + place)
      let header = Array(batch.events[entry.header])
      let payload = try #require(entry.body.payload(in: batch.events))
      if place == index {
        let commitment = PayloadCommitment.of(salt: salt, payload: payload.span)
        writer.append(eventHeader: header.span, commitment: commitment)
      } else {
        writer.append(eventHeader: header.span, payload: payload.span)
      }
      explicit.append(place == index ? nil : salt)
    }
    return Batch(
      publicKey: batch.publicKey, edge: batch.edge, salts: .explicit(explicit),
      events: writer.bytes)
  }

  // [BATCH-1], [LEAF-1], [MEAL-19]
  @Test(
    "an erased event is stored by its commitment, in a tail and in a block", arguments: [1, 140])
  func erasedEvents(mealCount: UInt64) throws {
    let (other, batches) = try written(mealCount)
    let sample = SampleStore()
    let store = try sample.create()
    let results = try store.receive([try erased(batches[0], at: 2)] + batches.dropFirst())
    #expect(results.allSatisfy { $0.outcome == .stored })
    let reader = try sample.reader()
    #expect(try reader.verify { _ in true }.problems == [])
    #expect(try SecondReader.findings(in: sample.paths.folder) == [])
    let stream = try #require(try events(other).first?.header.stream)
    #expect(try reader.events(of: stream).map { $0.payload == nil } == [false, false, true, false])
    #expect(try reader.meal(stream)?.logs.count == 2)
    // The whole batch is the same events: what is here stays erased.
    #expect(try store.receive([batches[0]])[0].outcome == .known)
    #expect(try reader.meal(stream)?.logs.count == 2)
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
  }

  // [VERIFY-2]
  @Test("another commitment of an erased event is found by its seq, without any salts too")
  func changedCommitment() throws {
    let (_, batches) = try written(1)
    let sample = SampleStore()
    let store = try sample.create()
    _ = try store.receive([try erased(batches[0], at: 2)])
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.execute(
          "UPDATE _tail SET commitment = zeroblob(32) WHERE seq = 2; DELETE FROM _seeds;")
      }
    }
    let found = try sample.reader().verifyLog().map { "\($0.code): \($0.subject)" }
    let author = batches[0].edge.edge.author.hex
    #expect(found.contains("eventChanged: \(author):2"))
    #expect(found.contains("missingSeed: \(author):0"))
    #expect(try SecondReader.findings(in: sample.paths.folder).sorted() == found.sorted())
  }

  /// The batch with other roots, signed by its author all the same.
  private func resigned(
    _ batch: Batch, before: Bytes32? = nil, after: Bytes32? = nil, by author: String
  ) throws -> Batch {
    let edge = batch.edge.edge
    let other = Edge(
      author: edge.author, first: edge.first, count: edge.count,
      rootBefore: before ?? edge.rootBefore, rootAfter: after ?? edge.rootAfter,
      leavesRoot: edge.leavesRoot)
    return Batch(
      publicKey: batch.publicKey, edge: try key(author).sign(other), salts: batch.salts,
      events: batch.events)
  }

  // [RECV-2], [BATCH-4]
  @Test("roots that do not follow from what is here are refused, at the beginning and later")
  func wrongRoots() throws {
    let (other, _) = try written(3)
    let pieces = try pieces(other, of: 4)
    let wrong = BLAKE2b.hash256([1])
    let sample = SampleStore()
    let store = try sample.create()
    func isRefused(_ batch: Batch) throws -> Bool {
      if case .refused = try store.receive([batch])[0].outcome { true } else { false }
    }
    #expect(try isRefused(resigned(pieces[0], before: wrong, by: "author 0")))
    #expect(try isRefused(resigned(pieces[0], after: wrong, by: "author 0")))
    let authors = try store.connection.prepare("SELECT count(*) FROM _authors").first { $0.int(0) }
    #expect(authors == 1, "an author of whom nothing is here")
    #expect(try store.receive([pieces[0]])[0].outcome == .stored)
    #expect(try isRefused(resigned(pieces[1], after: wrong, by: "author 0")))
    #expect(try isRefused(resigned(pieces[0], after: wrong, by: "author 0")))
    #expect(try store.receive(Array(pieces[1...])).allSatisfy { $0.outcome == .stored })
    try check(sample, has: other)
  }

  // [RECV-3]
  @Test("where a gap closes and the roots do not meet, both runs stay and are folded")
  func gapThatDoesNotClose() throws {
    let (other, _) = try written(3)
    let pieces = try pieces(other, of: 4)
    let wrong = BLAKE2b.hash256([1])
    for strange in [
      try resigned(pieces[2], before: wrong, by: "author 0"),
      try resigned(pieces[2], after: wrong, by: "author 0"),
    ] {
      let sample = SampleStore()
      let store = try sample.create()
      let results = try store.receive([strange, pieces[0], pieces[1]])
      #expect(results.allSatisfy { $0.outcome == .stored })
      let chains = try ChainWalk(store.connection).chains(of: strange.edge.edge.author)
      #expect(chains.map(\.isAttached) == [true, false])
      #expect(try sample.reader().verify { _ in true }.problems == [])
      #expect(try SecondReader.findings(in: sample.paths.folder) == [])
      let day = try #require(CivilDay("2026-05-02"))
      #expect(try sample.reader().day(day).logs.count == 9)
    }
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
struct MealTagged: EventPayload {
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
