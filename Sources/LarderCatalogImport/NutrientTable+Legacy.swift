// The old shape: one flat object `nutriments`, where `fat_100g` is per 100 g or 100 ml, `fat_serving`
// per serving, and plain `fat` for whatever `nutrition_data_per` says.

import LarderCatalog
import LarderKernel

extension NutrientTable {
  typealias Container = KeyedDecodingContainer<RecordKey>

  /// Reads `nutriments`.
  init(nutriments: Container, enteredPer: EnteredPer) {
    self.enteredPer = enteredPer
    for field in NutrientField.all {
      readPer100(field, nutriments)
    }
    // Serving numbers are derived ones as a rule; they matter where they were typed, or stand alone.
    if per100.isEmpty || enteredPer == .serving {
      for field in NutrientField.all { readPerServing(field, nutriments) }
    }
    if per100.isEmpty && perServing.isEmpty { noteWhatWasLeft(nutriments) }
    typedKilocalories = Self.typed(nutriments)
  }

  private mutating func readPer100(_ field: NutrientField, _ nutriments: Container) {
    if nutriments.contains(field.per100) {
      per100 += Self.entries(field, key: field.per100, nutriments)
    } else if enteredPer.isPer100, nutriments.contains(field.base) {
      per100 += Self.entries(field, key: field.base, nutriments)
    }
  }

  private mutating func readPerServing(_ field: NutrientField, _ nutriments: Container) {
    if nutriments.contains(field.perServing) {
      perServing += Self.entries(field, key: field.perServing, nutriments)
    } else if enteredPer == .serving, nutriments.contains(field.base) {
      perServing += Self.entries(field, key: field.base, nutriments)
    }
  }

  /// The number under `key` with its sign; none where nothing was given.
  private static func entries(
    _ field: NutrientField, key: RecordKey, _ nutriments: Container
  ) -> [Entry] {
    let modifier = nutriments.looseText(field.modifier)
    let number = nutriments.looseNumber(key).modified(by: modifier)
    guard number != .notGiven else { return [] }
    // A volume share is told from a mass by the unit alone.
    let isMass =
      field.meaning == .alcohol && nutriments.looseText(field.unit)?.lowercased() == "g"
    return [
      Entry(isMass ? .mass(.alcohol) : field.meaning, number, field: key.stringValue)
    ]
  }

  /// Whether numbers are there that could not be used: of the prepared product, or without a basis.
  private mutating func noteWhatWasLeft(_ nutriments: Container) {
    hasPrepared = NutrientField.all.contains { field in
      field.prepared.contains { nutriments.contains($0) }
    }
    let hasBare = NutrientField.all.contains { field in
      nutriments.contains(field.base) && nutriments.looseNumber(field.base) != .notGiven
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
