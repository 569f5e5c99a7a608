// What happens to an item after it was added. SPEC.md, "Kinds"; Schemas/Events/ItemChanged.cddl.

/// A person changed an item: only the fields that change are there, and those are theirs from now
/// on.
public struct ItemChanged: EventPayload {
  /// The kind.
  public static let kind = EventKind.itemChanged

  /// The item.
  public var item: ItemID
  /// The new time, for an item without an entry.
  public var moment: Moment?
  /// The new slot, for an item without an entry.
  public var mealType: MealType?
  /// The name.
  public var name: String?
  /// How much.
  public var quantity: Quantity?
  /// The full numbers.
  public var snapshot: NutrientSnapshot?
  /// The product.
  public var product: Change<ProductReference>
  /// Where the numbers come from.
  public var origin: NumbersOrigin?
  /// The note.
  public var note: Change<String>
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A change of what is given.
  public init(
    item: ItemID, moment: Moment? = nil, mealType: MealType? = nil, name: String? = nil,
    quantity: Quantity? = nil, snapshot: NutrientSnapshot? = nil,
    product: Change<ProductReference> = .keep, origin: NumbersOrigin? = nil,
    note: Change<String> = .keep, by: String? = nil
  ) {
    self.item = item
    self.moment = moment
    self.mealType = mealType
    self.name = name
    self.quantity = quantity
    self.snapshot = snapshot
    self.product = product
    self.origin = origin
    self.note = note
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    moment?.write(to: &writer)
    writer.field(4, text: mealType?.rawValue)
    writer.field(5, word: item.rawValue)
    writer.field(6, text: name)
    writer.field(quantity: quantity)
    writer.field(snapshot: snapshot)
    switch product {
    case .keep: break
    case .clear: writer.fieldNull(13)
    case .set(let reference): writer.field(product: reference)
    }
    writer.field(14, unsigned: origin.map { UInt64($0.rawValue) })
    writer.field(17, change: note)
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
    note = .keep
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0...4: try when.read(field, from: &reader, in: bytes)
      case 5: item = try reader.itemID(in: bytes)
      case 6...14: try fields.read(field, from: &reader, in: bytes)
      case 17:
        note = try reader.textChange(upTo: Limits.longTextByteCountMaximum, in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.item = try reader.require(item, field: 5)
    moment = try when.moment(reader)
    mealType = when.mealType
    name = fields.name
    quantity = try fields.quantity(reader)
    snapshot = try fields.snapshot(reader)
    product = fields.product
    origin = fields.origin
  }
}

/// An item was removed, for good: what was removed comes back only as a new item.
public struct ItemRemoved: EventPayload {
  /// The kind.
  public static let kind = EventKind.itemRemoved

  /// The item.
  public var item: ItemID
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A removal.
  public init(item: ItemID, by: String? = nil) {
    self.item = item
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(5, word: item.rawValue)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var item: ItemID?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 5: item = try reader.itemID(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.item = try reader.require(item, field: 5)
  }
}

/// The numbers of an item were corrected afterwards; the amount stays.
public struct ItemRevalued: EventPayload {
  /// The kind.
  public static let kind = EventKind.itemRevalued

  /// The item.
  public var item: ItemID
  /// The full numbers.
  public var snapshot: NutrientSnapshot
  /// The product.
  public var product: ProductReference?
  /// Where the numbers come from.
  public var origin: NumbersOrigin
  /// Why, ≤ 1 KiB.
  public var reason: String?
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A correction.
  public init(
    item: ItemID, snapshot: NutrientSnapshot, product: ProductReference? = nil,
    origin: NumbersOrigin, reason: String? = nil, by: String? = nil
  ) {
    self.item = item
    self.snapshot = snapshot
    self.product = product
    self.origin = origin
    self.reason = reason
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(5, word: item.rawValue)
    writer.field(snapshot: snapshot)
    writer.field(product: product)
    writer.field(14, unsigned: UInt64(origin.rawValue))
    writer.field(17, text: reason)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var fields = FoodLineFields()
    var item: ItemID?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 5: item = try reader.itemID(in: bytes)
      case 9...14: try fields.read(field, from: &reader, in: bytes)
      case 17: reason = try reader.text(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.item = try reader.require(item, field: 5)
    snapshot = try reader.require(try fields.snapshot(reader), field: 9)
    if fields.product == .clear { throw reader.fault(.malformed, field: 13) }
    product = fields.product.applied(to: nil)
    origin = try reader.require(fields.origin, field: 14)
  }
}
