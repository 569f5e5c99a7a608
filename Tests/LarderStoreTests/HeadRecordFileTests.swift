import Foundation
import LarderFiles
import LarderHash
import LarderKernel
import Testing

@testable import LarderStore

@Suite("HeadRecordFile")
final class HeadRecordFileTests {
  private let author = AuthorID(Bytes16(high: 1, low: 2))
  private let top = NSTemporaryDirectory() + "larder-head-" + UUID().uuidString
  private var folder: String { top + "/state/larder" }

  deinit {
    try? FileManager.default.removeItem(atPath: top)
  }

  private func record(_ size: UInt64, of author: AuthorID? = nil) -> HeadRecord {
    HeadRecord(
      author: author ?? self.author, size: size, root: BLAKE2b.hash256([UInt8(size & 255)]),
      place: StorePlace(
        machine: Bytes16(high: 3, low: 4), file: Files.Mark(inode: 5, birthNanoseconds: 6),
        path: "/home/a/larder"))
  }

  private func open() throws -> HeadRecordFile {
    try #require(
      try HeadRecordFile.open(stateFolder: folder, author: author, isCreating: true))
  }

  private func size(_ reading: HeadRecord.Reading) -> UInt64? {
    if case .found(let stored) = reading { stored.record.size } else { nil }
  }

  private func append(_ size: UInt64, to file: HeadRecordFile, now: Int64 = 0) throws {
    try file.lock(waitingAtMost: 0)
    defer { file.unlock() }
    _ = try file.read()
    try file.write(record(size), now: now)
  }

  // [HEAD-1]
  @Test("a file is made for its owner alone, in a folder that nobody else enters")
  func permissions() throws {
    #expect(
      try HeadRecordFile.open(stateFolder: folder, author: author, isCreating: false) == nil)
    #expect(try Files.identity(of: top) == nil)
    let file = try open()
    #expect(file.path == folder + "/00000000000000010000000000000002.head")
    #expect(try Files.identity(of: file.path)?.mode == 0o600)
    #expect(try Files.identity(of: folder)?.mode == 0o700)
    #expect(try Files.identity(of: top + "/state")?.mode == 0o700)
    #expect(try file.read() == .absent)
  }

  // [HEAD-3]
  @Test("records take turns in the slots, and the newest is what another process reads")
  func turns() throws {
    let file = try open()
    for count in 1...5 as ClosedRange<UInt64> {
      try append(count * 10, to: file)
      let other = try #require(
        try HeadRecordFile.open(stateFolder: folder, author: author, isCreating: false))
      let expected = HeadRecord.Stored(
        record: record(count * 10), counter: count, slot: Int((count + 1) % 2))
      #expect(try other.read() == .found(expected))
      #expect(try Files.identity(of: file.path)?.byteCount == (count == 1 ? 1024 : 2048))
    }
  }

  // [HEAD-3]
  @Test("a write that was torn leaves the record before it, and the next write mends it")
  func tornWrite() throws {
    let file = try open()
    for size in [10, 20, 30] as [UInt64] { try append(size, to: file) }
    let raw = try RandomAccessFile(path: file.path, isCreating: false)
    try raw.write([UInt8](repeating: 0xff, count: 512), at: 0)
    #expect(size(try file.read()) == 20)
    try append(30, to: file)
    #expect(size(try file.read()) == 30)
    try raw.write([0xff], at: 1024)
    #expect(size(try file.read()) == 30)
  }

  // [HEAD-2]
  @Test("damage is told apart from nothing, and a file can be written again after it")
  func damage() throws {
    let file = try open()
    let raw = try RandomAccessFile(path: file.path, isCreating: false)
    try raw.write(record(5, of: AuthorID(.zero)).slot(counter: 1), at: 0)
    try raw.write(record(9, of: AuthorID(.zero)).slot(counter: 99), at: 1024)
    try raw.write([1, 2, 3], at: 2048)
    #expect(try file.read() == .damaged)
    try append(6, to: file)
    #expect(size(try file.read()) == 6)
    try append(7, to: file)
    #expect(size(try file.read()) == 7)
  }

  // [HEAD-2]
  @Test("a newer build's file is refused, and not written to")
  func newerVersion() throws {
    let file = try open()
    var body = Array(record(5).slot(counter: 1)[..<1008])
    body[15] = 2
    let newer = body + BLAKE2b.hash128(body).bytes
    try RandomAccessFile(path: file.path, isCreating: false).write(newer, at: 0)
    let error = #expect(throws: StoreError.self) { try self.append(6, to: file) }
    #expect(error?.code == .unsupportedVersion)
    #expect(try Files.read(file.path, upTo: 4096) == newer)
  }

  @Test("the last counter there is cannot be written over")
  func lastCounter() throws {
    let file = try open()
    let last = record(5).slot(counter: HeadRecord.counterMaximum)
    try RandomAccessFile(path: file.path, isCreating: false).write(last, at: 0)
    let error = #expect(throws: StoreError.self) { try self.append(6, to: file) }
    #expect(error?.code == .limitExceeded)
  }

  // [HEAD-5]
  @Test("of two writers one waits until the other has let go, or is told that it is busy")
  func exclusion() throws {
    let (one, two) = (try open(), try open())
    try one.lock(waitingAtMost: 0)
    let error = #expect(throws: StoreError.self) { try two.lock(waitingAtMost: 30) }
    #expect(error?.code == .busy)
    #expect(!two.isLocked)
    _ = try one.read()
    try one.write(record(10), now: 0)
    // A reader needs no lock.
    #expect(size(try two.read()) == 10)
    one.unlock()
    try two.lock(waitingAtMost: 10_000)
    #expect(size(try two.read()) == 10)
    try two.write(record(11), now: 0)
    two.unlock()
    two.unlock()
    try one.lock(waitingAtMost: 10_000)
    #expect(size(try one.read()) == 11)
    one.unlock()
  }

  // [HEAD-5]
  @Test("a file that was removed is made again, and its lock is that of everyone who comes later")
  func removedFile() throws {
    let one = try open()
    try append(10, to: one)
    try FileManager.default.removeItem(atPath: top)
    try one.lock(waitingAtMost: 0)
    #expect(try one.read() == .absent)
    let two = try open()
    let error = #expect(throws: StoreError.self) { try two.lock(waitingAtMost: 0) }
    #expect(error?.code == .busy)
    try one.write(record(12), now: 5)
    one.unlock()
    #expect(one.isSynchronizationDue(now: 5))
    #expect(size(try two.read()) == 12)
  }

  // [HEAD-3]
  @Test("a new file is to be made durable at once, then ten seconds after the first write")
  func durability() throws {
    let file = try open()
    #expect(!file.isSynchronizationDue(now: 1_000_000))
    try append(10, to: file, now: 100)
    #expect(file.isSynchronizationDue(now: 100))
    try file.synchronize()
    #expect(!file.isSynchronizationDue(now: 1_000_000))
    try append(11, to: file, now: 200)
    try append(12, to: file, now: 9000)
    #expect(!file.isSynchronizationDue(now: 10_199))
    #expect(file.isSynchronizationDue(now: 10_200))
    try file.synchronize()
    try file.synchronize()
    #expect(!file.isSynchronizationDue(now: 20_000))
    // A file that is there, with records, has a durable name.
    let again = try open()
    try append(13, to: again, now: 0)
    #expect(!again.isSynchronizationDue(now: 9999))
    #expect(again.isSynchronizationDue(now: 10_000))
  }
}
