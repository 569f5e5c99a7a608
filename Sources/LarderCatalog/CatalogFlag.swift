// What an import noticed about a product. A flag never changes a number; it says what to think of
// it.
//
// Invariant: a flag's bit is in catalogs on disk and never changes its meaning.

/// Something an import noticed about a product.
public enum CatalogFlag: UInt8, Sendable, CaseIterable {
  /// No name in any language.
  case nameMissing = 0
  /// No nutrient number at all.
  case noNutrition = 1
  /// The source says the product is no longer made.
  case obsolete = 2
  /// The source says it is no food.
  case notFood = 3
  /// A text was longer than an event may hold and was cut.
  case textShortened = 4
  /// The check digit of the code is wrong, or the code is too long to have one.
  case checkDigitInvalid = 5

  /// The kcal field held the kJ number: the kcal as entered, or kJ ÷ 4.184, is used.
  case kcalFieldHoldsKj = 8
  /// The kJ field held the kcal number: the kcal field is used, as it is.
  case kjFieldHoldsKcal = 9
  /// The kcal and kJ numbers stand in each other's field: read the other way round.
  case energySwapped = 10
  /// kcal and kJ disagree, and not in a way that explains itself; kcal is used.
  case energyMismatch = 11
  /// Only kJ was given: kJ ÷ 4.184 is used.
  case energyFromKj = 12
  /// More than 900 kcal in 100 g or 100 ml: pure fat has 900.
  case energyImplausible = 13
  /// Fat, carbohydrates and protein weigh more than 105 g in 100 g or 100 ml.
  case macrosImplausible = 14
  /// Energy is outside what the nutrients can give, by more than 20 % and a label's rounding.
  case energyMacrosMismatch = 15

  /// Salt was not given: 2.5 × sodium is used.
  case saltDerived = 16
  /// Sodium was not given: salt ÷ 2.5 is used.
  case sodiumDerived = 17
  /// Salt and 2.5 × sodium differ by more than 0.1 g; both are kept as given.
  case saltSodiumMismatch = 18

  /// The source has numbers for the prepared product only; they are not used for it as sold.
  case preparedOnly = 24
  /// The numbers are for one serving.
  case perServingOnly = 25
  /// Some numbers were for a basis that is not known, and are not used.
  case basisUnknown = 26
  /// Some numbers were estimates of the source's own, and are not used.
  case estimateIgnored = 27
  /// The source says there is no nutrition declaration, and gives numbers.
  case noNutritionContradicted = 28

  /// A serving size was given without a unit of mass or volume, or could be read in two ways.
  case servingUnknown = 32
  /// Two statements of the serving size disagree; the text's first metric one is used.
  case servingContradiction = 33
  /// With this serving size 100 g would have more than 900 kcal.
  case servingImplausible = 34

  /// A field that should hold a number held something else, and is not used.
  case valueUnreadable = 40
  /// A number came as a limit ("< 0.5") and is kept as such, not as a value.
  case valueIsLimit = 41
  /// A number is only about right ("~ 3"); it is used.
  case valueApproximate = 42
  /// A number was negative or beyond any food, and is not used.
  case valueOutOfRange = 43
  /// A number came in a unit that is not known, and is not used.
  case unitUnknown = 44

  /// The name in output and tables: `kcal_field_holds_kj`.
  public var name: String {
    var words = ""
    for character in String(describing: self) {
      if character.isUppercase { words.append("_") }
      words.append(contentsOf: character.lowercased())
    }
    return words
  }
}

/// A set of flags.
public struct CatalogFlags: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The bits, flag n as bit n.
  public private(set) var rawValue: Int64

  /// The set of these bits; those without a flag in this build are kept.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The set of these flags.
  public init(arrayLiteral flags: CatalogFlag...) {
    rawValue = 0
    for flag in flags { insert(flag) }
  }

  /// Whether there is none.
  public var isEmpty: Bool { rawValue == 0 }

  /// Whether `flag` is in the set.
  public func contains(_ flag: CatalogFlag) -> Bool { rawValue & (1 << flag.rawValue) != 0 }

  /// Adds `flag`.
  public mutating func insert(_ flag: CatalogFlag) { rawValue |= 1 << flag.rawValue }

  /// Adds all flags of `other`.
  public mutating func formUnion(_ other: CatalogFlags) { rawValue |= other.rawValue }

  /// The flags this build has names for, by bit.
  public var flags: [CatalogFlag] { CatalogFlag.allCases.filter(contains) }
}
