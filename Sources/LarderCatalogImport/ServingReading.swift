// How large one serving is, from the text on the label and the fields beside it.
//
// Rule: the text's first metric statement wins; the fields count only where the text states no mass
// or volume, and then only with a unit. A number without a unit is no size.

import LarderCatalog
import LarderKernel

/// The size of a serving as far as a record states it.
struct ServingReading {
  /// The mass or volume; nil where it is not known.
  let quantity: Quantity?
  /// Whether a field disagrees with the text.
  let isContradicted: Bool
  /// What was noticed.
  let flags: CatalogFlags

  /// Reads the text (`serving_size`) and the fields `serving_quantity`, `serving_quantity_unit`.
  init(text: String?, field: LooseNumber, unit: String?) {
    var flags: CatalogFlags = []
    let measure = text.map { MeasureText($0) }
    let stored = Self.stored(field, unit: unit)
    if let stated = measure?.quantity {
      quantity = stated
      isContradicted = stored.map { Self.contradicts($0, stated) } ?? false
      if isContradicted || measure?.contradictsItself == true {
        flags.insert(.servingContradiction)
      }
    } else {
      quantity = stored.flatMap { stored in stored.unit.flatMap { try? Quantity(stored.value, $0) }
      }
      isContradicted = false
      if quantity == nil, stored != nil || measure?.isAmbiguous == true {
        flags.insert(.servingUnknown)
      }
      if field == .unreadable || field == .negative { flags.insert(.valueUnreadable) }
    }
    self.flags = flags
  }

  /// A stored quantity in thousandths, with its unit where that is known.
  private struct Stored {
    let value: Int64
    let unit: QuantityUnit?
  }

  private static func stored(_ field: LooseNumber, unit: String?) -> Stored? {
    guard case .number(let number) = field, !number.isZero else { return nil }
    let measure = unit.flatMap { MeasureUnit(word: $0.lowercased()) }
    let value =
      if let measure {
        number.rounded(timesTenTo: 0, multiplier: measure.numerator, divisor: measure.divisor)
      } else {
        number.rounded(timesTenTo: 3)
      }
    guard let value else { return nil }
    return Stored(
      value: value, unit: measure.map { $0.dimension == .mass ? .milligram : .microlitre })
  }

  private static func contradicts(_ stored: Stored, _ stated: Quantity) -> Bool {
    if let unit = stored.unit, unit != stated.unit { return true }
    return MeasureText.differs(stored.value, stated.value)
  }
}
