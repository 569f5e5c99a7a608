// From a record to what the catalog keeps of it.

import LarderCatalog
import LarderKernel

extension ProductRecord {
  /// The product of this record, or why it is set aside.
  func reading(source: CatalogSource) -> OpenFoodFactsRecord {
    guard let code else { return .setAside(.codeMissing) }
    guard let productCode = try? ProductCode(code) else { return .setAside(.codeInvalid) }
    return .product(product(productCode, source: source))
  }

  private func product(_ productCode: ProductCode, source: CatalogSource) -> CatalogProduct {
    var flags = noted(productCode)
    let serving = ServingReading(text: servingText, field: servingQuantity, unit: servingUnit)
    let nutrition = NutritionReading(
      nutrients, serving: serving, pack: MeasureText(pack: quantityText, unit: packUnit))
    for more in [
      serving.flags, nutrition.flags,
      Plausibility.flags(
        nutrition.amounts, basis: nutrition.basis, serving: serving.quantity,
        hasUnweighedAlcohol: nutrition.hasUnweighedAlcohol),
    ] {
      flags.formUnion(more)
    }
    if hasNoNutrition, !nutrition.amounts.isEmpty { flags.insert(.noNutritionContradicted) }
    guard
      let snapshot = try? NutrientSnapshot(
        basis: nutrition.basis, serving: serving.quantity, nutrients: nutrition.amounts)
    else { preconditionFailure("a serving that was read is a mass or a volume") }
    return CatalogProduct(
      code: productCode,
      revision: CatalogProduct.Revision(modifiedAt: modifiedAt, number: revision),
      names: ProductNames(names.mapValues { shortened($0, &flags) }),
      genericNames: ProductNames(genericNames.mapValues { shortened($0, &flags) }),
      mainLanguage: mainLanguage, brand: brand.map { shortened($0, &flags) },
      quantityText: quantityText.map { shortened($0, &flags) },
      servingText: servingText.map { shortened($0, &flags) }, snapshot: snapshot,
      upperLimits: nutrition.limits, fields: nutrition.fields, flags: flags,
      popularity: popularity, source: source)
  }

  /// What is noticed about the record apart from its numbers.
  private func noted(_ code: ProductCode) -> CatalogFlags {
    var flags: CatalogFlags = []
    if names.isEmpty { flags.insert(.nameMissing) }
    if isObsolete { flags.insert(.obsolete) }
    if !isFood { flags.insert(.notFood) }
    if !code.hasValidCheckDigit { flags.insert(.checkDigitInvalid) }
    return flags
  }

  /// `text` as it is, or cut between characters to what an event may hold.
  private func shortened(_ text: String, _ flags: inout CatalogFlags) -> String {
    guard text.utf8.count > Limits.shortTextByteCountMaximum else { return text }
    flags.insert(.textShortened)
    var byteCount = 0
    let end = text.indices.first { index in
      byteCount += text[index].utf8.count
      return byteCount > Limits.shortTextByteCountMaximum
    }
    return String(text[..<(end ?? text.endIndex)])
  }
}

extension MeasureText {
  /// The quantity of a pack: as its text states it, else only what its unit field tells.
  init?(pack text: String?, unit: String?) {
    if let text {
      let measure = MeasureText(text)
      if measure.isSureOfDimension {
        self = measure
        return
      }
    }
    guard let unit else { return nil }
    self.init("1 " + unit)
  }
}
