// Sixteen bytes as a value: identifiers and 128-bit hashes live in it.
//
// Invariant: the two words hold the bytes in big-endian order, so comparing words compares bytes.

/// Sixteen bytes that compare, hash and print like the byte string they are.
public struct Bytes16: Hashable, Comparable, Sendable {
  /// How many bytes a value has.
  public static let byteCount = 16
  /// All bytes zero.
  public static let zero = Bytes16(high: 0, low: 0)

  /// Bytes 0…7, most significant first.
  public let high: UInt64
  /// Bytes 8…15, most significant first.
  public let low: UInt64

  /// The value whose bytes are the two words, each big-endian.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The value of exactly sixteen bytes; nil for any other count.
  @inlinable
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(high: bytes.bigEndianWord(at: 0), low: bytes.bigEndianWord(at: 8))
  }

  /// The value of exactly sixteen bytes; nil for any other count.
  @inlinable
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// The value of 32 hexadecimal digits of either case; nil for anything else.
  public init?(hex: some StringProtocol) {
    let text = String(hex)
    self.init(hexDigits: text.utf8Span.span)
  }

  /// The value of 32 hexadecimal digits of either case; nil for anything else.
  public init?(hexDigits digits: Span<UInt8>) {
    guard digits.count == 2 * Self.byteCount,
      let high = UInt64(hexDigits: digits.extracting(0..<16)),
      let low = UInt64(hexDigits: digits.extracting(16..<32))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The sixteen bytes.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    append(to: &result)
    return result
  }

  /// 32 lower-case hexadecimal digits.
  public var hex: String { String(hex: [high, low]) }

  /// Appends the sixteen bytes to `output`.
  @inlinable
  public func append(to output: inout [UInt8]) {
    output.appendBigEndian(high)
    output.appendBigEndian(low)
  }

  /// Bytewise order.
  @inlinable
  public static func < (left: Bytes16, right: Bytes16) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }

  /// The sum of both as 128-bit big-endian numbers, modulo 2¹²⁸.
  @inlinable
  public static func &+ (left: Bytes16, right: Bytes16) -> Bytes16 {
    let (low, carried) = left.low.addingReportingOverflow(right.low)
    return Bytes16(high: left.high &+ right.high &+ (carried ? 1 : 0), low: low)
  }

  /// The difference of both as 128-bit big-endian numbers, modulo 2¹²⁸.
  @inlinable
  public static func &- (left: Bytes16, right: Bytes16) -> Bytes16 {
    let (low, borrowed) = left.low.subtractingReportingOverflow(right.low)
    return Bytes16(high: left.high &- right.high &- (borrowed ? 1 : 0), low: low)
  }
}
