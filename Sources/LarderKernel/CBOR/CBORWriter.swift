// Writes deterministic CBOR (RFC 8949 §4.2) item by item into one growing array.
//
// Invariant: every item written is in its shortest form. The order and number of items is the
// caller's promise: map keys in bytewise order, as many items as `beginArray` and `beginMap` said.
// `CBORValue` sorts and counts by itself, for whoever cannot promise it.

public import LarderHash

/// An append-only encoder.
public struct CBORWriter: Sendable {
  /// All that was written.
  public private(set) var bytes: [UInt8] = []

  /// A writer with nothing written.
  public init() {}

  /// A writer that will not reallocate before `byteCount` bytes.
  public init(reserving byteCount: Int) {
    bytes.reserveCapacity(byteCount)
  }

  /// Appends an integer from 0 to 2⁶⁴−1.
  public mutating func append(unsigned value: UInt64) {
    appendHead(0x00, value)
  }

  /// Appends an integer of either sign.
  public mutating func append(integer value: Int64) {
    if value >= 0 {
      appendHead(0x00, UInt64(value))
    } else {
      appendHead(0x20, UInt64(bitPattern: ~value))
    }
  }

  /// Appends the integer −1−`value`, which reaches down to −2⁶⁴.
  public mutating func append(negative value: UInt64) {
    appendHead(0x20, value)
  }

  /// Appends a text string: its UTF-8, not normalised.
  public mutating func append(text: String) {
    append(utf8: text.utf8Span.span)
  }

  /// Appends a text string given as UTF-8; the caller vouches that it is.
  package mutating func append(utf8 content: Span<UInt8>) {
    appendHead(0x60, UInt64(content.count))
    append(encoded: content)
  }

  /// Appends a byte string.
  public mutating func append(bytes content: [UInt8]) {
    appendHead(0x40, UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  /// Appends a byte string.
  public mutating func append(bytes content: Span<UInt8>) {
    appendHead(0x40, UInt64(content.count))
    append(encoded: content)
  }

  /// Appends a byte string of 8 bytes, those of `word`, most significant first.
  package mutating func append(word: UInt64) {
    append(words: [word])
  }

  /// Appends a byte string of 16 bytes.
  public mutating func append(_ value: Bytes16) {
    append(words: [value.high, value.low])
  }

  /// Appends a byte string of 32 bytes.
  public mutating func append(_ value: Bytes32) {
    append(words: [value.front.high, value.front.low, value.back.high, value.back.low])
  }

  /// Appends false or true.
  public mutating func append(bool value: Bool) {
    bytes.append(value ? 0xf5 : 0xf4)
  }

  /// Appends null.
  public mutating func appendNull() {
    bytes.append(0xf6)
  }

  /// Begins an array; the next `count` items are its own.
  public mutating func beginArray(count: Int) {
    precondition(count >= 0, "an array has no negative count")
    appendHead(0x80, UInt64(count))
  }

  /// Begins a map; the next `count` pairs of items are its keys, in bytewise order, and values.
  public mutating func beginMap(count: Int) {
    precondition(count >= 0, "a map has no negative count")
    appendHead(0xa0, UInt64(count))
  }

  /// Appends a map from small numbers to numbers from 0 on, of one pair for each element; the keys
  /// ascend.
  mutating func append<Element>(
    numbers elements: [Element], _ pair: (Element) -> (key: UInt16, value: UInt64)
  ) {
    // The head of a key has 3 bytes at most; the last head wants room for 9 whatever it is.
    let byteCountMax = Self.headByteCountMax + elements.count * (3 + Self.headByteCountMax) + 8
    bytes.append(addingCapacity: byteCountMax) { output in
      Self.write(0xa0, UInt64(elements.count), to: &output)
      for element in elements {
        let (key, value) = pair(element)
        Self.write(0x00, UInt64(key), to: &output)
        Self.write(0x00, value, to: &output)
      }
    }
  }

  /// Makes the empty map whose head is at `offset` one of `count` pairs, which follow it.
  mutating func setCount(_ count: Int, ofMapAt offset: Int) {
    if count < 24 {
      bytes[offset] = 0xa0 | UInt8(count)
    } else {
      var head = CBORWriter()
      head.beginMap(count: count)
      bytes.replaceSubrange(offset...offset, with: head.bytes)
    }
  }

  /// Appends one item that is encoded already; the caller vouches that it is canonical.
  public mutating func append(encoded item: Span<UInt8>) {
    bytes.append(addingCapacity: item.count) { $0.append(contentsOf: item) }
  }

  /// Forgets all that was written, to use the writer again.
  public mutating func removeAll(keepingCapacity: Bool) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Appends the shortest head of the major type in the upper three bits of `major`.
  @inline(__always)
  private mutating func appendHead(_ major: UInt8, _ argument: UInt64) {
    if argument < 24 {
      bytes.append(major | UInt8(truncatingIfNeeded: argument))
    } else {
      appendLongHead(major, argument)
    }
  }

  private mutating func appendLongHead(_ major: UInt8, _ argument: UInt64) {
    bytes.append(addingCapacity: Self.headByteCountMax) { Self.write(major, argument, to: &$0) }
  }

  /// The longest head, in bytes.
  private static let headByteCountMax = 9

  /// Writes the shortest head; there must be room for the longest.
  @inline(__always)
  private static func write(
    _ major: UInt8, _ argument: UInt64, to output: inout OutputSpan<UInt8>
  ) {
    guard argument >= 24 else {
      output.append(major | UInt8(truncatingIfNeeded: argument))
      return
    }
    let exponent: UInt8 =
      argument <= 0xff ? 0 : argument <= 0xffff ? 1 : argument <= 0xffff_ffff ? 2 : 3
    output.append(major | (24 + exponent))
    let byteCount = 1 << Int(exponent)
    output.append(bigEndian: argument << UInt64(64 - 8 * byteCount), byteCount: byteCount)
  }

  /// Appends a byte string made of whole words.
  private mutating func append<let count: Int>(words: InlineArray<count, UInt64>) {
    appendHead(0x40, UInt64(count * 8))
    bytes.append(addingCapacity: count * 8) { output in
      for index in words.indices { output.append(bigEndian: words[index], byteCount: 8) }
    }
  }
}
