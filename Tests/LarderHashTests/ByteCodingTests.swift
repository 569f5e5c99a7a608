import LarderHash
import Testing

@Suite("Bytes as words and digits")
struct ByteCodingTests {
  /// Words that have every digit, and those at the ends.
  private static let words: [UInt64] = [
    0, 1, 9, 10, 15, 16, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x9a9a_a9a9_0f0f_f0f0, .max,
  ]

  @Test("the digits of words are those of their bytes, and lead back", arguments: words)
  func digitsOfWords(word: UInt64) {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(word)
    let slow = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(String(hex: [word]) == slow)
    #expect(bytes.hex == slow)
    #expect(UInt64(hexDigits: slow.utf8Span.span) == word)
    #expect(UInt64(hexDigits: slow.uppercased().utf8Span.span) == word)
    #expect(bytes.span.bigEndianWord(at: 0) == word)
    let value = Bytes16(high: ~word, low: word)
    #expect(value.hex == String(hex: [~word]) + slow)
    #expect(Bytes16(hex: value.hex) == value)
    #expect(Bytes32(front: value, back: value).hex == value.hex + value.hex)
  }

  @Test(
    "anything but sixteen hexadecimal digits is no word",
    arguments: ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg", "0123456789abcd f"])
  func noWord(text: String) {
    #expect(UInt64(hexDigits: text.utf8Span.span) == nil)
    #expect(Bytes16(hex: "0123456789abcdef" + text) == nil)
  }

  @Test("bytes of any length have two digits each")
  func bytesOfAnyLength() {
    for count in 0..<20 {
      let bytes = (0..<count).map { UInt8(17 * ($0 % 15) + 3) }
      #expect(bytes.hex.utf8.count == 2 * count && [UInt8](hex: bytes.hex) == bytes)
    }
    #expect([UInt8](hex: "abc") == nil && [UInt8](hex: "zz") == nil)
  }

  @Test("the first bytes of a word and whole spans are appended to an output")
  func appending() {
    for byteCount in 0...8 {
      let bytes = [UInt8](capacity: 24) { output in
        output.append(7)
        output.append(bigEndian: 0x0102_0304_0506_0708, byteCount: byteCount)
        output.append(contentsOf: [UInt8]([9, 10]).span)
        output.append(contentsOf: [UInt8]().span)
      }
      #expect(bytes == [7] + (0..<byteCount).map { UInt8($0 + 1) } + [9, 10])
    }
  }
}
