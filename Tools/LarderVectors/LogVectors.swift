// Event sequences and packed blocks: good ones, and each flaw.

import LarderCompression
import LarderHash
import LarderKernel

enum LogVectors {
  static func all() throws -> [Vector] {
    try sequences() + blocks()
  }

  // MARK: Sequences

  /// The header of the event `index` of a run.
  static func header(_ index: Int, kind: String = "MealRestored") throws -> [UInt8] {
    let name = try constant(EventKind(kind), "kind")
    let hlc = HLC(milliseconds: 1_777_723_200_000 + Int64(index))
    return EventHeader(
      hlc: hlc, recordedAt: Instant(clamping: 1_777_723_200_000),
      stream: StreamID(try constant(Bytes16(pattern(UInt8(index), 16)), "stream")), kind: name,
      version: 1, flags: []
    ).bytes
  }

  private static let commitment = BLAKE2b.hash256([7])

  private static func sequence(erased: Int? = nil) throws -> [UInt8] {
    var writer = CBORWriter()
    for index in 0..<3 {
      let header = try header(index)
      if index == erased {
        writer.append(eventHeader: header.span, commitment: commitment)
      } else {
        let payload = pattern(0xa0, 20 * index)
        writer.append(eventHeader: header.span, payload: payload.span)
      }
    }
    return writer.bytes
  }

  private static func sequences() throws -> [Vector] {
    let whole = try sequence()
    let header = try header(0)
    var long = CBORWriter()
    long.append(eventHeader: pattern(0, 257).span, payload: pattern(0, 1).span)
    var huge = CBORWriter()
    huge.append(eventHeader: header.span, payload: [UInt8](repeating: 0, count: 16_385).span)
    return [
      try accept("three", "three events", whole, count: 3),
      try accept("erased", "the second of three events is erased", sequence(erased: 1), count: 3),
      try refuse("truncated", "a byte too few", whole.dropLast(), count: 3, "malformed"),
      try refuse("trailing", "a byte too many", whole + [0], count: 3, "malformed"),
      try refuse("fewer", "fewer events than stated", whole, count: 4, "malformed"),
      try refuse("more", "more events than stated", whole, count: 2, "malformed"),
      try refuse("none", "no event at all", [], count: 0, "outOfRange"),
      try refuse("header_257", "a header of 257 bytes", long.bytes, count: 1, "limitExceeded"),
      try refuse(
        "payload_16385", "a payload of 16385 bytes", huge.bytes, count: 1, "limitExceeded"),
      try refuse(
        "number", "a number in the place of a header", [0x01, 0x40], count: 1, "malformed"),
      try refuse(
        "null", "null in the place of a payload", [0x41, 0x00, 0xf6], count: 1, "malformed"),
      try refuse("no_payload", "a header and nothing more", [0x41, 0x00], count: 1, "malformed"),
      try refuse(
        "commitment_31", "a commitment of 31 bytes",
        [0x41, 0x00, 0x81, 0x58, 0x1f] + pattern(0, 31),
        count: 1, "outOfRange"),
      try refuse(
        "commitments", "two commitments of one event",
        [0x41, 0x00, 0x82] + [0x58, 0x20] + pattern(0, 32) + [0x58, 0x20] + pattern(0, 32),
        count: 1, "malformed"),
      try refuse("count_513", "more events than a block has", whole, count: 513, "outOfRange"),
      try refuse(
        "longer_length", "a length that is not the shortest", [0x58, 0x01, 0x00, 0x40], count: 1,
        "malformed"),
    ]
  }

  private static func read(
    _ bytes: [UInt8], count: Int
  ) throws(KernelError) -> [EventSequenceReader.Entry] {
    var reader = try EventSequenceReader(count: count)
    var entries: [EventSequenceReader.Entry] = []
    while let entry = try reader.next(in: bytes.span) { entries.append(entry) }
    return entries
  }

  private static func accept(
    _ name: String, _ description: String, _ bytes: [UInt8], count: Int
  ) throws -> Vector {
    let events = try read(bytes, count: count).map { entry -> JSON in
      let header = JSON.string(Array(bytes[entry.header]).hex)
      switch entry.body {
      case .payload(let place):
        return .object(["header": header, "payload": .string(Array(bytes[place]).hex)])
      case .erased(let commitment):
        return .object(["header": header, "commitment": .string(commitment.hex)])
      }
    }
    return Vector(
      "sequence", name, description,
      ["input": .string(bytes.hex), "count": .number(Int64(count)), "events": .array(events)])
  }

  private static func refuse(
    _ name: String, _ description: String, _ bytes: [UInt8], count: Int, _ code: String
  ) throws -> Vector {
    do throws(KernelError) {
      _ = try read(bytes, count: count)
    } catch {
      guard error.code.rawValue == code else { throw VectorError("sequence/\(name): \(error)") }
      return Vector(
        "sequence", "refused_" + name, description,
        ["input": .string(bytes.hex), "count": .number(Int64(count)), "error": .string(code)])
    }
    throw VectorError("sequence/\(name) was accepted")
  }

  // MARK: Blocks

  /// Compressed by hand: what liblz4 makes of bytes may change.
  private static func blocks() throws -> [Vector] {
    // A token, nine literals, and a match of eleven bytes three back; then five literals.
    let match: [UInt8] = [0x97] + pattern(0x61, 9) + [0x03, 0x00, 0x50] + pattern(0x30, 5)
    let plain = pattern(0x61, 9) + (0..<11).map { [0x67, 0x68, 0x69][$0 % 3] } + pattern(0x30, 5)
    let literals: [UInt8] = [0x50] + pattern(0x30, 5)
    return [
      try block("literals", "five literals", literals, pattern(0x30, 5)),
      try block("match", "literals, a match that overlaps itself, literals", match, plain),
      try brokenBlock("truncated", "a byte too few", literals.dropLast(), byteCount: 5),
      try brokenBlock("longer", "one byte more than is stated", literals, byteCount: 4),
      try brokenBlock("shorter", "one byte less than is stated", literals, byteCount: 6),
      try brokenBlock(
        "far_match", "a match before the beginning",
        [0x17, 0x61, 0x09, 0x00, 0x50] + pattern(0x30, 5), byteCount: 17),
    ]
  }

  private static func block(
    _ name: String, _ description: String, _ data: [UInt8], _ plain: [UInt8]
  ) throws -> Vector {
    let found = try LZ4.decompress(data.span, byteCount: plain.count, limit: 1000)
    guard found == plain else { throw VectorError("block/\(name): \(found.hex)") }
    return Vector(
      "block", name, description,
      [
        "input": .string(data.hex), "byteCount": .number(Int64(plain.count)),
        "sequence": .string(plain.hex),
      ])
  }

  private static func brokenBlock(
    _ name: String, _ description: String, _ data: [UInt8], byteCount: Int
  ) throws -> Vector {
    guard (try? LZ4.decompress(data.span, byteCount: byteCount, limit: 1000)) == nil else {
      throw VectorError("block/\(name) was accepted")
    }
    return Vector(
      "block", "refused_" + name, description,
      [
        "input": .string(data.hex), "byteCount": .number(Int64(byteCount)),
        "error": .string("corrupt"),
      ])
  }
}
