// Puts the steps of a scenario together: meals with names of their own, so that every event of
// every step can be told from all others.

import LarderHash
import LarderKernel
import LarderStore

/// A plan that is being written.
struct Draft {
  private(set) var plan = Plan()
  /// 2026-05-02, noon: the device's clock at the beginning.
  private var now: Int64 = 1_777_723_200_000
  private var isStart = true
  private var meals: [StreamID] = []
  /// What the other device wrote.
  private var foreign: [[NewEvent]] = []

  // MARK: The start

  /// Nothing is there yet.
  mutating func begin() {
    isStart = false
  }

  /// A store with some meals is there.
  mutating func prepare(mealCount: Int) throws {
    create()
    for _ in 0..<mealCount { try appendMeal() }
    begin()
  }

  /// A store with some meals is there, appended in one transaction.
  mutating func prepareBulk(mealCount: Int) throws {
    create()
    try appendMeals(mealCount)
    begin()
  }

  /// A store with two meals is there, and another device's with more.
  mutating func prepareOther(mealCount: Int) throws {
    create()
    for _ in 0..<2 { try appendMeal() }
    for _ in 0..<mealCount { foreign.append(try meal()) }
    add("other", .other(foreign))
    begin()
  }

  // MARK: Steps

  mutating func sign() {
    add("sign", .sign)
  }

  /// Takes in what the other device wrote, a block after the other, the last one first.
  mutating func receive() {
    let count = Int(Limits.blockEventCount) / 4
    for batch in stride(from: (foreign.count - 1) / count, through: 0, by: -1) {
      let part = foreign[(batch * count)..<min((batch + 1) * count, foreign.count)]
      add("receive", .receive(batch: batch, Array(part)))
    }
  }

  mutating func create() {
    add("create", .create)
  }

  mutating func checkpoint(by hand: Int = 0) {
    add("checkpoint", by: hand, .checkpoint)
  }

  mutating func cut(by hand: Int = 0) {
    add("cut", by: hand, .cut)
  }

  mutating func rebuild() {
    add("rebuild", .rebuild)
  }

  mutating func appendMeal(by hand: Int = 0) throws {
    add("meal", by: hand, .append([try meal()]))
  }

  mutating func appendMeals(_ count: Int) throws {
    var operations: [[NewEvent]] = []
    for _ in 0..<count { operations.append(try meal()) }
    add("meals", .append(operations))
  }

  /// Changes five meals that are there, each in another way.
  mutating func edit() throws {
    let meals = meals
    guard meals.count >= 5 else { throw CrashError("too few meals to change") }
    add(
      "retitle",
      .append([[try NewEvent(MealChanged(title: .set("retitled")), in: meals[0])]]))
    let smaller = ItemChanged(
      item: ItemID(1), quantity: try Quantity(5000, .milligram), note: .set("half of it"))
    add(
      "change items",
      .append([
        [
          try NewEvent(smaller, in: meals[1]),
          try NewEvent(ItemRemoved(item: ItemID(2)), in: meals[1]),
        ]
      ]))
    for (meal, items) in [(meals[2], MealDeleted.Items.keep), (meals[3], .delete)] {
      add("delete", .append([[try NewEvent(MealDeleted(items: items), in: meal)]]))
    }
    add("restore", .append([[try NewEvent(MealRestored(), in: meals[3])]]))
    add(
      "delete and capture",
      .append([[try NewEvent(MealDeleted(items: .delete), in: meals[4])], try meal()]))
  }

  private mutating func add(_ name: String, by hand: Int = 0, _ work: Step.Work) {
    now += 1000
    let number = plan.steps.count
    let word = name.split(separator: " ").joined(separator: "-")
    let step = Step(name: "\(number)-\(word)", hand: hand, now: now, work: work)
    if isStart { plan.start.append(step) } else { plan.act.append(step) }
  }

  // MARK: Meals

  private mutating func meal() throws -> [NewEvent] {
    let number = UInt64(meals.count + 1)
    let stream = StreamID(milliseconds: now, random: Bytes16(high: number, low: number))
    meals.append(stream)
    return try Self.meal(in: stream, name: "meal \(number)")
  }

  /// A meal of three items: four events.
  static func meal(in stream: StreamID, name: String) throws -> [NewEvent] {
    let occasion = try occasion()
    var events = [
      try NewEvent(MealCaptured(occasion: occasion, source: .manual, title: name), in: stream)
    ]
    for number in 1...3 {
      let snapshot = try NutrientSnapshot(
        basis: .per100Grams, serving: nil,
        nutrients: try NutrientAmounts([.energy: 400_000, .fat: 5_000_000, .protein: 10_000_000]))
      let line = FoodLine(
        name: "\(name), food \(number)", quantity: try Quantity(30_000, .milligram),
        snapshot: snapshot, product: nil, origin: .user)
      events.append(
        try NewEvent(
          ItemAdded(occasion: occasion, item: ItemID(UInt64(number)), line: line), in: stream))
    }
    return events
  }

  private static func occasion() throws -> Occasion {
    guard let day = CivilDay("2026-05-02"), let zone = ZoneName("Europe/Berlin"),
      let offset = UTCOffset(seconds: 7200),
      let instant = Instant(milliseconds: Int64(day.daysSince1970) * 86_400_000 + 36_000_000)
    else { throw CrashError("no occasion") }
    return Occasion(
      moment: Moment(consumedAt: instant, zone: zone, utcOffset: offset, day: day),
      mealType: .lunch)
  }
}
