// Reads a payload: a CBOR map whose keys are small unsigned numbers, named in Schemas/Events.
// Strict: unknown fields, wrong types and values out of range are refused, so that a payload this
// build accepts is one it would write byte for byte.

public import LarderHash

/// A cursor over a payload. A span cannot be stored, so every call takes the same `bytes`.
public struct PayloadReader: Sendable {
  private var reader = CBORReader()
  private let kind: EventKind
  private var remaining = 0
  private var key: UInt64?
  /// How many maps and arrays the next item stands in.
  private var depth = 1

  /// Begins at the map that `bytes`, a payload of `kind`, starts with.
  /// - Throws: `limitExceeded` above 16 KiB, `malformed` if it is not a map.
  public init(_ bytes: Span<UInt8>, kind: EventKind) throws(KernelError) {
    self.kind = kind
    guard bytes.count <= Limits.payloadByteCountMaximum else { throw fault(.limitExceeded) }
    remaining = try read { r throws(CBORError) in try r.mapCount(in: bytes) }
  }

  /// The next field's number, ascending; nil after the last, once nothing follows the map.
  public mutating func nextField(in bytes: Span<UInt8>) throws(KernelError) -> UInt64? {
    guard remaining > 0 else {
      try read { r throws(CBORError) in try r.finish(in: bytes) }
      return nil
    }
    remaining -= 1
    let previous = key
    let next = try read { r throws(CBORError) in try r.key(in: bytes, after: previous) }
    key = next
    return next
  }

  /// The error for a field this version does not have.
  public func unknownField() -> KernelError { fault(.unknownField) }

  /// An unsigned number up to `maximum`.
  public mutating func unsigned(
    upTo maximum: UInt64, in bytes: Span<UInt8>
  ) throws(KernelError) -> UInt64 {
    let value: UInt64
    do throws(CBORError) {
      value = try reader.unsigned(in: bytes)
    } catch {
      throw fault(ofNumber: error, in: bytes)
    }
    guard value <= maximum else { throw fault(.outOfRange) }
    return value
  }

  /// A signed number within `range`.
  public mutating func integer(
    within range: ClosedRange<Int64>, in bytes: Span<UInt8>
  ) throws(KernelError) -> Int64 {
    let value = try read { r throws(CBORError) in try r.integer(in: bytes) }
    guard range.contains(value) else { throw fault(.outOfRange) }
    return value
  }

  /// Text of at most `maximum` bytes.
  public mutating func text(
    upTo maximum: Int = Limits.shortTextByteCountMaximum, in bytes: Span<UInt8>
  ) throws(KernelError) -> String {
    try read { r throws(CBORError) in try r.text(in: bytes, maximumByteCount: maximum) }
  }

  /// A truth value.
  public mutating func bool(in bytes: Span<UInt8>) throws(KernelError) -> Bool {
    try read { r throws(CBORError) in try r.bool(in: bytes) }
  }

  /// Sixteen bytes.
  public mutating func bytes16(in bytes: Span<UInt8>) throws(KernelError) -> Bytes16 {
    try read { r throws(CBORError) in try r.bytes16(in: bytes) }
  }

  /// Thirty-two bytes.
  public mutating func bytes32(in bytes: Span<UInt8>) throws(KernelError) -> Bytes32 {
    try read { r throws(CBORError) in try r.bytes32(in: bytes) }
  }

  /// A byte string of at most `maximum` bytes.
  public mutating func byteString(
    upTo maximum: Int, in bytes: Span<UInt8>
  ) throws(KernelError) -> [UInt8] {
    let range = try read { r throws(CBORError) in try r.byteString(in: bytes) }
    guard range.count <= maximum else { throw fault(.limitExceeded) }
    return range.map { bytes[$0] }
  }

  /// A byte string of exactly eight bytes, the first most significant.
  mutating func bytes8(in bytes: Span<UInt8>) throws(KernelError) -> UInt64 {
    let range = try read { r throws(CBORError) in try r.byteString(in: bytes) }
    guard range.count == 8 else { throw fault(.outOfRange) }
    return bytes.bigEndianWord(at: range.lowerBound)
  }

  /// Whether the field is null; if so it is consumed.
  public mutating func isNull(in bytes: Span<UInt8>) throws(KernelError) -> Bool {
    try read { r throws(CBORError) in try r.null(in: bytes) }
  }

  /// A case of an enumeration by its number.
  package mutating func choice<Choice: RawRepresentable>(
    _: Choice.Type, in bytes: Span<UInt8>
  ) throws(KernelError) -> Choice where Choice.RawValue == UInt8 {
    let number = try unsigned(upTo: UInt64(UInt8.max), in: bytes)
    guard let value = Choice(rawValue: UInt8(number)) else { throw fault(.outOfRange) }
    return value
  }

  /// An array of at most `maximum` elements, each read by `element`.
  public mutating func array<Element>(
    upTo maximum: Int, in bytes: Span<UInt8>,
    _ element: (inout PayloadReader, Span<UInt8>) throws(KernelError) -> Element
  ) throws(KernelError) -> [Element] {
    let count = try read { r throws(CBORError) in try r.arrayCount(in: bytes) }
    guard count <= maximum else { throw fault(.limitExceeded) }
    var result: [Element] = []
    result.reserveCapacity(count)
    depth += 1
    for _ in 0..<count { result.append(try element(&self, bytes)) }
    depth -= 1
    return result
  }

  /// The head of an array of exactly `count` elements.
  mutating func beginArray(count: Int, in bytes: Span<UInt8>) throws(KernelError) {
    let found = try read { r throws(CBORError) in try r.arrayCount(in: bytes) }
    guard found == count else { throw fault(.malformed) }
  }

  /// A nested map with numbered fields; `field` reads the value of each.
  public mutating func map(
    in bytes: Span<UInt8>,
    _ field: (inout PayloadReader, UInt64, Span<UInt8>) throws(KernelError) -> Void
  ) throws(KernelError) {
    let outer = key
    var count = try read { r throws(CBORError) in try r.mapCount(in: bytes) }
    var previous: UInt64?
    depth += 1
    while count > 0 {
      let next = try read { r throws(CBORError) in try r.key(in: bytes, after: previous) }
      previous = next
      key = next
      try field(&self, next, bytes)
      count -= 1
    }
    depth -= 1
    key = outer
  }

  /// A nested map from unsigned numbers to unsigned numbers, each pair made an element.
  mutating func numbers<Element>(
    countUpTo countMaximum: Int, keysUpTo keyMaximum: UInt64, valuesUpTo valueMaximum: UInt64,
    in bytes: Span<UInt8>, _ element: (UInt64, UInt64) -> Element
  ) throws(KernelError) -> [Element] {
    let count = try read { r throws(CBORError) in try r.mapCount(in: bytes) }
    guard count <= countMaximum else { throw fault(.limitExceeded) }
    var result: [Element] = []
    result.reserveCapacity(count)
    var previous: UInt64?
    do throws(CBORError) {
      for _ in 0..<count {
        let (key, value) = try reader.numberPair(in: bytes, after: previous)
        guard key <= keyMaximum, value <= valueMaximum else { break }
        previous = key
        result.append(element(key, value))
      }
    } catch {
      throw fault(ofNumber: error, in: bytes)
    }
    guard result.count == count else { throw fault(.outOfRange) }
    return result
  }

  /// Any canonical value.
  public mutating func value(in bytes: Span<UInt8>) throws(KernelError) -> CBORValue {
    let start = reader.offset
    let depth = depth
    try read { r throws(CBORError) in try r.skip(in: bytes, enclosedBy: depth) }
    let item = bytes.extracting(start..<reader.offset)
    do throws(CBORError) {
      return try CBORValue.decode(item)
    } catch {
      throw fault(.malformed, error)
    }
  }

  /// Runs one step of the CBOR cursor, naming the field where it fails.
  private mutating func read<Value>(
    _ step: (inout CBORReader) throws(CBORError) -> Value
  ) throws(KernelError) -> Value {
    do throws(CBORError) {
      return try step(&reader)
    } catch {
      throw fault(error)
    }
  }

  /// An error that names the field being read.
  package func fault(_ code: KernelError.Code, _ underlying: CBORError? = nil) -> KernelError {
    fault(code, field: key, underlying)
  }

  /// An error that names field `number`.
  func fault(
    _ code: KernelError.Code, field number: UInt64?, _ underlying: CBORError? = nil
  ) -> KernelError {
    KernelError(
      code, operation: "decode \(kind.name)", subject: number.map { "field \($0)" } ?? "payload",
      underlying: underlying)
  }

  /// The error for what the CBOR cursor refused: all but sizes and ranges are faults of the
  /// encoding.
  private func fault(_ error: CBORError) -> KernelError {
    fault(KernelError.Code(error), error)
  }

  /// The error for what should have been an unsigned number: a negative one is out of range, not of
  /// another type.
  private func fault(ofNumber error: CBORError, in bytes: Span<UInt8>) -> KernelError {
    let isNegative = error.code == .unexpectedType && (try? reader.peek(in: bytes)) == .negative
    return isNegative ? fault(.outOfRange, error) : fault(error)
  }

  /// `value`, or the error that field `number` is missing.
  public func require<Value>(_ value: Value?, field number: UInt64) throws(KernelError) -> Value {
    guard let value else { throw fault(.missingField, field: number) }
    return value
  }
}
