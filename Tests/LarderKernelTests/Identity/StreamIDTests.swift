import LarderHash
import LarderKernel
import Testing

@Suite("StreamID")
struct StreamIDTests {
  // [IDENT-2]
  @Test("a fresh id is 48 bits of milliseconds and the last 80 random bits")
  func fresh() throws {
    let random = Bytes16(high: 0xffff_ffff_ffff_abcd, low: 0x0123_4567_89ab_cdef)
    let stream = StreamID(milliseconds: 0x0102_0304_0506, random: random)
    #expect(stream.hex == "010203040506abcd0123456789abcdef")
    #expect(StreamID(milliseconds: -1, random: .zero).hex == "ffffffffffff00000000000000000000")
    let wrapped = StreamID(milliseconds: 1 << 48, random: .zero)
    #expect(wrapped.hex == "00000000000000000000000000000000")
  }

  // [IDENT-2]
  @Test("ids made one after another sort by their time")
  func order() {
    let early = StreamID(milliseconds: 1_777_700_000_000, random: Bytes16(high: .max, low: .max))
    let late = StreamID(milliseconds: 1_777_700_000_001, random: .zero)
    #expect(early < late)
    #expect(!(late < early))
  }

  // [IDENT-3] Known answers: BLAKE2b-128 of "larder stream" and the CBOR of [class, key], by
  // another implementation.
  @Test(
    "two devices derive one id from one key",
    arguments: [
      (StreamID.SharedClass.capture, "import-2026-05-02-1", "dc9caef426d7649623f4a2bdab47ae19"),
      (.product, "0012345678905", "bd3bed3de0e6aa553d0a2a20d79babf1"),
      (.setting, "units", "96aeabfdd693e25be6d02da4a3b0f034"),
      (.day, "2026-05-02", "b4c3343d93ed2e12f76c7c201649aa42"),
      (.capture, "", "747af6adb81a939ddb2f884ba32cc47c"),
    ])
  func shared(_ sharedClass: StreamID.SharedClass, _ key: String, _ expected: String) {
    #expect(StreamID(shared: sharedClass, key: key).hex == expected)
  }

  // [IDENT-3]
  @Test("the class is part of what is hashed, and the framing keeps keys apart")
  func domains() {
    let ids = [
      StreamID(shared: .capture, key: "a"), StreamID(shared: .product, key: "a"),
      StreamID(shared: .setting, key: "a"), StreamID(shared: .day, key: "a"),
      StreamID(shared: .capture, key: "a\u{0}"), StreamID(shared: .capture, key: "b"),
      // Not normalised: two spellings are two keys.
      StreamID(shared: .capture, key: "é"), StreamID(shared: .capture, key: "e\u{301}"),
    ]
    #expect(Set(ids).count == ids.count)
  }

  // [IDENT-1]
  @Test("the control stream is all zero, and text is 32 digits of either case")
  func text() {
    #expect(StreamID.control.hex == String(repeating: "0", count: 32))
    let id = StreamID(hex: "0123456789abcdef0123456789ABCDEF")
    #expect(id?.description == "0123456789abcdef0123456789abcdef")
    for wrong in ["", "0123", String(repeating: "0", count: 33), String(repeating: "g", count: 32)]
    {
      #expect(StreamID(hex: wrong) == nil)
    }
  }
}
