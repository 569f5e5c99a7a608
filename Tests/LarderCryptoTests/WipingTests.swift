import LarderCrypto
import Testing

@Suite("Wiping")
struct WipingTests {
  @Test("bytes are zeros afterwards, and none are no trap")
  func wipe() {
    var bytes: [UInt8] = [1, 2, 3]
    bytes.wipe()
    #expect(bytes == [0, 0, 0])
    var none: [UInt8] = []
    none.wipe()
    #expect(none.isEmpty)
  }
}
