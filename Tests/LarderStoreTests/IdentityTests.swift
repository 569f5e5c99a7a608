import Foundation
import LarderCrypto
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Incarnations of a store")
struct IdentityTests {
  private func meal(_ sample: SampleStore, _ store: Store, _ number: UInt64) throws -> [Event] {
    try sample.append(try sample.meal(sample.stream(number)), to: store)
  }

  private func written(_ count: UInt64) throws -> (SampleStore, Store) {
    let sample = SampleStore()
    let store = try sample.create()
    for number in 0..<count { _ = try meal(sample, store, number) }
    return (sample, store)
  }

  /// Every event of the stores, put together in a third one, each once; the number of logs there.
  private func together(_ samples: [SampleStore]) throws -> (events: Int, logs: Int) {
    let target = SampleStore()
    let receiver = try target.create()
    for sample in samples {
      let store = try sample.open()
      for author in try store.ownAuthors() {
        let chains = try store.statements.log.chains.chains(of: author)
        for chain in chains {
          for result in try receiver.receive(try store.batches(of: chain)) {
            if case .refused(let reason) = result.outcome { Issue.record("\(reason)") }
          }
        }
      }
    }
    let report = try target.reader().verify { _ in true }
    #expect(report.problems == [])
    let day = try #require(CivilDay("2026-05-02"))
    return (report.eventCount, try target.reader().day(day).logs.count)
  }

  private func authors(_ sample: SampleStore) throws -> [StoreReader.Life] {
    try sample.reader().incarnations()
  }

  // [INC-6]
  @Test("a store that nobody copied stays one author, whoever opens it")
  func ordinary() throws {
    let (sample, store) = try written(3)
    _ = try meal(sample, try sample.open(), 10)
    _ = try meal(sample, store, 11)
    #expect(try authors(sample).count == 1)
    #expect(store.notices == [])
  }

  // [INC-6]
  @Test("a moved store goes on as the same author and says where it was")
  func moved() throws {
    let (sample, _) = try written(3)
    let copy = try sample.copy()
    try FileManager.default.removeItem(atPath: sample.paths.folder)
    let store = try copy.open()
    _ = try meal(copy, store, 10)
    #expect(store.notices.count == 1)
    guard case .moved(let from) = store.notices.first else {
      Issue.record("\(store.notices)")
      return
    }
    #expect(from.hasSuffix(sample.paths.folder.split(separator: "/").last ?? "?"))
    #expect(try authors(copy).count == 1)
    _ = try meal(copy, store, 11)
    #expect(store.notices.count == 1)
  }

  // [INC-4], [INC-8]
  @Test("of two copies on a machine the second to write becomes another author of the device")
  func copied() throws {
    let (sample, store) = try written(140)
    let copy = try sample.copy()
    _ = try meal(sample, store, 200)
    let copied = try copy.open()
    let events = try meal(copy, copied, 300)
    #expect(copied.notices == [.renewed(.copied)])
    let lives = try authors(copy)
    #expect(lives.count == 2 && lives[1].reason == "copied")
    #expect(events[0].id.author == lives[1].author && events[0].id.seq == 1)
    // The new author has seen what the old one wrote.
    let control = try copy.reader().events(of: .control)
    #expect(control.count == 1 && control[0].id.author == lives[1].author)
    _ = try meal(sample, store, 201)
    _ = try meal(copy, copied, 301)
    #expect(try authors(sample).count == 1)
    #expect(try authors(copy).count == 2)
    let (eventCount, logCount) = try together([sample, copy])
    #expect(eventCount == 140 * 4 + 2 * 4 + 2 * 4 + 1)
    #expect(logCount == (140 + 2 + 2) * 3)
  }

  // [INC-6]
  @Test("a copy that writes first is the copy all the same, while the original is there")
  func copyWritesFirst() throws {
    let (sample, store) = try written(3)
    let copy = try sample.copy()
    let copied = try copy.open()
    _ = try meal(copy, copied, 300)
    #expect(copied.notices == [.renewed(.copied)])
    _ = try meal(sample, store, 200)
    #expect(store.notices == [])
    #expect(try authors(sample).count == 1)
    #expect(try together([sample, copy]) == (3 * 4 + 4 + 4 + 1, 5 * 3))
  }

  // [INC-4]
  @Test("an older copy that was put back becomes another author, and nothing is lost or doubled")
  func restored() throws {
    let (sample, store) = try written(3)
    let backup = try sample.copy()
    for number in 10..<14 as Range<UInt64> { _ = try meal(sample, store, number) }
    let kept = try sample.copy()
    try FileManager.default.removeItem(atPath: sample.paths.folder)
    try FileManager.default.copyItem(atPath: backup.paths.folder, toPath: sample.paths.folder)
    let restored = try sample.open()
    _ = try meal(sample, restored, 20)
    #expect(restored.notices == [.renewed(.ahead)])
    let (events, logs) = try together([sample, kept])
    #expect(events == 3 * 4 + 4 * 4 + 4 + 1 && logs == (3 + 4 + 1) * 3)
  }

  // [INC-1], [INC-2], [INC-3]
  @Test("without its record, on another machine and with a damaged record it is another author")
  func otherPlaces() throws {
    let (sample, _) = try written(2)
    let elsewhere = try sample.copy()
    elsewhere.state = elsewhere.paths.folder + ".state"
    let first = try elsewhere.open()
    _ = try meal(elsewhere, first, 10)
    #expect(first.notices == [.renewed(.noRecord)])

    let machine = try sample.copy()
    machine.machine = BLAKE2b.hash128(Array("another".utf8))
    let second = try machine.open()
    _ = try meal(machine, second, 11)
    #expect(second.notices == [.renewed(.otherMachine)])

    let author = try sample.reader().device().author
    try Data("nonsense".utf8).write(
      to: URL(filePath: HeadRecordFile.path(stateFolder: sample.state, author: author)))
    let third = try sample.open()
    _ = try meal(sample, third, 12)
    #expect(third.notices == [.renewed(.damagedRecord)])
    let (events, logs) = try together([sample, elsewhere, machine])
    #expect(events == 2 * 4 + 3 * 5 && logs == 5 * 3)
  }

  // [INC-10]
  @Test("rolled back together with its record, both histories are kept as branches")
  func rolledBack() throws {
    let (sample, store) = try written(130)
    let author = try sample.reader().device().author
    let record = HeadRecordFile.path(stateFolder: sample.state, author: author)
    let old = try Data(contentsOf: URL(filePath: record))
    let snapshot = try sample.copy()
    for number in 200..<203 as Range<UInt64> { _ = try meal(sample, store, number) }
    let kept = try sample.copy()
    try FileManager.default.removeItem(atPath: sample.paths.folder)
    try FileManager.default.copyItem(atPath: snapshot.paths.folder, toPath: sample.paths.folder)
    try old.write(to: URL(filePath: record))
    sample.now += 100_000
    let again = try sample.open()
    for number in 300..<305 as Range<UInt64> { _ = try meal(sample, again, number) }
    #expect(try authors(sample).count == 1)
    let (events, logs) = try together([sample, kept])
    #expect(events == 130 * 4 + 3 * 4 + 5 * 4 && logs == (130 + 3 + 5) * 3)
  }

  // [INC-7]
  @Test("own events that come back from elsewhere make the next write another author's")
  func ownEventsReturn() throws {
    let (sample, store) = try written(3)
    let copy = try sample.copy()
    copy.state = copy.paths.folder + ".state"
    try FileManager.default.copyItem(atPath: sample.state, toPath: copy.state)
    _ = try meal(sample, store, 10)
    let copied = try copy.open()
    _ = try copied.receive(try store.ownBatches(from: 0))
    _ = try meal(copy, copied, 11)
    #expect(copied.notices.contains(.renewed(.ahead)))
    #expect(try copy.reader().verify { _ in true }.problems == [])
  }

  // [INC-8]
  @Test("a record that was not written after a renewal makes no further author")
  func renewedWithoutRecord() throws {
    let (sample, _) = try written(2)
    sample.state = sample.paths.folder + ".other.state"
    _ = try meal(sample, try sample.open(), 10)
    let author = try sample.reader().device().author
    // As if the process had died between the commit and the record.
    let path = HeadRecordFile.path(stateFolder: sample.state, author: author)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(HeadRecord.slotByteCount).write(to: URL(filePath: path))
    let store = try sample.open()
    _ = try meal(sample, store, 11)
    #expect(store.notices == [])
    #expect(try authors(sample).count == 2)
  }

  // [HEAD-2]
  @Test("a record that a newer build wrote is not written over")
  func newerRecord() throws {
    let (sample, _) = try written(2)
    let author = try sample.reader().device().author
    let path = HeadRecordFile.path(stateFolder: sample.state, author: author)
    var slot = Array(try Data(contentsOf: URL(filePath: path)).prefix(HeadRecord.slotByteCount))
    slot[15] = 2
    slot.replaceSubrange(1008..., with: BLAKE2b.hash128(Array(slot[..<1008])).bytes)
    try Data(slot + slot).write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) {
      try meal(sample, try sample.open(), 10)
    }
    #expect(error?.code == .unsupportedVersion)
  }

  // [INC-9]
  @Test("where no record can be kept the store goes on, and says so")
  func noStateFolder() throws {
    let sample = SampleStore()
    sample.state = "/proc/no-such-folder"
    let store = try sample.create()
    _ = try meal(sample, store, 1)
    _ = try meal(sample, try sample.open(), 2)
    #expect(try authors(sample).count == 1)
    #expect(
      store.notices.contains {
        if case .notKept = $0 { true } else { false }
      })
  }
}
