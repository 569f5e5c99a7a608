import LarderHash
import LarderKernel
import Testing

@Suite("Merkle hashes")
struct MerkleTreeTests {
  // The expected hashes of this suite were computed with Python's hashlib.blake2b.

  @Test("roots are those of RFC 6962 with BLAKE2b-256")
  func roots() {
    let leaves = (0..<255).map { BLAKE2b.hash256([0x00, UInt8($0)]) }
    let expected = [
      0: "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8",
      1: "9ee6dfb61a2fb903df487c401663825643bb825d41695e63df8af6162ab145a6",
      2: "47f61e4f4620e9946a8831b8c717a76f36982b82d88e005bc4635a1b21c73eff",
      3: "8926efdc0a3a501b9a98e046861bf1303acf7bd2191f0a5fd21c003c9557c1b9",
      7: "9a32133fb577b45268f6dcb813645347b5955c4b19e56b7474197a31e75a6a5f",
      8: "4ba07b279e4b38ac43030e643df2838f441574aaa3fe3d33187d240df776424b",
      255: "4cab0bde9777b6663cf6d17de06b3a455aa316f1cf08490c981c873541f6f990",
    ]
    for (count, root) in expected {
      #expect(MerkleTree.root(of: Array(leaves[..<count])).hex == root)
    }
    #expect(MerkleTree.emptyRoot.hex == expected[0])
  }

  @Test("commitments and leaves have one value at every length")
  func leaves() throws {
    let salt = try #require(Bytes16((0..<16).map { UInt8($0) }))
    let payload = Array("payload".utf8)
    let header = Array("header".utf8)
    let commitment = PayloadCommitment.of(salt: salt, payload: payload.span)
    #expect(
      commitment.hex == "14c31e24fcee7279777d03c52248464126cea25fb08f8a3d6991ce917d848ba7")
    let leaf = "7895827cf8986abab38178276c4edacbc4d59f7aa5a80555ef2b1b4601056969"
    #expect(MerkleLeaf.hash(header: header.span, commitment: commitment).hex == leaf)
    #expect(MerkleLeaf.hash(header: header.span, salt: salt, payload: payload.span).hex == leaf)
    // Around the length from which the input no longer lies on the stack.
    let commitments = [
      495: "1a82f3cc33e6b5d5a7acbec26e2a958f54791496b5fcca881f27f83c921218ef",
      496: "b11a97030a95beb07b7c165591b304b0ca044b676876301dff6009ab2b393890",
      497: "7b259fb3884aba673b6175297003075a5d6e35b50310cc1aef023ce37d053014",
      3_000: "1a6c4a29bce09f6d2e7928e7b4eff811037deafe43619e2565aaf855e1cd9588",
    ]
    for (count, hex) in commitments {
      let payload = [UInt8](repeating: 0xa5, count: count)
      #expect(PayloadCommitment.of(salt: salt, payload: payload.span).hex == hex)
    }
    let leaves = [
      222: "39ae4aee3800b293aaff54a67085c864529e639299a9a6ac8e66b625b4737648",
      223: "f3a4b07660c864b0a626bf198dec2b6de8973b63d66d282317729ed5990d1d5a",
      224: "6a13f1327e4ea746d37446be3b9ed62456282492f2f8450a8d199c8bce06995c",
      1_000: "a2f01e12b9c51b8414005eafbbc59cefd0f68ee5ec3bbbf30027f50c70960aa2",
    ]
    for (count, hex) in leaves {
      let header = [UInt8](repeating: 0x5a, count: count)
      #expect(MerkleLeaf.hash(header: header.span, commitment: commitment).hex == hex)
    }
  }

  @Test("salts are the quarters of keyed hashes, in any order of asking")
  func salts() throws {
    let seed = try #require(Bytes32((0..<32).map { UInt8($0) }))
    let expected = [
      0: "9212bc97156556f62890b1af16325851", 1: "4c78fd9c7a4fffa97a3381bca1fa788f",
      2: "239282c9d2934fa9bd1daab210574f39", 3: "07a9351baeaa33d3e2a68484a6af5d25",
      4: "4e06705d5f4e5a7799eae1fca77b6443", 511: "01f5700a4330fabac62f695381526414",
    ]
    var salts = BlockSalts(seed: seed)
    for (index, hex) in expected {
      #expect(salts.salt(at: index).hex == hex)
    }
    let ordered = (0..<BlockSalts.eventCount).map { salts.salt(at: $0) }
    #expect(Set(ordered).count == BlockSalts.eventCount)
    for index in (0..<BlockSalts.eventCount).reversed() {
      #expect(salts.salt(at: index) == ordered[index])
    }
  }

  @Test("salts say nothing of their seed")
  func secrecy() {
    var salts = BlockSalts(seed: BLAKE2b.hash256([7]))
    _ = salts.salt(at: 0)
    var dumped = ""
    dump(salts, to: &dumped)
    #expect("\(salts)" == "BlockSalts")
    #expect(String(reflecting: salts) == "BlockSalts")
    #expect(!dumped.contains("high"))
  }
}
