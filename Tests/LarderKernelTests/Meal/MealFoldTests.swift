import LarderHash
import LarderKernel
import Testing

@Suite("MealFold")
struct MealFoldTests {
  private static let phone = MealStream.phone
  private static let tablet = MealStream.tablet

  private func lunch(_ count: UInt64 = 2) throws -> MealStream {
    var meal = MealStream()
    meal.add(try MealStream.captured(title: "Lunch"))
    for number in 0..<count { meal.add(try MealStream.added(number, "food \(number)")) }
    return meal
  }

  // [MEAL-4]
  @Test("a captured meal is an entry with its logs, in the order of adding")
  func alive() throws {
    let meal = try lunch()
    let rows = meal.rows
    #expect(rows.entry?.title == "Lunch")
    #expect(rows.entry?.id == meal.stream.hex)
    #expect(rows.names == ["food 0", "food 1"])
    #expect(rows.logs.map(\.position) == [0, 1])
    #expect(rows.logs.map(\.id) == (0..<2).map { meal.stream.hex + "000000000000000\($0)" })
    #expect(rows.logs.allSatisfy { $0.mealEntryID == meal.stream.hex })
    #expect(rows.energy == 800_000)
  }

  // [MEAL-4] G6
  @Test("a meal deleted with its items leaves no row")
  func delete() throws {
    var meal = try lunch()
    meal.add(MealDeleted(items: .delete))
    #expect(meal.rows.entry == nil)
    #expect(meal.rows.logs.isEmpty)
    #expect(meal.rows.digest == .zero)
  }

  // [MEAL-4] [MEAL-6]
  @Test("a meal deleted with its items kept leaves its logs alone, and no total changes")
  func keep() throws {
    var meal = try lunch()
    let before = meal.rows
    meal.add(MealDeleted(items: .keep))
    let after = meal.rows
    #expect(after.entry == nil)
    #expect(after.logs.map(\.mealEntryID) == [nil, nil])
    #expect(after.energy == before.energy)
    #expect(after.logs.map(\.occasion) == before.logs.map(\.occasion))
  }

  // [MEAL-4]
  @Test("an item added after the meal was deleted with its items kept is a log of its own")
  func addedAfterKeep() throws {
    var meal = try lunch()
    meal.add(MealDeleted(items: .keep))
    meal.add(try MealStream.added(9, "late", hour: 15), by: Self.tablet)
    let late = try #require(meal.rows.logs.last)
    #expect(late.mealEntryID == nil)
    #expect(try late.occasion == Samples.fixedOccasion(hour: 15))
  }

  // [MEAL-5] H3
  @Test("delete wins over keep whichever came first, and only a restoration undoes it")
  func deleteWins() throws {
    for order in [[MealDeleted.Items.keep, .delete], [.delete, .keep]] {
      var meal = try lunch()
      meal.add(MealDeleted(items: order[0]), by: Self.phone)
      meal.add(MealDeleted(items: order[1]), by: Self.tablet)
      #expect(meal.rows.logs.isEmpty)
      // Deleted things do not come back with a late change or item.
      meal.add(MealChanged(title: .set("still here")), by: Self.phone)
      meal.add(try MealStream.added(7, "late"), by: Self.phone)
      #expect(meal.rows.logs.isEmpty && meal.rows.entry == nil)
      meal.add(MealRestored())
      #expect(meal.rows.entry?.title == "still here")
      #expect(meal.rows.names == ["food 0", "food 1", "late"])
      #expect(meal.rows.logs.map(\.isGrouped) == [true, true, true])
    }
  }

  // [MEAL-6]
  @Test("keeping the items gives them the entry's time, as it was when it was deleted")
  func keepCopiesTime() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured(hour: 12))
    meal.add(try MealStream.added(1, "rice", hour: 3))
    #expect(try meal.rows.logs[0].occasion == Samples.fixedOccasion(hour: 12))
    let moved = try Samples.fixedOccasion(hour: 19, day: 3, .dinner)
    meal.add(MealChanged(moment: moved.moment, mealType: .dinner))
    #expect(meal.rows.logs[0].occasion == moved)
    meal.add(MealDeleted(items: .keep))
    #expect(meal.rows.logs[0].occasion == moved)
    #expect(meal.rows.logs[0].mealEntryID == nil)
  }

  // [MEAL-6]
  @Test("a second deletion that keeps the items leaves alone what was changed since the first")
  func keepTwice() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured(hour: 12))
    meal.add(try MealStream.added(1, "rice"))
    meal.add(MealDeleted(items: .keep))
    let moved = try Samples.fixedOccasion(hour: 8, day: 1, .breakfast)
    meal.add(ItemChanged(item: MealStream.item(1), moment: moved.moment, mealType: .breakfast))
    meal.add(MealDeleted(items: .keep), by: Self.tablet)
    #expect(meal.rows.logs[0].occasion == moved)
  }

  // [MEAL-3]
  @Test("without a readable capture the items are logs of their own")
  func noCapture() throws {
    var meal = MealStream()
    meal.add(try MealStream.added(1, "apple", hour: 16))
    #expect(meal.rows.entry == nil)
    #expect(meal.rows.logs.map(\.isGrouped) == [false])
    #expect(try meal.rows.logs[0].occasion == Samples.fixedOccasion(hour: 16))
    meal.add(MealChanged(title: .set("Snack")))
    #expect(meal.rows.entry == nil)
    meal.add(try MealStream.captured(title: "Late"))
    #expect(meal.rows.entry?.title == "Snack")
    #expect(try meal.rows.logs[0].occasion == Samples.fixedOccasion(hour: 12))
  }

  // [MEAL-3] G7
  @Test("the first capture of a stream wins: two devices that import one meal log it once")
  func firstCaptureWins() throws {
    var meal = MealStream(stream: StreamID(shared: .capture, key: "import-7"))
    meal.add(try MealStream.captured(title: "phone"), by: Self.phone)
    meal.add(try MealStream.added(1, "rice"), by: Self.phone)
    meal.add(try MealStream.captured(title: "tablet"), by: Self.tablet)
    meal.add(try MealStream.added(1, "RICE", energy: 1), by: Self.tablet)
    #expect(meal.rows.entry?.title == "phone")
    #expect(meal.rows.names == ["rice"])
    #expect(meal.rows.energy == 400_000)
  }

  // [MEAL-7] H3
  @Test("a removed item never comes back, but keeps its place")
  func removed() throws {
    var meal = try lunch(3)
    meal.add(ItemRemoved(item: MealStream.item(1)))
    meal.add(ItemChanged(item: MealStream.item(1), name: "zombie"), by: Self.tablet)
    meal.add(try MealStream.added(1, "again"), by: Self.tablet)
    #expect(meal.rows.names == ["food 0", "food 2"])
    #expect(meal.rows.logs.map(\.position) == [0, 2])
    meal.add(MealDeleted(items: .delete))
    meal.add(MealRestored())
    #expect(meal.rows.names == ["food 0", "food 2"])
  }

  // [MEAL-7]
  @Test("a removal that comes before the item removes it all the same")
  func removedBeforeAdded() throws {
    var meal = MealStream()
    meal.add(ItemRemoved(item: MealStream.item(1)), by: Self.tablet)
    meal.add(try MealStream.captured())
    meal.add(try MealStream.added(1, "rice"))
    meal.add(try MealStream.added(2, "beans"))
    #expect(meal.rows.names == ["beans"])
    #expect(meal.rows.logs.map(\.position) == [1])
  }

  // [MEAL-8]
  @Test("changes of an item that is not there yet wait for it, in their order")
  func waiting() throws {
    var meal = MealStream()
    let item = MealStream.item(1)
    meal.add(
      ItemChanged(item: item, name: "brown rice", quantity: try Quantity(50_000, .milligram)))
    meal.add(ItemRevalued(item: item, snapshot: try MealStream.snapshot(100_000), origin: .label))
    meal.add(ItemChanged(item: item, name: "red rice", note: .set("chewy")))
    #expect(meal.rows.logs.isEmpty)
    meal.add(try MealStream.captured())
    meal.add(try MealStream.added(1, "rice"))
    let log = try #require(meal.rows.logs.first)
    #expect(log.line.name == "red rice")
    #expect(log.note == "chewy")
    #expect(log.line.origin == .label)
    #expect(meal.rows.energy == 50_000)
  }

  // [MEAL-9] H1 H2
  @Test(
    "two devices that change different fields both keep their change; of one field the later wins")
  func fieldwise() throws {
    var meal = try lunch(1)
    let item = MealStream.item(0)
    meal.add(MealChanged(title: .set("Phone's title")), by: Self.phone)
    meal.add(ItemChanged(item: item, quantity: try Quantity(100_000, .milligram)), by: Self.phone)
    meal.add(ItemChanged(item: item, name: "tablet's name"), by: Self.tablet)
    meal.add(MealChanged(note: .set("tablet's note")), by: Self.tablet)
    #expect(meal.rows.entry?.title == "Phone's title")
    #expect(meal.rows.entry?.note == "tablet's note")
    #expect(meal.rows.logs[0].line.name == "tablet's name")
    #expect(meal.rows.logs[0].line.quantity.value == 100_000)
    meal.add(ItemChanged(item: item, quantity: try Quantity(150_000, .milligram)), by: Self.tablet)
    #expect(meal.rows.energy == 600_000)
  }

  // [MEAL-9]
  @Test("absent is not null: a change without a field keeps it, null clears it")
  func clearing() throws {
    var meal = MealStream()
    meal.add(
      MealCaptured(
        occasion: try Samples.fixedOccasion(), source: .aiVoice, title: "T", voiceTranscript: "V",
        captureMeta: "{not json", note: "N", tags: ["a", "b"]))
    meal.add(MealChanged(title: .set("U")))
    #expect(meal.rows.entry?.voiceTranscript == "V")
    #expect(meal.rows.entry?.captureMeta == "{not json")
    meal.add(
      MealChanged(
        title: .clear, voiceTranscript: .clear, captureMeta: .clear, note: .clear, tags: .clear))
    let entry = try #require(meal.rows.entry)
    #expect(entry.title == nil && entry.voiceTranscript == nil && entry.captureMeta == nil)
    #expect(entry.note == nil && entry.tags.isEmpty)
  }

  // G4
  @Test("two meals of one minute are two meals")
  func sameMinute() throws {
    let streams = [1, 2].map { StreamID(Bytes16(high: 0, low: $0)) }
    let rows = try streams.map { stream in
      var meal = MealStream(stream: stream)
      meal.add(try MealStream.captured())
      meal.add(try MealStream.added(1, "carbs"))
      return meal.rows
    }
    #expect(Set(rows.compactMap(\.entry?.id)).count == 2)
    #expect(Set(rows.flatMap(\.logs).map(\.id)).count == 2)
  }

  // D12
  @Test("a drink is one log with one energy, whoever sums it")
  func drink() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured())
    let cola = try NutrientSnapshot(
      basis: .per100Millilitres, serving: try Quantity(330_000, .microlitre),
      nutrients: try NutrientAmounts([.energy: 42_121, .caffeine: 10_000]))
    meal.add(
      ItemAdded(
        occasion: try Samples.fixedOccasion(), item: MealStream.item(1),
        line: FoodLine(
          name: "cola", quantity: try Quantity(1000, .milliserving), snapshot: cola,
          origin: .catalog)))
    #expect(meal.rows.energy == 138_999)
    #expect(meal.rows.logs[0].eaten.map(\.amount) == [138_999, 33_000])
  }

  // [DIG-3]
  @Test("rows that differ only in how a letter is spelt are different rows")
  func spelling() throws {
    var one = MealStream()
    one.add(try MealStream.captured(title: "pâté"))
    one.add(try MealStream.added(1, "pâté"))
    var other = MealStream()
    other.add(try MealStream.captured(title: "pa\u{302}te\u{301}"))
    other.add(try MealStream.added(1, "pa\u{302}te\u{301}"))
    #expect(one.rows.entry != other.rows.entry)
    #expect(one.rows.logs != other.rows.logs)
    #expect(one.rows.digest != other.rows.digest)
    #expect(one.rows == one.rows)
  }
}
