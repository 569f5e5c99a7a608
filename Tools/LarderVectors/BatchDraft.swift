// The parts of a batch of two events, each of which a flaw can replace.

import LarderCrypto
import LarderHash
import LarderKernel

/// A batch to be made.
struct BatchDraft {
  /// The seed of the block.
  static let seed = BLAKE2b.hash256([9])

  var author: AuthorID
  var key: [UInt8]
  var first: UInt64 = 510
  var count: UInt64 = 2
  /// The headers of both events.
  var headers: [[UInt8]]
  /// Which event is erased.
  var erased: Int?
  /// The salts the leaves are made with, where they are not those of the seed.
  var drawnSalts: [Bytes16?]
  /// Whether the salts stand one by one, although nothing is erased.
  var areSaltsExplicit = false
  /// The salts, where they are not those of the leaves.
  var salts: Batch.Salts?
  /// The root of the leaves, where it is not theirs.
  var leavesRoot: Bytes32?
  var rootBefore = BLAKE2b.hash256([1])
  /// The root after them; nil for that of the leaves.
  var rootAfter: Bytes32? = BLAKE2b.hash256([2])
  /// Roots that take the place of the signed ones.
  var unsignedRootBefore: Bytes32?
  var unsignedRootAfter: Bytes32?
  var alterSignature: ([UInt8]) -> [UInt8] = { $0 }

  init() throws {
    let key = try Self.secretKey().publicKey
    author = AuthorID(key.authorID)
    self.key = key.bytes.bytes
    var salts = BlockSalts(seed: Self.seed)
    drawnSalts = [salts.salt(at: 510), salts.salt(at: 511)]
    headers = [try LogVectors.header(0), try LogVectors.header(1)]
  }

  private static func secretKey() throws -> AuthorSecretKey {
    guard let key = AuthorSecretKey(seed: pattern(0x20, 32).span) else {
      throw VectorError("no key")
    }
    return key
  }

  /// The batch's bytes, whatever the lengths of its key and signature.
  func bytes() throws -> [UInt8] {
    let batch = try batch()
    guard key.count != 32 else { return batch.bytes }
    // The key stands behind the array's head and the format.
    return Array(batch.bytes[..<2]) + [0x58, UInt8(key.count)] + key + batch.bytes[36...]
  }

  /// The batch.
  func batch() throws -> Batch {
    var block = BlockSalts(seed: Self.seed)
    var leaves: [Bytes32] = []
    var explicit: [Bytes16?] = []
    var events = CBORWriter()
    let payload: [UInt8] = [0xa0]
    for (index, header) in headers.enumerated() {
      var salt = drawnSalts[index] ?? .zero
      if !areSaltsExplicit, erased == nil {
        salt = block.salt(at: Int((first + UInt64(index)) % Limits.blockEventCount))
      }
      let commitment = PayloadCommitment.of(salt: salt, payload: payload.span)
      leaves.append(MerkleLeaf.hash(header: header.span, commitment: commitment))
      explicit.append(index == erased ? nil : salt)
      if index == erased {
        events.append(eventHeader: header.span, commitment: commitment)
      } else {
        events.append(eventHeader: header.span, payload: payload.span)
      }
    }
    let isPlain = erased == nil && !areSaltsExplicit
    return Batch(
      publicKey: Bytes32(key.span) ?? Bytes32(front: .zero, back: .zero),
      edge: try signed(root: MerkleTree.root(of: leaves)),
      salts: salts ?? (isPlain ? .seed(Self.seed) : .explicit(explicit)), events: events.bytes)
  }

  private func signed(root: Bytes32) throws -> SignedEdge {
    func edge(before: Bytes32, after: Bytes32) -> Edge {
      Edge(
        author: author, first: first, count: count, rootBefore: before, rootAfter: after,
        leavesRoot: leavesRoot ?? root)
    }
    let after = rootAfter ?? root
    let message = edge(before: rootBefore, after: after).signedBytes
    let signature = try Self.secretKey().sign(message.span).bytes
    return SignedEdge(
      edge: edge(
        before: unsignedRootBefore ?? rootBefore, after: unsignedRootAfter ?? after),
      signature: alterSignature(signature))
  }
}
