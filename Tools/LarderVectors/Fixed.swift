// The values that vectors are made of: one of each type, always the same.

import LarderHash
import LarderKernel

/// Fixed values.
enum Fixed {
  /// A moment on 2026-05-`day` at `hour` o'clock in Berlin.
  static func moment(day: Int = 2, hour: Int = 12) throws -> Moment {
    let civil = try constant(CivilDay(year: 2026, month: 5, day: day), "day")
    let local = Int64(civil.daysSince1970) * 86_400_000 + Int64(hour) * 3_600_000
    return Moment(
      consumedAt: try constant(Instant(milliseconds: local - 7_200_000), "instant"),
      zone: try constant(ZoneName("Europe/Berlin"), "zone"),
      utcOffset: try constant(UTCOffset(seconds: 7200), "offset"), day: civil)
  }

  /// Lunch on 2026-05-02, unless told otherwise.
  static func occasion(
    day: Int = 2, hour: Int = 12, _ mealType: MealType = .lunch
  ) throws -> Occasion {
    try moment(day: day, hour: hour).occasion(as: mealType)
  }

  /// Item 1, 2, 3, ….
  static func item(_ number: UInt64) -> ItemID { ItemID(0x1700_0000_0000_0000 | number) }

  /// Oats per 100 g.
  static func oats() throws -> NutrientSnapshot {
    try NutrientSnapshot(
      basis: .per100Grams, serving: try Quantity(40_000, .milligram),
      nutrients: try NutrientAmounts([
        .energy: 372_000, .fat: 7_000_000, .saturatedFat: 1_200_000, .carbohydrates: 58_700_000,
        .sugars: 700_000, .fiber: 10_000_000, .protein: 13_500_000, .salt: 20_000,
        .vitaminB12: 0,
      ]))
  }

  /// Numbers per 100 g: that much energy in cal.
  static func energy(_ calories: Int64) throws -> NutrientSnapshot {
    try NutrientSnapshot(
      basis: .per100Grams, serving: nil, nutrients: try NutrientAmounts([.energy: calories]))
  }

  /// A product of Open Food Facts.
  static let product = ProductReference(
    catalog: "off", code: "0012345678905", askedCode: "012345678905", revision: 17)

  /// A food line with every field.
  static func fullLine(_ name: String = "Rolled oats") throws -> FoodLine {
    FoodLine(
      name: name, quantity: try Quantity(45_000, .milligram), snapshot: try oats(),
      product: product, origin: .catalog, confidence: 870, servedMass: 180_000)
  }

  /// A food line with what it must have.
  static func line(
    _ name: String, grams: Int64 = 100, energy: Int64 = 400_000, origin: NumbersOrigin = .user
  ) throws -> FoodLine {
    FoodLine(
      name: name, quantity: try Quantity(grams * 1000, .milligram),
      snapshot: try Fixed.energy(energy), origin: origin)
  }

  /// A picture whose address begins with `first`.
  static func image(_ first: UInt8, _ mediaType: MediaType = .jpeg) -> StoredImage {
    StoredImage(
      address: BlobAddress(.pattern(first)), byteCount: 123_456, width: 512, height: 384,
      mediaType: mediaType)
  }

  /// An analysis' id.
  static let analysis = Bytes16.pattern(0xa0)

  /// A proposal of these lines.
  static func proposal(
    _ lines: [ProposedLine], analysis: Bytes16 = analysis
  ) -> Reanalysed {
    Reanalysed(
      analysis: analysis, provider: "example.org", model: "eye-1", promptVersion: "3",
      inputs: [BlobAddress(.pattern(1))], lines: lines, score: 92,
      issues: ["items[0].tiny_quantity"], evidence: [BlobAddress(.pattern(2))])
  }
}
