// What a person does to their diary, drawn from a seed: meals of a few foods, most of them eaten
// before; now and then an amount is corrected, a meal renamed or deleted. Days follow one another
// from 1970 on, as in an imported history; the clock of the recording device goes on by a second
// an operation.

import LarderHash
import LarderKernel
import LarderStore

/// One event that is still a value.
struct Fact {
  /// The event, encoded: what an app does to append it.
  let event: (_ stream: StreamID) throws(StoreError) -> NewEvent
  /// The same as an event that no projection reads.
  let unfoldedEvent: (_ stream: StreamID) throws(StoreError) -> NewEvent

  init<Payload: EventPayload>(_ payload: Payload) {
    event = { (stream) throws(StoreError) in try NewEvent(payload, in: stream) }
    let unfolded = Unfolded(payload)
    unfoldedEvent = { (stream) throws(StoreError) in try NewEvent(unfolded, in: stream) }
  }
}

/// A payload under a kind that no projection reads: to append the log alone.
private struct Unfolded<Payload: EventPayload>: EventPayload {
  static var kind: EventKind { .dataSent }

  let payload: Payload

  init(_ payload: Payload) {
    self.payload = payload
  }

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    payload = try Payload(bytes)
  }

  func write(to writer: inout PayloadWriter) {
    payload.write(to: &writer)
  }
}

/// What is appended whole or not at all.
struct Operation {
  let stream: StreamID
  let facts: [Fact]
}

/// Operations that go into one transaction.
struct Chunk {
  /// The recording device's clock, in milliseconds since 1970.
  let now: Int64
  let operations: [Operation]
  let eventCount: Int
}

/// Draws operations; the same foods and seed give the same ones.
struct DiaryScript {
  /// Events of a bulk transaction: well under 100 ms of the writers' lock.
  static let chunkEventCount = 4096

  private struct Meal {
    let stream: StreamID
    let items: [ItemAdded]
  }

  private let foods: Foods
  private var random: SplitMix64
  private var now: Int64
  private var day: Int64
  private var slot = 0
  /// Meals young enough to be changed.
  private var recent: [Meal] = []
  private let zone: ZoneName

  /// - Parameters:
  ///   - firstDay: days since 1970 of the first meal.
  ///   - now: the recording device's clock before the first operation.
  init(_ foods: Foods, seed: UInt64, firstDay: Int64, now: Int64) throws {
    guard let zone = ZoneName("Europe/Berlin") else { throw BenchError("no zone") }
    self.foods = foods
    random = SplitMix64(seed: seed)
    self.now = now
    day = firstDay
    self.zone = zone
  }

  /// The operations of a transaction of about `eventCount` events, and no fewer.
  mutating func chunk(eventCount: Int) throws -> Chunk {
    let begun = now
    var operations: [Operation] = []
    var count = 0
    while count < eventCount {
      let operation = try next()
      count += operation.facts.count
      operations.append(operation)
    }
    return Chunk(now: begun, operations: operations, eventCount: count)
  }

  /// One capture of a meal with exactly `itemCount` items.
  mutating func capture(itemCount: Int) throws -> Chunk {
    let begun = now
    let operation = try meal(itemCount: itemCount)
    return Chunk(now: begun, operations: [operation], eventCount: operation.facts.count)
  }

  private mutating func next() throws -> Operation {
    if let change = try change() {
      now += 1000
      return change
    }
    return try meal(itemCount: 1 + random.below(5))
  }

  // MARK: Meals

  private static let slots: [(type: MealType, minute: Int)] = [
    (.breakfast, 450), (.snack, 630), (.lunch, 760), (.snack, 950), (.dinner, 1140),
  ]

  /// Three main meals a day, and a snack every other time.
  private mutating func meal(itemCount: Int) throws -> Operation {
    if Self.slots[slot].type == .snack, random.happens(50) { slot += 1 }
    let occasion = try occasion(Self.slots[slot].type, minute: Self.slots[slot].minute)
    slot += 1
    if slot == Self.slots.count {
      slot = 0
      day += 1
    }
    now += 1000
    let stream = StreamID(
      milliseconds: now, random: Bytes16(high: random.next(), low: random.next()))
    let capture = MealCaptured(
      occasion: occasion, source: random.happens(60) ? .barcode : .manual,
      title: random.happens(20) ? "Lunch at the canteen" : nil,
      note: random.happens(3) ? "Half of it was left on the plate, weighed afterwards." : nil)
    var items: [ItemAdded] = []
    for _ in 0..<itemCount { items.append(try item(occasion)) }
    recent.append(Meal(stream: stream, items: items))
    if recent.count > 24 { recent.removeFirst() }
    return Operation(stream: stream, facts: [Fact(capture)] + items.map { Fact($0) })
  }

  private mutating func occasion(_ type: MealType, minute: Int) throws -> Occasion {
    let isSummer = (91...301).contains(day % 365)
    let clock = day * 86_400_000 + Int64(minute + random.below(45)) * 60_000
    let ahead: Int64 = isSummer ? 7200 : 3600
    guard let instant = Instant(milliseconds: clock - ahead * 1000),
      let offset = UTCOffset(seconds: ahead), let day = CivilDay(daysSince1970: day)
    else { throw BenchError("the diary is longer than the calendar") }
    return Occasion(
      moment: Moment(consumedAt: instant, zone: zone, utcOffset: offset, day: day), mealType: type)
  }

  private mutating func item(_ occasion: Occasion) throws -> ItemAdded {
    var line = foods.draw(&random)
    line.quantity = try amount(line.quantity.unit)
    return ItemAdded(occasion: occasion, item: ItemID(random.next()), line: line)
  }

  private mutating func amount(_ unit: QuantityUnit) throws -> Quantity {
    switch unit {
    case .milligram: try Quantity(Int64(3 + random.below(50)) * 5000, unit)
    case .microlitre: try Quantity(Int64(2 + random.below(8)) * 50_000, unit)
    case .milliserving: try Quantity(Int64(1 + random.below(4)) * 500, unit)
    }
  }

  // MARK: Changes

  /// In 3 of 100 operations an amount is corrected, in 2 a meal changed, in 1 a meal deleted.
  private mutating func change() throws -> Operation? {
    let draw = random.below(100)
    guard draw < 6, !recent.isEmpty else { return nil }
    let place = random.below(recent.count)
    let meal = recent[place]
    let item = meal.items[random.below(meal.items.count)]
    switch draw {
    case 0, 1, 2:
      let change = ItemChanged(item: item.item, quantity: try amount(item.line.quantity.unit))
      return Operation(stream: meal.stream, facts: [Fact(change)])
    case 3, 4:
      let change = MealChanged(title: .set("Dinner with friends"))
      return Operation(stream: meal.stream, facts: [Fact(change)])
    default:
      recent.remove(at: place)
      let deletion = MealDeleted(items: random.happens(50) ? .keep : .delete)
      return Operation(stream: meal.stream, facts: [Fact(deletion)])
    }
  }
}
