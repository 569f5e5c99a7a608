import Foundation
import LarderCrypto
import LarderHash
import LarderKernel
import LarderStore

/// A store in a temporary folder of its own, with a clock and seeds that a test decides.
final class SampleStore {
  let paths: StorePaths
  var now: Int64 = 1_777_777_777_000
  private var counter: UInt64 = 0

  init() {
    paths = StorePaths(folder: NSTemporaryDirectory() + "larder-store-" + UUID().uuidString)
    state = paths.folder + ".state"
  }

  deinit {
    try? FileManager.default.removeItem(atPath: paths.folder)
    for suffix in [".state", ".other.state"] {
      try? FileManager.default.removeItem(atPath: paths.folder + suffix)
    }
  }

  /// Kept by a copy that shares the state folder, given up by one that does not.
  var state: String
  /// What the build knows that opens the store next.
  var schema = Schema.standard
  /// Whether a copy is noticed.
  var isRecorded = true
  var machine = BLAKE2b.hash128(Array("machine".utf8))

  var settings: Store.Settings {
    Store.Settings(
      schema: schema, waitMilliseconds: 2000, holder: "tests \(getpid())",
      state: isRecorded ? Store.State(folder: state, machine: machine, elapsed: { 0 }) : nil)
  }

  func create(seedText: String? = nil) throws -> Store {
    let secret = seedText.map { BLAKE2b.hash256(Array($0.utf8)) } ?? seed()
    guard let key = AuthorSecretKey(seed: secret.bytes.span) else { throw CocoaError(.formatting) }
    return try Store.create(
      at: paths, deviceName: "test", key: key, now: now, settings: settings)
  }

  /// A copy of the whole folder, as a backup or a clone has it.
  func copy() throws -> SampleStore {
    let copy = SampleStore()
    copy.now = now
    copy.counter = counter
    copy.state = state
    copy.schema = schema
    try FileManager.default.copyItem(atPath: paths.folder, toPath: copy.paths.folder)
    return copy
  }

  func open() throws -> Store { try Store(at: paths, settings: settings) }

  func reader() throws -> StoreReader {
    try StoreReader(at: paths, schema: schema, waitMilliseconds: 2000)
  }

  func seed() -> Bytes32 {
    counter += 1
    return BLAKE2b.hash256(Array("seed \(counter)".utf8))
  }

  func append(_ events: [NewEvent], to store: Store) throws -> [Event] {
    now += 1000
    return try store.append(events, now: now, seed: seed)
  }

  func stream(_ number: UInt64) -> StreamID {
    StreamID(milliseconds: now, random: Bytes16(high: number, low: number))
  }

  func occasion(_ day: String = "2026-05-02", _ meal: MealType = .lunch) throws -> Occasion {
    let civil = CivilDay(day)
    let midnight = Int64(civil?.daysSince1970 ?? 0) * 86_400_000
    guard let zone = ZoneName("Europe/Berlin"), let offset = UTCOffset(seconds: 7200),
      let instant = Instant(milliseconds: midnight + 10 * 3_600_000), let civil
    else { throw CocoaError(.formatting) }
    return Occasion(
      moment: Moment(consumedAt: instant, zone: zone, utcOffset: offset, day: civil), mealType: meal
    )
  }

  func line(_ name: String, grams: Int64 = 30, kcal: Int64 = 400) throws -> FoodLine {
    FoodLine(
      name: name, quantity: try Quantity(grams * 1000, .milligram),
      snapshot: try NutrientSnapshot(
        basis: .per100Grams, serving: nil,
        nutrients: try NutrientAmounts([
          .energy: kcal * 1000, .fat: 5_000_000, .carbohydrates: 60_000_000, .protein: 10_000_000,
        ])), product: ProductReference(catalog: "off", code: "2000000000015"), origin: .catalog)
  }

  func meal(_ stream: StreamID, items: Int = 3, day: String = "2026-05-02") throws -> [NewEvent] {
    let occasion = try occasion(day)
    var events = [
      try NewEvent(MealCaptured(occasion: occasion, source: .barcode, title: "Meal"), in: stream)
    ]
    for index in 0..<items {
      events.append(
        try NewEvent(
          ItemAdded(
            occasion: occasion, item: ItemID(UInt64(index + 1)), line: try line("food \(index)")),
          in: stream))
    }
    return events
  }
}
