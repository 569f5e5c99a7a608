// A food was eaten. SPEC.md, "Kinds"; Schemas/Events/ItemAdded.cddl.

internal import LarderHash

/// An item was added, with the full numbers of its food as they were then.
///
/// The first readable one of an item's identifier makes the item.
public struct ItemAdded: EventPayload {
  /// The kind.
  public static let kind = EventKind.itemAdded

  /// When, should there be no entry to say it.
  public var occasion: Occasion
  /// The item, unique within the stream.
  public var item: ItemID
  /// The food, the amount, the numbers.
  public var line: FoodLine
  /// A note, ≤ 8 KiB.
  public var note: String?
  /// The item this one was copied from.
  public var copiedFrom: ItemCopy?
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// Which item another was copied from.
  public struct ItemCopy: Hashable, Sendable {
    /// The stream of the original.
    public var stream: StreamID
    /// The original.
    public var item: ItemID

    /// A reference to the original.
    public init(stream: StreamID, item: ItemID) {
      self.stream = stream
      self.item = item
    }
  }

  /// An item.
  public init(
    occasion: Occasion, item: ItemID, line: FoodLine, note: String? = nil,
    copiedFrom: ItemCopy? = nil, by: String? = nil
  ) {
    self.occasion = occasion
    self.item = item
    self.line = line
    self.note = note
    self.copiedFrom = copiedFrom
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    occasion.write(to: &writer)
    writer.field(5, word: item.rawValue)
    line.write(to: &writer)
    writer.field(17, text: note)
    writer.field(18, bytes: copiedFrom.map { $0.stream.bytes.bytes + $0.item.bytes })
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var when = OccasionFields()
    var fields = FoodLineFields()
    var item: ItemID?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0...4: try when.read(field, from: &reader, in: bytes)
      case 5: item = try reader.itemID(in: bytes)
      case 6...16: try fields.read(field, from: &reader, in: bytes)
      case 17: note = try reader.longText(in: bytes)
      case 18: copiedFrom = try ItemCopy(from: &reader, in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    occasion = try when.complete(reader)
    self.item = try reader.require(item, field: 5)
    line = try fields.complete(reader)
  }
}

extension ItemAdded.ItemCopy {
  init(from reader: inout PayloadReader, in bytes: Span<UInt8>) throws(KernelError) {
    let raw = try reader.byteString(upTo: Limits.payloadByteCountMaximum, in: bytes)
    guard raw.count == 24, let stream = Bytes16(raw.span.extracting(0..<16)) else {
      throw reader.fault(.outOfRange)
    }
    self.init(stream: StreamID(stream), item: ItemID(raw.span.bigEndianWord(at: 16)))
  }
}
