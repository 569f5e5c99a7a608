// Events of an author's control stream: about the log itself, not folded into rows.
// SPEC.md, "Kinds"; Schemas/Events/HeadsWitnessed.cddl and its neighbours.

public import LarderHash

/// The author had seen these tips of other authors.
public struct HeadsWitnessed: EventPayload {
  /// The kind.
  public static let kind = EventKind.headsWitnessed

  /// A tip of an author's chain.
  public struct Tip: Hashable, Sendable {
    /// The author.
    public var author: AuthorID
    /// How many events the chain has.
    public var size: UInt64
    /// The root of its tree.
    public var root: Bytes32

    /// A tip.
    public init(author: AuthorID, size: UInt64, root: Bytes32) {
      self.author = author
      self.size = size
      self.root = root
    }
  }

  /// Tips, ascending by author, size and root; only authors whose tips changed.
  public var tips: [Tip]
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A witness of `tips`.
  public init(tips: [Tip], by: String? = nil) {
    self.tips = tips.sorted(by: Self.precedes)
    self.by = by
  }

  private static func precedes(_ left: Tip, _ right: Tip) -> Bool {
    (left.author, left.size, left.root) < (right.author, right.size, right.root)
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, array: tips) { writer, tip in
      writer.beginArray(count: 3)
      writer.append(tip.author.bytes)
      writer.append(unsigned: tip.size)
      writer.append(tip.root)
    }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var tips: [Tip]?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0:
        tips = try reader.array(
          upTo: Limits.payloadByteCountMaximum / 50, in: bytes
        ) { r, b throws(KernelError) in
          try r.beginArray(count: 3, in: b)
          let author = AuthorID(try r.bytes16(in: b))
          let size = try r.unsigned(upTo: UInt64(Int64.max), in: b)
          return Tip(author: author, size: size, root: try r.bytes32(in: b))
        }
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.tips = try reader.require(tips, field: 0)
    for (left, right) in zip(self.tips, self.tips.dropFirst())
    where !Self.precedes(left, right) {
      throw reader.fault(.malformed, field: 0)
    }
  }
}

/// These events' payloads are to be treated as absent, and destroyed.
public struct PayloadErased: EventPayload {
  /// The kind.
  public static let kind = EventKind.payloadErased

  /// Hashes of the events' leaves, ascending.
  public var leaves: [Bytes32]
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// An erasure of `leaves`.
  public init(leaves: [Bytes32], by: String? = nil) {
    self.leaves = leaves.sorted()
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, array: leaves) { $0.append($1) }
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var leaves: [Bytes32]?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0:
        leaves = try reader.array(
          upTo: Limits.payloadByteCountMaximum / 34, in: bytes
        ) { r, b throws(KernelError) in try r.bytes32(in: b) }
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.leaves = try reader.require(leaves, field: 0)
    for (left, right) in zip(self.leaves, self.leaves.dropFirst()) where left >= right {
      throw reader.fault(.malformed, field: 0)
    }
  }
}

/// Another build began to write as this author.
public struct SoftwareChanged: EventPayload {
  /// The kind.
  public static let kind = EventKind.softwareChanged

  /// The program, `larder` or an app's name.
  public var software: String
  /// Its version.
  public var softwareVersion: String
  /// Who did it, as the app says: a device is not a person.
  public var by: String?

  /// A change.
  public init(software: String, softwareVersion: String, by: String? = nil) {
    self.software = software
    self.softwareVersion = softwareVersion
    self.by = by
  }

  /// Writes the fields in ascending order.
  public func write(to writer: inout PayloadWriter) {
    writer.field(0, text: software)
    writer.field(1, text: softwareVersion)
    writer.field(PayloadField.by, text: by)
  }

  /// Reads the payload that is exactly `bytes`.
  ///
  /// - Throws: `malformed`, `missingField`, `unknownField`, `outOfRange`, `limitExceeded`,
  ///   `invalidText`, each with the field.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var software: String?
    var softwareVersion: String?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: software = try reader.text(in: bytes)
      case 1: softwareVersion = try reader.text(in: bytes)
      case PayloadField.by: by = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.software = try reader.require(software, field: 0)
    self.softwareVersion = try reader.require(softwareVersion, field: 1)
  }
}
