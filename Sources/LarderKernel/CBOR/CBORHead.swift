// The first byte or bytes of an item (RFC 8949 §3): its type and the number that belongs to it.
//
// Invariant: a head that exists is minimal and of a type this engine uses; everything else was
// refused. Every other file here reads items through heads, so the rules stand only once.

import LarderHash

/// The types an item can have here (SPEC: no floats, no tags, no simple values but these three).
public enum CBORType: Hashable, Sendable {
  /// An integer from 0 to 2⁶⁴−1.
  case unsigned
  /// An integer from −2⁶⁴ to −1.
  case negative
  /// A byte string.
  case bytes
  /// A UTF-8 text string.
  case text
  /// An array.
  case array
  /// A map.
  case map
  /// False or true.
  case bool
  /// Null.
  case null
}

/// Bounds that hold for every item, whoever reads or writes it.
public enum CBORLimits {
  /// How deep arrays and maps may be nested: 16 may stand in one another, a 17th is refused.
  public static let depthMax = 16
}

/// One decoded head.
struct CBORHead {
  let type: CBORType
  /// The number, length, count, or 0 and 1 for false and true; −1−n for a negative number −n.
  let argument: UInt64
  /// The offset behind the head.
  let end: Int

  /// Reads the head at `offset`.
  @inline(__always)
  init(in bytes: Span<UInt8>, at offset: Int) throws(CBORError) {
    guard offset >= 0, offset < bytes.count else {
      throw CBORError(code: .truncated, offset: offset)
    }
    let initial = bytes[offset]
    let information = initial & 0x1f
    if information < 24 && initial < 0xc0 {
      (type, argument, end) = (Self.type(of: initial), UInt64(information), offset + 1)
    } else {
      self = try Self.long(initial, in: bytes, at: offset)
    }
  }

  /// The number at `offset` and the offset behind it, the quick way; nil for anything else than an
  /// unsigned number in its shortest form, and for some of those.
  @inline(__always)
  static func number(in bytes: Span<UInt8>, at offset: Int) -> (number: UInt64, end: Int)? {
    guard offset >= 0, offset < bytes.count else { return nil }
    let initial = bytes[offset]
    if initial < 24 { return (UInt64(initial), offset + 1) }
    guard initial < 28 else { return nil }
    let byteCount = 1 << Int(initial & 3)
    let end = offset + 1 + byteCount
    guard end >= 8, end <= bytes.count else { return nil }
    let number = bytes.bigEndianWord(at: end - 8) & (.max >> (64 - 8 * UInt64(byteCount)))
    guard number >= smallest(ofByteCount: byteCount) else { return nil }
    return (number, end)
  }

  /// The smallest number that needs 1, 2, 4 or 8 bytes behind the initial one.
  @inline(__always)
  private static func smallest(ofByteCount byteCount: Int) -> UInt64 {
    byteCount == 1 ? 24 : 1 << (4 * UInt64(byteCount))
  }

  private init(type: CBORType, argument: UInt64, end: Int) {
    (self.type, self.argument, self.end) = (type, argument, end)
  }

  /// The type of an initial byte below 0xc0.
  @inline(__always)
  private static func type(of initial: UInt8) -> CBORType {
    switch initial >> 5 {
    case 0: .unsigned
    case 1: .negative
    case 2: .bytes
    case 3: .text
    case 4: .array
    default: .map
    }
  }

  /// A head with an argument of its own bytes, a simple value, or one that is refused.
  @inline(never)
  private static func long(
    _ initial: UInt8, in bytes: Span<UInt8>, at offset: Int
  ) throws(CBORError) -> CBORHead {
    let information = initial & 0x1f
    if information < 28 && initial < 0xc0 {
      return try extended(initial, in: bytes, at: offset)
    }
    if (28...30).contains(information) {
      throw CBORError(code: .reservedAdditionalInformation, offset: offset)
    }
    if initial >= 0xe0 {
      return try simple(information, at: offset)
    }
    if initial >= 0xc0 {
      throw CBORError(code: .tag, offset: offset)
    }
    let isNumber = initial < 0x40
    throw CBORError(
      code: isNumber ? .reservedAdditionalInformation : .indefiniteLength, offset: offset)
  }

  /// A head whose argument stands in the next 1, 2, 4 or 8 bytes.
  @inline(__always)
  private static func extended(
    _ initial: UInt8, in bytes: Span<UInt8>, at offset: Int
  ) throws(CBORError) -> CBORHead {
    let exponent = UInt64(initial & 0x1f) &- 24
    let byteCount = 1 << Int(exponent)
    let end = offset + 1 + byteCount
    guard end <= bytes.count else {
      throw CBORError(code: .truncated, offset: offset)
    }
    var argument: UInt64 = 0
    if end >= 8 {
      // One load that ends with the argument, then the bytes before it cleared away.
      argument = bytes.bigEndianWord(at: end - 8) & (.max >> (64 - 8 * UInt64(byteCount)))
    } else {
      for index in (offset + 1)..<end {
        argument = argument << 8 | UInt64(bytes[index])
      }
    }
    guard argument >= smallest(ofByteCount: byteCount) else {
      throw CBORError(code: .nonMinimal, offset: offset)
    }
    return CBORHead(type: type(of: initial), argument: argument, end: end)
  }

  /// The head of major type 7 with this additional information.
  private static func simple(_ information: UInt8, at offset: Int) throws(CBORError) -> CBORHead {
    switch information {
    case 20: return CBORHead(type: .bool, argument: 0, end: offset + 1)
    case 21: return CBORHead(type: .bool, argument: 1, end: offset + 1)
    case 22: return CBORHead(type: .null, argument: 0, end: offset + 1)
    case 25...27: throw CBORError(code: .floatingPoint, offset: offset)
    case 31: throw CBORError(code: .indefiniteLength, offset: offset)
    default: throw CBORError(code: .unsupportedSimple, offset: offset)
    }
  }
}
