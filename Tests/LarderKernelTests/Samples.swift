// Random valid payloads of every kind, from a seed: what property tests are fed with.

import LarderHash
import LarderKernel
import Testing

/// Makes valid values; the same seed makes the same ones everywhere.
struct Samples {
  var generator: SplitMix64

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  mutating func chance(_ percent: Int) -> Bool { generator.below(100) < percent }

  mutating func below(_ count: Int) -> Int { generator.below(count) }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[generator.below(choices.count)]
  }

  /// `value` now and then, else nil.
  mutating func maybe<Value>(
    _ percent: Int = 50, _ value: (inout Samples) throws -> Value
  ) rethrows -> Value? {
    chance(percent) ? try value(&self) : nil
  }

  // MARK: Values

  mutating func bytes16() -> Bytes16 { Bytes16(high: generator.next(), low: generator.next()) }

  mutating func bytes32() -> Bytes32 { Bytes32(front: bytes16(), back: bytes16()) }

  mutating func address() -> BlobAddress { BlobAddress(bytes32()) }

  mutating func stream() -> StreamID { StreamID(bytes16()) }

  mutating func itemID() -> ItemID { ItemID(generator.next()) }

  /// Words, two spellings of one letter, other scripts, emoji, controls: nothing is normalised.
  private static let words = [
    "oat", "rye bread", "pâté", "pa\u{302}te\u{301}", "味噌汁", "ćevapi", "🍜", "\u{0}", "a\nb",
    "\"x\"",
    "\u{202e}kebab", "İzmir köfte", "½ cup", "",
  ]

  mutating func text(atMost byteCount: Int = Limits.shortTextByteCountMaximum) -> String {
    var result = ""
    for _ in 0..<generator.below(6) {
      let word = pick(Self.words)
      if result.utf8.count + word.utf8.count < byteCount { result += word + " " }
    }
    if chance(2) { result += String(repeating: "x", count: byteCount - result.utf8.count) }
    return result
  }

  mutating func longText() -> String {
    chance(5) ? text(atMost: Limits.longTextByteCountMaximum / 4) : text()
  }

  mutating func name() -> String { "n" + text(atMost: 200) }

  mutating func tags() -> [String] {
    (0..<generator.below(4)).map { _ in text(atMost: 40) }
  }

  mutating func label() -> String? { maybe(15) { $0.pick(["mum", "ward 3", ""]) } }

  /// A number from `lower` to `upper`, its ends more often than chance would have it.
  mutating func number(_ lower: Int64, _ upper: Int64) -> Int64 {
    if chance(4) { return lower }
    if chance(4) { return upper }
    let width = UInt64(bitPattern: upper &- lower)
    let magnitude = generator.next() >> UInt64(generator.below(63))
    return lower &+ Int64(bitPattern: width == .max ? magnitude : magnitude % (width + 1))
  }

  mutating func day() throws -> CivilDay {
    let (first, last) = (CivilDay.minimum.daysSince1970, CivilDay.maximum.daysSince1970)
    return try #require(CivilDay(daysSince1970: number(Int64(first), Int64(last))))
  }

  mutating func moment() throws -> Moment {
    let zones = ["Europe/Berlin", "Asia/Tokyo", "UTC", "America/Lima", "Pacific/Kiritimati"]
    return Moment(
      consumedAt: try #require(
        Instant(milliseconds: number(Limits.instantMinimum, Limits.instantMaximum))),
      zone: try #require(ZoneName(pick(zones))),
      utcOffset: try #require(
        UTCOffset(seconds: number(-Limits.utcOffsetMaximum, Limits.utcOffsetMaximum))),
      day: try day())
  }

  mutating func mealType() throws -> MealType {
    try #require(MealType(rawValue: pick(["breakfast", "lunch", "dinner", "snack", "Znünı", "🌙"])))
  }

  mutating func occasion() throws -> Occasion { try moment().occasion(as: mealType()) }

  mutating func quantity() throws -> Quantity {
    try Quantity(number(1, Limits.amountMaximum), pick(QuantityUnit.allCases))
  }

  mutating func nutrients() throws -> NutrientAmounts {
    var result = NutrientAmounts()
    for nutrient in Nutrient.allCases where chance(25) {
      try result.set(nutrient, to: number(0, Limits.nutrientAmountMaximum))
    }
    return result
  }

  mutating func snapshot() throws -> NutrientSnapshot {
    let serving = try maybe {
      try Quantity($0.number(1, 1_000_000), $0.pick([.milligram, .microlitre]))
    }
    return try NutrientSnapshot(
      basis: pick(Basis.allCases), serving: serving, nutrients: nutrients())
  }

  mutating func product() -> ProductReference {
    ProductReference(
      catalog: pick(["off", "own", "ciqual"]), code: pick(["0012345678905", "", "40123455"]),
      askedCode: maybe(20) { _ in "012345678905" },
      revision: maybe { $0.number(.min, .max) })
  }

  mutating func line() throws -> FoodLine {
    FoodLine(
      name: name(), quantity: try quantity(), snapshot: try snapshot(),
      product: maybe { $0.product() }, origin: pick(NumbersOrigin.allCases),
      confidence: maybe(30) { UInt16($0.number(0, 1000)) },
      servedMass: maybe(20) { $0.number(1, Limits.amountMaximum) })
  }

  mutating func image() -> StoredImage {
    StoredImage(
      address: address(), byteCount: number(1, 1 << 40), width: UInt16(number(1, 65_535)),
      height: UInt16(number(1, 65_535)), mediaType: pick(MediaType.allCases))
  }

  mutating func change<Value>(_ value: (inout Samples) throws -> Value) rethrows -> Change<Value> {
    if chance(40) { return .keep }
    return chance(30) ? .clear : .set(try value(&self))
  }

  mutating func value(depth: Int = 0) -> CBORValue {
    switch generator.below(depth > 3 ? 6 : 8) {
    case 0: .unsigned(generator.next() >> UInt64(generator.below(64)))
    case 1: .negative(generator.next() >> UInt64(generator.below(64)))
    case 2: .bytes(generator.bytes(generator.below(20)))
    case 3: .text(text(atMost: 60))
    case 4: .bool(chance(50))
    case 5: .null
    case 6: .array((0..<generator.below(4)).map { _ in value(depth: depth + 1) })
    default:
      .map(
        (0..<generator.below(4)).map { key in
          CBORValue.Entry(key: .unsigned(UInt64(key * 30)), value: value(depth: depth + 1))
        })
    }
  }
}
