import LarderHash
import LarderKernel
import Testing

@Suite("ItemID")
struct ItemIDTests {
  // [IDENT-5] Known answers by another implementation of BLAKE2b and CBOR.
  @Test("an accepted line makes the same item everywhere")
  func derived() {
    let analysis = Array(UInt8(0)..<16)
    #expect(ItemID(derivedFrom: analysis, index: 0).hex == "982c77c467a01cd1")
    #expect(ItemID(derivedFrom: analysis, index: 24).hex == "3cbad927e340b763")
    #expect(ItemID(derivedFrom: [], index: 5).hex == "2d04afa785c47e01")
  }

  // [IDENT-4]
  @Test("an item's id is eight bytes, the first most significant")
  func bytes() {
    let item = ItemID(0x0102_0304_0506_0708)
    #expect(item.bytes == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(item.description == "0102030405060708")
    #expect(ItemID(hex: "0102030405060708") == item)
    #expect(ItemID(0x00ff) < ItemID(0x0100))
    for wrong in ["", "01020304050607", "010203040506070809", "010203040506070x"] {
      #expect(ItemID(hex: wrong) == nil)
    }
  }
}
