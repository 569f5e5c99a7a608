// The beginning of a meal. SPEC.md, "Kinds"; Schemas/Events/MealCaptured.cddl.

/// Which entrance a meal came through.
public enum CaptureSource: UInt8, Sendable, CaseIterable {
  case aiPhoto = 0
  case aiVoice = 1
  case aiText = 2
  case barcode = 3
  case manual = 4
  case template = 5

  /// The name in tables and output.
  public var name: String {
    switch self {
    case .aiPhoto: "aiPhoto"
    case .aiVoice: "aiVoice"
    case .aiText: "aiText"
    case .barcode: "barcode"
    case .manual: "manual"
    case .template: "template"
    }
  }
}

/// A meal was captured. The first readable one of a stream makes its entry.
public struct MealCaptured: EventPayload {
  /// The kind.
  public static let kind = EventKind.mealCaptured

  /// When and as which meal.
  public var occasion: Occasion
  /// The entrance.
  public var source: CaptureSource
  /// A title, ≤ 1 KiB.
  public var title: String?
  /// What was said, ≤ 8 KiB.
  public var voiceTranscript: String?
  /// An app's own text, ≤ 8 KiB, kept verbatim and never interpreted.
  public var captureMeta: String?
  /// An idempotency key, ≤ 1 KiB: two devices that capture the same thing meet in one stream.
  public var captureID: String?
  /// A note, ≤ 8 KiB.
  public var note: String?
  /// Tags, at most 32 of ≤ 1 KiB.
  public var tags: [String]?
  /// The meal this one was copied from.
  public var copiedFrom: StreamID?
  /// Who logged it, as the app says: a device is not a person.
  public var by: String?

  /// A capture; what is not given is absent.
  public init(
    occasion: Occasion, source: CaptureSource, title: String? = nil,
    voiceTranscript: String? = nil, captureMeta: String? = nil, captureID: String? = nil,
    note: String? = nil, tags: [String]? = nil, copiedFrom: StreamID? = nil, by: String? = nil
  ) {
    self.occasion = occasion
    self.source = source
    self.title = title
    self.voiceTranscript = voiceTranscript
    self.captureMeta = captureMeta
    self.captureID = captureID
    self.note = note
    self.tags = tags
    self.copiedFrom = copiedFrom
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    occasion.write(to: &writer)
    writer.field(5, unsigned: UInt64(source.rawValue))
    writer.field(6, text: title)
    writer.field(7, text: voiceTranscript)
    writer.field(8, text: captureMeta)
    writer.field(9, text: captureID)
    writer.field(10, text: note)
    writer.field(11, array: tags) { $0.append(text: $1) }
    writer.field(12, bytes16: copiedFrom?.bytes)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var when = OccasionFields()
    var source: CaptureSource?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0...4: try when.read(field, from: &reader, in: bytes)
      case 5: source = try reader.choice(CaptureSource.self, in: bytes)
      case 6: title = try reader.text(in: bytes)
      case 7: voiceTranscript = try reader.longText(in: bytes)
      case 8: captureMeta = try reader.longText(in: bytes)
      case 9: captureID = try reader.text(in: bytes)
      case 10: note = try reader.longText(in: bytes)
      case 11: tags = try reader.tags(in: bytes)
      case 12: copiedFrom = StreamID(try reader.bytes16(in: bytes))
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    occasion = try when.complete(reader)
    self.source = try reader.require(source, field: 5)
  }
}
