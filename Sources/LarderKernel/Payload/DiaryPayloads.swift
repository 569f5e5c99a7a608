// What a person settles about products, settings and days: one stream each, last save wins.
// SPEC.md, "Kinds"; Schemas/Events/ProductOverridden.cddl and its neighbours.

/// A person's own word about a product: its name, numbers, or which record of several is meant.
/// With nothing but the code, the product is as the catalog says again.
public struct ProductOverridden: EventPayload {
  /// The kind.
  public static let kind = EventKind.productOverridden

  /// The canonical code, or an own food's identifier.
  public var code: String
  /// The name.
  public var name: String?
  /// The brand.
  public var brand: String?
  /// The full numbers.
  public var snapshot: NutrientSnapshot?
  /// Which record is meant, where a code has several.
  public var choice: ProductReference?
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// An override.
  public init(
    code: String, name: String? = nil, brand: String? = nil, snapshot: NutrientSnapshot? = nil,
    choice: ProductReference? = nil, by: String? = nil
  ) {
    self.code = code
    self.name = name
    self.brand = brand
    self.snapshot = snapshot
    self.choice = choice
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, text: code)
    writer.field(1, text: brand)
    writer.field(6, text: name)
    writer.field(snapshot: snapshot)
    writer.field(product: choice)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var code: String?
    var fields = FoodLineFields()
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: code = try reader.text(in: bytes)
      case 1: brand = try reader.text(in: bytes)
      case 6, 9...13: try fields.read(field, from: &reader, in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.code = try reader.require(code, field: 0)
    name = fields.name
    snapshot = try fields.snapshot(reader)
    if fields.product == .clear { throw reader.fault(.malformed, field: 13) }
    choice = fields.product.applied(to: nil)
  }
}

/// A setting of the diary (slots, units) changed.
public struct SettingChanged: EventPayload {
  /// The kind.
  public static let kind = EventKind.settingChanged

  /// The name.
  public var name: String
  /// Any value with a canonical encoding; null resets the setting.
  public let value: CBORValue
  private let encodedValue: [UInt8]
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A change.
  /// - Throws: `malformed` for a value that has no canonical encoding: a key twice, too deep.
  public init(name: String, value: CBORValue, by: String? = nil) throws(KernelError) {
    self.name = name
    self.value = value
    self.by = by
    do throws(CBORError) {
      // Encoded where it will stand, in a map under a key of one byte, so that it cannot be too
      // deep.
      let field = CBORValue.Entry(key: .unsigned(1), value: value)
      encodedValue = Array(try CBORValue.map([field]).encode().dropFirst(2))
    } catch {
      throw KernelError(
        .malformed, operation: "encode SettingChanged", subject: "field 1", underlying: error)
    }
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, text: name)
    writer.field(1) { $0.append(encoded: encodedValue.span) }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var name: String?
    var value: CBORValue?
    var by: String?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: name = try reader.text(in: bytes)
      case 1: value = try reader.value(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    try self.init(
      name: try reader.require(name, field: 0), value: try reader.require(value, field: 1), by: by)
  }
}

/// From a day on, the diary day starts at another minute; the days before keep theirs.
public struct DayStartChanged: EventPayload {
  /// The kind.
  public static let kind = EventKind.dayStartChanged

  /// The first day it holds for.
  public var fromDay: CivilDay
  /// Minutes after midnight, 0…1439.
  public var startMinute: UInt16
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A change.
  public init(fromDay: CivilDay, startMinute: UInt16, by: String? = nil) {
    self.fromDay = fromDay
    self.startMinute = startMinute
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, integer: Int64(fromDay.daysSince1970))
    writer.field(1, unsigned: UInt64(startMinute))
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var fromDay: CivilDay?
    var startMinute: UInt16?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: fromDay = try reader.civilDay(in: bytes)
      case 1: startMinute = UInt16(try reader.unsigned(upTo: 1439, in: bytes))
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.fromDay = try reader.require(fromDay, field: 0)
    self.startMinute = try reader.require(startMinute, field: 1)
  }
}

/// A note about a day; cleared, there is none.
public struct DayNoted: EventPayload {
  /// The kind.
  public static let kind = EventKind.dayNoted

  /// The day.
  public var day: CivilDay
  /// The note, ≤ 8 KiB, or `.clear`.
  public var note: Change<String>
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A note.
  public init(day: CivilDay, note: Change<String>, by: String? = nil) {
    self.day = day
    self.note = note
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, integer: Int64(day.daysSince1970))
    writer.field(1, change: note)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var day: CivilDay?
    note = .keep
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: day = try reader.civilDay(in: bytes)
      case 1: note = try reader.textChange(upTo: Limits.longTextByteCountMaximum, in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.day = try reader.require(day, field: 0)
    if note == .keep { throw reader.fault(.missingField, field: 1) }
  }
}
