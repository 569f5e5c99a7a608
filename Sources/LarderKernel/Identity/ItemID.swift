// Identifiers of items: eight bytes, unique within their stream. SPEC.md, "Identifiers".

internal import LarderHash

/// The identifier of an item within its stream.
public struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The eight bytes, the first most significant.
  public let rawValue: UInt64

  /// The identifier with these bytes, the first most significant.
  public init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The identifier of 16 hexadecimal digits, nil for anything else.
  public init?(hex: some StringProtocol) {
    let text = String(hex)
    guard let word = UInt64(hexDigits: text.utf8Span.span) else { return nil }
    self.init(word)
  }

  /// The item that an import or an accepted proposal makes of line `index` of `source`, so that two
  /// devices doing the same make the same item: the first eight bytes of
  /// BLAKE2b-128("larder item" ‖ CBOR [source, index]).
  public init(derivedFrom source: [UInt8], index: UInt64) {
    var writer = CBORWriter()
    writer.beginArray(count: 2)
    writer.append(bytes: source)
    writer.append(unsigned: index)
    rawValue = BLAKE2b.hash128(Array("larder item".utf8) + writer.bytes).high
  }

  /// The eight bytes.
  public var bytes: [UInt8] {
    var result: [UInt8] = []
    result.appendBigEndian(rawValue)
    return result
  }

  /// 16 lower-case hexadecimal digits.
  public var hex: String { String(hex: [rawValue]) }

  /// 16 lower-case hexadecimal digits.
  public var description: String { hex }

  /// Bytewise order.
  public static func < (left: ItemID, right: ItemID) -> Bool { left.rawValue < right.rawValue }
}
