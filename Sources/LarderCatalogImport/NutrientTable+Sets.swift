// The new shape: `nutrition.aggregated_set`, and `nutrition.input_sets` where that has nothing for
// the product as sold. Each set says per what and how prepared, each number its unit.

import LarderCatalog
import LarderKernel

extension NutrientTable {
  /// Reads `nutrition`.
  init(nutrition: Container) {
    let aggregated = nutrition.object(RecordKey("aggregated_set")).map {
      (container: $0, path: "nutrition.aggregated_set")
    }
    for set in ([aggregated].compactMap { $0 } + Self.inputSets(nutrition)) {
      guard per100.isEmpty && perServing.isEmpty else { break }
      read(set.container, path: set.path)
    }
  }

  /// The input sets, in their order; an estimate is never taken as declared.
  private static func inputSets(_ nutrition: Container) -> [(container: Container, path: String)] {
    guard
      var list = try? nutrition.nestedUnkeyedContainer(forKey: RecordKey("input_sets"))
    else { return [] }
    var sets: [(container: Container, path: String)] = []
    while !list.isAtEnd {
      guard let set = try? list.nestedContainer(keyedBy: RecordKey.self) else { break }
      sets.append((set, "nutrition.input_sets.\(sets.count)"))
    }
    return sets
  }

  private mutating func read(_ set: Container, path: String) {
    guard let nutrients = set.object(RecordKey("nutrients")) else { return }
    guard set.looseText(RecordKey("source"))?.lowercased() != "estimate" else {
      flags.insert(.estimateIgnored)
      return
    }
    let preparation = set.looseText(RecordKey("preparation"))?.lowercased()
    guard preparation == nil || preparation == "as_sold" else {
      hasPrepared = true
      return
    }
    let per = EnteredPer(set.looseText(RecordKey("per")))
    for field in NutrientField.all {
      guard let value = nutrients.object(field.base),
        let entry = entry(field, value, path: path, setPer: per)
      else { continue }
      if per == .serving { perServing.append(entry) } else { per100.append(entry) }
    }
    if !per100.isEmpty || !perServing.isEmpty { enteredPer = per }
  }

  /// One number of a set; nil, with the reason as a flag, where it cannot be used.
  private mutating func entry(
    _ field: NutrientField, _ value: Container, path: String, setPer: EnteredPer
  ) -> Entry? {
    let number = value.looseNumber(RecordKey("value"))
      .modified(by: value.looseText(RecordKey("modifier")))
    guard number != .notGiven else { return nil }
    guard value.looseText(RecordKey("source"))?.lowercased() != "estimate" else {
      flags.insert(.estimateIgnored)
      return nil
    }
    // A number that was derived from an unknown basis has an unknown one itself.
    let sourcePer = value.looseText(RecordKey("source_per"))
    guard setPer != .unknown, sourcePer == nil || EnteredPer(sourcePer) != .unknown else {
      flags.insert(.basisUnknown)
      return nil
    }
    let unit = value.looseText(RecordKey("unit"))
    guard let (meaning, exponent) = Self.meaning(of: field, unit: unit) else {
      flags.insert(.unitUnknown)
      return nil
    }
    return Entry(
      meaning, number, field: "\(path).\(field.base.stringValue)", exponent: exponent)
  }

  /// What a number of `field` in `unit` is, with the power of ten that makes it grams, kcal or kJ.
  private static func meaning(
    of field: NutrientField, unit: String?
  ) -> (NutrientField.Meaning, exponent: Int)? {
    switch (field.meaning, unit?.lowercased()) {
    case (.kilocalories, "kcal"), (.kilocalories, nil), (.kilojoules, "kcal"):
      (.kilocalories, 0)
    case (.kilojoules, "kj"), (.kilojoules, nil), (.kilocalories, "kj"): (.kilojoules, 0)
    case (.alcohol, "g"): (.mass(.alcohol), 0)
    case (.alcohol, _): (.alcohol, 0)
    case (.mass, "g"), (.mass, nil): (field.meaning, 0)
    case (.mass, "mg"): (field.meaning, -3)
    case (.mass, "µg"), (.mass, "μg"), (.mass, "ug"), (.mass, "mcg"): (field.meaning, -6)
    default: nil
    }
  }
}
