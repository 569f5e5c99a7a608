// The catalogue of kinds a build can read, with the upcasters that lift old payloads. Ours and an
// app's go in by the same call. SPEC.md, "Kinds".

/// A pure step that lifts a payload of one version of a kind to the next.
public struct Upcaster: Sendable {
  /// The kind.
  public let kind: EventKind
  /// The version it reads; it produces the next one.
  public let version: UInt16
  let lift: @Sendable (CBORValue) throws(KernelError) -> CBORValue

  /// A step from `version` of `kind` to the next; `lift` is pure and total over accepted payloads.
  public init(
    kind: EventKind, from version: UInt16,
    _ lift: @escaping @Sendable (CBORValue) throws(KernelError) -> CBORValue
  ) {
    self.kind = kind
    self.version = version
    self.lift = lift
  }
}

/// What a build makes of a kind and version.
public enum Readability: Hashable, Sendable {
  /// It reads it, lifted where it is older.
  case readable
  /// The kind is not in the catalogue.
  case unknownKind
  /// The version is newer than this build's.
  case newerVersion
}

/// The kinds, versions and upcasters of a build.
public struct EventSchema: Sendable {
  private struct Entry: Sendable {
    let version: UInt16
    let type: any EventPayload.Type
  }

  private var entries: [EventKind: Entry] = [:]
  private var upcasters: [EventKind: [UInt16: Upcaster]] = [:]

  /// A catalogue of nothing.
  public init() {}

  /// Larder's own kinds.
  public static var standard: EventSchema { Schema.standard.events }

  static let standardKinds: [any EventPayload.Type] = [
    MealCaptured.self,
    MealChanged.self,
    MealDeleted.self,
    MealRestored.self,
    ItemAdded.self,
    ItemChanged.self,
    ItemRemoved.self,
    ItemRevalued.self,
    PhotoAttached.self,
    PhotoDetached.self,
    PhotoReduced.self,
    PreviewReplaced.self,
    Reanalysed.self,
    ProposalAccepted.self,
    TemplateSaved.self,
    TemplateDeleted.self,
    ProductOverridden.self,
    SettingChanged.self,
    DayStartChanged.self,
    DayNoted.self,
    DataSent.self,
    HeadsWitnessed.self,
    PayloadErased.self,
    SoftwareChanged.self,
  ]

  /// The kinds, in order of their names.
  public var kinds: [EventKind] { entries.keys.sorted() }

  /// Adds a kind. Registering one twice, or with versions its upcasters do not reach, is a
  /// programmer error.
  public mutating func register<Payload: EventPayload>(
    _: Payload.Type, upcasters steps: [Upcaster] = []
  ) {
    precondition(entries[Payload.kind] == nil, "kind \(Payload.kind) is registered twice")
    precondition(Payload.version >= 1, "versions begin at 1")
    let reached = Set(steps.map(\.version))
    precondition(
      reached == Set(1..<Payload.version) && steps.count == reached.count
        && steps.allSatisfy { $0.kind == Payload.kind },
      "kind \(Payload.kind) needs one upcaster for each version before \(Payload.version)")
    entries[Payload.kind] = Entry(version: Payload.version, type: Payload.self)
    upcasters[Payload.kind] = Dictionary(uniqueKeysWithValues: steps.map { ($0.version, $0) })
  }

  /// What this build makes of a kind and version.
  public func readability(of kind: EventKind, version: UInt16) -> Readability {
    guard let entry = entries[kind] else { return .unknownKind }
    return version <= entry.version ? .readable : .newerVersion
  }

  /// Reads a payload of any version up to the type's own, lifting older ones.
  /// - Throws: `unsupportedVersion` for a newer one, else what reading it throws.
  public func decode<Payload: EventPayload>(
    _: Payload.Type, version: UInt16, payload: Span<UInt8>
  ) throws(KernelError) -> Payload {
    guard version <= Payload.version else {
      throw KernelError(
        .unsupportedVersion, operation: Payload.reading, subject: "version \(version)")
    }
    if version == Payload.version { return try Payload(payload) }
    let lifted = try lifted(payload, of: Payload.kind, from: version, to: Payload.version)
    return try Payload(lifted.span)
  }

  /// Checks that a payload of a known kind can be read.
  /// - Throws: `unknownKind`, `unsupportedVersion`, or what reading it throws.
  public func check(kind: EventKind, version: UInt16, payload: [UInt8]) throws(KernelError) {
    guard let entry = entries[kind] else {
      throw KernelError(.unknownKind, operation: "decode \(kind)", subject: kind.name)
    }
    guard version <= entry.version else {
      throw KernelError(
        .unsupportedVersion, operation: "decode \(kind)", subject: "version \(version)")
    }
    if version == entry.version { return try entry.type.check(payload) }
    let lifted = try lifted(payload.span, of: kind, from: version, to: entry.version)
    try entry.type.check(lifted)
  }

  private func lifted(
    _ payload: Span<UInt8>, of kind: EventKind, from version: UInt16, to target: UInt16
  ) throws(KernelError) -> [UInt8] {
    let value: CBORValue
    do throws(CBORError) {
      value = try CBORValue.decode(payload)
    } catch {
      throw Self.uncodable(kind, error)
    }
    let result = try lifted(value, of: kind, from: version, to: target)
    do throws(CBORError) {
      return try result.encode()
    } catch {
      throw Self.uncodable(kind, error)
    }
  }

  private func lifted(
    _ original: CBORValue, of kind: EventKind, from version: UInt16, to target: UInt16
  ) throws(KernelError) -> CBORValue {
    var value = original
    for step in version..<target {
      guard let upcaster = upcasters[kind]?[step] else {
        throw KernelError(
          .unsupportedVersion, operation: "upcast \(kind)", subject: "version \(step)")
      }
      value = try upcaster.lift(value)
    }
    return value
  }

  private static func uncodable(_ kind: EventKind, _ underlying: CBORError) -> KernelError {
    KernelError(
      .malformed, operation: "upcast \(kind)", subject: "payload", underlying: underlying)
  }
}
