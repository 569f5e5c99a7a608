// Templates: meals to reuse, as opposed to meals that happened. One stream per template, last save
// wins. SPEC.md, "Kinds"; Schemas/Events/TemplateSaved.cddl.

/// A template was saved, whole.
public struct TemplateSaved: EventPayload {
  /// The kind.
  public static let kind = EventKind.templateSaved

  /// The name, 1 byte to 1 KiB.
  public var name: String
  /// Its foods, at most 64.
  public var lines: [FoodLine]
  /// The slot it is usually logged as.
  public var mealType: MealType?
  /// The note.
  public var note: String?
  /// The tags, in the order given.
  public var tags: [String]?
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A template.
  public init(
    name: String, lines: [FoodLine], mealType: MealType? = nil, note: String? = nil,
    tags: [String]? = nil, by: String? = nil
  ) {
    self.name = name
    self.lines = lines
    self.mealType = mealType
    self.note = note
    self.tags = tags
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, text: name)
    writer.field(1, array: lines) { $1.append(to: &$0, item: nil) }
    writer.field(4, text: mealType?.rawValue)
    writer.field(10, text: note)
    writer.field(11, array: tags) { $0.append(text: $1) }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var name: String?
    var lines: [FoodLine]?
    var when = OccasionFields()
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0:
        name = try reader.text(in: bytes)
        if name?.isEmpty == true { throw reader.fault(.invalidText) }
      case 1: lines = try reader.foodLines(in: bytes)
      case 4: try when.read(field, from: &reader, in: bytes)
      case 10: note = try reader.longText(in: bytes)
      case 11: tags = try reader.tags(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.name = try reader.require(name, field: 0)
    self.lines = try reader.require(lines, field: 1)
    mealType = when.mealType
  }
}

extension PayloadReader {
  /// The foods of a template.
  mutating func foodLines(in bytes: Span<UInt8>) throws(KernelError) -> [FoodLine] {
    try array(upTo: Limits.lineCountMaximum, in: bytes) { r, b throws(KernelError) in
      var fields = FoodLineFields()
      try r.map(in: b) { r, field, b throws(KernelError) in
        try fields.read(field, from: &r, in: b)
      }
      return try fields.complete(r)
    }
  }
}

/// A template was deleted.
public struct TemplateDeleted: EventPayload {
  /// The kind.
  public static let kind = EventKind.templateDeleted
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A deletion.
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
    by = try MealRestored(bytes, kind: Self.kind).by
  }
}
