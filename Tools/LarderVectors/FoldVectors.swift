// Meals' streams and the rows they fold to. The events of a vector stand in no particular order: a
// reader puts them in the total order itself.

import LarderHash
import LarderKernel

enum FoldVectors {
  /// A scenario: its name, what it is about, and what happens.
  typealias Scenario = (
    name: String, description: String, build: @Sendable (inout FoldStream) throws -> Void
  )

  static func all() throws -> [Vector] {
    try (lives + items + proposals + photos + readers).map { try vector($0) }
      + (1...8).map { try mixed(seed: $0) } + [try control()]
  }

  static func vector(_ scenario: Scenario) throws -> Vector {
    var stream = FoldStream()
    try scenario.build(&stream)
    return try vector(scenario.name, scenario.description, stream)
  }

  private static func vector(
    _ name: String, _ description: String, _ stream: FoldStream
  ) throws -> Vector {
    let rows = MealFold.rows(of: stream.stream, events: stream.events, schema: .standard)
    // Every second event first, so that the order of arrival is not the total order.
    let arrival =
      stream.events.indices.filter { !$0.isMultiple(of: 2) }
      + stream.events.indices.filter { $0.isMultiple(of: 2) }
    return Vector(
      "fold", name, description,
      [
        "stream": .string(stream.stream.hex),
        "events": .array(arrival.map { json(stream.events[$0], stream.salts) }),
        "rows": .string(try CBORValue.decode(rows.encoded.span).diagnosticNotation),
        "digest": .string(rows.digest.hex),
        "setAside": .array(
          rows.setAside.map {
            .object(["event": .string($0.id.description), "code": .string($0.reason.code.rawValue)])
          }),
        "isClosedToWriting": .bool(rows.isClosedToWriting),
      ])
  }

  private static func json(_ event: Event, _ salts: [Bytes32: Bytes16]) -> JSON {
    .object([
      "author": .string(event.id.author.hex), "seq": .digits(event.id.seq),
      "header": .string(event.header.bytes.hex), "leaf": .string(event.leaf.hex),
      "payload": .optional(event.payload?.hex),
      "salt": .optional(event.payload == nil ? nil : salts[event.leaf]?.hex),
    ])
  }

  // MARK: The life of a meal

  private static let lives: [Scenario] = [
    ("meal", "a captured meal with two items", { s in try lunch(&s) }),
    (
      "keep_items", "a meal deleted, its items kept",
      { s in
        try lunch(&s)
        try s.add(MealDeleted(items: .keep))
      }
    ),
    (
      "delete_items", "a meal deleted with its items",
      { s in
        try lunch(&s)
        try s.add(MealDeleted(items: .delete))
      }
    ),
    (
      "delete_beats_keep", "a deletion that keeps the items after one that does not",
      { s in
        try lunch(&s)
        try s.add(MealDeleted(items: .delete))
        try s.add(MealDeleted(items: .keep), by: FoldStream.tablet)
      }
    ),
    (
      "restored", "deleted and restored, with a change between",
      { s in
        try lunch(&s)
        try s.add(MealDeleted(items: .delete))
        try s.add(MealChanged(title: .set("back again")), by: FoldStream.tablet)
        try s.add(MealRestored())
      }
    ),
    (
      "kept_then_added", "an item added after its meal was deleted with the items kept",
      { s in
        try lunch(&s)
        try s.add(MealDeleted(items: .keep))
        try s.add(
          ItemAdded(
            occasion: try Fixed.occasion(hour: 15, .snack), item: Fixed.item(3),
            line: try Fixed.line("Apple")))
      }
    ),
    (
      "keep_copies_time", "kept items have the time the entry had",
      { s in
        try lunch(&s)
        try s.add(
          MealChanged(moment: try Fixed.moment(day: 3, hour: 19), mealType: .dinner))
        try s.add(MealDeleted(items: .keep))
      }
    ),
    (
      "second_keep", "a second deletion leaves alone what changed since the first",
      { s in
        try lunch(&s)
        try s.add(MealDeleted(items: .keep))
        try s.add(
          ItemChanged(item: Fixed.item(1), moment: try Fixed.moment(day: 1), mealType: .breakfast))
        try s.add(MealDeleted(items: .keep), by: FoldStream.tablet)
      }
    ),
    (
      "no_capture", "items without a capture are logs of their own",
      { s in
        try s.add(
          ItemAdded(
            occasion: try Fixed.occasion(hour: 16, .snack), item: Fixed.item(1),
            line: try Fixed.line("Apple")))
        try s.add(MealChanged(title: .set("nothing to name")))
      }
    ),
    (
      "first_capture", "of two captures the first counts",
      { s in
        try s.add(MealCaptured(occasion: try Fixed.occasion(), source: .barcode, title: "first"))
        try s.add(
          MealCaptured(
            occasion: try Fixed.occasion(hour: 13), source: .manual, title: "second", note: "n"),
          by: FoldStream.tablet)
      }
    ),
    (
      "change_before_capture", "a change before the capture holds after it",
      { s in
        try s.add(
          MealChanged(mealType: .snack, title: .set("mine"), note: .clear, tags: .set(["a"])))
        try s.add(
          MealCaptured(
            occasion: try Fixed.occasion(), source: .aiText, title: "theirs", note: "theirs",
            copiedFrom: StreamID(.pattern(9)), by: "mum"))
      }
    ),
    (
      "clear_fields", "null clears, absent keeps",
      { s in
        try s.add(
          MealCaptured(
            occasion: try Fixed.occasion(), source: .aiVoice, title: "t", voiceTranscript: "v",
            captureMeta: "{", captureID: "id", note: "n", tags: ["a", "b"]))
        try s.add(MealChanged(title: .clear, captureMeta: .clear, tags: .clear))
      }
    ),
  ]

  private static func lunch(_ s: inout FoldStream) throws {
    try s.add(
      MealCaptured(
        occasion: try Fixed.occasion(), source: .barcode, title: "Lunch", note: "p\u{e2}t\u{e9}"))
    try s.add(
      ItemAdded(
        occasion: try Fixed.occasion(hour: 11), item: Fixed.item(1), line: try Fixed.fullLine(),
        note: "with milk", by: "mum"))
    try s.add(
      ItemAdded(
        occasion: try Fixed.occasion(), item: Fixed.item(2), line: try Fixed.line("Milk")),
      by: FoldStream.tablet)
  }

  /// A stream of another kind: it has no rows.
  private static func control() throws -> Vector {
    var stream = FoldStream(stream: .control)
    try stream.add(SoftwareChanged(software: "larder", softwareVersion: "1"))
    try stream.add(HeadsWitnessed(tips: []))
    return try vector("control_stream", "events that no meal is made of", stream)
  }

  // MARK: Mixed streams

  /// A long stream of two devices, its events drawn from what the scenarios are made of.
  private static func mixed(seed: UInt64) throws -> Vector {
    var pool: [(EventKind, [UInt8])] = []
    for scenario in lives + items + proposals + photos {
      var stream = FoldStream()
      try scenario.build(&stream)
      pool += stream.events.compactMap { event in event.payload.map { (event.header.kind, $0) } }
    }
    var state = seed
    func next(_ count: Int) -> Int {
      // Knuth's MMIX generator; the high bits are the good ones.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var stream = FoldStream()
    for _ in 0..<24 {
      let (kind, payload) = pool[next(pool.count)]
      let author = next(2) == 0 ? FoldStream.phone : FoldStream.tablet
      try stream.add(kind, payload, by: author, sameClock: next(4) == 0)
    }
    return try vector("mixed_\(seed)", "24 events of two devices that meet in one meal", stream)
  }
}
