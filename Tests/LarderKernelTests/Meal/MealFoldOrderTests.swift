import LarderHash
import LarderKernel
import Testing

@Suite("MealFold: whatever the order of arrival")
struct MealFoldOrderTests {
  private static let phone = MealStream.phone
  private static let tablet = MealStream.tablet
  private static let analysis = Bytes16(high: 5, low: 6)

  /// Streams of at most six events in which the order of events matters.
  static let scenarios: [String] = [
    "captures race", "adds race", "change first", "keep and change", "keep and delete",
    "restore between", "remove and add", "revalue and change", "accept and edit",
    "accept new lines", "photos", "cover", "meal changes", "set aside",
  ]

  private func scenario(_ name: String) throws -> MealStream {
    var meal = MealStream()
    let one = MealStream.item(1)
    let moved = try Samples.fixedOccasion(hour: 20, day: 4, .dinner)
    let line = ProposedLine(item: one, line: try MealStream.line("brown rice", grams: 250))
    let egg = ProposedLine(item: nil, line: try MealStream.line("egg"))
    let proposal = Reanalysed(
      analysis: Self.analysis, provider: "", model: "", promptVersion: "", inputs: [],
      lines: [line, egg], score: 1, issues: [], evidence: [])
    let amount = try Quantity(7000, .milligram)
    switch name {
    case "captures race":
      meal.add(try MealStream.captured(title: "a"), by: Self.phone)
      meal.add(try MealStream.captured(hour: 9, title: "b"), by: Self.tablet)
      meal.add(try MealStream.added(1, "x"), by: Self.tablet)
      meal.add(MealChanged(note: .set("n")))
    case "adds race":
      meal.add(try MealStream.added(1, "a"), by: Self.phone)
      meal.add(try MealStream.added(1, "b"), by: Self.tablet)
      meal.add(try MealStream.added(2, "c"), by: Self.tablet)
      meal.add(try MealStream.captured())
    case "change first":
      meal.add(ItemChanged(item: one, moment: moved.moment, name: "c", product: .clear))
      meal.add(ItemRevalued(item: one, snapshot: try MealStream.snapshot(1), origin: .user))
      meal.add(ItemChanged(item: one, quantity: amount, note: .set("n")))
      meal.add(try MealStream.added(1, "a"))
      meal.add(ItemChanged(item: one, note: .clear))
    case "keep and change":
      meal.add(try MealStream.captured())
      meal.add(try MealStream.added(1, "a"))
      meal.add(MealDeleted(items: .keep))
      meal.add(ItemChanged(item: one, moment: moved.moment))
      meal.add(MealDeleted(items: .keep), by: Self.tablet)
      meal.add(try MealStream.added(2, "b", hour: 5))
    case "keep and delete":
      meal.add(try MealStream.captured())
      meal.add(try MealStream.added(1, "a"))
      meal.add(MealDeleted(items: .delete))
      meal.add(MealDeleted(items: .keep))
      meal.add(MealChanged(title: .set("t")))
    case "restore between":
      meal.add(try MealStream.captured())
      meal.add(try MealStream.added(1, "a"))
      meal.add(MealDeleted(items: .delete))
      meal.add(MealRestored())
      meal.add(MealChanged(moment: moved.moment))
      meal.add(MealDeleted(items: .keep))
    case "remove and add":
      meal.add(try MealStream.captured())
      meal.add(ItemRemoved(item: one), by: Self.tablet)
      meal.add(try MealStream.added(1, "a"))
      meal.add(try MealStream.added(2, "b"))
      meal.add(ItemRemoved(item: MealStream.item(3)))
      meal.add(try MealStream.added(1, "again"), by: Self.tablet)
    default: try secondHalf(name, &meal, moved, proposal)
    }
    return meal
  }

  private func secondHalf(
    _ name: String, _ meal: inout MealStream, _ moved: Occasion, _ proposal: Reanalysed
  ) throws {
    let one = MealStream.item(1)
    let images = (1...3).map { MealStream.image(UInt8($0)) }
    switch name {
    case "revalue and change":
      meal.add(try MealStream.added(1, "a"))
      meal.add(ItemRevalued(item: one, snapshot: try MealStream.snapshot(1), origin: .label))
      meal.add(ItemChanged(item: one, snapshot: try MealStream.snapshot(2)), by: Self.tablet)
      meal.add(ItemChanged(item: one, product: .set(ProductReference(catalog: "off", code: "1"))))
      meal.add(ItemRevalued(item: one, snapshot: try MealStream.snapshot(3), origin: .user))
    case "accept and edit":
      meal.add(try MealStream.added(1, "rice"))
      meal.add(proposal)
      meal.add(ItemChanged(item: one, quantity: try Quantity(7000, .milligram)))
      meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]), by: Self.tablet)
      meal.add(ItemChanged(item: one, name: "mine"))
      meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0]))
    case "accept new lines":
      meal.add(try MealStream.captured())
      meal.add(proposal)
      meal.add(ProposalAccepted(analysis: Self.analysis, lines: [1], by: "a"))
      meal.add(ProposalAccepted(analysis: Self.analysis, lines: [0, 1], by: "b"), by: Self.tablet)
      meal.add(try MealStream.added(1, "rice"))
      meal.add(MealDeleted(items: .keep))
    case "photos":
      meal.add(try MealStream.captured())
      meal.add(PhotoAttached(photo: images[0], preview: images[1], role: .plate))
      meal.add(PhotoReduced(photo: images[0].address))
      meal.add(PhotoDetached(photo: images[0].address))
      meal.add(PhotoAttached(photo: images[0], preview: nil, role: .other), by: Self.tablet)
      meal.add(PreviewReplaced(photo: images[0].address, preview: images[2]))
    case "cover":
      meal.add(try MealStream.captured())
      meal.add(PhotoAttached(photo: images[0], preview: nil, role: .plate))
      meal.add(MealChanged(cover: .set(images[1].address)))
      meal.add(PhotoAttached(photo: images[1], preview: images[2], role: .plate))
      meal.add(MealChanged(cover: .clear), by: Self.tablet)
    case "meal changes":
      meal.add(MealChanged(moment: moved.moment, title: .set("a"), tags: .set(["x"])))
      meal.add(try MealStream.captured(title: "b"))
      meal.add(MealChanged(mealType: .snack, title: .clear), by: Self.tablet)
      meal.add(MealChanged(note: .set("n"), tags: .clear))
      meal.add(try MealStream.added(1, "a"))
    default:
      meal.add(try MealStream.captured())
      meal.add(.itemAdded, [0xa0])
      meal.add(try #require(EventKind("Unheard")), [0x01], flags: .critical)
      meal.add(try MealStream.added(1, "a"))
      meal.add(.mealChanged, [0xff], by: Self.tablet)
    }
  }

  // [MEAL-1]
  @Test("every order of arrival gives the same rows", arguments: scenarios)
  func everyOrder(_ name: String) throws {
    let meal = try scenario(name)
    let rows = meal.rows
    #expect((4...6).contains(meal.events.count))
    for events in permutations(of: meal.events) {
      #expect(meal.rows(of: events) == rows)
    }
    #expect(meal.rows(of: meal.events + meal.events.reversed()) == rows)
  }

  // [MEAL-1] [MEAL-16]
  @Test(
    "streams of any events fold alike in any order, and as the second implementation folds them")
  func randomStreams() throws {
    for seed in 0..<400 as Range<UInt64> {
      let meal = try randomMeal(seed: seed)
      let rows = meal.rows
      #expect(rows.setAside.isEmpty && !rows.isClosedToWriting)
      var samples = Samples(seed: seed)
      for _ in 0..<4 {
        let arrival = meal.events.shuffled(using: &samples.generator)
        let again = arrival + [samples.pick(arrival), samples.pick(arrival)]
        #expect(meal.rows(of: again) == rows, "seed \(seed)")
      }
      let naive = try NaiveMeal(stream: meal.stream, events: meal.events).rows
      let expected = try naive?.encode()
      #expect(
        (rows.entry == nil && rows.logs.isEmpty ? nil : rows.encoded) == expected, "seed \(seed)")
    }
  }

  /// A stream of up to 30 events about few items and photos, so that they meet.
  private func randomMeal(seed: UInt64) throws -> MealStream {
    var samples = Samples(seed: seed)
    var meal = MealStream(stream: samples.stream())
    let images = (0..<3).map { _ in samples.image() }
    let addresses = images.map(\.address)
    let analyses = (0..<2).map { _ in samples.bytes16() }
    let items =
      (0..<3).map { _ in samples.itemID() }
      + [ItemID(derivedFrom: analyses[0].bytes, index: 0)]
    for _ in 0..<(1 + samples.below(30)) {
      let author = samples.pick([Self.phone, Self.tablet])
      let item = samples.pick(items)
      switch samples.below(22) {
      case 0, 1: meal.add(try samples.mealCaptured(), by: author)
      case 2, 3: meal.add(try samples.mealChanged(covers: addresses), by: author)
      case 4: meal.add(MealDeleted(items: samples.pick(MealDeleted.Items.allCases)), by: author)
      case 5: meal.add(MealRestored(), by: author)
      case 6...9: meal.add(try samples.itemAdded(item), by: author)
      case 10...12: meal.add(try samples.itemChanged(item), by: author)
      case 13: meal.add(ItemRemoved(item: item), by: author)
      case 14: meal.add(try samples.itemRevalued(item), by: author)
      case 15:
        meal.add(
          try samples.reanalysed(items: items, analysis: samples.pick(analyses)), by: author)
      case 16, 17: meal.add(samples.proposalAccepted(samples.pick(analyses)), by: author)
      case 18:
        let preview = samples.maybe { $0.image() }
        meal.add(
          PhotoAttached(photo: samples.pick(images), preview: preview, role: .plate), by: author)
      case 19: meal.add(PhotoReduced(photo: samples.pick(addresses)), by: author)
      case 20: meal.add(PhotoDetached(photo: samples.pick(addresses)), by: author)
      default:
        meal.add(
          PreviewReplaced(photo: samples.pick(addresses), preview: samples.image()), by: author)
      }
    }
    return meal
  }

  // [MEAL-17] H12
  @Test("an unknown kind changes no row; a critical one closes the stream to writing")
  func unknownKinds() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured())
    let rows = meal.rows
    let tagged = try #require(EventKind("example.app/MealTagged"))
    meal.add(tagged, [0xa0])
    #expect(meal.rows == rows)
    #expect(!meal.rows.isClosedToWriting)
    meal.add(tagged, [0xff, 0xff], flags: .critical)
    #expect(meal.rows.entry == rows.entry)
    #expect(meal.rows.isClosedToWriting)
    #expect(meal.rows.setAside.isEmpty)
    // Erased, nothing of it is left to be understood.
    #expect(!meal.rows(of: meal.lastErased()).isClosedToWriting)
  }

  // [MEAL-17]
  @Test("a newer version of a known kind waits for a newer build")
  func newerVersion() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured(title: "a"))
    meal.add(.mealChanged, MealChanged(title: .set("b")).bytes, version: 2)
    #expect(meal.rows.entry?.title == "a")
    #expect(meal.rows.setAside.isEmpty && !meal.rows.isClosedToWriting)
    meal.add(.mealChanged, MealChanged(title: .set("c")).bytes, version: 2, flags: .critical)
    #expect(meal.rows.isClosedToWriting)
  }

  // [MEAL-18]
  @Test("a payload no reader can make sense of is set aside with its reason, and the rest goes on")
  func setAside() throws {
    var meal = MealStream()
    meal.add(.mealCaptured, [0xa1, 0x00, 0x00])
    meal.add(try MealStream.captured(title: "good"))
    meal.add(try MealStream.added(1, "rice"))
    meal.add(.itemChanged, [0xbf, 0xff])
    meal.add(try MealStream.added(2, "beans"))
    let rows = meal.rows
    #expect(rows.entry?.title == "good")
    #expect(rows.names == ["rice", "beans"])
    #expect(rows.setAside.map(\.id.seq) == [0, 3])
    #expect(rows.setAside.map(\.reason.code) == [.missingField, .malformed])
  }

  // [MEAL-19]
  @Test("an erased payload counts as absent, even beside a copy that is not erased")
  func erased() throws {
    var meal = MealStream()
    meal.add(try MealStream.captured(title: "a"))
    meal.add(try MealStream.added(1, "rice"))
    let before = meal.rows
    meal.add(MealChanged(title: .set("secret")))
    let erased = meal.lastErased()
    #expect(meal.rows.entry?.title == "secret")
    #expect(meal.rows(of: erased) == before)
    #expect(meal.rows(of: erased + meal.events) == before)
    #expect(meal.rows(of: meal.events + erased) == before)
    #expect(meal.rows(of: meal.events.reversed() + erased) == before)
  }

  // [EVT-20]
  @Test("two events of one author and seq, as a fork makes them, are both folded")
  func fork() throws {
    var one = MealStream()
    one.add(try MealStream.captured())
    var other = one
    one.add(try MealStream.added(1, "one"))
    other.add(try MealStream.added(2, "other"))
    #expect(one.events[1].id == other.events[1].id)
    let rows = one.rows(of: one.events + other.events)
    #expect(Set(rows.names) == ["one", "other"])
    #expect(one.rows(of: other.events + one.events) == rows)
  }
}
