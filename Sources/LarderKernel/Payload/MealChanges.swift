// What happens to a meal after its capture. SPEC.md, "Kinds"; Schemas/Events/MealChanged.cddl.

/// Facts of a meal changed: only the fields that change are there.
public struct MealChanged: EventPayload {
  /// The kind.
  public static let kind = EventKind.mealChanged

  /// The new time, all of it.
  public var moment: Moment?
  /// The new slot.
  public var mealType: MealType?
  /// The title.
  public var title: Change<String>
  /// What was said.
  public var voiceTranscript: Change<String>
  /// The app's own text, verbatim.
  public var captureMeta: Change<String>
  /// The note.
  public var note: Change<String>
  /// The tags, in the order given.
  public var tags: Change<[String]>
  /// The photo shown for the meal; cleared, it is the first one attached.
  public var cover: Change<BlobAddress>
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A change of what is given.
  public init(
    moment: Moment? = nil, mealType: MealType? = nil, title: Change<String> = .keep,
    voiceTranscript: Change<String> = .keep, captureMeta: Change<String> = .keep,
    note: Change<String> = .keep, tags: Change<[String]> = .keep,
    cover: Change<BlobAddress> = .keep, by: String? = nil
  ) {
    self.moment = moment
    self.mealType = mealType
    self.title = title
    self.voiceTranscript = voiceTranscript
    self.captureMeta = captureMeta
    self.note = note
    self.tags = tags
    self.cover = cover
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    moment?.write(to: &writer)
    writer.field(4, text: mealType?.rawValue)
    writer.field(6, change: title)
    writer.field(7, change: voiceTranscript)
    writer.field(8, change: captureMeta)
    writer.field(10, change: note)
    switch tags {
    case .keep: break
    case .clear: writer.fieldNull(11)
    case .set(let list): writer.field(11, array: list) { $0.append(text: $1) }
    }
    switch cover {
    case .keep: break
    case .clear: writer.fieldNull(13)
    case .set(let address): writer.field(13, bytes32: address.bytes)
    }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    self.init()
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var when = OccasionFields()
    let long = Limits.longTextByteCountMaximum
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0...4: try when.read(field, from: &reader, in: bytes)
      case 6: title = try reader.textChange(in: bytes)
      case 7: voiceTranscript = try reader.textChange(upTo: long, in: bytes)
      case 8: captureMeta = try reader.textChange(upTo: long, in: bytes)
      case 10: note = try reader.textChange(upTo: long, in: bytes)
      case 11:
        tags = try reader.change(in: bytes) { r, b throws(KernelError) in try r.tags(in: b) }
      case 13:
        cover = try reader.change(in: bytes) { r, b throws(KernelError) in try r.address(in: b) }
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    moment = try when.moment(reader)
    mealType = when.mealType
  }
}

/// A meal was deleted.
public struct MealDeleted: EventPayload {
  /// The kind.
  public static let kind = EventKind.mealDeleted

  /// What becomes of the items.
  public enum Items: UInt8, Sendable, CaseIterable {
    /// They stay in the diary as entries never grouped.
    case keep = 0
    /// They go with the meal.
    case delete = 1
  }

  /// What becomes of the items.
  public var items: Items
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A deletion.
  public init(items: Items, by: String? = nil) {
    self.items = items
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, unsigned: UInt64(items.rawValue))
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var items: Items?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: items = try reader.choice(Items.self, in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.items = try reader.require(items, field: 0)
  }
}

/// A deleted meal was brought back, whole.
public struct MealRestored: EventPayload {
  /// The kind.
  public static let kind = EventKind.mealRestored
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A restoration.
  public init(by: String? = nil) {
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    try self.init(bytes, kind: Self.kind)
  }

  /// The one field of the kinds that say nothing but that they happened.
  init(_ bytes: Span<UInt8>, kind: EventKind) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: kind)
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
  }
}
