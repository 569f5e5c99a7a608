// Writes a payload: a CBOR map whose keys are small unsigned numbers, in ascending order.

public import LarderHash

/// Collects the fields of a payload. Fields are given in ascending order of their numbers; nil is
/// absent, which is not null.
public struct PayloadWriter: Sendable {
  /// Ends with the map, its head still that of an empty one.
  private var body: CBORWriter
  /// Where the map begins.
  private var start = 0
  private var count = 0
  private var last: UInt64?

  /// An empty payload.
  public init() {
    self.init(reserving: 256)
  }

  /// An empty payload that will not reallocate before `byteCount` bytes.
  init(reserving byteCount: Int) {
    body = CBORWriter(reserving: byteCount)
    body.beginMap(count: 0)
  }

  /// The canonical encoding of the map.
  public var bytes: [UInt8] {
    var copy = self
    return copy.finish()
  }

  /// The canonical encoding of the map, taken out without a copy; the writer is spent.
  mutating func finish() -> [UInt8] {
    body.setCount(count, ofMapAt: start)
    let result = body.bytes
    body = CBORWriter()
    return result
  }

  /// Appends a map with the fields `write` gives to `writer`, in place.
  static func append(to writer: inout CBORWriter, _ write: (inout PayloadWriter) -> Void) {
    // What was written moves into the map's writer and back, so that it has one owner throughout.
    var fields = PayloadWriter(behind: writer)
    writer = CBORWriter()
    fields.body.beginMap(count: 0)
    write(&fields)
    fields.body.setCount(fields.count, ofMapAt: fields.start)
    writer = fields.body
  }

  /// Begins behind what `writer` holds.
  private init(behind writer: consuming CBORWriter) {
    start = writer.bytes.count
    body = writer
  }

  /// A field with an unsigned number.
  public mutating func field(_ key: UInt64, unsigned value: UInt64?) {
    guard let value else { return }
    begin(key)
    body.append(unsigned: value)
  }

  /// A field with a signed number.
  public mutating func field(_ key: UInt64, integer value: Int64?) {
    guard let value else { return }
    begin(key)
    body.append(integer: value)
  }

  /// A field with text.
  public mutating func field(_ key: UInt64, text value: String?) {
    guard let value else { return }
    begin(key)
    body.append(text: value)
  }

  /// A field with bytes.
  public mutating func field(_ key: UInt64, bytes value: [UInt8]?) {
    guard let value else { return }
    begin(key)
    body.append(bytes: value)
  }

  /// A field with eight bytes, those of a word, most significant first.
  mutating func field(_ key: UInt64, word value: UInt64?) {
    guard let value else { return }
    begin(key)
    body.append(word: value)
  }

  /// A field with sixteen bytes.
  public mutating func field(_ key: UInt64, bytes16 value: Bytes16?) {
    guard let value else { return }
    begin(key)
    body.append(value)
  }

  /// A field with thirty-two bytes.
  public mutating func field(_ key: UInt64, bytes32 value: Bytes32?) {
    guard let value else { return }
    begin(key)
    body.append(value)
  }

  /// A field that is null: what was there is cleared.
  public mutating func fieldNull(_ key: UInt64) {
    begin(key)
    body.appendNull()
  }

  /// A field with an array, each element written by `element`.
  public mutating func field<Element>(
    _ key: UInt64, array: [Element]?, _ element: (inout CBORWriter, Element) -> Void
  ) {
    guard let array else { return }
    begin(key)
    body.beginArray(count: array.count)
    for value in array { element(&body, value) }
  }

  /// A field whose one value `write` appends.
  public mutating func field(_ key: UInt64, _ write: (inout CBORWriter) -> Void) {
    begin(key)
    write(&body)
  }

  private mutating func begin(_ key: UInt64) {
    precondition(last.map { $0 < key } ?? true, "payload fields out of order")
    last = key
    count += 1
    body.append(unsigned: key)
  }
}
