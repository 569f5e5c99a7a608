import Foundation
import LarderCatalog
import LarderCatalogImport
import LarderKernel
import Testing

/// The real extract, where the folder of test data is: `$LARDER_TEST_DATA`, else `../shared/data`.
private enum RealDump {
  static let path: String? = {
    let folder = ProcessInfo.processInfo.environment["LARDER_TEST_DATA"] ?? "../shared/data"
    let path = folder + "/off/products-real.jsonl.gz"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The products, installed once for all tests.
  static let store = Result {
    let store = try TestStore()
    try store.install(path ?? "")
    return store
  }
}

@Suite(
  "A real dump",
  .enabled(
    if: RealDump.path != nil,
    "no off/products-real.jsonl.gz in $LARDER_TEST_DATA or ../shared/data"))
struct RealDumpTests {
  private func product(_ code: String) throws -> CatalogProduct {
    try #require(try RealDump.store.get().product(code))
  }

  private func flags(_ code: String) throws -> Set<CatalogFlag> {
    Set(try product(code).flags.flags)
  }

  @Test("each of the 716 records is accounted for")
  func accounting() throws {
    let status = try RealDump.store.get().status()
    #expect(status.recordCount == 716)
    #expect(status.productCount == 716)
    #expect(status.duplicateCount == 0)
    #expect(status.setAsideCount == 0)
    #expect(status.newestModifiedAt == 1_729_885_854)
    // Counted in the file by other means.
    #expect(status.flagCounts[.nameMissing] == 13)
    #expect(status.flagCounts[.checkDigitInvalid] == 3)
    #expect(status.flagCounts[.energyFromKj] == 7)
    #expect(status.flagCounts[.energyImplausible] == 2)
    #expect(status.flagCounts[.macrosImplausible] == 2)
    #expect(status.flagCounts[.energyMacrosMismatch] == 56)
    #expect(status.flagCounts[.perServingOnly] == 4)
    #expect(status.flagCounts[.noNutritionContradicted] == 1)
    #expect(status.flagCounts[.servingContradiction] == 6)
    #expect(status.flagCounts[.valueIsLimit] == 7)
    #expect(status.flagCounts[.servingUnknown] == nil)
  }

  @Test("the same file again changes nothing")
  func again() throws {
    let store = try RealDump.store.get()
    guard case .sameFile(let install) = try store.install(RealDump.path ?? "") else {
      Issue.record("installed again")
      return
    }
    #expect(install.recordCount == 716)
  }

  @Test("a spread per 100 g")
  func spread() throws {
    let spread = try product("0000101209159")
    #expect(spread.shownName(["en"]) == "Véritable pâte à tartiner noisettes chocolat noir")
    #expect(spread.brand == "Bovetti")
    #expect(spread.revision == .init(modifiedAt: 1_682_726_341, number: 17))
    #expect(spread.snapshot.basis == .per100Grams)
    let nutrients = spread.snapshot.nutrients
    #expect(nutrients[.energy] == 617_000)
    #expect(nutrients[.fat] == 48_000_000)
    #expect(nutrients[.saturatedFat] == 10_000_000)
    #expect(nutrients[.carbohydrates] == 36_000_000)
    #expect(nutrients[.sugars] == 32_000_000)
    #expect(nutrients[.protein] == 8_000_000)
    #expect(nutrients[.salt] == 10_000)
    #expect(nutrients[.sodium] == 4000)
    #expect(nutrients[.fiber] == nil)
    #expect(spread.flags.isEmpty)
    let eaten = try Quantity(30_000, .milligram)
    #expect(spread.snapshot.amount(of: .energy, in: eaten) == 185_100)
  }

  @Test(
    "energy in kJ only is divided once",
    arguments: [
      ("0000204286484", 366_396, "energy-kj_100g/4.184"),
      ("0000470322800", 392_925, "energy-kj_100g/4.184"),
      ("00011815", 473_470, "energy-kj_100g/4.184"),
    ])
  func kilojoules(code: String, energy: Int64, field: String) throws {
    let product = try product(code)
    #expect(product.snapshot.nutrients[.energy] == energy)
    #expect(product.fields.contains(.init(nutrient: .energy, field: field)))
    #expect(product.flags.contains(.energyFromKj))
  }

  @Test("numbers per serving stay numbers per serving")
  func perServing() throws {
    let macarons = try product("0008563994606")
    #expect(macarons.snapshot.basis == .perServing)
    #expect(macarons.snapshot.serving == nil)
    #expect(macarons.snapshot.nutrients[.energy] == 160_000)
    #expect(macarons.snapshot.nutrients[.salt] == 25_400)
    #expect(macarons.snapshot.nutrients[.fiber] == nil)
    #expect(macarons.upperLimits[.fiber] == 1_000_000)
    let seasoning = try product("00010474")
    #expect(seasoning.snapshot.basis == .perServing)
    #expect(seasoning.snapshot.serving == (try Quantity(700, .milligram)))
    #expect(seasoning.snapshot.nutrients[.energy] == 0)
    #expect(seasoning.snapshot.nutrients[.sodium] == 20_000)
  }

  @Test("a limit and dashes are no values")
  func modifiers() throws {
    let pickles = try product("0009300000383")
    #expect(pickles.snapshot.nutrients[.carbohydrates] == nil)
    #expect(pickles.upperLimits[.carbohydrates] == 3_530_000)
    #expect(pickles.snapshot.nutrients[.sugars] == nil)
    #expect(pickles.snapshot.serving == (try Quantity(28_000, .milligram)))
    let spices = try product("0000800000002")
    #expect(spices.snapshot.nutrients[.fiber] == nil)
    #expect(spices.snapshot.nutrients[.energy] == 346_000)
    #expect(spices.flags.isEmpty)
  }

  @Test("servings come from the text, also where the stored number contradicts it or is missing")
  func servings() throws {
    let expected: [(String, Int64, Bool)] = [
      ("00009034", 40_000, true), ("0003383900585", 40_000, true), ("0000417012009", 25_000, false),
      ("0008725221618", 40_000, true), ("00011754", 22_500, false),
      ("0000105000363", 30_000, false),
    ]
    for (code, milligrams, isContradicted) in expected {
      let product = try product(code)
      #expect(product.snapshot.serving == (try Quantity(milligrams, .milligram)))
      #expect(product.flags.contains(.servingContradiction) == isContradicted)
    }
  }

  @Test("trace nutrients keep their digits, without float noise")
  func traces() throws {
    let spread = try product("0000111301201")
    #expect(spread.snapshot.nutrients[.vitaminD] == 10_725)
    #expect(spread.snapshot.nutrients[.vitaminA] == 1_071_300)
  }

  @Test("absurd numbers are kept and marked")
  func absurd() throws {
    #expect(try product("0009542011345").snapshot.nutrients[.energy] == 2_674_000)
    #expect(try flags("0009542011345") == [.energyImplausible, .energyMacrosMismatch])
    #expect(try flags("0008274333381").contains(.energyImplausible))
    #expect(try flags("0000105000073").contains(.macrosImplausible))
    #expect(try flags("0008725247045").contains(.macrosImplausible))
    #expect(try flags("0000105000011") == [.energyMacrosMismatch])
    #expect(try flags("0002983542515") == [.energyFromKj, .noNutritionContradicted])
  }

  @Test("codes whose check digit fails are found, and say so")
  func checkDigits() throws {
    for code in ["00002220", "00012444", "00013029"] {
      #expect(try flags(code).contains(.checkDigitInvalid))
    }
    #expect(try product("2220").code.canonical == "00002220")
  }

  @Test("a drink sold by volume has numbers per 100 ml")
  func volume() throws {
    #expect(try product("0000886100252").snapshot.basis == .per100Millilitres)
    #expect(try product("0008725221618").snapshot.basis == .per100Grams)
  }

  @Test("a name is found by its beginning, without accents")
  func search() throws {
    let catalog = try Catalog.open(try RealDump.store.get().location)
    let matches = try catalog.search("veritable pate a tart", languages: ["fr"], limit: 5)
    #expect(matches.first?.product.code.canonical == "0000101209159")
    #expect(matches.first?.fit == .prefix)
  }
}
