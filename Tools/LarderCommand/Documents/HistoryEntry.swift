// One event as a person reads it: when, where, what kind, and what it says, field by field.

import Larder
import LarderCapture

/// An event with what it says.
struct HistoryEntry {
  /// One thing an event says.
  struct Fact {
    /// The field: `amount`, `energy`, `title`.
    let field: String
    /// The value in documents.
    let json: JSONValue
    /// The value for a person.
    let text: String

    init(_ field: String, _ text: String, json: JSONValue? = nil) {
      self.field = field
      self.text = text
      self.json = json ?? .string(text)
    }
  }

  let event: Event
  private(set) var item: ItemID?
  private(set) var facts: [Fact] = []
  private(set) var problem: String?

  /// The event, read with a build's kinds.
  init(_ event: Event, schema: EventSchema) {
    self.event = event
    guard let payload = event.payload else {
      problem = "erased"
      return
    }
    switch schema.readability(of: event.header.kind, version: event.header.version) {
    case .unknownKind: problem = "this version of Larder does not know this kind"
    case .newerVersion: problem = "written by a newer version of Larder"
    case .readable:
      do throws(KernelError) {
        try read(payload, schema: schema)
      } catch {
        problem = "\(error)"
      }
    }
  }

  /// The entry as far as it concerns an item or a field; nil if it does not.
  func narrowed(to wanted: ItemID?, field: String?) -> HistoryEntry? {
    if let wanted, item != wanted { return nil }
    guard let field else { return self }
    let word = field.lowercased()
    let names = Set([word, NutrientWords.nutrient(named: word).map { "\($0.name)" } ?? word])
    var result = self
    let context: Set<String> = ["amount", "basis", "serving", "product", "origin"]
    let concerned = facts.contains { names.contains($0.field) }
    let isNutrient = NutrientWords.nutrient(named: word) != nil
    guard concerned || (isNutrient && facts.contains { $0.field == "amount" }) else { return nil }
    result.facts = facts.filter {
      names.contains($0.field) || (isNutrient && context.contains($0.field))
    }
    return result
  }

  private mutating func read(_ payload: [UInt8], schema: EventSchema) throws(KernelError) {
    let version = event.header.version
    func decode<Payload: EventPayload>(_ type: Payload.Type) throws(KernelError) -> Payload {
      try schema.decode(type, version: version, payload: payload.span)
    }
    switch event.header.kind {
    case .mealCaptured: note(try decode(MealCaptured.self))
    case .mealChanged: note(try decode(MealChanged.self))
    case .mealDeleted:
      let items = try decode(MealDeleted.self).items
      facts.append(Fact("items", items == .keep ? "kept" : "deleted"))
    case .itemAdded:
      let added = try decode(ItemAdded.self)
      item = added.item
      note(added.line)
      note(text: "note", added.note)
      if let copy = added.copiedFrom {
        facts.append(Fact("copied_from", copy.stream.hex + copy.item.hex))
      }
    case .itemChanged: note(try decode(ItemChanged.self))
    case .itemRemoved: item = try decode(ItemRemoved.self).item
    case .itemRevalued:
      let revalued = try decode(ItemRevalued.self)
      item = revalued.item
      note(revalued.snapshot)
      note(revalued.product)
      facts.append(Fact("origin", revalued.origin.name))
      note(text: "note", revalued.reason)
    case .photoAttached:
      facts.append(Fact("photo", try decode(PhotoAttached.self).photo.address.hex))
    case .photoDetached: facts.append(Fact("photo", try decode(PhotoDetached.self).photo.hex))
    default: break
    }
  }

  private mutating func note(text field: String, _ value: String?) {
    if let value { facts.append(Fact(field, value)) }
  }

  private mutating func note(_ field: String, _ change: Change<String>) {
    switch change {
    case .keep: break
    case .clear: facts.append(Fact(field, "none", json: .null))
    case .set(let value): facts.append(Fact(field, value))
    }
  }

  private mutating func note(_ moment: Moment?) {
    guard let moment else { return }
    let time = moment.consumedAt.rfc3339(utcOffset: moment.utcOffset)
    facts.append(Fact("time", "\(time) (\(moment.zone))", json: .string(time)))
    facts.append(Fact("day", moment.day.description))
  }

  private mutating func note(_ captured: MealCaptured) {
    note(captured.occasion.moment)
    facts.append(Fact("meal", captured.occasion.mealType.rawValue))
    facts.append(Fact("source", captured.source.name))
    note(text: "title", captured.title)
    note(text: "note", captured.note)
    if let tags = captured.tags { note(tags: tags) }
    if let copy = captured.copiedFrom { facts.append(Fact("copied_from", copy.hex)) }
  }

  private mutating func note(tags: [String]) {
    facts.append(
      Fact("tags", tags.joined(separator: ", "), json: .array(tags.map(JSONValue.string))))
  }

  private mutating func note(_ change: MealChanged) {
    note(change.moment)
    note(text: "meal", change.mealType?.rawValue)
    note("title", change.title)
    note("note", change.note)
    if case .set(let tags) = change.tags { note(tags: tags) }
  }

  private mutating func note(_ change: ItemChanged) {
    item = change.item
    note(change.moment)
    note(text: "meal", change.mealType?.rawValue)
    note(text: "name", change.name)
    if let quantity = change.quantity { note(quantity) }
    if let snapshot = change.snapshot { note(snapshot) }
    if case .set(let product) = change.product { note(product) }
    note(text: "origin", change.origin?.name)
    note("note", change.note)
  }

  private mutating func note(_ line: FoodLine) {
    facts.append(Fact("name", line.name))
    note(line.quantity)
    note(line.product)
    facts.append(Fact("origin", line.origin.name))
    if let confidence = line.confidence {
      let decimal = ExactDecimal(Int64(confidence), scale: 3)
      facts.append(Fact("confidence", decimal.description, json: .decimal(decimal)))
    }
    note(line.snapshot)
  }

  private mutating func note(_ quantity: Quantity) {
    facts.append(
      Fact(
        "amount", quantity.text, json: .object(of: [(quantity.key, .decimal(quantity.decimal))])))
  }

  private mutating func note(_ product: ProductReference?) {
    guard let product else { return }
    var text = "\(product.catalog) \(product.code)"
    if let asked = product.askedCode { text += ", asked as \(asked)" }
    if let revision = product.revision {
      text += ", of \(Instant(clamping: revision * 1000).rfc3339(utcOffset: .zero))"
    }
    let json = JSONValue.object(of: [
      ("catalog", .string(product.catalog)), ("code", .string(product.code)),
      ("asked_code", product.askedCode.map(JSONValue.string)),
      ("revision", product.revision.map(JSONValue.integer)),
    ])
    facts.append(Fact("product", text, json: json))
  }

  /// The numbers, each per what they refer to.
  private mutating func note(_ snapshot: NutrientSnapshot) {
    facts.append(Fact("basis", "per \(snapshot.basis.name)", json: .string(snapshot.basis.name)))
    if let serving = snapshot.serving {
      facts.append(
        Fact(
          "serving", serving.text, json: .object(of: [(serving.key, .decimal(serving.decimal))])))
    }
    for nutrient in Nutrient.allCases.sorted() {
      guard let amount = snapshot.nutrients[nutrient] else { continue }
      let figure = NutrientFigure(nutrient: nutrient)
      facts.append(
        Fact(
          nutrient.name, "\(figure.text(amount)) per \(snapshot.basis.name)",
          json: .object(of: [
            (figure.key, .decimal(figure.exact(amount))), ("per", .string(snapshot.basis.name)),
          ])))
    }
  }

  // MARK: Showing

  func json(deviceName: (AuthorID) -> String, itemNames: [ItemID: String]) -> JSONValue {
    let header = event.header
    return .object(of: [
      ("event", .string(event.id.description)), ("kind", .string(header.kind.name)),
      ("version", .integer(Int64(header.version))),
      ("recorded_at", .string(header.recordedAt.rfc3339(utcOffset: .zero))),
      ("hlc", .integer(Int64(header.hlc.rawValue))),
      ("device", .string(deviceName(event.id.author))),
      ("continues_operation", header.flags.contains(.continued) ? true : nil),
      ("item", item.map { .string($0.hex) }),
      ("item_name", item.flatMap { itemNames[$0] }.map(JSONValue.string)),
      ("says", .object(of: facts.map { ($0.field, $0.json) })),
      ("problem", problem.map(JSONValue.string)),
    ])
  }

  func lines(deviceName: (AuthorID) -> String, itemNames: [ItemID: String]) -> [StyledText] {
    let time = event.header.recordedAt.rfc3339(utcOffset: .zero)
    var head = StyledText("\(time)  ") + StyledText(event.header.kind.name, .bold)
    if let item {
      let name = itemNames[item] ?? "item"
      head += StyledText("  \(name) ") + StyledText(ReferenceResolver.shown(item), .dim)
    }
    head += StyledText("  \(deviceName(event.id.author)), \(event.id.seq)", .dim)
    var lines = [head]
    if let problem { lines.append(StyledText("    \(problem)", .yellow)) }
    let width = facts.map(\.field.count).max() ?? 0
    for fact in facts {
      let padding = String(repeating: " ", count: width - fact.field.count + 2)
      lines.append(StyledText("    \(fact.field)\(padding)", .dim) + StyledText(fact.text))
    }
    return lines
  }
}
