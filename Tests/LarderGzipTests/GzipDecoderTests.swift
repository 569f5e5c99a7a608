import LarderGzip
import Testing

@Suite("GzipDecoder")
struct GzipDecoderTests {
  private let larder = member(Array("larder\n".utf8))
  private let second = member(Array("one two\n".utf8))

  @Test("a member reads as its plain bytes")
  func oneMember() throws {
    #expect(try decode(larder) == Array("larder\n".utf8))
  }

  @Test("members that follow one another read as one stream")
  func severalMembers() throws {
    let empty = Self.member([])
    #expect(try decode(larder + empty + second) == Array("larder\none two\n".utf8))
  }

  @Test("the pieces the bytes come in and the room for output change nothing")
  func pieces() throws {
    let bytes = larder + second
    for piece in 1...bytes.count {
      for limit in [1, 2, 7, 100] {
        #expect(
          try decode(bytes, piece: piece, limit: limit) == Array("larder\none two\n".utf8))
      }
    }
  }

  @Test("zero padding after the last member is allowed")
  func padding() throws {
    #expect(try decode(larder + [0, 0, 0, 0]) == Array("larder\n".utf8))
  }

  @Test("every proper prefix of a member is truncated")
  func truncated() {
    for count in 0..<larder.count {
      #expect(code(Array(larder[..<count])) == .truncated)
    }
    #expect(code(larder + second.dropLast()) == .truncated)
  }

  @Test("a wrong check value, a wrong length and other bytes after a member are corrupt")
  func corrupt() {
    for place in larder.count - 8..<larder.count {
      var bytes = larder
      bytes[place] ^= 1
      #expect(code(bytes) == .corrupt)
    }
    #expect(code(larder + [1, 2, 3]) == .corrupt)
    #expect(code(larder + [0, 0x1f, 0x8b]) == .corrupt)
    #expect(code(Array("{\"code\":\"1\"}\n".utf8)) == .corrupt)
  }

  @Test("a thousandfold expansion comes out in pieces no larger than asked for")
  func bounded() throws {
    let bomb = try #require([UInt8](hexText: Self.hundredThousandZeros))
    var decoder = try GzipDecoder()
    var output: [UInt8] = []
    var total = 0
    var offset = 0
    while offset < bomb.count {
      offset = try decoder.decode(bomb.span, from: offset, into: &output, limit: 1000)
      #expect(output.count <= 1000)
      #expect(output.allSatisfy { $0 == UInt8(ascii: "0") })
      total += output.count
      output.removeAll(keepingCapacity: true)
    }
    try decoder.finish()
    #expect(total == 100_000)
  }

  @Test("gzip is told from plain text by its first two bytes")
  func magic() {
    func isGzip(_ bytes: [UInt8]) -> Bool { GzipDecoder.isGzip(bytes.span) }
    #expect(isGzip(larder))
    #expect(!isGzip(Array("{}".utf8)))
    #expect(!isGzip([0x1f]))
  }

  @Test("any bytes end in plain bytes or a typed error, never a trap")
  func hostile() {
    var state: UInt64 = 7
    for round in 0..<300 {
      var bytes = larder + second
      for _ in 0...round % 4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      _ = code(bytes)
    }
  }

  private func decode(_ bytes: [UInt8], piece: Int = 64, limit: Int = 4096) throws -> [UInt8] {
    var decoder = try GzipDecoder()
    var output: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let input = Array(bytes[start..<min(start + piece, bytes.count)])
      var offset = 0
      while offset < input.count {
        offset = try decoder.decode(input.span, from: offset, into: &output, limit: limit)
      }
      start += input.count
    }
    try decoder.finish()
    return output
  }

  private func code(_ bytes: [UInt8]) -> GzipError.Code? {
    do {
      _ = try decode(bytes)
      return nil
    } catch {
      return (error as? GzipError)?.code
    }
  }

  /// A gzip member with one stored block (RFC 1951 §3.2.4), made without a compressor.
  private static func member(_ plain: [UInt8]) -> [UInt8] {
    let count = UInt16(plain.count)
    let lengths = [count, ~count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let check = crc32(plain)
    let trailer = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: check >> $0) }
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1] + lengths + plain + trailer
      + [UInt8(count & 255), UInt8(count >> 8), 0, 0]
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { check, byte in
      (0..<8).reduce(check ^ UInt32(byte)) { value, _ in
        value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0)
      }
    }
  }

  /// 100,000 times the character 0, compressed.
  private static let hundredThousandZeros =
    "1f8b0800000000000203edc13101000000c2a04aeb9fce1a1e4001" + String(repeating: "0", count: 192)
    + "af0685c24dc5a0860100"
}

extension [UInt8] {
  fileprivate init?(hexText: String) {
    let digits = Array<Character>(hexText)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(digits[start...start + 1]), radix: 16) else { return nil }
      bytes.append(byte)
    }
    self = bytes
  }
}
