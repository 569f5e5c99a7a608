// A second meal fold, written from SPEC.md alone and without the Kernel's payload types: fields by
// number, the last write by hand wins. It shares nothing with the first but CBOR, the hash and the
// derivation of an item's id.

import LarderHash
import LarderKernel

/// The fold of a stream's events by fields of numbers.
struct NaiveMeal {
  typealias Fields = [UInt64: CBORValue]

  private struct Item {
    var added: Fields?
    var position = 0
    var isRemoved = false
    /// Fields 0…4.
    var occasion: Fields = [:]
    /// Fields 6…17 as they are now.
    var fields: Fields = [:]
    var pinned: Set<String> = []
    var before: [(EventKind, Fields)] = []
    var by: CBORValue?
  }

  private struct Photo {
    var photo: [CBORValue]
    var preview: [CBORValue]?
    var isReduced = false
  }

  private var life = 0
  private var capture: Fields?
  private var changes: Fields = [:]
  private var items: [[UInt8]: Item] = [:]
  private var madeCount: UInt64 = 0
  private var photos: [Photo] = []
  private var proposals: [CBORValue: Fields] = [:]
  private let stream: StreamID

  /// Folds events that are all readable, in any order and number of copies.
  init(stream: StreamID, events: [Event]) throws {
    self.stream = stream
    var seen: Set<Bytes32> = []
    for event in events.sorted(by: Event.precedes) where seen.insert(event.leaf).inserted {
      guard let payload = event.payload else { continue }
      apply(event.header.kind, Self.fields(try CBORValue.decode(payload.span)))
    }
  }

  private static func fields(_ value: CBORValue?) -> Fields {
    guard case .map(let entries) = value else { return [:] }
    var result: Fields = [:]
    for entry in entries {
      if case .unsigned(let number) = entry.key { result[number] = entry.value }
    }
    return result
  }

  private static func bytes(_ value: CBORValue?) -> [UInt8] {
    if case .bytes(let bytes) = value { bytes } else { [] }
  }

  private static func list(_ value: CBORValue?) -> [CBORValue] {
    if case .array(let values) = value { values } else { [] }
  }

  private static func number(_ value: CBORValue?) -> UInt64 {
    if case .unsigned(let number) = value { number } else { 0 }
  }

  private var occasion: Fields? {
    guard let capture else { return nil }
    var result = capture.filter { $0.key <= 4 }
    for (number, value) in changes where number <= 4 { result[number] = value }
    return result
  }

  private mutating func apply(_ kind: EventKind, _ fields: Fields) {
    switch kind {
    case .mealCaptured: if capture == nil { capture = fields }
    case .mealChanged:
      for (number, value) in fields where number != 23 { changes[number] = value }
    case .mealDeleted:
      let isKeep = fields[0] == .unsigned(0)
      if isKeep, life == 0, let occasion {
        for id in items.keys where items[id]?.added != nil { items[id]?.occasion = occasion }
      }
      life = max(life, isKeep ? 1 : 2)
    case .mealRestored: life = 0
    case .itemAdded: add(Self.bytes(fields[5]), fields)
    case .itemRemoved: items[Self.bytes(fields[5]), default: Item()].isRemoved = true
    case .itemChanged, .itemRevalued: change(Self.bytes(fields[5]), kind, fields)
    case .reanalysed:
      if let analysis = fields[0], proposals[analysis] == nil { proposals[analysis] = fields }
    case .proposalAccepted: accept(fields)
    default: applyPhoto(kind, fields)
    }
  }

  private mutating func add(_ id: [UInt8], _ fields: Fields) {
    var item = items[id, default: Item()]
    guard item.added == nil else { return }
    item.added = fields
    item.position = Int(madeCount)
    madeCount += 1
    item.occasion = fields.filter { $0.key <= 4 }
    item.fields = fields.filter { (6...17).contains($0.key) }
    item.by = fields[23]
    let before = item.before
    item.before = []
    items[id] = item
    for (kind, fields) in before { change(id, kind, fields) }
  }

  /// A change by hand, a revaluation, or (as a `ProposalAccepted`) a proposed line.
  private mutating func change(_ id: [UInt8], _ kind: EventKind, _ change: Fields) {
    var item = items[id, default: Item()]
    defer { items[id] = item }
    guard item.added != nil else {
      item.before.append((kind, change))
      return
    }
    let groups: [(String, [UInt64])] = [
      ("name", [6]), ("quantity", [7, 8, 16]), ("numbers", [9, 10, 11, 12, 13, 14, 15]),
    ]
    if kind == .proposalAccepted {
      for (group, numbers) in groups where !item.pinned.contains(group) {
        for number in numbers { item.fields[number] = change[number] }
      }
      return
    }
    for number in change.keys where number <= 4 { item.occasion[number] = change[number] }
    if let name = change[6] {
      item.fields[6] = name
      item.pinned.insert("name")
    }
    if change[7] != nil {
      for number in [7, 8, 16] as [UInt64] { item.fields[number] = change[number] }
      item.pinned.insert("quantity")
    }
    if change[9] != nil {
      for number in 9...12 as ClosedRange<UInt64> { item.fields[number] = change[number] }
    }
    if let product = change[13] { item.fields[13] = product == .null ? nil : product }
    if let origin = change[14] { item.fields[14] = origin }
    if change[9] != nil || change[13] != nil || change[14] != nil {
      item.fields[15] = nil
      item.pinned.insert("numbers")
    }
    if kind == .itemChanged, let note = change[17] { item.fields[17] = note == .null ? nil : note }
  }

  private mutating func accept(_ fields: Fields) {
    guard let analysis = fields[0], let proposal = proposals[analysis] else { return }
    let lines = Self.list(proposal[5]).map(Self.fields)
    for value in Self.list(fields[1]) {
      let index = Self.number(value)
      guard index < UInt64(lines.count) else { continue }
      let line = lines[Int(index)]
      if let item = line[5] {
        change(Self.bytes(item), .proposalAccepted, line)
        continue
      }
      let first = items.values.filter { $0.added != nil }.min { $0.position < $1.position }
      guard let when = occasion ?? first?.occasion else { continue }
      let id = ItemID(derivedFrom: Self.bytes(analysis), index: index).bytes
      var made = line.merging(when) { line, _ in line }
      made[23] = fields[23]
      add(id, made)
    }
  }

  private mutating func applyPhoto(_ kind: EventKind, _ fields: Fields) {
    if kind == .photoAttached {
      let photo = Self.list(fields[0])
      let preview = fields[1].map { Self.list($0) }
      if let place = photos.firstIndex(where: { $0.photo[0] == photo[0] }) {
        photos[place].isReduced = false
        photos[place].preview = photos[place].preview ?? preview
      } else {
        photos.append(Photo(photo: photo, preview: preview))
      }
      return
    }
    guard let place = photos.firstIndex(where: { $0.photo[0] == fields[0] }) else { return }
    switch kind {
    case .photoDetached: photos.remove(at: place)
    case .photoReduced: photos[place].isReduced = photos[place].preview != nil
    case .previewReplaced: photos[place].preview = Self.list(fields[1])
    default: return
    }
  }
}

extension NaiveMeal {
  /// The rows as the fold encodes them; nil where there are none.
  var rows: CBORValue? {
    let entry = life == 0 ? entryRow : nil
    var logs: [CBORValue] = []
    if life < 2 {
      let shown = items.filter { $0.value.added != nil && !$0.value.isRemoved }
      for (id, item) in shown.sorted(by: { $0.value.position < $1.value.position }) {
        logs.append(logRow(id, item, hasEntry: entry != nil))
      }
    }
    if entry == nil, logs.isEmpty { return nil }
    return .array([entry ?? .null, .array(logs)])
  }

  private static func five(_ occasion: Fields) -> [CBORValue] {
    (0...4).map { occasion[$0] ?? .null }
  }

  private static func path(_ image: [CBORValue]) -> CBORValue {
    let digits = bytes(image[0]).hex
    let extensions = ["jpg", "png", "webp", "heic"]
    return .text("media/\(digits.prefix(2))/\(digits).\(extensions[Int(number(image[4]))])")
  }

  private var entryRow: CBORValue? {
    guard let capture, let occasion else { return nil }
    func now(_ number: UInt64) -> CBORValue { changes[number] ?? capture[number] ?? .null }
    let cover = photos.first { $0.photo[0] == changes[13] } ?? photos.first
    let shown = cover.map { $0.isReduced ? $0.preview ?? $0.photo : $0.photo }
    let tags = now(11)
    return .array(
      [.bytes(stream.bytes.bytes)] + Self.five(occasion) + [
        now(6), capture[5] ?? .null, shown.map(Self.path) ?? .null,
        cover?.preview.map(Self.path) ?? .null, now(7), now(8), now(10),
        tags == .null ? .array([]) : tags, capture[12] ?? .null, capture[9] ?? .null,
        capture[23] ?? .null,
      ])
  }

  private func logRow(_ id: [UInt8], _ item: Item, hasEntry: Bool) -> CBORValue {
    let when = hasEntry ? occasion ?? item.occasion : item.occasion
    let line = item.fields.filter { $0.key <= 16 }
    return .array(
      [
        .bytes(stream.bytes.bytes), .bytes(id), .bool(hasEntry), .unsigned(UInt64(item.position)),
      ] + Self.five(when) + [
        .fields(line), item.fields[17] ?? .null, item.by ?? .null, .fields(Self.eaten(line)),
      ])
  }

  /// What was eaten of each nutrient that has a name here; halves round up.
  private static func eaten(_ line: Fields) -> Fields {
    let amount = UInt128(number(line[7]))
    let serving = UInt128(number(line[10]))
    let fraction: (UInt128, UInt128)? =
      switch (number(line[9]), number(line[8]), line[11].map { number($0) }) {
      case (0, 0, _), (1, 1, _): (amount, 100_000)
      case (2, 2, _): (amount, 1000)
      case (2, 0, 0), (2, 1, 1): (amount, serving)
      case (0, 2, 0), (1, 2, 1): (amount * serving, 100_000_000)
      default: nil
      }
    guard let (factor, divisor) = fraction else { return [:] }
    var result: Fields = [:]
    for (nutrient, per) in fields(line[12]) {
      let (quotient, rest) = (UInt128(number(per)) * factor).quotientAndRemainder(
        dividingBy: divisor)
      let rounded = 2 * rest >= divisor ? quotient + 1 : quotient
      let isNamed = Nutrient(rawValue: UInt16(nutrient)) != nil
      if rounded <= 1_000_000_000_000, isNamed { result[nutrient] = .unsigned(UInt64(rounded)) }
    }
    return result
  }
}
