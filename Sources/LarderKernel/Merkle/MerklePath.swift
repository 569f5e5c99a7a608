// The hashes of a proof as bytes: a CBOR array of byte strings of 32 bytes.
//
// Invariant: what is read has at most 64 hashes and one encoding. A tree of 2⁶² leaves needs 63.

package import LarderHash

/// The hashes of an inclusion or consistency proof, in the order a verifier uses them.
package struct MerklePath: Hashable, Sendable {
  /// The most hashes a proof can hold.
  package static let countMax = 64

  /// The hashes.
  package let nodes: [Bytes32]

  /// A path of these hashes.
  package init(nodes: [Bytes32]) {
    self.nodes = nodes
  }

  /// The path that `bytes` hold and nothing else.
  /// - Throws: `CBORError`: `unexpectedType`, `limitExceeded` for more than 64 hashes, `outOfRange`
  ///   for one that is not 32 bytes long, `trailingBytes`, or a fault of the bytes.
  package init(_ bytes: Span<UInt8>) throws(CBORError) {
    var reader = CBORReader()
    self = try MerklePath(from: &reader, in: bytes)
    try reader.finish(in: bytes)
  }

  /// The path that is the reader's next item.
  /// - Throws: `CBORError`, as above without `trailingBytes`.
  package init(from reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    let start = reader.offset
    let count = try reader.arrayCount(in: bytes)
    guard count <= Self.countMax else {
      throw CBORError(code: .limitExceeded, offset: start)
    }
    var nodes: [Bytes32] = []
    nodes.reserveCapacity(count)
    for _ in 0..<count {
      nodes.append(try reader.bytes32(in: bytes))
    }
    self.nodes = nodes
  }

  /// The one encoding of the path.
  package var bytes: [UInt8] {
    var writer = CBORWriter(reserving: 2 + 34 * nodes.count)
    write(to: &writer)
    return writer.bytes
  }

  /// Writes the path as one item.
  package func write(to writer: inout CBORWriter) {
    writer.beginArray(count: nodes.count)
    for node in nodes { writer.append(node) }
  }
}
