// From an event's two byte strings to its leaf (SPEC: the log's tree).
//
// Invariant: the leaf depends on the payload only through its commitment, so the payload and its
// salt can be destroyed and every proof still holds; the salt keeps a guess at them from being
// confirmed.

package import LarderHash

/// What stands for a payload in its leaf.
package enum PayloadCommitment {
  /// BLAKE2b-256(salt ‖ payload). Does not allocate for payloads of up to 496 bytes.
  package static func of(salt: Bytes16, payload: Span<UInt8>) -> Bytes32 {
    if payload.count <= 496 {
      var input = MerkleInput<512>()
      input.append(salt)
      input.append(payload)
      return input.hash
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Bytes16.byteCount + payload.count)
    salt.append(to: &bytes)
    append(payload, to: &bytes)
    return BLAKE2b.hash256(bytes)
  }
}

/// The leaf of an event.
package enum MerkleLeaf {
  /// BLAKE2b-256(0x00 ‖ header ‖ commitment). Does not allocate for headers of up to 223 bytes.
  package static func hash(header: Span<UInt8>, commitment: Bytes32) -> Bytes32 {
    if header.count <= 223 {
      var input = MerkleInput<256>()
      input.append(0x00)
      input.append(header)
      input.append(commitment)
      return input.hash
    }
    var bytes: [UInt8] = [0x00]
    bytes.reserveCapacity(1 + header.count + Bytes32.byteCount)
    append(header, to: &bytes)
    commitment.append(to: &bytes)
    return BLAKE2b.hash256(bytes)
  }

  /// The leaf of an event whose payload and salt are at hand: two hashes.
  package static func hash(
    header: Span<UInt8>, salt: Bytes16, payload: Span<UInt8>
  ) -> Bytes32 {
    hash(header: header, commitment: PayloadCommitment.of(salt: salt, payload: payload))
  }
}

private func append(_ content: Span<UInt8>, to bytes: inout [UInt8]) {
  bytes.append(addingCapacity: content.count) { output in
    for index in content.indices { output.append(content[index]) }
  }
}
