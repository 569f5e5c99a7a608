// Thirty-two bytes as a value: salts, leaf hashes, roots, addresses and public keys live in it.
//
// Invariant: the four words hold the bytes in big-endian order, so comparing words compares bytes.

/// Thirty-two bytes that compare, hash and print like the byte string they are.
public struct Bytes32: Hashable, Comparable, Sendable {
  /// How many bytes a value has.
  public static let byteCount = 32

  /// Bytes 0…15.
  public let front: Bytes16
  /// Bytes 16…31.
  public let back: Bytes16

  /// The value whose bytes are those of both halves.
  @inlinable
  public init(front: Bytes16, back: Bytes16) {
    self.front = front
    self.back = back
  }

  /// The value of exactly thirty-two bytes; nil for any other count.
  @inlinable
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(
      front: Bytes16(high: bytes.bigEndianWord(at: 0), low: bytes.bigEndianWord(at: 8)),
      back: Bytes16(high: bytes.bigEndianWord(at: 16), low: bytes.bigEndianWord(at: 24)))
  }

  /// The value of exactly thirty-two bytes; nil for any other count.
  @inlinable
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// The value of 64 hexadecimal digits of either case; nil for anything else.
  public init?(hex: some StringProtocol) {
    guard let bytes = [UInt8](hex: hex) else { return nil }
    self.init(bytes)
  }

  /// The thirty-two bytes.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    append(to: &result)
    return result
  }

  /// 64 lower-case hexadecimal digits.
  public var hex: String { String(hex: [front.high, front.low, back.high, back.low]) }

  /// Appends the thirty-two bytes to `output`.
  @inlinable
  public func append(to output: inout [UInt8]) {
    front.append(to: &output)
    back.append(to: &output)
  }

  /// Bytewise order.
  @inlinable
  public static func < (left: Bytes32, right: Bytes32) -> Bool {
    left.front != right.front ? left.front < right.front : left.back < right.back
  }
}
