import LarderHash
import LarderKernel
import Testing

@Suite("EventPayload")
struct EventPayloadTests {
  /// Every kind of the catalogue, by name so that a failure says which.
  static let kinds = EventSchema.standard.kinds.map(\.name)

  // [EVT-9] [EVT-10]
  @Test("what is written is read back, and written again is the same bytes", arguments: kinds)
  func roundTrip(_ name: String) throws {
    let kind = try #require(EventKind(name))
    var samples = Samples(seed: 1)
    for _ in 0..<400 {
      let payload = try #require(try samples.payload(of: kind))
      try checkRoundTrip(payload)
    }
  }

  private func checkRoundTrip<Payload: EventPayload>(_ payload: Payload) throws {
    let bytes = try payload.checkedBytes()
    let read = try Payload(bytes.span)
    #expect(read == payload)
    #expect(read.bytes == bytes)
    #expect(try CBORValue.decode(bytes.span).encode() == bytes)
    try EventSchema.standard.check(kind: Payload.kind, version: 1, payload: bytes)
  }

  // [EVT-11]
  @Test(
    "a payload without a field it must have is refused by that field's number", arguments: kinds)
  func missingFields(_ name: String) throws {
    let full = try FullPayload(name)
    try full.expectAccepted(full.fields)
    for rule in full.rules {
      var fields = full.fields
      fields[rule.number] = nil
      if rule.isRequired || rule.group != nil {
        try full.expectRefused(fields, .missingField, field: rule.number)
      } else {
        try full.expectAccepted(fields)
      }
    }
  }

  // [EVT-11]
  @Test("fields that belong together may all be absent", arguments: kinds)
  func absentGroups(_ name: String) throws {
    let full = try FullPayload(name)
    for group in Set(full.rules.compactMap(\.group)) {
      let members = full.rules.filter { $0.group == group }
      var fields = full.fields
      for rule in members { fields[rule.number] = nil }
      if group == "snapshot" {
        fields[10] = nil
        fields[11] = nil
      }
      try full.expectAccepted(fields)
    }
  }

  // [EVT-12]
  @Test("a field the version does not have is refused", arguments: kinds)
  func unknownFields(_ name: String) throws {
    let full = try FullPayload(name)
    let known = Set(full.rules.map(\.number))
    for number in Array(0...40) + [255, 65_536, UInt64.max] where !known.contains(number) {
      var fields = full.fields
      fields[number] = .unsigned(0)
      try full.expectRefused(fields, .unknownField, field: number)
    }
  }

  // [EVT-13] [EVT-14]
  @Test(
    "a value of another type is refused, null where the field cannot be cleared", arguments: kinds)
  func wrongTypes(_ name: String) throws {
    let full = try FullPayload(name)
    let values: [(CBORType, CBORValue)] = [
      (.unsigned, .unsigned(1)), (.bytes, .bytes([1])), (.text, .text("x")), (.array, .array([])),
      (.map, .map([])), (.bool, .bool(true)), (.null, .null),
    ]
    for rule in full.rules {
      guard let types = rule.types else { continue }
      for (type, value) in values where !types.contains(type) {
        var fields = full.fields
        fields[rule.number] = value
        if type == .null, rule.isNullable {
          try full.expectAccepted(fields)
        } else {
          try full.expectRefused(fields, .malformed, field: rule.number)
        }
      }
    }
  }

  // [EVT-15] [EVT-16] [EVT-17] [KIND-3] [KIND-4]
  @Test("a value out of range, too long or of the wrong form has its own code", arguments: kinds)
  func refusals(_ name: String) throws {
    let full = try FullPayload(name)
    for rule in full.rules {
      for refusal in rule.refusals {
        var fields = full.fields
        fields[rule.number] = refusal.value
        try full.expectRefused(fields, refusal.code, field: nil)
      }
    }
  }

  // [CBOR-1] [EVT-10]
  @Test(
    "any change of a byte is refused or is itself canonical; no truncation passes", arguments: kinds
  )
  func mutations(_ name: String) throws {
    let full = try FullPayload(name)
    let bytes = try full.encode(full.fields)
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(throws: KernelError.self) { try full.reencode(cut) }
    }
    #expect(throws: KernelError.self) { try full.reencode(bytes + [0]) }
    for place in bytes.indices {
      for change in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff] as [UInt8] {
        var mutated = bytes
        mutated[place] ^= change
        if let again = try? full.reencode(mutated) { #expect(again == mutated) }
      }
    }
  }

  // [EVT-8]
  @Test("a payload above 16 KiB is refused unread")
  func tooLarge() throws {
    let bytes = [UInt8](repeating: 0xff, count: Limits.payloadByteCountMaximum + 1)
    for kind in EventSchema.standard.kinds {
      let error = #expect(throws: KernelError.self) {
        try EventSchema.standard.check(kind: kind, version: 1, payload: bytes)
      }
      #expect(error?.code == .limitExceeded)
    }
    let meal = try MealCaptured(
      occasion: Samples.fixedOccasion(), source: .manual,
      tags: Array(repeating: String(repeating: "x", count: 1024), count: 32))
    let error = #expect(throws: KernelError.self) { try meal.checkedBytes() }
    #expect(error?.code == .limitExceeded)
  }

  @Test("a setting's value may be nested as deeply as the payload allows, and no deeper")
  func nesting() throws {
    func nested(_ depth: Int) -> CBORValue {
      (0..<depth).reduce(.unsigned(1)) { value, _ in .array([value]) }
    }
    let deepest = try SettingChanged(name: "a", value: nested(15))
    #expect(try SettingChanged(deepest.bytes.span) == deepest)
    #expect(try CBORValue.decode(deepest.bytes.span).encode() == deepest.bytes)
    let error = #expect(throws: KernelError.self) {
      try SettingChanged(name: "a", value: nested(16))
    }
    #expect(error?.code == .malformed)
    let tooDeep = [0xa2, 0x00, 0x60, 0x01] + [UInt8](repeating: 0x81, count: 16) + [0x01]
    #expect(throws: KernelError.self) { try SettingChanged(tooDeep.span) }
  }

  @Test("an error says which field of which kind, and nothing of what it held")
  func description() throws {
    let full = try FullPayload("DayStartChanged")
    var fields = full.fields
    fields[1] = .unsigned(1440)
    let error = #expect(throws: KernelError.self) { try full.reencode(try full.encode(fields)) }
    #expect(error?.description == "decode DayStartChanged: outOfRange: field 1")
    let malformed = #expect(throws: KernelError.self) { try full.reencode([0xa1, 0x18, 0x00]) }
    #expect(
      malformed?.description == "decode DayStartChanged: malformed: payload (nonMinimal at byte 1)")
  }
}

/// A payload of a kind with every field it can have, as a map that tests change.
struct FullPayload {
  let kind: EventKind
  let rules: [FieldRule]
  let fields: [UInt64: CBORValue]

  init(_ name: String) throws {
    kind = try #require(EventKind(name))
    rules = FieldRule.fields(of: kind) + [.by]
    var samples = Samples(seed: 2)
    var union: [UInt64: CBORValue] = [:]
    for _ in 0..<200 {
      let payload = try #require(try samples.payload(of: kind))
      guard case .map(let entries) = try CBORValue.decode(payload.bytes.span) else { continue }
      for entry in entries {
        guard case .unsigned(let number) = entry.key, entry.value != .null else { continue }
        let isLarge = try entry.value.encode().count > 400
        if union[number] == nil, !isLarge { union[number] = entry.value }
      }
    }
    fields = union
    #expect(Set(union.keys) == Set(rules.map(\.number)), "the samples and the rules disagree")
  }

  func encode(_ fields: [UInt64: CBORValue]) throws -> [UInt8] {
    try CBORValue.fields(fields).encode()
  }

  func reencode(_ bytes: [UInt8]) throws -> [UInt8] {
    func again<Payload: EventPayload>(_: Payload.Type) throws -> [UInt8] {
      try Payload(bytes.span).bytes
    }
    let type: any EventPayload.Type = try #require(Self.types[kind])
    return try again(type)
  }

  func expectAccepted(_ fields: [UInt64: CBORValue]) throws {
    let bytes = try encode(fields)
    #expect(try reencode(bytes) == bytes)
  }

  func expectRefused(
    _ fields: [UInt64: CBORValue], _ code: KernelError.Code, field: UInt64?
  ) throws {
    let bytes = try encode(fields)
    let error = #expect(throws: KernelError.self) { try reencode(bytes) }
    #expect(error?.code == code, "\(String(describing: error))")
    #expect(error?.operation == "decode \(kind.name)")
    if let field { #expect(error?.subject == "field \(field)") }
  }

  private static let types: [EventKind: any EventPayload.Type] = {
    let all: [any EventPayload.Type] = [
      MealCaptured.self, MealChanged.self, MealDeleted.self, MealRestored.self, ItemAdded.self,
      ItemChanged.self, ItemRemoved.self, ItemRevalued.self, PhotoAttached.self,
      PhotoDetached.self, PhotoReduced.self, PreviewReplaced.self, Reanalysed.self,
      ProposalAccepted.self, TemplateSaved.self, TemplateDeleted.self, ProductOverridden.self,
      SettingChanged.self, DayStartChanged.self, DayNoted.self, DataSent.self,
      HeadsWitnessed.self, PayloadErased.self, SoftwareChanged.self,
    ]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })
  }()
}

extension Samples {
  /// A plain lunch on 2026-05-02.
  static func fixedOccasion(
    hour: Int = 12, day: Int = 2, _ mealType: MealType = .lunch
  ) throws -> Occasion {
    let civil = try #require(CivilDay(year: 2026, month: 5, day: day))
    let local = Int64(civil.daysSince1970) * 86_400_000 + Int64(hour) * 3_600_000
    return Moment(
      consumedAt: try #require(Instant(milliseconds: local - 7_200_000)),
      zone: try #require(ZoneName("Europe/Berlin")),
      utcOffset: try #require(UTCOffset(seconds: 7200)), day: civil
    ).occasion(as: mealType)
  }
}
