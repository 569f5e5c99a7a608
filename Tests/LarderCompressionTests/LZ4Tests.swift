import LarderCompression
import Testing

@Suite("LZ4")
struct LZ4Tests {
  @Test("what was compressed comes back", arguments: [0, 1, 13, 1000, 100_000])
  func coding(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 * 31) }
    let data = LZ4.compress(bytes.span)
    #expect(try LZ4.decompress(data.span, byteCount: count, limit: count) == bytes)
    if count == 100_000 { #expect(data.count < count / 2) }
  }

  @Test("another size, a cut and a size above the limit are refused")
  func refusing() throws {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * $0 / 11) }
    let data = LZ4.compress(bytes.span)
    for count in [0, 999, 1001, 5000] {
      let error = #expect(throws: LZ4Error.self) {
        try LZ4.decompress(data.span, byteCount: count, limit: 10_000)
      }
      #expect(error?.code == .corrupt)
    }
    for end in data.indices {
      #expect(throws: LZ4Error.self) {
        try LZ4.decompress(Array(data[..<end]).span, byteCount: 1000, limit: 1000)
      }
    }
    for count in [-1, 1001] {
      let error = #expect(throws: LZ4Error.self) {
        try LZ4.decompress(data.span, byteCount: count, limit: 1000)
      }
      #expect(error?.code == .limitExceeded)
    }
  }
}
