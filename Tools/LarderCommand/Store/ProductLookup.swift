// Products by code, and what a person should be told about one before trusting its numbers.

import Larder
import LarderCatalog

enum ProductLookup {
  /// The code somebody typed.
  static func code(_ typed: String) throws(CommandError) -> ProductCode {
    do throws(KernelError) {
      return try ProductCode(typed)
    } catch {
      throw CommandError.usage(
        .invalidArgument, "\(CommandError.quoted(typed)) is not a product code",
        hint: "a code is the digits below a barcode: 8, 12, 13 or 14 of them")
    }
  }

  /// The product of a code; a code that is not there is told apart from one that was misread.
  static func product(
    _ code: ProductCode, typed: String, in catalog: borrowing Catalog
  ) throws(CommandError) -> CatalogProduct {
    let found: CatalogProduct?
    do throws(CatalogError) {
      found = try catalog.product(code: code)
    } catch {
      throw CommandError(error)
    }
    if let found { return found }
    guard code.hasValidCheckDigit else {
      throw CommandError(
        .badCheckDigit,
        "\(CommandError.quoted(typed)) is not in the catalog, and its check digit is wrong",
        hint: "look at the digits below the barcode once more", exit: .notFound)
    }
    throw CommandError(
      .notFound, "\(CommandError.quoted(typed)) is not in the catalog",
      hint: "`larder catalog search WORDS` finds foods by name; --numbers or --unknown records it "
        + "all the same", exit: .notFound)
  }

  /// What should be said besides the numbers.
  static func warnings(_ product: CatalogProduct, code: ProductCode?) -> [Warning] {
    var warnings: [Warning] = []
    if let code, !code.hasValidCheckDigit {
      warnings.append(
        Warning(
          code: "check_digit_invalid",
          message: "the check digit of \(code.canonical) is wrong, yet the catalog has it"))
    }
    let doubtful = product.flags.flags.filter { doubts.contains($0) }
    if !doubtful.isEmpty {
      let names = doubtful.map(\.name).joined(separator: ", ")
      warnings.append(
        Warning(
          code: "numbers_doubtful",
          message: "the catalog's numbers of \(product.code.canonical) are doubtful: \(names)"))
    }
    return warnings
  }

  /// Flags after which a number may be wrong, not merely derived.
  private static let doubts: Set<CatalogFlag> = [
    .kcalFieldHoldsKj, .kjFieldHoldsKcal, .energySwapped, .energyMismatch, .energyImplausible,
    .macrosImplausible, .energyMacrosMismatch, .saltSodiumMismatch, .servingContradiction,
    .servingImplausible, .valueOutOfRange, .noNutritionContradicted,
  ]
}
