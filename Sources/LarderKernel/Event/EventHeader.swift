// The header of an event: what stays for ever, even after an erasure. One canonical encoding,
// deterministic CBOR of an array of seven. SPEC.md, "Events".

internal import LarderHash

/// Marks of an event that a reader must understand before its kind.
public struct EventFlags: OptionSet, Hashable, Sendable {
  /// The bits; those above the two named ones are zero in format 1.
  public let rawValue: UInt8

  /// The flags of these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A reader that does not know the kind keeps the stream's rows as folded from the rest and
  /// refuses local writes to the stream.
  public static let critical = EventFlags(rawValue: 1)
  /// The event belongs to the same operation as its author's previous event.
  public static let continued = EventFlags(rawValue: 2)

  static let all: EventFlags = [.critical, .continued]
}

/// The header of an event.
public struct EventHeader: Hashable, Sendable {
  /// The format this build writes and the highest it reads.
  public static let currentFormat: UInt64 = 1

  /// The clock's reading: the event's place in the total order.
  public var hlc: HLC
  /// What the device said the time was; a claim, kept for audit.
  public var recordedAt: Instant
  /// The stream.
  public var stream: StreamID
  /// The kind.
  public var kind: EventKind
  /// The version of the kind's payload, from 1.
  public var version: UInt16
  /// The flags.
  public var flags: EventFlags

  /// A header of the current format; `version` is from 1, `flags` are the two that have names.
  public init(
    hlc: HLC, recordedAt: Instant, stream: StreamID, kind: EventKind, version: UInt16,
    flags: EventFlags
  ) {
    precondition(version >= 1, "versions begin at 1")
    precondition(EventFlags.all.isSuperset(of: flags), "format 1 has two flags")
    self.hlc = hlc
    self.recordedAt = recordedAt
    self.stream = stream
    self.kind = kind
    self.version = version
    self.flags = flags
  }

  /// Appends the canonical encoding: CBOR `[format, hlc, recordedAt, stream, kind, version,
  /// flags]`.
  public func encode(into writer: inout CBORWriter) {
    writer.beginArray(count: 7)
    writer.append(unsigned: Self.currentFormat)
    writer.append(unsigned: hlc.rawValue)
    writer.append(integer: recordedAt.milliseconds)
    writer.append(stream.bytes)
    writer.append(text: kind.name)
    writer.append(unsigned: UInt64(version))
    writer.append(unsigned: UInt64(flags.rawValue))
  }

  /// The canonical encoding.
  public var bytes: [UInt8] {
    var writer = CBORWriter(reserving: 64)
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads a header that is exactly `bytes`.
  /// - Throws: `unsupportedVersion` for another format, `malformed` for anything but the canonical
  ///   encoding, `outOfRange`, `invalidText` or `limitExceeded` for a value the format forbids.
  public init(_ bytes: Span<UInt8>) throws(KernelError) {
    guard bytes.count <= Limits.headerByteCountMaximum else {
      throw KernelError(.limitExceeded, operation: "decode header", subject: "byte count")
    }
    let raw: RawFields
    do throws(CBORError) {
      raw = try RawFields(bytes)
    } catch {
      throw KernelError(
        KernelError.Code(error), operation: "decode header", subject: "header", underlying: error)
    }
    guard raw.format == Self.currentFormat else {
      throw KernelError(
        .unsupportedVersion, operation: "decode header", subject: "format \(raw.format)")
    }
    guard raw.hlc >= 0, let hlc = HLC(rawValue: UInt64(raw.hlc)) else {
      throw Self.outOfRange("hlc")
    }
    guard let recordedAt = Instant(milliseconds: raw.recordedAt) else {
      throw Self.outOfRange("recordedAt")
    }
    guard let kind = EventKind(raw.kind) else {
      throw KernelError(.invalidText, operation: "decode header", subject: "kind")
    }
    guard (1...Int64(Limits.kindVersionMaximum)).contains(raw.version) else {
      throw Self.outOfRange("version")
    }
    guard (0...Int64(EventFlags.all.rawValue)).contains(raw.flags) else {
      throw Self.outOfRange("flags")
    }
    self.init(
      hlc: hlc, recordedAt: recordedAt, stream: StreamID(raw.stream), kind: kind,
      version: UInt16(raw.version), flags: EventFlags(rawValue: UInt8(raw.flags)))
  }

  private static func outOfRange(_ field: String) -> KernelError {
    KernelError(.outOfRange, operation: "decode header", subject: field)
  }

  /// The seven fields before their ranges are checked.
  private struct RawFields {
    let format: UInt64
    let hlc: Int64
    let recordedAt: Int64
    let stream: Bytes16
    let kind: String
    let version: Int64
    let flags: Int64

    init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader()
      let count = try reader.arrayCount(in: bytes)
      format = try reader.unsigned(in: bytes)
      guard count == 7 || format != EventHeader.currentFormat else {
        throw CBORError(code: .unexpectedType, offset: 0)
      }
      guard format == EventHeader.currentFormat else {
        (hlc, recordedAt, stream, kind, version, flags) = (0, 0, .zero, "", 0, 0)
        return
      }
      hlc = try reader.integer(in: bytes)
      recordedAt = try reader.integer(in: bytes)
      stream = try reader.bytes16(in: bytes)
      kind = try reader.text(in: bytes)
      version = try reader.integer(in: bytes)
      flags = try reader.integer(in: bytes)
      try reader.finish(in: bytes)
    }
  }
}
