// A store that faults are let loose on: the same clock, seeds and meals every time, so that the
// n-th call of a scenario is the same call in every run.

import Glibc
import LarderCrypto
import LarderHash
import LarderKernel
import LarderStore

/// What stopped the program, in words.
struct CrashError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Lines on standard output, each written at once: what was acknowledged is known even if the
/// process dies in the next call.
enum Line {
  static func write(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
      if count <= 0 { exit(1) }
      rest = rest.dropFirst(count)
    }
  }
}

/// A store's folder and its state folder.
struct Place {
  let paths: StorePaths
  let state: String
  /// The recording device's clock: 2026-05-02, noon.
  static let noon: Int64 = 1_777_723_200_000

  init(_ folder: String, _ state: String) {
    paths = StorePaths(folder: folder)
    self.state = state
  }

  /// Another device's store beside this one.
  var other: Place { Place(paths.folder + ".other", state + ".other") }

  private var settings: Store.Settings {
    Store.Settings(
      schema: .standard, waitMilliseconds: 10_000, holder: "crash \(getpid())",
      state: Store.State(folder: state, machine: .zero, elapsed: { 0 }))
  }

  func create() throws -> Store {
    let name = paths.folder.hasSuffix(".other") ? "other" : "device"
    let seed = BLAKE2b.hash256(Array(name.utf8))
    guard let key = AuthorSecretKey(seed: seed.bytes.span) else { throw CrashError("no key") }
    return try Store.create(
      at: paths, deviceName: "crash", key: key, now: Self.noon, settings: settings)
  }

  func open() throws -> Store { try Store(at: paths, settings: settings) }

  func reader() throws -> StoreReader {
    try StoreReader(at: paths, schema: .standard, waitMilliseconds: 10_000)
  }

  // MARK: Writing

  /// Appends operations in one transaction, and acknowledges them once that is done.
  func append(_ operations: [[NewEvent]], to store: Store, at minute: Int64) throws {
    #if PLANTED_BUG
      // An ordering bug on purpose: acknowledged before it is durable.
      let tip = try reader().heads().first
      Line.write("ack \(tip?.author.hex ?? ""):\((tip?.size ?? 0) + 3)")
    #endif
    let events = try store.append(operations: operations, now: Self.noon + minute * 60_000) {
      BLAKE2b.hash256(Array("seed \(minute)".utf8))
    }
    if let last = events.last { Line.write("ack \(last.id)") }
  }

  /// The stream of a meal.
  func stream(_ number: Int) -> StreamID {
    StreamID(
      milliseconds: Self.noon + Int64(number), random: Bytes16(high: UInt64(number), low: 7))
  }

  /// A meal: a capture and three items.
  func meal(_ number: Int) throws -> [NewEvent] {
    guard let zone = ZoneName("Europe/Berlin"), let offset = UTCOffset(seconds: 7200),
      let instant = Instant(milliseconds: Self.noon), let day = CivilDay("2026-05-02")
    else { throw CrashError("no occasion") }
    let moment = Moment(consumedAt: instant, zone: zone, utcOffset: offset, day: day)
    let occasion = Occasion(moment: moment, mealType: .lunch)
    let stream = stream(number)
    var events = [
      try NewEvent(
        MealCaptured(occasion: occasion, source: .manual, title: "Meal \(number)"), in: stream)
    ]
    for item in 1...3 {
      let line = FoodLine(
        name: "food \(item)", quantity: try Quantity(30_000, .milligram),
        snapshot: try NutrientSnapshot(
          basis: .per100Grams, serving: nil, nutrients: NutrientAmounts([.energy: 400_000])),
        origin: .label)
      events.append(
        try NewEvent(
          ItemAdded(occasion: occasion, item: ItemID(UInt64(item)), line: line), in: stream))
    }
    return events
  }
}
