// What everyone knows of an author: the key that checks its signatures, and the id made from it.

import CSodium
package import LarderHash

/// The public half of an author's Ed25519 key (RFC 8032). Any thirty-two bytes are a value; those
/// that are no point of the curve, or one of small order, verify nothing.
package struct AuthorPublicKey: Hashable, Sendable {
  /// The encoded point.
  package let bytes: Bytes32

  /// The key with these bytes.
  package init(_ bytes: Bytes32) {
    self.bytes = bytes
  }

  /// The author's id: BLAKE2b-128 of the key.
  package var authorID: Bytes16 {
    BLAKE2b.hash128(bytes.bytes)
  }

  /// Whether `signature` is one of this author over `message`.
  ///
  /// Strict: an `S` that is not reduced and keys or points of small order are refused, so nobody
  /// can make a second signature from a first. O(message).
  package func verify(_ signature: AuthorSignature, of message: Span<UInt8>) -> Bool {
    Sodium.start()
    // Three buffers that live for the call, of the lengths Ed25519 has.
    let result = unsafe message.withUnsafeBufferPointer { message in
      unsafe crypto_sign_verify_detached(
        signature.bytes, message.baseAddress, UInt64(message.count), bytes.bytes)
    }
    return result == 0
  }
}

/// An Ed25519 signature, 64 bytes. Any bytes are a value.
package struct AuthorSignature: Hashable, Sendable {
  /// How many bytes a signature has.
  package static let byteCount = 64

  /// The first half, `R`.
  package let front: Bytes32
  /// The second half, `S`.
  package let back: Bytes32

  /// The signature of exactly 64 bytes; nil for any other count.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount,
      let front = Bytes32(bytes.extracting(0..<32)), let back = Bytes32(bytes.extracting(32..<64))
    else { return nil }
    self.init(front: front, back: back)
  }

  /// The signature of both halves.
  package init(front: Bytes32, back: Bytes32) {
    self.front = front
    self.back = back
  }

  /// The 64 bytes.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    append(to: &result)
    return result
  }

  /// Appends the 64 bytes to `output`.
  package func append(to output: inout [UInt8]) {
    front.append(to: &output)
    back.append(to: &output)
  }
}
