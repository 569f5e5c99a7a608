// Any CBOR item as a value: for tools that show or compare what they have no type for.
//
// Invariant: a value that was decoded encodes to the bytes it came from. Payloads are not read
// through it: the reader and the writer are many times faster.

/// One item of the CBOR this engine accepts, with all it holds. `==` compares texts as Swift does,
/// by canonical equivalence: where every byte counts, compare encodings.
public enum CBORValue: Hashable, Sendable {
  /// An integer from 0 to 2⁶⁴−1.
  case unsigned(UInt64)
  /// The integer −1−n.
  case negative(UInt64)
  /// A byte string.
  case bytes([UInt8])
  /// A text string.
  case text(String)
  /// An array.
  case array([CBORValue])
  /// A map. Decoded, its entries are in canonical order; made by hand, in any: `encode` sorts them.
  case map([Entry])
  /// False or true.
  case bool(Bool)
  /// Null.
  case null

  /// A key of a map and its value.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: CBORValue
    /// What the key stands for.
    public let value: CBORValue

    /// An entry of a map.
    public init(key: CBORValue, value: CBORValue) {
      self.key = key
      self.value = value
    }
  }

  /// An integer of either sign.
  public static func integer(_ value: Int64) -> CBORValue {
    value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~value))
  }
}

extension CBORValue {
  /// The one encoding of this value.
  /// - Throws: `CBORError`: `duplicateKey`, `tooDeep`.
  public func encode() throws(CBORError) -> [UInt8] {
    var writer = CBORWriter()
    try write(to: &writer, enclosedBy: 0)
    return writer.bytes
  }

  /// The value of `bytes`, which hold exactly one item. Memory is bounded by a small multiple of
  /// them: nothing is built before all is found right.
  /// - Throws: `CBORError`: any code but `unexpectedType`, `outOfRange` and `limitExceeded`.
  public static func decode(_ bytes: Span<UInt8>) throws(CBORError) -> CBORValue {
    var check = CBORReader()
    try check.skip(in: bytes)
    try check.finish(in: bytes)
    var reader = CBORReader()
    return try CBORValue(from: &reader, in: bytes)
  }

  /// Builds the next item, whose nesting is known to be within the limit.
  private init(from reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    switch try reader.peek(in: bytes) {
    case .unsigned:
      self = .unsigned(try reader.unsigned(in: bytes))
    case .negative:
      self = .negative(try reader.negative(in: bytes))
    case .bytes:
      let content = bytes.extracting(try reader.byteString(in: bytes))
      self = .bytes(content.indices.map { content[$0] })
    case .text:
      self = .text(try reader.text(in: bytes))
    case .array:
      let count = try reader.arrayCount(in: bytes)
      var items: [CBORValue] = []
      items.reserveCapacity(count)
      for _ in 0..<count {
        items.append(try CBORValue(from: &reader, in: bytes))
      }
      self = .array(items)
    case .map:
      let count = try reader.mapCount(in: bytes)
      var entries: [Entry] = []
      entries.reserveCapacity(count)
      for _ in 0..<count {
        let key = try CBORValue(from: &reader, in: bytes)
        entries.append(Entry(key: key, value: try CBORValue(from: &reader, in: bytes)))
      }
      self = .map(entries)
    case .bool:
      self = .bool(try reader.bool(in: bytes))
    case .null:
      _ = try reader.null(in: bytes)
      self = .null
    }
  }

  private func write(
    to writer: inout CBORWriter, enclosedBy depth: Int
  ) throws(CBORError) {
    switch self {
    case .unsigned(let value): writer.append(unsigned: value)
    case .negative(let value): writer.append(negative: value)
    case .bytes(let content): writer.append(bytes: content)
    case .text(let text): writer.append(text: text)
    case .bool(let value): writer.append(bool: value)
    case .null: writer.appendNull()
    case .array(let items):
      try Self.checkDepth(depth, writer)
      writer.beginArray(count: items.count)
      for item in items {
        try item.write(to: &writer, enclosedBy: depth + 1)
      }
    case .map(let entries):
      try Self.checkDepth(depth, writer)
      try Self.write(entries, to: &writer, enclosedBy: depth)
    }
  }

  private static func write(
    _ entries: [Entry], to writer: inout CBORWriter, enclosedBy depth: Int
  ) throws(CBORError) {
    var encoded: [(key: [UInt8], value: CBORValue)] = []
    encoded.reserveCapacity(entries.count)
    for entry in entries {
      var key = CBORWriter()
      try entry.key.write(to: &key, enclosedBy: depth + 1)
      encoded.append((key.bytes, entry.value))
    }
    encoded.sort { $0.key.lexicographicallyPrecedes($1.key) }
    writer.beginMap(count: entries.count)
    for index in encoded.indices {
      if index > 0 && encoded[index - 1].key == encoded[index].key {
        throw CBORError(code: .duplicateKey, offset: writer.bytes.count)
      }
      let key = encoded[index].key
      writer.append(encoded: key.span)
      try encoded[index].value.write(to: &writer, enclosedBy: depth + 1)
    }
  }

  private static func checkDepth(_ depth: Int, _ writer: CBORWriter) throws(CBORError) {
    guard depth < CBORLimits.depthMax else {
      throw CBORError(code: .tooDeep, offset: writer.bytes.count)
    }
  }
}
