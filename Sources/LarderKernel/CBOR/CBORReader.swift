// Reads deterministic CBOR item by item (RFC 8949 §4.2) without building values in between.
//
// Invariants: whatever a method accepts has exactly one encoding, the one it was read from. A
// method that throws leaves `offset` where it was. Nothing is reserved for a count that the
// remaining bytes could not hold. The reader knows no event and no payload: which items come when
// is its caller's.

public import LarderHash

/// A cursor over CBOR bytes: it holds the place only, so every method takes the same span again.
public struct CBORReader: Sendable {
  /// The offset of the next item.
  public private(set) var offset: Int

  /// A reader at the beginning of a span.
  public init() {
    offset = 0
  }

  /// The next item: an integer from 0 to 2⁶⁴−1.
  /// - Throws: `CBORError`: `unexpectedType`, or a fault of the bytes.
  public mutating func unsigned(in bytes: Span<UInt8>) throws(CBORError) -> UInt64 {
    if let (number, end) = CBORHead.number(in: bytes, at: offset) {
      offset = end
      return number
    }
    let head = try head(.unsigned, in: bytes)
    offset = head.end
    return head.argument
  }

  /// The next item: an integer of either sign that fits 64 bits.
  /// - Throws: `CBORError`: `unexpectedType`, `outOfRange`, or a fault of the bytes.
  public mutating func integer(in bytes: Span<UInt8>) throws(CBORError) -> Int64 {
    if let (number, end) = CBORHead.number(in: bytes, at: offset), number <= UInt64(Int64.max) {
      offset = end
      return Int64(number)
    }
    let head = try CBORHead(in: bytes, at: offset)
    guard head.type == .unsigned || head.type == .negative else {
      throw CBORError(code: .unexpectedType, offset: offset)
    }
    guard let magnitude = Int64(exactly: head.argument) else {
      throw CBORError(code: .outOfRange, offset: offset)
    }
    offset = head.end
    return head.type == .unsigned ? magnitude : -1 - magnitude
  }

  /// The next item: a negative integer −1−n, as n from 0 to 2⁶⁴−1.
  /// - Throws: `CBORError`: `unexpectedType`, or a fault of the bytes.
  public mutating func negative(in bytes: Span<UInt8>) throws(CBORError) -> UInt64 {
    let head = try head(.negative, in: bytes)
    offset = head.end
    return head.argument
  }

  /// The next item: a text string of any length. One allocation if it is longer than 15 bytes.
  /// - Throws: `CBORError`: `unexpectedType`, `invalidUTF8`, or a fault of the bytes.
  public mutating func text(in bytes: Span<UInt8>) throws(CBORError) -> String {
    try text(in: bytes, maximumByteCount: .max)
  }

  /// The next item: a text string of at most `maximumByteCount` UTF-8 bytes.
  /// - Throws: `CBORError`: `unexpectedType`, `limitExceeded`, `invalidUTF8`, or a fault of the
  ///   bytes.
  public mutating func text(
    in bytes: Span<UInt8>, maximumByteCount: Int
  ) throws(CBORError) -> String {
    let content = try content(of: .text, in: bytes)
    guard content.count <= maximumByteCount else {
      throw CBORError(code: .limitExceeded, offset: offset)
    }
    guard let units = try? UTF8Span(validating: bytes.extracting(content)) else {
      throw CBORError(code: .invalidUTF8, offset: offset)
    }
    offset = content.upperBound
    return String(copying: units)
  }

  /// The next item: a byte string, as the range of its content in `bytes`.
  /// - Throws: `CBORError`: `unexpectedType`, or a fault of the bytes.
  public mutating func byteString(in bytes: Span<UInt8>) throws(CBORError) -> Range<Int> {
    let content = try content(of: .bytes, in: bytes)
    offset = content.upperBound
    return content
  }

  /// The next item: a byte string of exactly 16 bytes.
  /// - Throws: `CBORError`: `unexpectedType`, `outOfRange` for another length, or a fault of the
  ///   bytes.
  public mutating func bytes16(in bytes: Span<UInt8>) throws(CBORError) -> Bytes16 {
    let content = try content(of: .bytes, in: bytes)
    guard let value = Bytes16(bytes.extracting(content)) else {
      throw CBORError(code: .outOfRange, offset: offset)
    }
    offset = content.upperBound
    return value
  }

  /// The next item: a byte string of exactly 32 bytes.
  /// - Throws: `CBORError`: `unexpectedType`, `outOfRange` for another length, or a fault of the
  ///   bytes.
  public mutating func bytes32(in bytes: Span<UInt8>) throws(CBORError) -> Bytes32 {
    let content = try content(of: .bytes, in: bytes)
    guard let value = Bytes32(bytes.extracting(content)) else {
      throw CBORError(code: .outOfRange, offset: offset)
    }
    offset = content.upperBound
    return value
  }

  /// The next item: false or true.
  /// - Throws: `CBORError`: `unexpectedType`, or a fault of the bytes.
  public mutating func bool(in bytes: Span<UInt8>) throws(CBORError) -> Bool {
    let head = try head(.bool, in: bytes)
    offset = head.end
    return head.argument == 1
  }

  /// Whether the next item is null; if so it is consumed, otherwise nothing is.
  /// - Throws: `CBORError`: `truncated` at the end of the bytes, or a fault of the next head.
  public mutating func null(in bytes: Span<UInt8>) throws(CBORError) -> Bool {
    let head = try CBORHead(in: bytes, at: offset)
    guard head.type == .null else { return false }
    offset = head.end
    return true
  }

  /// The head of an array: how many items follow that belong to it. Never more than bytes are left.
  /// - Throws: `CBORError`: `unexpectedType`, `truncated`, or a fault of the bytes.
  public mutating func arrayCount(in bytes: Span<UInt8>) throws(CBORError) -> Int {
    let head = try head(.array, in: bytes)
    let count = try head.itemCount(in: bytes, at: offset)
    offset = head.end
    return count
  }

  /// The head of a map: how many pairs follow. Never more than half as many as bytes are left.
  /// - Throws: `CBORError`: `unexpectedType`, `truncated`, or a fault of the bytes.
  public mutating func mapCount(in bytes: Span<UInt8>) throws(CBORError) -> Int {
    let head = try head(.map, in: bytes)
    let count = try head.itemCount(in: bytes, at: offset) / 2
    offset = head.end
    return count
  }

  /// The next item: a map key that is an unsigned number greater than the key before it.
  /// - Parameter previous: the key before it in the same map, nil for the first.
  /// - Throws: `CBORError`: `unsorted`, `duplicateKey`, `unexpectedType`, or a fault of the bytes.
  public mutating func key(
    in bytes: Span<UInt8>, after previous: UInt64?
  ) throws(CBORError) -> UInt64 {
    if let (number, end) = CBORHead.number(in: bytes, at: offset),
      previous.map({ number > $0 }) ?? true
    {
      offset = end
      return number
    }
    let head = try head(.unsigned, in: bytes)
    if let previous, head.argument <= previous {
      throw CBORError(
        code: head.argument == previous ? .duplicateKey : .unsorted, offset: offset)
    }
    offset = head.end
    return head.argument
  }

  /// The next two items, as `key` and then `unsigned` read them.
  @inline(__always)
  mutating func numberPair(
    in bytes: Span<UInt8>, after previous: UInt64?
  ) throws(CBORError) -> (key: UInt64, value: UInt64) {
    if let (key, middle) = CBORHead.number(in: bytes, at: offset),
      let (value, end) = CBORHead.number(in: bytes, at: middle),
      previous.map({ key > $0 }) ?? true
    {
      offset = end
      return (key, value)
    }
    return (try key(in: bytes, after: previous), try unsigned(in: bytes))
  }

  /// The type of the next item; consumes nothing.
  /// - Throws: `CBORError`: `truncated` at the end of the bytes, or a fault of the next head.
  public func peek(in bytes: Span<UInt8>) throws(CBORError) -> CBORType {
    try CBORHead(in: bytes, at: offset).type
  }

  /// Passes over one whole item, checking everything in it as a full decode would. Allocates
  /// nothing.
  /// - Parameter depth: how many arrays and maps the item stands in; they count towards the limit.
  /// - Throws: `CBORError`: any code but `unexpectedType`, `outOfRange` and `limitExceeded`.
  public mutating func skip(in bytes: Span<UInt8>, enclosedBy depth: Int = 0) throws(CBORError) {
    offset = try CBORValidator.end(ofItemAt: offset, in: bytes, enclosedBy: depth)
  }

  /// Confirms that nothing follows.
  /// - Throws: `CBORError`: `trailingBytes`.
  public func finish(in bytes: Span<UInt8>) throws(CBORError) {
    guard offset == bytes.count else {
      throw CBORError(code: .trailingBytes, offset: offset)
    }
  }

  /// The next head, which must be of `type`.
  @inline(__always)
  private func head(_ type: CBORType, in bytes: Span<UInt8>) throws(CBORError) -> CBORHead {
    let head = try CBORHead(in: bytes, at: offset)
    guard head.type == type else {
      throw CBORError(code: .unexpectedType, offset: offset)
    }
    return head
  }

  /// Where the content of the next string lies, which must be of `type`.
  @inline(__always)
  private func content(
    of type: CBORType, in bytes: Span<UInt8>
  ) throws(CBORError) -> Range<Int> {
    try head(type, in: bytes).content(in: bytes, at: offset)
  }
}
