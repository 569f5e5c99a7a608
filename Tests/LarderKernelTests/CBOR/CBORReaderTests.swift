import LarderHash
import LarderKernel
import Testing

@Suite("CBORReader and CBORWriter")
struct CBORReaderTests {
  @Test("reads back every kind of item the writer writes")
  func everyKind() throws {
    let id = Bytes16(high: 1, low: .max)
    let hash = BLAKE2b.hash256([1])
    var writer = CBORWriter(reserving: 200)
    writer.beginArray(count: 14)
    writer.append(unsigned: .max)
    writer.append(integer: .min)
    writer.append(integer: .max)
    writer.append(integer: -1)
    writer.append(negative: .max)
    writer.append(text: "Gr\u{fc}ne So\u{df}e")
    writer.append(bytes: [1, 2, 3])
    let content: [UInt8] = [4, 5]
    writer.append(bytes: content.span)
    writer.append(bool: true)
    writer.appendNull()
    writer.append(id)
    writer.append(hash)
    let item: [UInt8] = [0x18, 0x64]
    writer.append(encoded: item.span)
    writer.beginMap(count: 1)
    writer.append(unsigned: 24)
    writer.append(bool: false)

    let bytes = writer.bytes
    let span = bytes.span
    var reader = CBORReader()
    #expect(try reader.peek(in: span) == .array)
    #expect(try reader.arrayCount(in: span) == 14)
    #expect(try reader.unsigned(in: span) == .max)
    #expect(try reader.integer(in: span) == .min)
    #expect(try reader.integer(in: span) == .max)
    #expect(try reader.integer(in: span) == -1)
    #expect(try reader.peek(in: span) == .negative)
    #expect(try reader.negative(in: span) == .max)
    #expect(try reader.text(in: span, maximumByteCount: 13) == "Gr\u{fc}ne So\u{df}e")
    let range = try reader.byteString(in: span)
    #expect(Array(bytes[range]) == [1, 2, 3])
    #expect(try reader.byteString(in: span).count == 2)
    #expect(try !reader.null(in: span))
    #expect(try reader.bool(in: span))
    #expect(try reader.null(in: span))
    #expect(try reader.bytes16(in: span) == id)
    #expect(try reader.bytes32(in: span) == hash)
    #expect(try reader.unsigned(in: span) == 100)
    #expect(try reader.mapCount(in: span) == 1)
    #expect(try reader.key(in: span, after: nil) == 24)
    #expect(throws: CBORError(code: .trailingBytes, offset: reader.offset)) {
      try reader.finish(in: bytes.span)
    }
    #expect(try !reader.bool(in: span))
    try reader.finish(in: span)
    #expect(try CBORValue.decode(span).encode() == bytes)

    writer.removeAll(keepingCapacity: true)
    writer.appendNull()
    #expect(writer.bytes == [0xf6])
  }

  @Test("asked for another type it throws and stays where it is")
  func unexpectedTypes() throws {
    // One item of each type, and the one type each read accepts.
    let items = ["01", "20", "41ff", "6161", "8101", "a10102", "f5", "f6"]
    let reads: [(Set<Int>, (inout CBORReader, [UInt8]) throws -> Void)] = [
      ([0], { reader, bytes in _ = try reader.unsigned(in: bytes.span) }),
      ([1], { reader, bytes in _ = try reader.negative(in: bytes.span) }),
      ([0, 1], { reader, bytes in _ = try reader.integer(in: bytes.span) }),
      ([2], { reader, bytes in _ = try reader.byteString(in: bytes.span) }),
      ([3], { reader, bytes in _ = try reader.text(in: bytes.span) }),
      ([4], { reader, bytes in _ = try reader.arrayCount(in: bytes.span) }),
      ([5], { reader, bytes in _ = try reader.mapCount(in: bytes.span) }),
      ([6], { reader, bytes in _ = try reader.bool(in: bytes.span) }),
      ([0], { reader, bytes in _ = try reader.key(in: bytes.span, after: nil) }),
    ]
    for (accepted, read) in reads {
      for (index, hex) in items.enumerated() {
        let bytes = try #require([UInt8](hex: hex))
        var reader = CBORReader()
        if accepted.contains(index) {
          try read(&reader, bytes)
          #expect(reader.offset > 0)
        } else {
          #expect(throws: CBORError(code: .unexpectedType, offset: 0)) {
            try read(&reader, bytes)
          }
          #expect(reader.offset == 0)
        }
      }
    }
  }

  @Test("integers, strings and counts have their ranges")
  func ranges() throws {
    func code(
      _ hex: String, _ read: (inout CBORReader, Span<UInt8>) throws(CBORError) -> Void
    ) throws -> CBORError.Code? {
      let bytes = try #require([UInt8](hex: hex))
      var reader = CBORReader()
      do throws(CBORError) {
        try read(&reader, bytes.span)
        return nil
      } catch {
        #expect(reader.offset == 0)
        return error.code
      }
    }
    let integer = { (reader: inout CBORReader, span: Span<UInt8>) throws(CBORError) in
      _ = try reader.integer(in: span)
    }
    #expect(try code("1b7fffffffffffffff", integer) == nil)
    #expect(try code("1b8000000000000000", integer) == .outOfRange)
    #expect(try code("3b7fffffffffffffff", integer) == nil)
    #expect(try code("3b8000000000000000", integer) == .outOfRange)
    let short = { (reader: inout CBORReader, span: Span<UInt8>) throws(CBORError) in
      _ = try reader.text(in: span, maximumByteCount: 2)
    }
    #expect(try code("626161", short) == nil)
    #expect(try code("63616161", short) == .limitExceeded)
    #expect(try code("61ff", short) == .invalidUTF8)
    let sixteen = { (reader: inout CBORReader, span: Span<UInt8>) throws(CBORError) in
      _ = try reader.bytes16(in: span)
    }
    #expect(try code("4f" + String(repeating: "00", count: 15), sixteen) == .outOfRange)
    #expect(try code("51" + String(repeating: "00", count: 17), sixteen) == .outOfRange)
    let thirtyTwo = { (reader: inout CBORReader, span: Span<UInt8>) throws(CBORError) in
      _ = try reader.bytes32(in: span)
    }
    #expect(try code("581f" + String(repeating: "00", count: 31), thirtyTwo) == .outOfRange)
    let arrayCount = { (reader: inout CBORReader, span: Span<UInt8>) throws(CBORError) in
      _ = try reader.arrayCount(in: span)
    }
    #expect(try code("820000", arrayCount) == nil)
    #expect(try code("830000", arrayCount) == .truncated)
    let mapCount = { (reader: inout CBORReader, span: Span<UInt8>) throws(CBORError) in
      _ = try reader.mapCount(in: span)
    }
    #expect(try code("a10000", mapCount) == nil)
    #expect(try code("a2000000", mapCount) == .truncated)
  }

  @Test("keys must rise")
  func keys() throws {
    let bytes: [UInt8] = [5, 0x18, 24]
    var reader = CBORReader()
    #expect(throws: CBORError(code: .duplicateKey, offset: 0)) {
      try reader.key(in: bytes.span, after: 5)
    }
    #expect(throws: CBORError(code: .unsorted, offset: 0)) {
      try reader.key(in: bytes.span, after: 6)
    }
    #expect(try reader.key(in: bytes.span, after: 4) == 5)
    #expect(try reader.key(in: bytes.span, after: 5) == 24)
    #expect(throws: CBORError(code: .truncated, offset: 3)) {
      try reader.key(in: bytes.span, after: 24)
    }
  }

  @Test("skips exactly one item and agrees with a full decode")
  func skipping() throws {
    for hex in CBORVectors.accepted.map(\.hex) + CBORVectors.edges {
      let bytes = try #require([UInt8](hex: hex))
      let followed = [0x00] + bytes + [0xff]
      var reader = CBORReader()
      _ = try reader.unsigned(in: followed.span)
      try reader.skip(in: followed.span)
      #expect(reader.offset == bytes.count + 1)
    }
    for vector in CBORVectors.refused where vector.code != .trailingBytes {
      let bytes = try #require([UInt8](hex: vector.hex))
      var reader = CBORReader()
      #expect(throws: CBORError(code: vector.code, offset: vector.offset)) {
        try reader.skip(in: bytes.span)
      }
      #expect(reader.offset == 0)
    }
  }

  @Test("what encloses an item counts towards its depth")
  func enclosedDepth() throws {
    let bytes: [UInt8] = [0x81, 0x80]
    var reader = CBORReader()
    #expect(throws: CBORError(code: .tooDeep, offset: 1)) {
      try reader.skip(in: bytes.span, enclosedBy: 15)
    }
    try reader.skip(in: bytes.span, enclosedBy: 14)
    #expect(reader.offset == 2)
  }

  @Test("skips a long hostile input in bounded steps")
  func hostileLength() throws {
    // Maps that are the keys of maps, fourteen deep, over and over: every level compares its key.
    let nest = String(repeating: "a1", count: 14) + "00" + String(repeating: "00", count: 14)
    let unit = try #require([UInt8](hex: nest))
    var writer = CBORWriter()
    writer.beginArray(count: 8_192)
    for _ in 0..<8_192 { writer.append(encoded: unit.span) }
    var reader = CBORReader()
    try reader.skip(in: writer.bytes.span)
    #expect(reader.offset == writer.bytes.count)
  }

  @Test("an error names its rule and place")
  func descriptions() {
    #expect("\(CBORError(code: .nonMinimal, offset: 3))" == "nonMinimal at byte 3")
  }
}
