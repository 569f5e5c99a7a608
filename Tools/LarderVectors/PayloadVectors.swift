// Payloads of every kind: with all fields, with the fewest, and with one flaw each.

import LarderHash
import LarderKernel

enum PayloadVectors {
  static func all() throws -> [Vector] {
    var vectors: [Vector] = []
    for payload in try full() + mealsFull() + diaryFull() + controlFull() {
      vectors.append(try accept(payload, "full", "every field it can have"))
      vectors += try commonFlaws(of: payload)
      vectors += try flaws(of: type(of: payload).kind).map { try refuse($0, of: payload) }
    }
    for payload in try least() {
      vectors.append(try accept(payload, "least", "what it must have, and nothing else"))
    }
    return vectors + (try extremes()) + (try raw.map(refuseRaw))
  }

  // MARK: Good ones

  private static func full() throws -> [any EventPayload] {
    let line = try Fixed.fullLine()
    return [
      ItemAdded(
        occasion: try Fixed.occasion(), item: Fixed.item(1), line: line, note: "with milk",
        copiedFrom: ItemAdded.ItemCopy(stream: StreamID(.pattern(3)), item: Fixed.item(9)),
        by: "mum"),
      ItemChanged(
        item: Fixed.item(1), moment: try Fixed.moment(hour: 8), mealType: .breakfast,
        name: "Porridge", quantity: try Quantity(1500, .milliserving), snapshot: try Fixed.oats(),
        product: .set(Fixed.product), origin: .label, note: .set("salted"), by: "mum"),
      ItemRemoved(item: Fixed.item(1), by: "mum"),
      ItemRevalued(
        item: Fixed.item(1), snapshot: try Fixed.oats(), product: Fixed.product, origin: .catalog,
        reason: "catalog of 2026-06", by: "mum"),
      PhotoAttached(
        photo: Fixed.image(0x11), preview: Fixed.image(0x12, .webp), role: .plate, by: "mum"),
      PhotoDetached(photo: BlobAddress(.pattern(0x11)), by: "mum"),
      PhotoReduced(photo: BlobAddress(.pattern(0x11)), by: "mum"),
      PreviewReplaced(
        photo: BlobAddress(.pattern(0x11)), preview: Fixed.image(0x13, .png), by: "mum"),
      Reanalysed(
        analysis: Fixed.analysis, provider: "example.org", model: "eye-1", promptVersion: "3",
        inputs: [BlobAddress(.pattern(1))],
        lines: [
          ProposedLine(item: Fixed.item(1), line: line),
          ProposedLine(item: nil, line: try Fixed.line("Milk", origin: .ai)),
        ], score: 92, issues: ["items[1].weak_db_match"], evidence: [BlobAddress(.pattern(2))],
        by: "mum"),
      ProposalAccepted(analysis: Fixed.analysis, lines: [0, 1, 63], by: "mum"),
    ]
  }

  private static func mealsFull() throws -> [any EventPayload] {
    [
      MealCaptured(
        occasion: try Fixed.occasion(), source: .aiVoice, title: "Lunch",
        voiceTranscript: "oats with milk", captureMeta: "{\"depth\":1}", captureID: "import-7",
        note: "late", tags: ["home", "p\u{e2}t\u{e9}"], copiedFrom: StreamID(.pattern(3)),
        by: "mum"),
      MealChanged(
        moment: try Fixed.moment(day: 3), mealType: .dinner, title: .set("Dinner"),
        voiceTranscript: .clear, captureMeta: .set("not json"), note: .set("later"),
        tags: .set([]), cover: .set(BlobAddress(.pattern(0x11))), by: "mum"),
      MealDeleted(items: .keep, by: "mum"),
      MealRestored(by: "mum"),
    ]
  }

  private static func diaryFull() throws -> [any EventPayload] {
    [
      TemplateSaved(
        name: "Usual breakfast", lines: [try Fixed.fullLine(), try Fixed.line("Milk")],
        mealType: .breakfast, note: "weekdays", tags: ["quick"], by: "mum"),
      TemplateDeleted(by: "mum"),
      ProductOverridden(
        code: "0012345678905", name: "Oats", brand: "Mill", snapshot: try Fixed.oats(),
        choice: Fixed.product, by: "mum"),
      try SettingChanged(
        name: "slots", value: .fields([0: .array([.text("early"), .null]), 5: .integer(-3)]),
        by: "mum"),
      DayStartChanged(
        fromDay: try Fixed.moment().day, startMinute: 240, by: "mum"),
      DayNoted(day: try Fixed.moment().day, note: .set("travelled"), by: "mum"),
    ]
  }

  private static func controlFull() throws -> [any EventPayload] {
    [
      DataSent(
        entrance: "aiPhoto", destination: "https://example.org", inputs: ["photo", "text"],
        byteCount: 123_456, digest: .pattern(0x40), by: "mum"),
      HeadsWitnessed(
        tips: [
          HeadsWitnessed.Tip(author: AuthorID(.pattern(1)), size: 512, root: .pattern(0x50)),
          HeadsWitnessed.Tip(author: AuthorID(.pattern(1)), size: 513, root: .pattern(0x40)),
          HeadsWitnessed.Tip(author: AuthorID(.pattern(2)), size: 0, root: .pattern(0x60)),
        ], by: "mum"),
      PayloadErased(leaves: [.pattern(1), .pattern(2)], by: "mum"),
      SoftwareChanged(software: "larder", softwareVersion: "1.0.0", by: "mum"),
    ]
  }

  private static func least() throws -> [any EventPayload] {
    let line = try Fixed.line("Milk")
    let day = try Fixed.moment().day
    return [
      MealCaptured(occasion: try Fixed.occasion(), source: .manual),
      MealChanged(), MealDeleted(items: .delete), MealRestored(),
      ItemAdded(occasion: try Fixed.occasion(), item: Fixed.item(1), line: line),
      ItemChanged(item: Fixed.item(1)), ItemRemoved(item: Fixed.item(1)),
      ItemRevalued(item: Fixed.item(1), snapshot: try Fixed.energy(0), origin: .user),
      PhotoAttached(photo: Fixed.image(0x11), preview: nil, role: .other),
      Reanalysed(
        analysis: Fixed.analysis, provider: "", model: "", promptVersion: "", inputs: [], lines: [],
        score: 0, issues: [], evidence: []),
      ProposalAccepted(analysis: Fixed.analysis, lines: []),
      TemplateSaved(name: "x", lines: []), TemplateDeleted(),
      ProductOverridden(code: "0012345678905"), try SettingChanged(name: "units", value: .null),
      DayNoted(day: day, note: .clear),
      DataSent(
        entrance: "", destination: "", inputs: [], byteCount: 0, digest: .pattern(0x40)),
      HeadsWitnessed(tips: []), PayloadErased(leaves: []),
    ]
  }

  /// Values at the ends of what a field takes.
  private static func extremes() throws -> [Vector] {
    let all = try NutrientAmounts(
      Dictionary(
        uniqueKeysWithValues: Nutrient.allCases.map { ($0, Limits.nutrientAmountMaximum) }))
    let snapshot = try NutrientSnapshot(
      basis: .perServing, serving: try Quantity(Limits.amountMaximum, .microlitre), nutrients: all)
    return [
      try accept(
        ItemRevalued(item: ItemID(.max), snapshot: snapshot, origin: .ai), "extreme",
        "every nutrient at its most"),
      try accept(
        MealCaptured(
          occasion: try Fixed.occasion(), source: .template,
          title: String(repeating: "\u{e9}", count: 512), captureMeta: "\u{0}\u{202e}",
          tags: Array(repeating: "", count: 32)), "longest_title",
        "1024 bytes of text, controls and marks in captureMeta, 32 tags"),
      try accept(
        DayStartChanged(fromDay: .minimum, startMinute: 1439), "extreme", "the first day"),
      try accept(
        MealChanged(
          title: .clear, voiceTranscript: .clear, captureMeta: .clear, note: .clear, tags: .clear,
          cover: .clear), "clears", "null in every field that can be cleared"),
      try accept(
        ItemChanged(item: Fixed.item(1), product: .clear, note: .clear), "clears",
        "null in every field that can be cleared"),
    ]
  }

  private static func accept<Payload: EventPayload>(
    _ payload: Payload, _ name: String, _ description: String
  ) throws -> Vector {
    let bytes = try payload.checkedBytes()
    guard try Payload(bytes.span).bytes == bytes else {
      throw VectorError("\(Payload.kind) \(name) changed")
    }
    return Vector(
      "payload", "\(Payload.kind.name)_\(name)", "\(Payload.kind.name) with \(description)",
      [
        "kind": .string(Payload.kind.name), "version": .number(Int64(Payload.version)),
        "input": .string(bytes.hex),
        "diagnostic": .string(try CBORValue.decode(bytes.span).diagnosticNotation),
      ])
  }

  // MARK: Refused ones

  /// Bytes that are no payload whatever their fields.
  private static let raw:
    [(kind: EventKind, name: String, description: String, hex: String, error: KernelError.Code)] = [
      (.mealDeleted, "empty", "no bytes at all", "", .malformed),
      (.mealDeleted, "array", "an array in place of the map", "8100", .malformed),
      (.mealDeleted, "indefinite", "a map without a count", "bf0000ff", .malformed),
      (.mealDeleted, "non_minimal_key", "a key longer than needed", "a1180000", .malformed),
      (.mealDeleted, "non_minimal_value", "a value longer than needed", "a1001800", .malformed),
      (.mealDeleted, "text_key", "a key that is text", "a1613000", .malformed),
      (.mealDeleted, "unsorted", "23 before 0", "a217616100" + "00", .malformed),
      (.mealDeleted, "twice", "a field twice", "a200000001", .malformed),
      (.mealDeleted, "trailing", "a byte after the map", "a1000000", .malformed),
      (.mealDeleted, "truncated", "a key without its value", "a100", .malformed),
      (.mealDeleted, "float", "0.0 for 0", "a100f90000", .malformed),
      (.mealDeleted, "tagged", "a tagged number", "a100c100", .malformed),
      (.mealRestored, "utf8", "a label that is not UTF-8", "a11761ff", .malformed),
      (.settingChanged, "undefined", "a value of undefined", "a200616101f7", .malformed),
      (
        .settingChanged, "nested_unsorted", "a map out of order in the value",
        "a200616101a201000000", .malformed
      ),
      (
        .settingChanged, "too_deep", "a value 16 deep in a map",
        "a200616101" + String(repeating: "81", count: 15) + "80", .malformed
      ),
      (
        .settingChanged, "too_large", "16385 bytes",
        "a20061610159" + "3ff9" + String(repeating: "00", count: 16_377), .limitExceeded
      ),
    ]

  private static func refuseRaw(
    _ scenario: (
      kind: EventKind, name: String, description: String, hex: String, error: KernelError.Code
    )
  ) throws -> Vector {
    let bytes = try constant([UInt8](hex: scenario.hex), scenario.name)
    let name = "\(scenario.kind.name)_refused_\(scenario.name)"
    do throws(KernelError) {
      try EventSchema.standard.check(kind: scenario.kind, version: 1, payload: bytes)
    } catch {
      guard error.code == scenario.error else { throw VectorError("\(name): \(error)") }
      return refusal(scenario.kind, name, scenario.description, bytes, error)
    }
    throw VectorError("\(name) was accepted")
  }

  private static func refusal(
    _ kind: EventKind, _ name: String, _ description: String, _ bytes: [UInt8], _ error: KernelError
  ) -> Vector {
    Vector(
      "payload", name, "\(kind.name) with \(description)",
      [
        "kind": .string(kind.name), "version": .number(1), "input": .string(bytes.hex),
        "error": .string(error.code.rawValue),
      ])
  }

  /// Flaws any kind can have.
  private static func commonFlaws<Payload: EventPayload>(of payload: Payload) throws -> [Vector] {
    var flaws: [PayloadFlaw] = [
      PayloadFlaw("unknown_field", "a field the version does not have", .unknownField) {
        $0[22] = .unsigned(0)
      },
      PayloadFlaw("by_null", "a label that cannot be cleared", .malformed) { $0[23] = .null },
      PayloadFlaw("by_long", "a label of 1025 bytes", .limitExceeded) {
        $0[23] = .text(String(repeating: "x", count: 1025))
      },
    ]
    let fields = try PayloadFlaw.fields(of: payload)
    if let required = required[Payload.kind], fields[required] != nil {
      flaws.append(
        PayloadFlaw("missing_field", "no field \(required)", .missingField) { $0[required] = nil })
    }
    return try flaws.map { try refuse($0, of: payload) }
  }

  /// A field each kind must have.
  private static let required: [EventKind: UInt64] = [
    .mealCaptured: 4, .mealDeleted: 0, .itemAdded: 5, .itemChanged: 5, .itemRemoved: 5,
    .itemRevalued: 14, .photoAttached: 2, .photoDetached: 0, .photoReduced: 0,
    .previewReplaced: 1, .reanalysed: 8, .proposalAccepted: 1, .templateSaved: 1,
    .productOverridden: 0, .settingChanged: 1, .dayStartChanged: 1, .dayNoted: 1, .dataSent: 4,
    .headsWitnessed: 0, .payloadErased: 0, .softwareChanged: 1, .mealChanged: 2,
  ]

  private static func refuse<Payload: EventPayload>(
    _ flaw: PayloadFlaw, of payload: Payload
  ) throws -> Vector {
    var fields = try PayloadFlaw.fields(of: payload)
    flaw.change(&fields)
    let bytes = try CBORValue.fields(fields).encode()
    let name = "\(Payload.kind.name)_refused_\(flaw.name)"
    do throws(KernelError) {
      _ = try Payload(bytes.span)
    } catch {
      guard error.code == flaw.error else { throw VectorError("\(name): \(error)") }
      return refusal(Payload.kind, name, flaw.description, bytes, error)
    }
    throw VectorError("\(name) was accepted")
  }
}
