import LarderCrypto
import LarderHash
import Testing

@Suite("Author keys")
struct AuthorKeyTests {
  /// RFC 8032, section 7.1.
  struct Vector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let seed: String
    let publicKey: String
    let message: String
    let signature: String
  }

  static let vectors = [
    Vector(
      testDescription: "TEST 1",
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    Vector(
      testDescription: "TEST 2",
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    Vector(
      testDescription: "TEST 3",
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    Vector(
      testDescription: "TEST SHA(abc)",
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
  ]

  private func key(_ vector: Vector) throws -> AuthorSecretKey {
    try key(seed: try #require([UInt8](hex: vector.seed)))
  }

  private func key(seed: [UInt8]) throws -> AuthorSecretKey {
    switch AuthorSecretKey(seed: seed.span) {
    case .some(let key): return key
    case .none: throw SeedRefused()
    }
  }

  private struct SeedRefused: Error {}

  private func signature(_ bytes: [UInt8]) -> AuthorSignature? {
    AuthorSignature(bytes.span)
  }

  private func verifies(
    _ signature: AuthorSignature, of message: [UInt8], by author: AuthorPublicKey
  ) -> Bool {
    author.verify(signature, of: message.span)
  }

  @Test("makes the keys and signatures of RFC 8032", arguments: vectors)
  func publishedVectors(vector: Vector) throws {
    let secret = try key(vector)
    let message = try #require([UInt8](hex: vector.message))
    let signature = secret.sign(message.span)
    let author = secret.publicKey
    #expect(author.bytes.hex == vector.publicKey)
    #expect(signature.bytes.hex == vector.signature)
    #expect(verifies(signature, of: message, by: author))
  }

  @Test("a changed message, signature or key does not verify")
  func changed() throws {
    let secret = try key(Self.vectors[2])
    let message: [UInt8] = [0xaf, 0x82]
    let good = secret.sign(message.span)
    let author = secret.publicKey
    let other = AuthorSecretKey.generate().publicKey
    #expect(!verifies(good, of: [0xaf, 0x83], by: author))
    #expect(!verifies(good, of: message, by: other))
    for index in 0..<AuthorSignature.byteCount {
      var bytes = good.bytes
      bytes[index] ^= 1
      let changed = try #require(signature(bytes))
      #expect(changed != good && !verifies(changed, of: message, by: author))
    }
  }

  @Test("a signature whose S is not reduced is refused")
  func malleability() throws {
    let secret = try key(Self.vectors[2])
    let message: [UInt8] = [0xaf, 0x82]
    var bytes = secret.sign(message.span).bytes
    // The order of the curve's group, little-endian; S plus it is the same number to the curve.
    let order = try #require(
      [UInt8](hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
    var carry = 0
    for index in 0..<32 {
      let sum = Int(bytes[32 + index]) + Int(order[index]) + carry
      bytes[32 + index] = UInt8(sum & 0xff)
      carry = sum >> 8
    }
    let author = secret.publicKey
    let second = try #require(signature(bytes))
    #expect(!verifies(second, of: message, by: author))
  }

  @Test("a key of small order verifies nothing")
  func smallOrder() throws {
    // The neutral element, under which R = neutral and S = 0 would be a signature of anything.
    var neutral = [UInt8](repeating: 0, count: 32)
    neutral[0] = 1
    let point = try #require(Bytes32(neutral))
    let author = AuthorPublicKey(point)
    let zero = try #require(Bytes32([UInt8](repeating: 0, count: 32)))
    #expect(!verifies(AuthorSignature(front: point, back: zero), of: [1, 2, 3], by: author))
  }

  @Test("the author's id is BLAKE2b-128 of the public key")
  func authorID() throws {
    let secret = try key(Self.vectors[0])
    let bytes = try #require([UInt8](hex: Self.vectors[0].publicKey))
    let author = secret.publicKey
    #expect(author.authorID == BLAKE2b.hash128(bytes))
    #expect(author == AuthorPublicKey(try #require(Bytes32(bytes))))
  }

  @Test("the seed makes the same key again")
  func seed() throws {
    let secret = AuthorSecretKey.generate()
    let seed = secret.withSeed { seed in
      var copy: [UInt8] = []
      for index in 0..<seed.count { copy.append(seed[index]) }
      return copy
    }
    #expect(seed.count == AuthorSecretKey.seedByteCount)
    let author = secret.publicKey
    let again = try key(seed: seed).publicKey
    #expect(again == author)
  }

  @Test("a seed of another length is refused", arguments: [0, 31, 33, 64])
  func badSeed(count: Int) {
    #expect(throws: SeedRefused.self) {
      _ = try key(seed: [UInt8](repeating: 1, count: count))
    }
  }

  @Test("generated keys differ, and say nothing of themselves")
  func generated() {
    let secret = AuthorSecretKey.generate()
    let first = secret.publicKey
    let second = AuthorSecretKey.generate().publicKey
    #expect(first != second)
    let description = secret.description
    #expect(description == "AuthorSecretKey(redacted)")
  }

  @Test("a signature is 64 bytes", arguments: [0, 63, 65])
  func signatureLength(count: Int) {
    #expect(signature([UInt8](repeating: 0, count: count)) == nil)
  }
}

@Suite("SecureRandom")
struct SecureRandomTests {
  @Test("gives as many bytes as asked, other ones each time")
  func bytes() {
    #expect(SecureRandom.bytes(0) == [])
    #expect(SecureRandom.bytes(33).count == 33)
    #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    #expect(SecureRandom.bytes16() != SecureRandom.bytes16())
    #expect(SecureRandom.bytes32() != SecureRandom.bytes32())
    let value = SecureRandom.bytes32()
    #expect(value.front != value.back)
  }

  @Test("every bit is sometimes set and sometimes not")
  func everyBit() {
    var ones: UInt64 = 0
    var zeros: UInt64 = 0
    for _ in 0..<200 {
      let value = SecureRandom.bytes16()
      ones |= value.high & value.low
      zeros |= ~value.high & ~value.low
    }
    #expect(ones == .max && zeros == .max)
  }
}
