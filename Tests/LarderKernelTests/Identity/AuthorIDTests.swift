import LarderHash
import LarderKernel
import Testing

@Suite("AuthorID")
struct AuthorIDTests {
  // [IDENT-6] A known answer by another implementation: the key is the bytes 0…31.
  @Test("an author's id is the 128-bit hash of the public key")
  func hash() throws {
    let key = try #require(Bytes32(Array(UInt8(0)..<32)))
    #expect(AuthorID(publicKey: key).hex == "f39a2cad58411cd49f577e5086b8031f")
  }

  // [IDENT-7]
  @Test("an event's name is its author's digits and its seq")
  func eventID() {
    let id = EventID(author: AuthorID(Bytes16(high: 1, low: 2)), seq: 512)
    #expect(id.description == "00000000000000010000000000000002:512")
  }
}

@Suite("BlobAddress")
struct BlobAddressTests {
  // [IDENT-8]
  @Test("a blob's path begins with the first two digits of its address")
  func path() {
    let address = BlobAddress(BLAKE2b.hash256(Array("abc".utf8)))
    let digits = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
    #expect(address.hex == digits)
    let expected = MediaType.allCases.map { "media/bd/\(digits).\($0.fileExtension)" }
    #expect(MediaType.allCases.map { address.path(mediaType: $0) } == expected)
    #expect(MediaType.allCases.map(\.fileExtension) == ["jpg", "png", "webp", "heic"])
    #expect(MediaType.jpeg.name == "image/jpeg")
  }
}
