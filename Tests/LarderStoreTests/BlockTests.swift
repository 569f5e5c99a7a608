import Foundation
import LarderCompression
import LarderCrypto
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Blocks")
struct BlockTests {
  private func count(_ store: Store, _ sql: SQL) throws -> Int {
    try store.connection.prepare(sql).first { $0.int(0) } ?? 0
  }

  // [BLOCK-1], [BLOCK-2]
  @Test("512 events become one row, whether they come one by one or together", arguments: [1, 40])
  func packing(together: Int) throws {
    let sample = SampleStore()
    let store = try sample.create()
    var number: UInt64 = 0
    while number < 400 {
      let operations = try (0..<together).map { place in
        try sample.meal(sample.stream(number + UInt64(place)), items: 3)
      }
      _ = try store.append(operations: operations, now: sample.now, seed: sample.seed)
      number += UInt64(together)
    }
    #expect(try count(store, "SELECT count(*) FROM _blocks") == 3)
    #expect(try count(store, "SELECT count(*) FROM _tail") == 1600 - 3 * 512)
    #expect(try count(store, "SELECT sum(count) FROM _blocks") == 3 * 512)
    let report = try sample.reader().verify { _ in true }
    #expect(report.problems == [])
    #expect(report.eventCount == 1600 && report.blockCount == 3 && report.streamCount == 400)
  }

  // [BLOCK-3]
  @Test("a stream's events are read out of packed blocks and tail rows alike")
  func reading() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(7)
    let first = try sample.append(try sample.meal(stream), to: store)
    for number in 100..<300 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    let change = try sample.append(
      [try NewEvent(ItemRemoved(item: ItemID(1)), in: stream)], to: store)
    let found = try sample.reader().events(of: stream)
    #expect(found.map(\.id) == (first + change).map(\.id))
    #expect(found.map(\.payload) == (first + change).map(\.payload))
    #expect(try sample.reader().meal(stream)?.logs.count == 2)
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [EDGE-4], [EDGE-5]
  @Test("a full block is signed after the answer, and its edge holds")
  func signing() throws {
    let sample = SampleStore()
    let store = try sample.create()
    #expect(!store.hasUnsignedBlock)
    for number in 0..<300 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    #expect(store.hasUnsignedBlock)
    #expect(try store.signFullBlocks() == 2)
    #expect(try store.signFullBlocks() == 0 && !store.hasUnsignedBlock)
    let report = try sample.reader().verify { _ in true }
    #expect(report.problems == [] && report.edgeCount == 2)
  }

  @Test("the newest capture is found behind a full block")
  func lastCapture() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(1)
    _ = try sample.append(try sample.meal(stream, items: 3), to: store)
    let notes = try (0..<508).map { _ in try NewEvent(ItemRemoved(item: ItemID(9)), in: stream) }
    _ = try sample.append(notes, to: store)
    #expect(try count(store, "SELECT count(*) FROM _tail") == 0)
    #expect(try sample.reader().lastCapture() == stream)
  }
}

@Suite("Damage to the log")
struct DamageTests {
  private static let zeros = String(repeating: "0", count: 32)

  /// A store with two packed, signed blocks and a tail.
  private func store() throws -> (SampleStore, Store, AuthorID) {
    let sample = SampleStore()
    let store = try sample.create()
    for number in 0..<270 as Range<UInt64> {
      _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
    }
    try store.signFullBlocks()
    return (sample, store, try sample.reader().device().author)
  }

  private func change(_ store: Store, _ sql: SQL) throws {
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in try store.connection.execute(sql) }
    }
  }

  /// What verifying finds. The second reader must find the same in the log.
  private func problems(_ sample: SampleStore) throws -> Set<String> {
    let reader = try sample.reader()
    let log = try reader.verifyLog().map { "\($0.code): \($0.subject)" }
    let second = try SecondReader.findings(in: sample.paths.folder)
    #expect(second.sorted() == log.sorted())
    return Set(try reader.verify { _ in true }.problems.map { "\($0.code) \($0.subject)" })
  }

  /// Writes a block anew with other events, as somebody who knows the format would.
  private func repack(
    _ store: Store, block: Int64, _ edit: (inout [(header: [UInt8], payload: [UInt8])]) -> Void
  ) throws {
    let content = try store.statements.log.reader.block(
      at: BlockPlace(chain: 1, block: UInt64(block)))
    var events = content.entries.map { entry -> (header: [UInt8], payload: [UInt8]) in
      guard case .payload(let place) = entry.place.body else { return ([], []) }
      return (Array(content.bytes[entry.place.header]), Array(content.bytes[place]))
    }
    edit(&events)
    var writer = CBORWriter()
    for event in events {
      writer.append(eventHeader: event.header.span, payload: event.payload.span)
    }
    let whole = writer.bytes
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.prepare(
          "UPDATE _blocks SET data = ?, byteCount = ?, count = ? WHERE chain = 1 AND block = ?"
        ).run(LZ4.compress(whole.span), whole.count, events.count, block)
      }
    }
  }

  // [VERIFY-1]
  @Test("a flipped bit in a packed block names the block")
  func flippedBit() throws {
    let (sample, store, author) = try store()
    try change(
      store,
      "UPDATE _blocks SET data = CAST(x'ff' || substr(data, 2) AS BLOB) WHERE block = 1")
    #expect(try problems(sample).contains("blockUnreadable \(author.hex):512-1023"))
  }

  // [VERIFY-1]
  @Test("a truncated block names the block")
  func truncated() throws {
    let (sample, store, author) = try store()
    try change(store, "UPDATE _blocks SET data = substr(data, 1, 1000) WHERE block = 0")
    #expect(try problems(sample).contains("blockUnreadable \(author.hex):0-511"))
  }

  // [VERIFY-2]
  @Test("an event dropped from a packed block is named")
  func dropped() throws {
    let (sample, store, author) = try store()
    try repack(store, block: 0) { $0.remove(at: 100) }
    let found = try problems(sample)
    #expect(found.contains("eventChanged \(author.hex):100-510"))
    #expect(found.contains("missingEvent \(author.hex):511"))
  }

  // [VERIFY-2]
  @Test("swapped events are named, both")
  func swapped() throws {
    let (sample, store, author) = try store()
    try repack(store, block: 1) { $0.swapAt(8, 20) }
    let found = try problems(sample)
    #expect(found.contains("eventChanged \(author.hex):520"))
    #expect(found.contains("eventChanged \(author.hex):532"))
  }

  // [VERIFY-2]
  @Test("an edited payload and an edited header are named by seq")
  func edited() throws {
    let (sample, store, author) = try store()
    try repack(store, block: 0) { $0[33].payload = $0[34].payload }
    try repack(store, block: 1) { $0[3].header = $0[4].header }
    let found = try problems(sample)
    #expect(found.contains("eventChanged \(author.hex):33"))
    #expect(found.contains("eventChanged \(author.hex):515"))
  }

  // [VERIFY-2]
  @Test("an edited tail row is named by seq")
  func editedTail() throws {
    let (sample, store, author) = try store()
    try change(
      store, "UPDATE _tail SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 1030")
    #expect(try problems(sample).contains("eventChanged \(author.hex):1030"))
  }

  // [STORE-9]
  @Test(
    "a log whose newest events are not those written is read and not written",
    arguments: [
      "UPDATE _tail SET payload = CAST(payload || x'00' AS BLOB) WHERE seq = 1030",
      "DELETE FROM _tail WHERE seq = 1079", "DELETE FROM _seeds WHERE block = 2",
      "UPDATE _tail SET leaf = zeroblob(32) WHERE seq = 1050",
    ])
  func readOnly(damage: String) throws {
    let (sample, store, author) = try store()
    let day = try #require(CivilDay("2026-05-02"))
    let before = try sample.reader().day(day)
    try change(store, SQL(trusted: damage))
    let error = #expect(throws: StoreError.self) {
      try sample.append(try sample.meal(sample.stream(900)), to: try sample.open())
    }
    #expect(error?.code == .corrupt && error?.subject.hasPrefix(author.hex) == true)
    #expect(try sample.reader().day(day) == before)
  }

  // [VERIFY-3]
  @Test("a lost tail row is named by seq")
  func lostTail() throws {
    let (sample, store, author) = try store()
    try change(store, "DELETE FROM _tail WHERE seq = 1040")
    #expect(try problems(sample).contains("missingEvent \(author.hex):1040"))
    try change(store, "DELETE FROM _tail WHERE seq >= 1040")
    #expect(try problems(sample).contains("missingEvent \(author.hex):1040-1079"))
  }

  // [VERIFY-4]
  @Test("a forged edge is named by its seqs")
  func forgedEdge() throws {
    let (sample, store, author) = try store()
    try change(
      store,
      "UPDATE _edges SET rootAfter = CAST(x'00' || substr(rootAfter, 2) AS BLOB) WHERE first = 512")
    #expect(try problems(sample).contains("edgeInvalid \(author.hex):512-1023"))
  }

  // [VERIFY-4]
  @Test("an edge its author signed over other events is named by its seqs")
  func foreignEdge() throws {
    let (sample, store, author) = try store()
    try change(
      store,
      """
      DELETE FROM _edges WHERE first = 512;
      UPDATE _edges SET first = 512 WHERE first = 0;
      """)
    #expect(try problems(sample).contains("edgeInvalid \(author.hex):512-1023"))
  }

  // [VERIFY-2]
  @Test("a wrong seed names its block")
  func wrongSeed() throws {
    let (sample, store, author) = try store()
    try change(store, "UPDATE _seeds SET seed = zeroblob(32) WHERE block = 1")
    #expect(try problems(sample).contains("seedMismatch \(author.hex):512-1023"))
    try change(store, "DELETE FROM _seeds WHERE block = 1")
    #expect(try problems(sample).contains("missingSeed \(author.hex):512-1023"))
  }

  // [VERIFY-5]
  @Test("a replaced chain row is named by its size")
  func replacedChain() throws {
    let (sample, store, author) = try store()
    try change(
      store, "UPDATE _chains SET root = CAST(x'00' || substr(root, 2) AS BLOB)")
    #expect(try problems(sample).contains("rootMismatch \(author.hex):1080"))
    try change(store, "UPDATE _chains SET size = 1072, frontier = substr(frontier, 1, 96)")
    #expect(try problems(sample).contains("chainSizeMismatch \(author.hex):1072-1079"))
    try change(store, "UPDATE _chains SET size = 1071")
    #expect(try problems(sample).contains("chainUnreadable \(author.hex):1071"))
  }

  // [VERIFY-1], [VERIFY-4], [VERIFY-5]
  @Test(
    "rows that cannot be, or belong to none, are findings, and nothing traps",
    arguments: [
      ("UPDATE _tail SET seq = -1 WHERE seq = 1030", "rowUnreadable #:1024"),
      ("UPDATE _tail SET seq = 9223372036854775807 WHERE seq = 1079", "rowUnreadable #:1079"),
      ("UPDATE _blocks SET first = -512 WHERE block = 1", "rowUnreadable #:512"),
      ("UPDATE _blocks SET block = 9223372036854775807 WHERE block = 1", "rowUnreadable #:512"),
      (
        "UPDATE _blocks SET count = 9223372036854775807 WHERE block = 1",
        "blockUnreadable #:512-1023"
      ),
      ("UPDATE _blocks SET byteCount = -1 WHERE block = 0", "blockUnreadable #:0-511"),
      ("UPDATE _chains SET size = -5", "chainUnreadable #:-5"),
      ("UPDATE _chains SET start = 9223372036854775807", "chainUnreadable #:1080"),
      ("UPDATE _edges SET count = 0 WHERE first = 0", "edgeInvalid #:0"),
      ("UPDATE _edges SET count = 4611686018427387904 WHERE first = 0", "edgeInvalid #:0"),
      ("UPDATE _blocks SET marks = x'' WHERE block = 0", "seedMismatch #:0-511"),
      (
        "UPDATE _blocks SET marks = CAST(marks || x'00' AS BLOB) WHERE block = 0",
        "marksMismatch #:0-511"
      ),
      ("UPDATE _tail SET seq = 4611686018427387904 WHERE seq = 1079", "rowUnreadable #:1079"),
      ("UPDATE _blocks SET count = -1 WHERE block = 0", "blockUnreadable #:0"),
      ("UPDATE _blocks SET byteCount = 1 << 60 WHERE block = 0", "blockUnreadable #:0-511"),
      ("UPDATE _edges SET signature = x'00' WHERE first = 0", "edgeInvalid #:0-511"),
      ("UPDATE _edges SET first = -3 WHERE first = 512", "edgeInvalid #:-3"),
      ("UPDATE _seeds SET seed = zeroblob(99) WHERE block = 0", "blockUnreadable #:0-511"),
      ("UPDATE _seeds SET seed = zeroblob(99) WHERE block = 2", "rowUnreadable #:1024"),
      ("UPDATE _seeds SET seed = NULL WHERE block = 1", "blockUnreadable #:512-1023"),
      ("UPDATE _chains SET isAttached = 7", "chainUnreadable #:1080"),
      ("DELETE FROM _authors", "missingKey #:0"),
      ("UPDATE _authors SET publicKey = zeroblob(32)", "missingKey #:0"),
      ("UPDATE _authors SET publicKey = x'01'", "missingKey #:0"),
      ("DELETE FROM _incarnations", "incarnationMissing #"),
      ("UPDATE _edges SET chain = 99 WHERE first = 0", "chainMissing chain 99"),
      ("UPDATE _tail SET chain = 99 WHERE seq = 1079", "chainMissing chain 99"),
      ("INSERT INTO _seeds VALUES (77, 0, zeroblob(32), NULL)", "chainMissing chain 77"),
      ("INSERT INTO _authors VALUES (zeroblob(16), zeroblob(32))", "missingKey \(zeros)"),
      (
        "INSERT INTO _chains SELECT 9, zeroblob(16), NULL, 0, startRoot, 0, startRoot, x'', 1, 1 "
          + "FROM _chains", "missingKey \(zeros):0"
      ),
    ])
  func impossibleRows(damage: String, finding: String) throws {
    let (sample, store, author) = try store()
    try change(store, SQL(trusted: damage))
    let found = try problems(sample)
    let wanted = finding.replacing("#", with: author.hex)
    #expect(found.contains(wanted), "\(found)")
    // Whatever is asked of it ends in an answer or a typed error.
    let reader = try sample.reader()
    _ = try? reader.events(after: LogPosition()) { (_) throws(StoreError) in true }
    _ = try? reader.lastCapture()
    _ = try? reader.examine(
      state: Store.State(folder: sample.state, machine: .zero, elapsed: { 0 }), container: nil,
      now: sample.now)
    _ = try? sample.append(try sample.meal(sample.stream(900)), to: try sample.open())
    _ = try? sample.open().rebuild { _ in true }
    try? sample.open().mend(
      [.integrity(IntegrityProblem(code: "streamIndexMismatch", subject: ""))]
    ) { _ in true }
  }

  // [VERIFY-4]
  @Test("what another device wrote must be signed, what this one wrote need not be yet")
  func unsigned() throws {
    let (sample, store, author) = try store()
    let other = SampleStore()
    let receiver = try other.create(seedText: "other")
    _ = try receiver.receive(try store.ownBatches(from: 0))
    try change(store, "DELETE FROM _edges WHERE first = 512")
    #expect(try problems(sample) == [])
    #expect(try problems(other) == [])
    try change(receiver, "DELETE FROM _edges WHERE first = 512")
    #expect(try problems(other) == ["edgeMissing \(author.hex):512-1023"])
  }

  // [VERIFY-8]
  @Test("a log that was rewritten without its key is told by the record outside of it")
  func rewritten() throws {
    let (sample, store, author) = try store()
    let state = try #require(sample.settings.state)
    func found(_ sample: SampleStore) throws -> [String] {
      try sample.reader().verify(state: state) { _ in true }.problems.map {
        "\($0.code) \($0.subject)"
      }
    }
    func put(_ other: SampleStore) throws {
      try FileManager.default.removeItem(atPath: sample.paths.folder)
      try FileManager.default.copyItem(atPath: other.paths.folder, toPath: sample.paths.folder)
    }
    let (older, other) = (try sample.copy(), try sample.copy())
    _ = try sample.append(try sample.meal(sample.stream(800)), to: store)
    other.isRecorded = false
    _ = try other.append(try other.meal(other.stream(801)), to: try other.open())
    #expect(try found(sample) == [] && found(older) == [] && found(other) == [])
    try put(other)
    #expect(try found(sample) == ["recordMismatch \(author.hex):1084"])
    try put(older)
    #expect(try found(sample) == ["missingEvent \(author.hex):1080-1083"])
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [TABLE-8]
  @Test("a trigger somebody made runs never, and is found")
  func triggers() throws {
    let (sample, store, _) = try store()
    try change(
      store,
      """
      CREATE TRIGGER swallow BEFORE INSERT ON _tail BEGIN SELECT raise(IGNORE); END;
      CREATE VIEW shadow AS SELECT 1
      """)
    let stream = sample.stream(900)
    let events = try sample.append(try sample.meal(stream), to: try sample.open())
    #expect(try sample.reader().events(of: stream).map(\.id) == events.map(\.id))
    let found = try sample.reader().verify { _ in true }.problems
    #expect(found.map(\.code) == ["schemaChanged", "schemaChanged"])
    #expect(
      try SecondReader.findings(in: sample.paths.folder).sorted() == [
        "schemaChanged: trigger swallow", "schemaChanged: view shadow",
      ])
  }

  // [VERIFY-1]
  @Test("an index that was dropped is found and made again")
  func droppedIndexes() throws {
    let (sample, store, _) = try store()
    try change(
      store,
      "DROP INDEX _tailByStream; DROP INDEX _NutritionLogs1_0; DROP INDEX _chainsByAuthor")
    let found = try sample.reader().verify { _ in true }.problems
    #expect(found.map(\.subject) == ["_chainsByAuthor", "_tailByStream", "_NutritionLogs1_0"])
    #expect(ExaminationFinding.isLogSound(found))
    try sample.open().mend(found.map(ExaminationFinding.Kind.integrity)) { _ in true }
    #expect(try sample.reader().verify { _ in true }.problems == [])
    _ = try sample.open().rebuild { _ in true }
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  // [VERIFY-6]
  @Test("an index entry of a block that is none is found, and nothing traps")
  func impossibleIndex() throws {
    let (sample, store, _) = try store()
    try change(store, "UPDATE _streams SET block = -7 WHERE block = 1")
    #expect(try sample.reader().verifyLog().contains { $0.code == "streamIndexMismatch" })
    let found = try sample.reader().verify { _ in true }.problems.map(\.code)
    #expect(found.contains("databaseDamaged"))
  }

  // [VERIFY-6]
  @Test("a stream missing from the index is found")
  func index() throws {
    let (sample, store, _) = try store()
    try change(store, "DELETE FROM _streams WHERE stream = (SELECT stream FROM _streams LIMIT 1)")
    #expect(try problems(sample).contains { $0.hasPrefix("streamIndexMismatch") })
  }
}
