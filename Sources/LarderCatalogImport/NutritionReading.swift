// The numbers of a product: which basis, each nutrient once, in whole units, with its field.
//
// The basis. Numbers for 100 g or 100 ml are used where there are any, unless they were derived
// from a serving size that the label's text contradicts: then the numbers as typed, per serving,
// hold. Whether "100" is grams or millilitres: what the record says; where it says 100 g for
// everything, a pack or a serving measured in millilitres or litres means 100 ml, the pack before
// the serving; else grams. (The source's own 100 g fields of drinks are per 100 ml.)

import LarderCatalog
import LarderKernel

/// What a record's nutrition part comes to.
struct NutritionReading {
  /// What the numbers refer to.
  let basis: Basis
  /// The numbers.
  private(set) var amounts = NutrientAmounts()
  /// Numbers that are upper limits only.
  private(set) var limits = NutrientAmounts()
  /// Where each came from.
  private(set) var fields: [CatalogProduct.Field] = []
  /// What was noticed.
  private(set) var flags: CatalogFlags
  /// Whether alcohol was given in a way that cannot be weighed.
  private(set) var hasUnweighedAlcohol = false

  /// Reads `table`.
  init(_ table: NutrientTable, serving: ServingReading, pack: MeasureText?) {
    flags = table.flags
    let typedHolds =
      table.enteredPer == .serving && serving.isContradicted && !table.perServing.isEmpty
    let isPerServing = typedHolds || (table.per100.isEmpty && !table.perServing.isEmpty)
    basis = Self.basis(table, isPerServing: isPerServing, serving: serving.quantity, pack: pack)
    if isPerServing { flags.insert(.perServingOnly) }
    let entries = isPerServing ? table.perServing : table.per100
    for entry in entries { read(entry) }
    let typedFits = isPerServing ? table.enteredPer == .serving : table.enteredPer.isPer100
    readEnergy(entries, typed: typedFits ? table.typedKilocalories : nil)
    deriveSalt()
    if amounts.isEmpty && limits.isEmpty {
      flags.insert(table.hasPrepared ? .preparedOnly : .noNutrition)
    }
  }

  private static func basis(
    _ table: NutrientTable, isPerServing: Bool, serving: Quantity?, pack: MeasureText?
  ) -> Basis {
    if isPerServing { return .perServing }
    let packUnit = pack.flatMap { $0.isSureOfDimension ? $0.quantity?.unit : nil }
    let isVolume =
      switch table.enteredPer {
      case .hundredMillilitres: true
      case .serving: serving?.unit == .microlitre
      case .hundredGrams, .unknown: (packUnit ?? serving?.unit) == .microlitre
      }
    return isVolume ? .per100Millilitres : .per100Grams
  }

  /// Takes one number that is no energy.
  private mutating func read(_ entry: NutrientTable.Entry) {
    switch entry.meaning {
    case .kilocalories, .kilojoules: break
    case .mass(let nutrient):
      guard amounts[nutrient] == nil, limits[nutrient] == nil else { return }
      take(entry, as: nutrient) { number in
        number.rounded(timesTenTo: entry.exponent + nutrient.unit.powerOfGram)
      }
    case .alcohol: readAlcohol(entry)
    }
  }

  /// Percent of the volume: 0.789 g/ml (ethanol at 20 °C, three digits) makes it a mass in 100 ml.
  private mutating func readAlcohol(_ entry: NutrientTable.Entry) {
    if basis == .per100Millilitres || entry.number.isZero {
      take(entry, as: .alcohol, suffix: "*0.789") { number in
        number.rounded(timesTenTo: 3, multiplier: 789)
      }
    } else {
      hasUnweighedAlcohol = true
      flags.insert(.unitUnknown)
    }
  }

  private mutating func readEnergy(
    _ entries: [NutrientTable.Entry], typed: NutrientTable.Entry?
  ) {
    let energy = EnergyReading(
      kilocalories: given(.kilocalories, in: entries), kilojoules: given(.kilojoules, in: entries),
      typed: typed.flatMap { given($0) }, atwater: Plausibility.atwater(amounts))
    flags.formUnion(energy.flags)
    guard let amount = energy.amount else { return }
    set(.energy, to: amount, field: energy.field)
  }

  /// The first number with that meaning, its sign noted.
  private mutating func given(
    _ meaning: NutrientField.Meaning, in entries: [NutrientTable.Entry]
  ) -> EnergyReading.Given? {
    for entry in entries where entry.meaning == meaning {
      if let given = given(entry) { return given }
    }
    return nil
  }

  private mutating func given(_ entry: NutrientTable.Entry) -> EnergyReading.Given? {
    switch entry.number {
    case .number(let number): return EnergyReading.Given(number: number, field: entry.field)
    case .approximate(let number):
      flags.insert(.valueApproximate)
      return EnergyReading.Given(number: number, field: entry.field)
    case .upperLimit(let number):
      flags.insert(.valueIsLimit)
      let power = entry.meaning == .kilojoules ? 6 : 3
      let divisor: UInt64 = entry.meaning == .kilojoules ? 4184 : 1
      if limits[.energy] == nil,
        let amount = number.rounded(timesTenTo: power, divisor: divisor)
      {
        setLimit(.energy, to: amount, field: entry.field)
      }
      return nil
    default:
      note(entry.number)
      return nil
    }
  }

  /// Takes a number or an upper limit for `nutrient`, in whole units as `convert` makes them.
  private mutating func take(
    _ entry: NutrientTable.Entry, as nutrient: Nutrient, suffix: String = "",
    convert: (ExactDecimal) -> Int64?
  ) {
    switch entry.number {
    case .number(let number), .approximate(let number):
      set(nutrient, to: convert(number), field: entry.field + suffix)
    case .upperLimit(let number):
      setLimit(nutrient, to: convert(number), field: entry.field + suffix)
    default: break
    }
    note(entry.number)
  }

  /// Notes what kind of reading a number was.
  private mutating func note(_ number: LooseNumber) {
    switch number {
    case .number, .notGiven: break
    case .approximate: flags.insert(.valueApproximate)
    case .upperLimit, .lowerLimit: flags.insert(.valueIsLimit)
    case .negative: flags.insert(.valueOutOfRange)
    case .unreadable: flags.insert(.valueUnreadable)
    }
  }

  private mutating func set(_ nutrient: Nutrient, to amount: Int64?, field: String) {
    guard let amount, (try? amounts.set(nutrient, to: amount)) != nil else {
      flags.insert(.valueOutOfRange)
      return
    }
    // A number is worth more than a limit another field gave.
    if limits[nutrient] != nil {
      fields.removeAll { $0.nutrient == nutrient }
      try? limits.set(nutrient, to: nil)
    }
    fields.append(CatalogProduct.Field(nutrient: nutrient, field: field))
  }

  private mutating func setLimit(_ nutrient: Nutrient, to amount: Int64?, field: String) {
    guard let amount, (try? limits.set(nutrient, to: amount)) != nil else {
      flags.insert(.valueOutOfRange)
      return
    }
    fields.append(CatalogProduct.Field(nutrient: nutrient, field: field))
  }

  /// Salt is 2.5 × sodium: one is derived where only the other was given, and both stay where both
  /// were.
  private mutating func deriveSalt() {
    switch (amounts[.salt], amounts[.sodium]) {
    case (let salt?, let sodium?):
      if abs(salt - sodium * 5 / 2) > 100_000 { flags.insert(.saltSodiumMismatch) }
    case (nil, let sodium?):
      guard limits[.salt] == nil else { return }
      set(.salt, to: (sodium * 5 + 1) / 2, field: "sodium*2.5")
      flags.insert(.saltDerived)
    case (let salt?, nil):
      guard limits[.sodium] == nil else { return }
      set(.sodium, to: (salt * 4 + 5) / 10, field: "salt/2.5")
      flags.insert(.sodiumDerived)
    case (nil, nil): break
    }
  }
}

extension NutrientUnit {
  /// The power of ten that makes grams this unit; no energy is asked.
  fileprivate var powerOfGram: Int {
    switch self {
    case .microgram, .calorie: 6
    case .nanogram: 9
    }
  }
}
