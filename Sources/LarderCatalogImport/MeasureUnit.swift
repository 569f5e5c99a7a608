// The words labels use for mass and volume, each with what one of it is.
//
// Only units that state a mass or a volume are here: cups, spoons, slices and pieces state neither.

/// A unit of mass or volume a label may name.
struct MeasureUnit: Hashable, Sendable {
  /// Mass or volume.
  enum Dimension: Hashable, Sendable {
    case mass
    case volume
  }

  /// Mass or volume.
  let dimension: Dimension
  /// How many mg or µl one is, times `divisor`.
  let numerator: UInt64
  /// See `numerator`.
  let divisor: UInt64
  /// Whether it is a metric unit; where a label names several, a metric one is the exact one.
  let isMetric: Bool

  /// The unit a word, in lower case and without full stops, names; nil for any other word.
  init?(word: String) {
    guard let unit = Self.words[word] else { return nil }
    self = unit
  }

  private init(
    _ dimension: Dimension, _ numerator: UInt64, per divisor: UInt64 = 1, isMetric: Bool = true
  ) {
    self.dimension = dimension
    self.numerator = numerator
    self.divisor = divisor
    self.isMetric = isMetric
  }

  private static let gram = MeasureUnit(.mass, 1000)
  private static let millilitre = MeasureUnit(.volume, 1000)

  /// International avoirdupois ounce, 28.349523125 g exactly; pound, 16 of them.
  private static let ounce = MeasureUnit(.mass, 28_349_523_125, per: 1_000_000, isMetric: false)
  private static let pound = MeasureUnit(.mass, 453_592_370, per: 1000, isMetric: false)
  /// United States fluid ounce, 29.5735295625 ml exactly: where labels use it at all.
  private static let fluidOunce = MeasureUnit(
    .volume, 295_735_295_625, per: 10_000_000, isMetric: false)

  /// Every spelling, the longest of which has two words. GRM, MLT, ONZ and OZA are the codes of
  /// UN/CEFACT Recommendation 20 that American labels carry.
  private static let words: [String: MeasureUnit] = {
    let spellings: [(MeasureUnit, [String])] = [
      (MeasureUnit(.mass, 1), ["mg", "milligram", "milligrams", "milligrammes", "мг", "毫克"]),
      (
        gram,
        [
          "g", "gr", "grm", "grs", "gram", "grams", "gramme", "grammes", "gramm", "grammi",
          "grammo",
          "gramos", "gramo", "gramas", "grama", "г", "гр", "грамм", "克", "公克", "グラム", "غ", "جم",
          "غرام",
        ]
      ),
      (MeasureUnit(.mass, 1_000_000), ["kg", "kgs", "kilo", "kilos", "kilogram", "кг", "公斤"]),
      (
        millilitre,
        [
          "ml", "mlt", "mls", "millilitre", "millilitres", "milliliter", "milliliters", "cc", "мл",
          "毫升", "ミリリットル", "مل",
        ]
      ),
      (MeasureUnit(.volume, 10_000), ["cl", "centilitre", "centilitres", "сл"]),
      (MeasureUnit(.volume, 100_000), ["dl", "decilitre", "deciliter", "дл"]),
      (
        MeasureUnit(.volume, 1_000_000),
        ["l", "lt", "ltr", "litre", "litres", "liter", "liters", "litro", "litros", "л", "升"]
      ),
      (ounce, ["oz", "onz", "ounce", "ounces"]),
      (pound, ["lb", "lbs", "pound", "pounds"]),
      (fluidOunce, ["fl oz", "floz", "oza", "fluid ounce", "fluid ounces", "fl ounce"]),
    ]
    var words: [String: MeasureUnit] = [:]
    for (unit, names) in spellings {
      for name in names { words[name] = unit }
    }
    return words
  }()
}
