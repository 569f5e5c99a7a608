// Files of head records: good ones, torn ones, and each flaw of a slot.

import LarderFiles
import LarderHash
import LarderKernel
import LarderStore

enum HeadVectors {
  private static let author = AuthorID(.pattern(0x10))

  static func all() throws -> [Vector] {
    try accepted() + torn() + flaws().map(refuse) + [machines(), paths()]
  }

  private static func record(size: UInt64 = 42, path: String = "/home/a/larder") -> HeadRecord {
    HeadRecord(
      author: author, size: size, root: .pattern(0x20),
      place: StorePlace(
        machine: .pattern(0x50),
        file: Files.Mark(inode: 5_308_462, birthNanoseconds: 1_777_723_200_123_456_789), path: path)
    )
  }

  private static func accepted() throws -> [Vector] {
    let one = record().slot(counter: 1)
    let two = record(size: 43).slot(counter: 2)
    let three = record(size: 47).slot(counter: 3)
    let least = HeadRecord(
      author: author, size: 0, root: .pattern(0),
      place: StorePlace(
        machine: .zero, file: Files.Mark(inode: 0, birthNanoseconds: 0), path: ""))
    let most = HeadRecord(
      author: author, size: 1 << 62, root: Bytes32(front: .ones, back: .ones),
      place: StorePlace(
        machine: .ones, file: Files.Mark(inode: .max, birthNanoseconds: .max),
        path: "/" + String(repeating: "\u{20ac}", count: 400)))
    return [
      try accept("empty", "a file of no bytes has no record", []),
      try accept("first", "one record", one),
      try accept("second", "the second slot is the newer", one + two),
      try accept("third", "the first slot is the newer", three + two),
      try accept("equal", "of equal counters the first slot's", two + record().slot(counter: 2)),
      try accept("least", "the least value of each", least.slot(counter: 1)),
      try accept(
        "most", "the largest value of each, and a path that is cut between characters",
        most.slot(counter: HeadRecord.counterMaximum)),
      try accept("longer", "what follows the slots is not read", one + two + [1, 2, 3]),
    ]
  }

  /// The newest slot is spoilt, and the other one counts.
  private static func torn() throws -> [Vector] {
    let old = record().slot(counter: 7)
    let new = record(size: 43).slot(counter: 8)
    let foreign = HeadRecord(
      author: AuthorID(.pattern(0x90)), size: 99, root: .pattern(0x20), place: record().place)
    return [
      try accept("torn_half", "half of the newer slot", old + new[..<512] + old[512...]),
      try accept(
        "torn_version", "a version that the checksum does not cover", old + spoilt(new, 15)),
      try accept("torn_short", "the newer slot ends early", old + new.dropLast()),
      try accept(
        "foreign_slot", "a newer record of another author", old + foreign.slot(counter: 9)),
    ]
  }

  private static func accept(
    _ name: String, _ description: String, _ bytes: [UInt8]
  ) throws -> Vector {
    var content = input(bytes)
    switch try HeadRecord.read(bytes.span, of: author, subject: name) {
    case .damaged: throw VectorError("head/\(name) is damaged")
    case .absent: content["newest"] = .null
    case .found(let stored):
      let (record, place) = (stored.record, stored.record.place)
      content["newest"] = .object([
        "counter": .digits(stored.counter), "slot": .number(Int64(stored.slot)),
        "size": .digits(record.size), "root": .string(record.root.hex),
        "machine": .string(place.machine.hex), "inode": .digits(place.file.inode),
        "birthNanoseconds": .digits(place.file.birthNanoseconds), "path": .string(place.path),
        "pathHash": .string(place.pathHash.hex),
      ])
    }
    return Vector("head", name, description, content)
  }

  private static func input(_ bytes: [UInt8]) -> [String: JSON] {
    ["input": .string(bytes.hex), "author": .string(author.hex)]
  }

  /// Slots with one flaw each, and what a file of it is refused as.
  private static func flaws() -> [(
    name: String, description: String, bytes: [UInt8], error: String
  )] {
    let slot = record().slot(counter: 7)
    func sealed(_ places: [Int: UInt8]) -> [UInt8] {
      var bytes = slot
      for (place, byte) in places { bytes[place] = byte }
      return seal(bytes)
    }
    let corrupt = "corrupt"
    return [
      ("byte", "a file of one byte", [0], corrupt),
      ("short", "a slot without its last byte", slot.dropLast(), corrupt),
      ("zeros", "a file of zeros", Array(repeating: 0, count: 2048), corrupt),
      ("checksum", "another checksum", spoilt(slot, 1023), corrupt),
      ("both_torn", "neither slot is whole", spoilt(slot, 40) + spoilt(slot, 500), corrupt),
      ("author", "a record of another author", sealed([24: 0]), corrupt),
      ("magic", "another magic", sealed([0: 0x6c]), corrupt),
      ("version_2", "a whole slot of the next version", sealed([15: 2]), "unsupportedVersion"),
      ("version_0", "no version is 0", sealed([15: 0]), "unsupportedVersion"),
      (
        "version_2_second", "the other slot is of the next version", slot + sealed([15: 2]),
        "unsupportedVersion"
      ),
      ("counter_0", "counters begin at 1", sealed([23: 0]), corrupt),
      ("counter_beyond", "a counter of 64 bits", sealed([16: 0x80]), corrupt),
      ("size_beyond", "one event more than a chain has", sealed([40: 0x40]), corrupt),
      ("path_701", "a path of 701 bytes", sealed([134: 2, 135: 0xbd]), corrupt),
      ("path_longer", "a path that goes on behind its end", sealed([135: 13]), corrupt),
      ("path_utf8", "a path that is no UTF-8", sealed([137: 0xff]), corrupt),
      ("padding", "something behind the path", sealed([1007: 1]), corrupt),
    ]
  }

  private static func refuse(
    _ flaw: (name: String, description: String, bytes: [UInt8], error: String)
  ) throws -> Vector {
    var found: String
    do throws(StoreError) {
      let reading = try HeadRecord.read(flaw.bytes.span, of: author, subject: flaw.name)
      found = reading == .damaged ? "corrupt" : "accepted"
    } catch {
      found = error.code.description
    }
    guard found == flaw.error else { throw VectorError("head/\(flaw.name): \(found)") }
    let content = input(flaw.bytes).merging(["error": .string(flaw.error)]) { $1 }
    return Vector("head", "refused_" + flaw.name, flaw.description, content)
  }

  private static func machines() -> Vector {
    let ids: [Bytes16] = [.pattern(0), .pattern(0xa0)]
    return Vector(
      "head", "machine", "a machine is the hash of its id, or of its name",
      [
        "machines": .array(
          ids.map {
            .object([
              "id": .string($0.hex), "machine": .string(MachineIdentity.hash(id: $0).hex),
            ])
          }
            + ["larder", "k\u{fc}che"].map {
              .object([
                "name": .string($0), "machine": .string(MachineIdentity.hash(hostName: $0).hex),
              ])
            })
      ])
  }

  private static func paths() -> Vector {
    let paths =
      ["/", "/home/a"] + [699, 700, 701, 900].map { String(repeating: "x", count: $0) }
      + (693..<697).map { String(repeating: "y", count: $0) + "\u{1f951}\u{20ac}\u{e9}" }
    return Vector(
      "head", "path", "what is kept of a path, and the hash of the whole",
      [
        "paths": .array(
          paths.map {
            let place = record(path: $0).place
            return .object([
              "path": .string($0), "kept": .string(place.path), "hash": .string(place.pathHash.hex),
            ])
          })
      ])
  }

  /// The bytes with one bit of another.
  private static func spoilt(_ bytes: [UInt8], _ place: Int) -> [UInt8] {
    var bytes = bytes
    bytes[place] ^= 1
    return bytes
  }

  /// The slot with the checksum it should have.
  private static func seal(_ slot: [UInt8]) -> [UInt8] {
    let checked = Array(slot[..<1008])
    return checked + BLAKE2b.hash128(checked).bytes
  }
}

extension Bytes16 {
  /// All bits set.
  fileprivate static let ones = Bytes16(high: .max, low: .max)
}
