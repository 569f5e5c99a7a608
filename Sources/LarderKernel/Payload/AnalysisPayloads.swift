// What analyses propose, what of it was taken, and what left the device for it.
// SPEC.md, "Kinds"; Schemas/Events/Reanalysed.cddl.

public import LarderHash

/// A line of a proposal.
public struct ProposedLine: Hashable, Sendable {
  /// The item it would change; nil for a new one.
  public var item: ItemID?
  /// The food, the amount, the numbers.
  public var line: FoodLine

  /// A line.
  public init(item: ItemID?, line: FoodLine) {
    self.item = item
    self.line = line
  }
}

/// An analysis proposed items: it changes none by itself.
public struct Reanalysed: EventPayload {
  /// The kind.
  public static let kind = EventKind.reanalysed

  /// The analysis, random.
  public var analysis: Bytes16
  /// Who analysed.
  public var provider: String
  /// The model.
  public var model: String
  /// The version of the prompt.
  public var promptVersion: String
  /// Addresses of what was analysed.
  public var inputs: [BlobAddress]
  /// At most 64 lines.
  public var lines: [ProposedLine]
  /// 0…100.
  public var score: UInt8
  /// Codes of the issues found, `items[2].unmatched_item` and the like.
  public var issues: [String]
  /// Addresses of the request and the answers.
  public var evidence: [BlobAddress]
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A proposal.
  public init(
    analysis: Bytes16, provider: String, model: String, promptVersion: String,
    inputs: [BlobAddress], lines: [ProposedLine], score: UInt8, issues: [String],
    evidence: [BlobAddress], by: String? = nil
  ) {
    self.analysis = analysis
    self.provider = provider
    self.model = model
    self.promptVersion = promptVersion
    self.inputs = inputs
    self.lines = lines
    self.score = score
    self.issues = issues
    self.evidence = evidence
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, bytes16: analysis)
    writer.field(1, text: provider)
    writer.field(2, text: model)
    writer.field(3, text: promptVersion)
    writer.field(4, addresses: inputs)
    writer.field(5, array: lines) { $1.line.append(to: &$0, item: $1.item) }
    writer.field(6, unsigned: UInt64(score))
    writer.field(7, array: issues) { $0.append(text: $1) }
    writer.field(8, addresses: evidence)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var analysis: Bytes16?
    var provider: String?
    var model: String?
    var promptVersion: String?
    var inputs: [BlobAddress]?
    var lines: [ProposedLine]?
    var score: UInt8?
    var issues: [String]?
    var evidence: [BlobAddress]?
    let lineLimit = Limits.lineCountMaximum
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: analysis = try reader.bytes16(in: bytes)
      case 1: provider = try reader.text(in: bytes)
      case 2: model = try reader.text(in: bytes)
      case 3: promptVersion = try reader.text(in: bytes)
      case 4: inputs = try reader.addresses(in: bytes)
      case 5:
        lines = try reader.array(upTo: lineLimit, in: bytes) { r, b throws(KernelError) in
          try ProposedLine(from: &r, in: b)
        }
      case 6: score = UInt8(try reader.unsigned(upTo: 100, in: bytes))
      case 7:
        issues = try reader.array(upTo: 4 * lineLimit, in: bytes) { r, b throws(KernelError) in
          try r.text(in: b)
        }
      case 8: evidence = try reader.addresses(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.analysis = try reader.require(analysis, field: 0)
    self.provider = try reader.require(provider, field: 1)
    self.model = try reader.require(model, field: 2)
    self.promptVersion = try reader.require(promptVersion, field: 3)
    self.inputs = try reader.require(inputs, field: 4)
    self.lines = try reader.require(lines, field: 5)
    self.score = try reader.require(score, field: 6)
    self.issues = try reader.require(issues, field: 7)
    self.evidence = try reader.require(evidence, field: 8)
  }
}

extension ProposedLine {
  init(from reader: inout PayloadReader, in bytes: Span<UInt8>) throws(KernelError) {
    var item: ItemID?
    var fields = FoodLineFields()
    try reader.map(in: bytes) { r, field, bytes throws(KernelError) in
      if field == 5 {
        item = try r.itemID(in: bytes)
      } else {
        try fields.read(field, from: &r, in: bytes)
      }
    }
    self.init(item: item, line: try fields.complete(reader))
  }
}

/// A person took lines of a proposal over.
public struct ProposalAccepted: EventPayload {
  /// The kind.
  public static let kind = EventKind.proposalAccepted

  /// The analysis.
  public var analysis: Bytes16
  /// Indexes of the lines taken, ascending.
  public var lines: [UInt64]
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// An acceptance.
  public init(analysis: Bytes16, lines: [UInt64], by: String? = nil) {
    self.analysis = analysis
    self.lines = lines
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, bytes16: analysis)
    writer.field(1, array: lines) { $0.append(unsigned: $1) }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var analysis: Bytes16?
    var lines: [UInt64]?
    let limit = Limits.lineCountMaximum
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: analysis = try reader.bytes16(in: bytes)
      case 1:
        lines = try reader.array(upTo: limit, in: bytes) { r, b throws(KernelError) in
          try r.unsigned(upTo: UInt64(limit - 1), in: b)
        }
        if let lines, zip(lines, lines.dropFirst()).contains(where: { $0 >= $1 }) {
          throw reader.fault(.malformed)
        }
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.analysis = try reader.require(analysis, field: 0)
    self.lines = try reader.require(lines, field: 1)
  }
}

/// Something left the device: recorded beside the meal it was about.
public struct DataSent: EventPayload {
  /// The kind.
  public static let kind = EventKind.dataSent

  /// The entrance: `aiPhoto`, `voice`, ….
  public var entrance: String
  /// Where it went: a provider's origin.
  public var destination: String
  /// Which inputs: `photo`, `text`, `depth`, ….
  public var inputs: [String]
  /// How many bytes were sent.
  public var byteCount: UInt64
  /// BLAKE2b-256 of what was sent.
  public var digest: Bytes32
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A record of a request.
  public init(
    entrance: String, destination: String, inputs: [String], byteCount: UInt64, digest: Bytes32,
    by: String? = nil
  ) {
    self.entrance = entrance
    self.destination = destination
    self.inputs = inputs
    self.byteCount = byteCount
    self.digest = digest
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, text: entrance)
    writer.field(1, text: destination)
    writer.field(2, array: inputs) { $0.append(text: $1) }
    writer.field(3, unsigned: byteCount)
    writer.field(4, bytes32: digest)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var entrance: String?
    var destination: String?
    var inputs: [String]?
    var byteCount: UInt64?
    var digest: Bytes32?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: entrance = try reader.text(in: bytes)
      case 1: destination = try reader.text(in: bytes)
      case 2: inputs = try reader.tags(in: bytes)
      case 3: byteCount = try reader.unsigned(upTo: UInt64(Int64.max), in: bytes)
      case 4: digest = try reader.bytes32(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.entrance = try reader.require(entrance, field: 0)
    self.destination = try reader.require(destination, field: 1)
    self.inputs = try reader.require(inputs, field: 2)
    self.byteCount = try reader.require(byteCount, field: 3)
    self.digest = try reader.require(digest, field: 4)
  }
}
