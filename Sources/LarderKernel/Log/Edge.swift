// What an author signs: that a run of its events lies between two roots. SPEC.md, "Edges".

package import LarderHash

/// A statement about a run of an author's events, within one block.
package struct Edge: Hashable, Sendable {
  /// Who says so.
  package let author: AuthorID
  /// The first seq.
  package let first: UInt64
  /// How many events, 1…512.
  package let count: UInt64
  /// The root of the tree of the first `first` events.
  package let rootBefore: Bytes32
  /// The root of the tree of the first `first + count` events.
  package let rootAfter: Bytes32
  /// The root of the tree of these events alone.
  package let leavesRoot: Bytes32

  /// An edge, which may still be an impossible one: see ``isPossible``.
  package init(
    author: AuthorID, first: UInt64, count: UInt64, rootBefore: Bytes32, rootAfter: Bytes32,
    leavesRoot: Bytes32
  ) {
    self.author = author
    self.first = first
    self.count = count
    self.rootBefore = rootBefore
    self.rootAfter = rootAfter
    self.leavesRoot = leavesRoot
  }

  /// Whether there are 1…512 events, all in one block, of a chain that can be as long.
  package var isPossible: Bool {
    guard (1...Limits.blockEventCount).contains(count), first < MerkleTree.sizeMax else {
      return false
    }
    return first / Limits.blockEventCount == (first + count - 1) / Limits.blockEventCount
  }

  /// One past the last seq; of a possible edge.
  package var end: UInt64 { first &+ count }

  /// What is signed: CBOR `["larder edge v1", author, first, count, rootBefore, rootAfter,
  /// leavesRoot]`.
  package var signedBytes: [UInt8] {
    var writer = CBORWriter(reserving: 160)
    writer.beginArray(count: 7)
    writer.append(text: "larder edge v1")
    append(to: &writer)
    return writer.bytes
  }

  func append(to writer: inout CBORWriter) {
    writer.append(author.bytes)
    writer.append(unsigned: first)
    writer.append(unsigned: count)
    writer.append(rootBefore)
    writer.append(rootAfter)
    writer.append(leavesRoot)
  }
}

/// An edge with its author's Ed25519 signature, which is not checked yet.
package struct SignedEdge: Hashable, Sendable {
  /// How many bytes a signature has.
  package static let signatureByteCount = 64

  /// The edge.
  package let edge: Edge
  /// The signature over `edge.signedBytes`.
  package let signature: [UInt8]

  /// A signed edge.
  package init(edge: Edge, signature: [UInt8]) {
    self.edge = edge
    self.signature = signature
  }

  /// CBOR `[author, first, count, rootBefore, rootAfter, leavesRoot, signature]`.
  func append(to writer: inout CBORWriter) {
    writer.beginArray(count: 7)
    edge.append(to: &writer)
    writer.append(bytes: signature)
  }

  init(_ reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    guard try reader.arrayCount(in: bytes) == 7 else {
      throw CBORError(code: .unexpectedType, offset: reader.offset)
    }
    let author = AuthorID(try reader.bytes16(in: bytes))
    let first = try reader.unsigned(in: bytes)
    let count = try reader.unsigned(in: bytes)
    let before = try reader.bytes32(in: bytes)
    let after = try reader.bytes32(in: bytes)
    let leaves = try reader.bytes32(in: bytes)
    let start = reader.offset
    let signature = try reader.byteString(in: bytes)
    edge = Edge(
      author: author, first: first, count: count, rootBefore: before, rootAfter: after,
      leavesRoot: leaves)
    guard edge.isPossible, signature.count == Self.signatureByteCount else {
      throw CBORError(code: .outOfRange, offset: start)
    }
    self.signature = signature.map { bytes[$0] }
  }
}
