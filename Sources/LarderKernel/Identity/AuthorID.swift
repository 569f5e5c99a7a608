// Who wrote an event, and which of theirs it is. SPEC.md, "Identifiers".

public import LarderHash

/// The identifier of an author, one incarnation of a device: BLAKE2b-128 of its Ed25519 key.
public struct AuthorID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The sixteen bytes.
  public let bytes: Bytes16

  /// The identifier with these bytes.
  public init(_ bytes: Bytes16) {
    self.bytes = bytes
  }

  /// The identifier of the author with that public key.
  public init(publicKey: Bytes32) {
    bytes = BLAKE2b.hash128(publicKey.bytes)
  }

  /// 32 lower-case hexadecimal digits.
  public var hex: String { bytes.hex }

  /// 32 lower-case hexadecimal digits.
  public var description: String { hex }

  /// Bytewise order.
  public static func < (left: AuthorID, right: AuthorID) -> Bool { left.bytes < right.bytes }
}

/// The identity of an event: its author and its place in the author's chain, from 0.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
  /// Who wrote it.
  public let author: AuthorID
  /// Its place in the author's chain, dense from 0.
  public let seq: UInt64

  /// The event of `author` at `seq`.
  public init(author: AuthorID, seq: UInt64) {
    self.author = author
    self.seq = seq
  }

  /// The author's digits, a colon, the seq.
  public var description: String { "\(author.hex):\(seq)" }
}
