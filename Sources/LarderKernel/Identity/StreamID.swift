// Identifiers of streams: 48 bits of milliseconds and 80 random bits, or, where two devices must
// meet in one stream, a hash of what the stream is about. SPEC.md, "Identifiers".

public import LarderHash

/// The identifier of a stream: the events about one meal, template, product, setting or day.
public struct StreamID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The sixteen bytes.
  public let bytes: Bytes16

  /// An author's control stream: all zero. It is not folded into rows.
  public static let control = StreamID(.zero)

  /// The identifier with these bytes.
  public init(_ bytes: Bytes16) {
    self.bytes = bytes
  }

  /// The identifier of 32 hexadecimal digits, nil for anything else.
  public init?(hex: some StringProtocol) {
    guard let bytes = Bytes16(hex: hex) else { return nil }
    self.init(bytes)
  }

  /// A fresh identifier: `milliseconds` since 1970 (its low 48 bits, big-endian) and the last 80
  /// bits of `random`. Identifiers made one after another lie side by side in an index.
  public init(milliseconds: Int64, random: Bytes16) {
    let time = UInt64(bitPattern: milliseconds) & 0xffff_ffff_ffff
    bytes = Bytes16(high: time << 16 | random.high & 0xffff, low: random.low)
  }

  /// The classes of streams in which devices meet without having spoken.
  public enum SharedClass: String, Sendable {
    /// A capture with an idempotency key; the key is the `captureId`.
    case capture
    /// A product; the key is its canonical code.
    case product
    /// A setting; the key is its name.
    case setting
    /// A civil day; the key is `2026-05-02`.
    case day
  }

  /// The identifier every device derives for `key`: BLAKE2b-128("larder stream" ‖ CBOR [class,
  /// key]).
  public init(shared sharedClass: SharedClass, key: String) {
    var writer = CBORWriter()
    writer.beginArray(count: 2)
    writer.append(text: sharedClass.rawValue)
    writer.append(text: key)
    bytes = BLAKE2b.hash128(Array("larder stream".utf8) + writer.bytes)
  }

  /// 32 lower-case hexadecimal digits.
  public var hex: String { bytes.hex }

  /// 32 lower-case hexadecimal digits.
  public var description: String { hex }

  /// Bytewise order.
  public static func < (left: StreamID, right: StreamID) -> Bool { left.bytes < right.bytes }
}
