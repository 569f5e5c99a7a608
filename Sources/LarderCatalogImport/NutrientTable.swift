// The nutrition part of a record as it stands there: which numbers for which basis, before anything
// is decided. Both shapes of Open Food Facts end here: the old `nutriments` and, since schema
// version 1003, `nutrition` with its sets.
//
// Invariants: numbers of the prepared product and the source's own estimates never get in; a number
// whose basis is not known does not either, and is noted.

import LarderCatalog
import LarderKernel

/// Numbers by basis.
struct NutrientTable {
  /// One number and where it stands.
  struct Entry {
    let meaning: NutrientField.Meaning
    let number: LooseNumber
    /// The name of the field it is from.
    let field: String
    /// What it is counted in: one gram, kcal or kJ as a power of ten of the unit; 0 for that
    /// itself.
    let exponent: Int

    init(
      _ meaning: NutrientField.Meaning, _ number: LooseNumber, field: String, exponent: Int = 0
    ) {
      self.meaning = meaning
      self.number = number
      self.field = field
      self.exponent = exponent
    }
  }

  /// What typed numbers refer to.
  enum EnteredPer {
    case hundredGrams, hundredMillilitres, serving, unknown

    init(_ text: String?) {
      switch text?.lowercased().filter({ !$0.isWhitespace }) {
      case "100g": self = .hundredGrams
      case "100ml": self = .hundredMillilitres
      case "serving": self = .serving
      default: self = .unknown
      }
    }

    var isPer100: Bool { self == .hundredGrams || self == .hundredMillilitres }
  }

  /// What typed numbers refer to.
  var enteredPer = EnteredPer.unknown
  /// Numbers for 100 g or 100 ml.
  var per100: [Entry] = []
  /// Numbers for one serving.
  var perServing: [Entry] = []
  /// The kcal as somebody typed it, for what `enteredPer` says.
  var typedKilocalories: Entry?
  /// Whether there are numbers for the prepared product.
  var hasPrepared = false
  /// What was noticed on the way.
  var flags: CatalogFlags = []

  /// Nothing known.
  init() {}
}
