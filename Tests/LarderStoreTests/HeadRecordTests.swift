import LarderFiles
import LarderHash
import LarderKernel
import Testing

@testable import LarderStore

@Suite("HeadRecord")
struct HeadRecordTests {
  private let author = AuthorID(Bytes16(high: 1, low: 2))

  private func record(_ size: UInt64, path: String = "/home/a/larder") -> HeadRecord {
    HeadRecord(
      author: author, size: size, root: BLAKE2b.hash256(Array("root \(size)".utf8)),
      place: StorePlace(
        machine: Bytes16(high: 3, low: 4), file: Files.Mark(inode: 5, birthNanoseconds: 6),
        path: path))
  }

  private func read(_ bytes: [UInt8]) throws -> HeadRecord.Reading {
    try HeadRecord.read(bytes.span, of: author, subject: "test")
  }

  // [HEAD-1]
  @Test("a slot is 1024 bytes, and what was written is read")
  func roundTrip() throws {
    let slot = record(7).slot(counter: 9)
    #expect(slot.count == 1024)
    #expect(
      try read(slot) == .found(HeadRecord.Stored(record: record(7), counter: 9, slot: 0)))
    let both = slot + record(8).slot(counter: 10)
    #expect(
      try read(both) == .found(HeadRecord.Stored(record: record(8), counter: 10, slot: 1)))
  }

  // [HEAD-2]
  @Test("each flipped byte of a slot makes the other one count, whichever it is")
  func tornSlot() throws {
    let older = record(7).slot(counter: 1)
    let newer = record(8).slot(counter: 2)
    let left = HeadRecord.Stored(record: record(7), counter: 1, slot: 0)
    let right = HeadRecord.Stored(record: record(8), counter: 2, slot: 1)
    for place in 0..<2048 {
      for bit in [0x01, 0x80] as [UInt8] {
        var bytes = older + newer
        bytes[place] ^= bit
        #expect(try read(bytes) == .found(place < 1024 ? right : left), "byte \(place)")
      }
    }
    for end in 1024..<2048 {
      #expect(try read(Array((older + newer)[..<end])) == .found(left), "\(end) bytes")
    }
  }

  // [HEAD-2]
  @Test("two torn slots are damage, and no bytes are no record")
  func bothTorn() throws {
    let whole = record(7).slot(counter: 1) + record(8).slot(counter: 2)
    for place in stride(from: 0, to: 1024, by: 7) {
      var bytes = whole
      bytes[place] ^= 4
      bytes[2047 - place] ^= 4
      #expect(try read(bytes) == .damaged, "bytes \(place) and \(2047 - place)")
    }
    #expect(try read(Array(whole[..<1023])) == .damaged)
    #expect(try read([0]) == .damaged)
    #expect(try read([UInt8](repeating: 0, count: 2048)) == .damaged)
    #expect(try read([]) == .absent)
  }

  // [HEAD-2]
  @Test("a whole slot of another version is unsupported, in either place; a torn one is torn")
  func newerVersion() throws {
    let slot = record(7).slot(counter: 1)
    var body = Array(slot[..<1008])
    body[15] = 2
    let newer = body + BLAKE2b.hash128(body).bytes
    for bytes in [newer, newer + slot, slot + newer] {
      let error = #expect(throws: StoreError.self) { _ = try read(bytes) }
      #expect(error?.code == .unsupportedVersion)
    }
    #expect(try read(body + slot[1008...]) == .damaged)
  }

  // [HEAD-2]
  @Test("records of another author are passed over")
  func otherAuthor() throws {
    let slot = record(7).slot(counter: 1)
    let other = AuthorID(Bytes16(high: 9, low: 9))
    #expect(try HeadRecord.read(slot.span, of: other, subject: "test") == .damaged)
  }

  // [HEAD-1]
  @Test("a long path is cut between characters, and its hash is that of all of it")
  func longPaths() throws {
    for count in 690...710 {
      let path = String(repeating: "x", count: count) + "\u{1f951}/y"
      let place = record(1, path: path).place
      #expect(place.path.utf8.count <= 700)
      #expect(path.hasPrefix(place.path))
      #expect(place.path.utf8.count >= min(697, path.utf8.count))
      #expect(place.pathHash == BLAKE2b.hash128(Array(path.utf8)))
      let slot = record(1, path: path).slot(counter: 1)
      #expect(
        try read(slot)
          == .found(HeadRecord.Stored(record: record(1, path: path), counter: 1, slot: 0)))
    }
    let one = record(1, path: String(repeating: "x", count: 701)).place
    let two = record(1, path: String(repeating: "x", count: 702)).place
    #expect(one.path == two.path && one.pathHash != two.pathHash)
  }
}
