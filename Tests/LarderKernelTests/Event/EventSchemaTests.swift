import LarderHash
import LarderKernel
import Testing

/// Version 3 of an app's kind: millilitres and a name. Version 1 had decilitres only, version 2
/// millilitres only.
private struct WaterDrunk: EventPayload {
  static let kind: EventKind = {
    guard let kind = EventKind("example.water/WaterDrunk") else {
      preconditionFailure("a kind's name")
    }
    return kind
  }()
  static let version: UInt16 = 3

  var millilitres: UInt64
  var name: String

  init(millilitres: UInt64, name: String) {
    self.millilitres = millilitres
    self.name = name
  }

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var millilitres: UInt64?
    var name: String?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: millilitres = try reader.unsigned(upTo: 100_000, in: bytes)
      case 1: name = try reader.text(in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.millilitres = try reader.require(millilitres, field: 0)
    self.name = try reader.require(name, field: 1)
  }

  func write(to writer: inout PayloadWriter) {
    writer.field(0, unsigned: millilitres)
    writer.field(1, text: name)
  }

  static let upcasters = [
    Upcaster(kind: kind, from: 1) { value throws(KernelError) in
      guard case .map(let entries) = value, let first = entries.first,
        case .unsigned(let decilitres) = first.value, decilitres <= 1000
      else { throw KernelError(.outOfRange, operation: "upcast water", subject: "field 0") }
      return .map([CBORValue.Entry(key: .unsigned(0), value: .unsigned(decilitres * 100))])
    },
    Upcaster(kind: kind, from: 2) { value throws(KernelError) in
      guard case .map(let entries) = value else { return value }
      return .map(entries + [CBORValue.Entry(key: .unsigned(1), value: .text("water"))])
    },
  ]
}

@Suite("EventSchema")
struct EventSchemaTests {
  private static let schema: EventSchema = {
    var schema = EventSchema.standard
    schema.register(WaterDrunk.self, upcasters: WaterDrunk.upcasters)
    return schema
  }()

  // [EVT-7]
  @Test("the catalogue has exactly the kinds of SPEC.md")
  func catalogue() {
    #expect(
      EventSchema.standard.kinds.map(\.name) == [
        "DataSent", "DayNoted", "DayStartChanged", "HeadsWitnessed", "ItemAdded", "ItemChanged",
        "ItemRemoved", "ItemRevalued", "MealCaptured", "MealChanged", "MealDeleted",
        "MealRestored", "PayloadErased", "PhotoAttached", "PhotoDetached", "PhotoReduced",
        "PreviewReplaced", "ProductOverridden", "ProposalAccepted", "Reanalysed",
        "SettingChanged", "SoftwareChanged", "TemplateDeleted", "TemplateSaved",
      ])
  }

  // [EVT-18]
  @Test("an unknown kind and a newer version are told apart from what can be read")
  func readability() throws {
    let unheard = try #require(EventKind("MealTagged"))
    let schema = Self.schema
    #expect(schema.readability(of: unheard, version: 1) == .unknownKind)
    #expect(schema.readability(of: .mealCaptured, version: 1) == .readable)
    #expect(schema.readability(of: .mealCaptured, version: 2) == .newerVersion)
    #expect(schema.readability(of: WaterDrunk.kind, version: 3) == .readable)
    #expect(schema.readability(of: WaterDrunk.kind, version: 4) == .newerVersion)
    func code(_ kind: EventKind, _ version: UInt16) -> KernelError.Code? {
      do throws(KernelError) {
        try schema.check(kind: kind, version: version, payload: [0xa0])
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(unheard, 1) == .unknownKind)
    #expect(code(.mealCaptured, 2) == .unsupportedVersion)
    #expect(code(.mealRestored, 1) == nil)
    let payload: [UInt8] = [0xa0]
    #expect(throws: KernelError.self) {
      try schema.decode(MealRestored.self, version: 2, payload: payload.span)
    }
  }

  // [EVT-19]
  @Test("an old payload is lifted step by step, and its bytes are as they were")
  func upcasting() throws {
    let expected = WaterDrunk(millilitres: 300, name: "water")
    for (version, bytes) in [
      (1, [0xa1, 0x00, 0x03]), (2, [0xa1, 0x00, 0x19, 0x01, 0x2c]), (3, expected.bytes),
    ] as [(UInt16, [UInt8])] {
      #expect(
        try Self.schema.decode(WaterDrunk.self, version: version, payload: bytes.span) == expected)
      try Self.schema.check(kind: WaterDrunk.kind, version: version, payload: bytes)
    }
  }

  // [EVT-19]
  @Test("a payload no step can lift is refused, as is one that is not canonical")
  func upcastingRefusals() throws {
    func code(_ version: UInt16, _ bytes: [UInt8]) -> KernelError.Code? {
      do throws(KernelError) {
        _ = try Self.schema.decode(WaterDrunk.self, version: version, payload: bytes.span)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(1, [0xa1, 0x00, 0x19, 0x03, 0xe9]) == .outOfRange)
    #expect(code(1, [0xa1, 0x00, 0x18, 0x03]) == .malformed)
    #expect(code(1, [0xa0]) == .outOfRange)
    #expect(code(2, [0xa1, 0x01, 0x60]) == .malformed)  // lifting would make a key twice
    #expect(code(2, [0xa1, 0x00, 0x61, 0x61]) == .malformed)
  }

  // [EVT-19]
  @Test("registering a kind twice is a programmer error")
  func registeredTwice() async {
    await #expect(processExitsWith: .failure) {
      var schema = EventSchema.standard
      schema.register(MealCaptured.self)
    }
  }

  // [EVT-19]
  @Test("registering a kind without a step for each older version is a programmer error")
  func missingUpcaster() async {
    await #expect(processExitsWith: .failure) {
      var schema = EventSchema()
      schema.register(WaterDrunk.self, upcasters: Array(WaterDrunk.upcasters.dropLast()))
    }
    await #expect(processExitsWith: .failure) {
      var schema = EventSchema()
      schema.register(WaterDrunk.self, upcasters: WaterDrunk.upcasters + WaterDrunk.upcasters)
    }
  }

  @Test("a header of a version or with a flag that no format has is a programmer error")
  func impossibleHeader() async {
    await #expect(processExitsWith: .failure) {
      guard let instant = Instant(milliseconds: 0) else { return }
      _ = EventHeader(
        hlc: .zero, recordedAt: instant, stream: .control, kind: .mealCaptured, version: 0,
        flags: [])
    }
    await #expect(processExitsWith: .failure) {
      guard let instant = Instant(milliseconds: 0) else { return }
      _ = EventHeader(
        hlc: .zero, recordedAt: instant, stream: .control, kind: .mealCaptured, version: 1,
        flags: EventFlags(rawValue: 4))
    }
  }

  @Test("payload fields out of order are a programmer error")
  func fieldOrder() async {
    await #expect(processExitsWith: .failure) {
      var writer = PayloadWriter()
      writer.field(2, unsigned: 1)
      writer.field(1, unsigned: 1)
    }
  }

  @Test("a payload with many fields has a longer head")
  func manyFields() throws {
    for count in [0, 1, 23, 24, 255, 256] as [UInt64] {
      var writer = PayloadWriter()
      for key in 0..<count { writer.field(key, unsigned: key) }
      let bytes = writer.bytes
      #expect(bytes == writer.bytes)
      #expect(try CBORValue.decode(bytes.span).encode() == bytes)
    }
  }
}
