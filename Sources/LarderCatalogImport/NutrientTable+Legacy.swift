// The old shape: one flat object `nutriments`, where `fat_100g` is per 100 g or 100 ml,
// `fat_serving` per serving, and plain `fat` for whatever `nutrition_data_per` says.

import LarderCatalog
import LarderKernel

extension NutrientTable {
  typealias Container = KeyedDecodingContainer<RecordKey>

  /// Reads `nutriments`.
  init(nutriments: Container, enteredPer: EnteredPer) {
    self.enteredPer = enteredPer
    let columns = NutrientField.columns(of: nutriments.allKeys)
    for field in columns.fields {
      if columns.has(.per100, field) {
        read(field, .per100, columns, nutriments, into: \.per100)
      } else if enteredPer.isPer100, columns.has(.base, field) {
        read(field, .base, columns, nutriments, into: \.per100)
      }
    }
    // Serving numbers are derived ones as a rule; they matter where they were typed, or stand
    // alone.
    if per100.isEmpty || enteredPer == .serving {
      for field in columns.fields {
        if columns.has(.perServing, field) {
          read(field, .perServing, columns, nutriments, into: \.perServing)
        } else if enteredPer == .serving, columns.has(.base, field) {
          read(field, .base, columns, nutriments, into: \.perServing)
        }
      }
    }
    if per100.isEmpty && perServing.isEmpty { noteWhatWasLeft(columns, nutriments) }
    typedKilocalories = Self.typed(nutriments)
  }

  /// Reads one number with its sign; appends nothing where nothing was given.
  private mutating func read(
    _ index: Int, _ column: NutrientField.Column, _ columns: NutrientField.Columns,
    _ nutriments: Container, into entries: WritableKeyPath<NutrientTable, [Entry]>
  ) {
    let field = NutrientField.all[index]
    let key =
      switch column {
      case .per100: field.per100
      case .perServing: field.perServing
      default: field.base
      }
    let modifier = columns.has(.modifier, index) ? nutriments.looseText(field.modifier) : nil
    let number = nutriments.looseNumber(key).modified(by: modifier)
    guard number != .notGiven else { return }
    // A volume share is told from a mass by the unit alone.
    let isMass =
      field.meaning == .alcohol && nutriments.looseText(field.unit)?.lowercased() == "g"
    self[keyPath: entries].append(
      Entry(isMass ? .mass(.alcohol) : field.meaning, number, field: key.stringValue))
  }

  /// Whether numbers are there that could not be used: of the prepared product, or without a basis.
  private mutating func noteWhatWasLeft(
    _ columns: NutrientField.Columns, _ nutriments: Container
  ) {
    hasPrepared = columns.fields.contains { columns.has(.prepared, $0) }
    let hasBare = columns.fields.contains { field in
      columns.has(.base, field)
        && nutriments.looseNumber(NutrientField.all[field].base) != .notGiven
    }
    if hasBare { flags.insert(.basisUnknown) }
  }

  /// The kcal somebody typed, as long as its unit does not say kJ.
  private static func typed(_ nutriments: Container) -> Entry? {
    let candidates = [
      (RecordKey("energy-kcal_value"), RecordKey("energy-kcal_unit"), true),
      (RecordKey("energy_value"), RecordKey("energy_unit"), false),
    ]
    for (value, unit, isKcalByName) in candidates where nutriments.contains(value) {
      let unit = nutriments.looseText(unit)?.lowercased()
      guard unit == "kcal" || (isKcalByName && unit == nil) else { continue }
      guard case .number = nutriments.looseNumber(value) else { continue }
      return Entry(.kilocalories, nutriments.looseNumber(value), field: value.stringValue)
    }
    return nil
  }
}
