import LarderHash
import LarderKernel
import Testing

@Suite("MealFold: corrections, proposals and photos")
struct MealFoldCorrectionTests {
  private static let analysis = Bytes16(high: 5, low: 6)

  private func rice(grams: Int64 = 200) throws -> MealStream {
    var meal = MealStream()
    meal.add(try MealStream.captured())
    meal.add(try MealStream.added(1, "rice", grams: grams))
    return meal
  }

  private func proposal(
    _ lines: [(ItemID?, String, Int64, Int64)], analysis: Bytes16 = analysis
  ) throws -> Reanalysed {
    Reanalysed(
      analysis: analysis, provider: "p", model: "m", promptVersion: "1", inputs: [],
      lines: try lines.map {
        var line = try MealStream.line($0.1, grams: $0.2, energy: $0.3, origin: .ai)
        line.confidence = 700
        line.servedMass = 3 * line.quantity.value
        return ProposedLine(item: $0.0, line: line)
      }, score: 90, issues: [], evidence: [])
  }

  // [MEAL-2] E1 E2 E3 E4 E6 E8
  @Test("a logged item keeps the numbers it was logged with, whatever the catalog says later")
  func snapshots() throws {
    var meal = try rice(grams: 100)
    #expect(meal.rows.energy == 400_000)
    // The portion of an old meal still scales: nothing but the event is needed.
    meal.add(
      ItemChanged(item: MealStream.item(1), quantity: try Quantity(50_000, .milligram)))
    #expect(meal.rows.energy == 200_000)
  }

  // [MEAL-10] E5 D7
  @Test(
    "a correction of the past is a new event: the amount stays, the old numbers are still there")
  func revalued() throws {
    var meal = try rice(grams: 100)
    let before = meal.events
    let product = ProductReference(catalog: "off", code: "0012345678905", revision: 2)
    meal.add(
      ItemRevalued(
        item: MealStream.item(1), snapshot: try MealStream.snapshot(300_000), product: product,
        origin: .catalog, reason: "catalog v2"))
    #expect(meal.rows.energy == 300_000)
    #expect(meal.rows.logs[0].line.product == product)
    #expect(meal.rows.logs[0].line.quantity.value == 100_000)
    #expect(meal.rows(of: before).energy == 400_000)
    // Reversed by another, which may leave the product as it is.
    meal.add(
      ItemRevalued(
        item: MealStream.item(1), snapshot: try MealStream.snapshot(400_000), origin: .catalog))
    #expect(meal.rows.energy == 400_000)
    #expect(meal.rows.logs[0].line.product == product)
  }

  // [MEAL-2] E7
  @Test(
    "every nutrient of the snapshot reaches the row of every meal, and unknown ones stay unknown")
  func micronutrients() throws {
    let all = try NutrientAmounts(
      Dictionary(uniqueKeysWithValues: Nutrient.allCases.map { ($0, Int64($0.rawValue) + 1) }))
    var meal = MealStream()
    for number in 1...3 as ClosedRange<UInt64> {
      let line = FoodLine(
        name: "n", quantity: try Quantity(100_000, .milligram),
        snapshot: try NutrientSnapshot(basis: .per100Grams, serving: nil, nutrients: all),
        origin: .user)
      meal.add(
        ItemAdded(occasion: try Samples.fixedOccasion(), item: ItemID(number), line: line))
    }
    for log in meal.rows.logs { #expect(log.eaten == all.elements) }
    #expect(meal.rows.logs.count == 3)
  }

  // [MEAL-11] I7
  @Test("a proposal changes nothing, even twice, until its lines are accepted")
  func proposed() throws {
    var meal = try rice()
    let before = meal.rows
    let proposal = try proposal([(MealStream.item(1), "brown rice", 250, 350_000)])
    meal.add(proposal)
    meal.add(proposal, by: MealStream.tablet)
    #expect(meal.rows == before)
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0, 1, 63]))
    let line = try #require(meal.rows.logs.first?.line)
    #expect(line.name == "brown rice")
    #expect(line.quantity.value == 250_000)
    #expect(line.origin == .ai)
    #expect(line.confidence == 700)
    #expect(line.servedMass == 750_000)
    #expect(meal.rows.energy == 875_000)
  }

  // [MEAL-12] I7
  @Test("an accepted proposal never overwrites what a person set by hand")
  func pinned() throws {
    var meal = try rice()
    meal.add(ItemChanged(item: MealStream.item(1), quantity: try Quantity(180_000, .milligram)))
    meal.add(try proposal([(MealStream.item(1), "brown rice", 250, 350_000)]))
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    var line = try #require(meal.rows.logs.first?.line)
    #expect(line.quantity.value == 180_000)
    #expect(line.servedMass == nil)
    #expect(line.name == "brown rice")
    #expect(meal.rows.energy == 630_000)
    // The numbers, once a person has set any of them, and the name.
    meal.add(ItemChanged(item: MealStream.item(1), name: "my rice", origin: .user))
    let other = Bytes16(high: 9, low: 9)
    meal.add(try proposal([(MealStream.item(1), "noodles", 10, 1)], analysis: other))
    meal.add(ProposalAccepted(analysis: other, lines: [0]))
    line = try #require(meal.rows.logs.first?.line)
    #expect(line.name == "my rice")
    #expect(line.origin == .user)
    #expect(line.confidence == nil)
    #expect(meal.rows.energy == 630_000)
  }

  // [MEAL-12]
  @Test("a note or a time by hand pins nothing")
  func unpinned() throws {
    var meal = try rice()
    meal.add(ItemChanged(item: MealStream.item(1), mealType: .snack, note: .set("x")))
    meal.add(try proposal([(MealStream.item(1), "brown rice", 250, 350_000)]))
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    #expect(meal.rows.logs[0].line.name == "brown rice")
    #expect(meal.rows.energy == 875_000)
    #expect(meal.rows.logs[0].note == "x")
  }

  // [MEAL-9]
  @Test("another amount by hand makes what was on the plate unknown")
  func servedMass() throws {
    var meal = try rice()
    meal.add(try proposal([(MealStream.item(1), "rice", 65, 350_000)]))
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    #expect(meal.rows.logs[0].line.servedMass == 195_000)
    meal.add(ItemChanged(item: MealStream.item(1), quantity: try Quantity(80_000, .milligram)))
    #expect(meal.rows.logs[0].line.servedMass == nil)
  }

  // [MEAL-13] I7
  @Test("accepted lines that name no item make the same items on every device, once")
  func newItems() throws {
    var meal = try rice()
    meal.add(try proposal([(nil, "egg", 50, 150_000), (nil, "oil", 5, 900_000)]))
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [1], by: "mum"), by: MealStream.phone)
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0, 1]), by: MealStream.tablet)
    #expect(meal.rows.names == ["rice", "oil", "egg"])
    #expect(meal.rows.logs.map(\.by) == [nil, "mum", nil])
    let egg = ItemID(derivedFrom: Self.analysis.bytes, index: 0)
    #expect(meal.rows.logs[2].item == egg)
    // Its owner can change and remove it like any other.
    meal.add(ItemRemoved(item: egg))
    #expect(meal.rows.names == ["rice", "oil"])
  }

  // [MEAL-13]
  @Test("a proposal accepted after its meal was deleted shows nothing, and all when it is restored")
  func acceptedAfterDelete() throws {
    var meal = try rice()
    meal.add(MealDeleted(items: .delete))
    meal.add(try proposal([(nil, "egg", 50, 150_000)]))
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    #expect(meal.rows.logs.isEmpty)
    meal.add(MealRestored())
    #expect(meal.rows.names == ["rice", "egg"])
  }

  // [MEAL-13]
  @Test(
    "accepted lines join the time of the entry, or of the item added first, or wait for neither")
  func acceptedTime() throws {
    var alone = MealStream()
    alone.add(try proposal([(nil, "egg", 50, 150_000)]))
    alone.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    #expect(alone.rows.logs.isEmpty)
    var items = MealStream()
    items.add(try MealStream.added(2, "rice", hour: 20))
    items.add(try MealStream.added(1, "beans", hour: 21))
    items.add(try proposal([(nil, "egg", 50, 150_000)]))
    items.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    #expect(try items.rows.logs[2].occasion == Samples.fixedOccasion(hour: 20))
  }

  // [MEAL-8]
  @Test("an acceptance for an item that is not there yet waits like any change")
  func acceptedWaits() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured())
    meal.add(try proposal([(MealStream.item(1), "brown rice", 250, 350_000)]))
    meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    #expect(meal.rows.logs.isEmpty)
    meal.add(try MealStream.added(1, "rice"))
    #expect(meal.rows.names == ["brown rice"])
  }

  // [MEAL-14]
  @Test("the first photo is the cover, until another is chosen or it is taken off")
  func cover() throws {
    var meal = try rice()
    let images = (1...4).map { MealStream.image(UInt8($0)) }
    #expect(meal.rows.entry?.photoPath == nil)
    meal.add(PhotoAttached(photo: images[0], preview: images[1], role: .plate))
    meal.add(PhotoAttached(photo: images[2], preview: nil, role: .label))
    #expect(meal.rows.entry?.photoPath == images[0].path)
    #expect(meal.rows.entry?.photoThumbPath == images[1].path)
    meal.add(MealChanged(cover: .set(images[2].address)))
    #expect(meal.rows.entry?.photoPath == images[2].path)
    #expect(meal.rows.entry?.photoThumbPath == nil)
    meal.add(PreviewReplaced(photo: images[2].address, preview: images[3]))
    #expect(meal.rows.entry?.photoThumbPath == images[3].path)
    meal.add(PhotoDetached(photo: images[2].address))
    #expect(meal.rows.entry?.photoPath == images[0].path)
    meal.add(PhotoAttached(photo: images[2], preview: nil, role: .label))
    #expect(meal.rows.entry?.photoPath == images[2].path)
    meal.add(MealChanged(cover: .clear))
    #expect(meal.rows.entry?.photoPath == images[0].path)
  }

  // [MEAL-15]
  @Test("a photo given up shows its preview, and is whole again once it is attached again")
  func reduced() throws {
    var meal = try rice()
    let images = (1...3).map { MealStream.image(UInt8($0)) }
    meal.add(PhotoAttached(photo: images[0], preview: nil, role: .plate))
    // Without a preview there is nothing to fall back to.
    meal.add(PhotoReduced(photo: images[0].address))
    #expect(meal.rows.entry?.photoPath == images[0].path)
    meal.add(PreviewReplaced(photo: images[0].address, preview: images[1]))
    meal.add(PhotoReduced(photo: images[0].address))
    #expect(meal.rows.entry?.photoPath == images[1].path)
    #expect(meal.rows.entry?.photoThumbPath == images[1].path)
    meal.add(PhotoAttached(photo: images[0], preview: images[2], role: .plate))
    #expect(meal.rows.entry?.photoPath == images[0].path)
    #expect(meal.rows.entry?.photoThumbPath == images[1].path)
    // What concerns a photo that is not there does nothing.
    meal.add(PhotoReduced(photo: images[2].address))
    meal.add(PhotoDetached(photo: images[2].address))
    #expect(meal.rows.entry?.photoPath == images[0].path)
  }
}
