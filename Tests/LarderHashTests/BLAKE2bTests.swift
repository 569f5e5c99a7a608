import LarderHash
import Testing

@Suite("BLAKE2b")
struct BLAKE2bTests {
  @Test("hashes what b2sum hashes", arguments: [16, 32])
  func knownAnswers(byteCount: Int) {
    // `printf abc | b2sum -l 128` and `-l 256`.
    let expected = [
      16: "cf4ab791c62b8d2b2109c90275287816",
      32: "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
    ]
    var incremental = BLAKE2b(byteCount: byteCount)
    incremental.update(Array("a".utf8))
    incremental.update([])
    incremental.update(Array("bc".utf8))
    #expect(incremental.finalize().hex == expected[byteCount])
    let once =
      byteCount == 16
      ? BLAKE2b.hash128(Array("abc".utf8)).hex : BLAKE2b.hash256(Array("abc".utf8)).hex
    #expect(once == expected[byteCount])
  }

  @Test("values keep their bytes, order and hexadecimal form")
  func values() throws {
    let low = try #require(Bytes16((0..<16).map { UInt8($0) }))
    let high = try #require(Bytes16(hex: "000102030405060708090A0B0C0D0E10"))
    #expect(low.hex == "000102030405060708090a0b0c0d0e0f")
    #expect(low < high && !(high < low))
    #expect(Bytes16([1, 2, 3]) == nil)
    #expect(Bytes16(hex: "zz0102030405060708090a0b0c0d0e0f") == nil)
    let wide = try #require(Bytes32(low.bytes + high.bytes))
    #expect(wide.bytes == low.bytes + high.bytes)
    #expect(Bytes32(hex: wide.hex) == wide)
  }

  @Test("128-bit sums carry and wrap")
  func sums() {
    let almost = Bytes16(high: 0, low: .max)
    #expect(almost &+ Bytes16(high: 0, low: 1) == Bytes16(high: 1, low: 0))
    #expect(Bytes16.zero &- Bytes16(high: 0, low: 1) == Bytes16(high: .max, low: .max))
  }
}
