// A stream of a meal's events, built the way devices would: each event's clock follows what its
// author has seen.

import LarderHash
import LarderKernel
import Testing

/// The events of one meal while a test writes them.
struct MealStream {
  let stream: StreamID
  private(set) var events: [Event] = []
  private var clock = HLC(milliseconds: 1_777_700_000_000)
  private var seqs: [AuthorID: UInt64] = [:]

  /// A device, as good as any other.
  static let phone = AuthorID(Bytes16(high: 1, low: 1))
  /// Another, whose events sort after the first's at the same reading.
  static let tablet = AuthorID(Bytes16(high: 2, low: 2))

  init(stream: StreamID = StreamID(milliseconds: 1_777_700_000_000, random: .zero)) {
    self.stream = stream
  }

  /// Adds an event that has seen all before it.
  mutating func add(
    _ payload: some EventPayload, by author: AuthorID = MealStream.phone, flags: EventFlags = []
  ) {
    add(type(of: payload).kind, payload.bytes, by: author, flags: flags)
  }

  /// Adds an event of any kind, version and bytes.
  mutating func add(
    _ kind: EventKind, _ payload: [UInt8]?, by author: AuthorID = MealStream.phone,
    version: UInt16 = 1, flags: EventFlags = []
  ) {
    clock = clock.next(now: 0)
    let seq = seqs[author, default: 0]
    seqs[author] = seq + 1
    let header = EventHeader(
      hlc: clock, recordedAt: MealStream.recordedAt, stream: stream, kind: kind, version: version,
      flags: flags)
    let salt = Bytes16(high: seq, low: 7)
    let bytes = header.bytes
    let content = payload ?? []
    events.append(
      Event(
        id: EventID(author: author, seq: seq), header: header, payload: payload,
        leaf: MerkleLeaf.hash(header: bytes.span, salt: salt, payload: content.span)))
  }

  /// The same events with the payload of the last one erased.
  func lastErased() -> [Event] {
    guard let last = events.last else { return [] }
    return events.dropLast()
      + [Event(id: last.id, header: last.header, payload: nil, leaf: last.leaf)]
  }

  /// What all events fold to.
  var rows: MealRows { rows(of: events) }

  /// What some events fold to.
  func rows(of events: [Event]) -> MealRows {
    MealFold.rows(of: stream, events: events, schema: .standard)
  }

  private static let recordedAt: Instant = {
    guard let instant = Instant(milliseconds: 1_777_700_000_000) else {
      preconditionFailure("a moment of this century")
    }
    return instant
  }()
}

extension MealStream {
  /// Item 1, 2, 3, ….
  static func item(_ number: UInt64) -> ItemID { ItemID(number) }

  /// Numbers per 100 g: that much energy in cal and fat in µg.
  static func snapshot(_ energy: Int64, fat: Int64 = 1_000_000) throws -> NutrientSnapshot {
    try NutrientSnapshot(
      basis: .per100Grams, serving: nil,
      nutrients: try NutrientAmounts([.energy: energy, .fat: fat]))
  }

  /// A food of `grams` with that much energy per 100 g.
  static func line(
    _ name: String, grams: Int64 = 100, energy: Int64 = 400_000, origin: NumbersOrigin = .catalog
  ) throws -> FoodLine {
    FoodLine(
      name: name, quantity: try Quantity(grams * 1000, .milligram),
      snapshot: try snapshot(energy), origin: origin)
  }

  /// The capture of a lunch.
  static func captured(hour: Int = 12, title: String? = nil) throws -> MealCaptured {
    MealCaptured(occasion: try Samples.fixedOccasion(hour: hour), source: .manual, title: title)
  }

  /// A food eaten for lunch.
  static func added(
    _ number: UInt64, _ name: String, grams: Int64 = 100, energy: Int64 = 400_000, hour: Int = 12
  ) throws -> ItemAdded {
    ItemAdded(
      occasion: try Samples.fixedOccasion(hour: hour), item: item(number),
      line: try line(name, grams: grams, energy: energy))
  }

  /// A picture whose address begins with `digit`.
  static func image(_ digit: UInt8) -> StoredImage {
    StoredImage(
      address: BlobAddress(Bytes32(front: Bytes16(high: UInt64(digit) << 56, low: 0), back: .zero)),
      byteCount: 1000, width: 512, height: 384, mediaType: .jpeg)
  }
}

extension MealRows {
  /// Energy of all rows, in cal.
  var energy: Int64 {
    logs.reduce(0) { sum, log in
      sum + (log.eaten.first { $0.number == Nutrient.energy.rawValue }?.amount ?? 0)
    }
  }

  /// The names in order.
  var names: [String] { logs.map(\.line.name) }
}

/// Every order of `elements`.
func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard let first = elements.first else { return [[]] }
  return permutations(of: Array(elements.dropFirst())).flatMap { rest in
    (0...rest.count).map { place in Array(rest[..<place]) + [first] + Array(rest[place...]) }
  }
}
