import Foundation
import LarderCatalog
import LarderCatalogImport
import LarderKernel
import Testing

@Suite("Servings and bases of a record")
struct ServingTests {
  private func serving(_ fields: String) throws -> (Quantity?, CatalogFlags) {
    let product = try imported("{\(fields)}")
    return (product.snapshot.serving, product.flags)
  }

  @Test(
    "D9: the text's mass or volume is the serving",
    arguments: [
      ("3 tbsp (45 g)", 45_000, "mg"), ("17,1 g", 17_100, "mg"), ("22,5 g", 22_500, "mg"),
      ("40 g (11.2 oz)", 40_000, "mg"), ("1 ONZ (28 g)", 28_000, "mg"),
      ("8 OZA (240 ml)", 240_000, "ul"), ("0.33 can (85 g)", 85_000, "mg"),
      ("1/2 cup (71 g)", 71_000, "mg"), ("100 g (100 GRM)", 100_000, "mg"),
      ("17 PIECES | ABOUT (40 g)", 40_000, "mg"), ("25 g (0.25 BAR)", 25_000, "mg"),
      ("355 ml (12 fl oz)", 355_000, "ul"), ("30.0g", 30_000, "mg"),
      ("4 Pieces (40g)", 40_000, "mg"),
      ("1 slice 1 oz / 28 g", 28_000, "mg"), ("8 chips 1 oz/28 g", 28_000, "mg"),
      ("3 \" X 3\" PC (46 g)", 46_000, "mg"), ("28 g (0.5 CUP) | ()", 28_000, "mg"),
      ("9 PC'S (30 g)", 30_000, "mg"), ("0,164 kg", 164_000, "mg"), ("1 l.", 1_000_000, "ul"),
      ("33cl", 330_000, "ul"), ("2 x 15 g", 30_000, "mg"), ("6 × 0,33 l", 1_980_000, "ul"),
      ("1 oz", 28_350, "mg"), ("1 1/2 oz", 42_524, "mg"), ("8 fl oz", 236_588, "ul"),
      ("16 fl. oz (1 pt) 473 mL", 473_000, "ul"), ("250 mg", 250, "mg"), ("30 г", 30_000, "mg"),
      ("250 мл", 250_000, "ul"), ("１００ g", 100_000, "mg"), ("٣٠ g", 30_000, "mg"),
      ("100 克", 100_000, "mg"), ("1 lb", 453_592, "mg"),
    ])
  func stated(text: String, value: Int64, unit: String) throws {
    let escaped = text.replacingOccurrences(of: "\"", with: "\\\"")
    let (serving, flags) = try serving("\"serving_size\":\"\(escaped)\"")
    #expect(serving?.value == value)
    #expect(serving?.unit.name == unit)
    #expect(
      flags.contains(.servingContradiction) == (text == "40 g (11.2 oz)"))
  }

  @Test(
    "D9: what states no mass or volume is no size",
    arguments: [
      "30", "1", "1 bar", "1 cup", "2 glasses", "1,050 g", "0 g", "1e9 g", "g", "2 gb", "",
    ])
  func unstated(text: String) throws {
    let (serving, _) = try serving("\"serving_size\":\"\(text)\"")
    #expect(serving == nil)
  }

  @Test("a stored quantity counts only with its unit, and only where the text has none")
  func stored() throws {
    let (withUnit, _) = try serving(
      "\"serving_size\":\"30\",\"serving_quantity\":\"30\",\"serving_quantity_unit\":\"g\"")
    #expect(withUnit == (try Quantity(30_000, .milligram)))
    let (bare, flags) = try serving("\"serving_size\":\"30\",\"serving_quantity\":30")
    #expect(bare == nil)
    #expect(flags.contains(.servingUnknown))
    let (millilitres, _) = try serving(
      "\"serving_quantity\":5,\"serving_quantity_unit\":\"ml\"")
    #expect(millilitres == (try Quantity(5000, .microlitre)))
  }

  @Test("a stored quantity that contradicts the text is noted, and the text wins")
  func contradiction() throws {
    let (serving, flags) = try serving(
      "\"serving_size\":\"1 bag (6 g)\",\"serving_quantity\":56.7")
    #expect(serving == (try Quantity(6000, .milligram)))
    #expect(flags.contains(.servingContradiction))
    let (rounded, rest) = try self.serving(
      "\"serving_size\":\"28 g (1 oz)\",\"serving_quantity\":28.349523125")
    #expect(rounded == (try Quantity(28_000, .milligram)))
    #expect(!rest.contains(.servingContradiction))
    let (_, unit) = try self.serving(
      "\"serving_size\":\"2 ONZ (15 ml)\",\"serving_quantity\":15,\"serving_quantity_unit\":\"g\"")
    #expect(unit.contains(.servingContradiction))
  }

  @Test("numbers derived from a contradicted serving give way to those typed per serving")
  func derivedFromContradiction() throws {
    let product = try imported(
      """
      {"nutrition_data_per":"serving","serving_size":"40 g (11.2 oz)","serving_quantity":317.5,\
      "nutriments":{"energy-kcal_100g":56.7,"energy-kcal_serving":180}}
      """)
    #expect(product.snapshot.basis == .perServing)
    #expect(product.snapshot.nutrients[.energy] == 180_000)
    let grams = try Quantity(20_000, .milligram)
    #expect(product.snapshot.amount(of: .energy, in: grams) == 90_000)
  }

  @Test("D1: a serving in spoons with a mass scales from the numbers per 100 g")
  func spoons() throws {
    let product = try imported(
      "{\"serving_size\":\"3 tbsp (45 g)\",\"nutriments\":{\"energy-kcal_100g\":520}}")
    let one = try Quantity(1000, .milliserving)
    #expect(product.snapshot.amount(of: .energy, in: one) == 234_000)
  }

  @Test(
    "D2: plain numbers follow nutrition_data_per and never become numbers per 100 g [CATALOG-4]")
  func plainNumbers() throws {
    let serving = try imported(
      """
      {"nutrition_data_per":"serving","nutriments":{"proteins":6,"proteins_serving":6,"fat":2}}
      """)
    #expect(serving.snapshot.basis == .perServing)
    #expect(serving.snapshot.nutrients[.protein] == 6_000_000)
    #expect(serving.snapshot.nutrients[.fat] == 2_000_000)
    #expect(serving.flags.contains(.perServingOnly))
    let grams = try Quantity(100_000, .milligram)
    #expect(serving.snapshot.amount(of: .protein, in: grams) == nil)
    let hundred = try imported("{\"nutrition_data_per\":\"100g\",\"nutriments\":{\"proteins\":6}}")
    #expect(hundred.snapshot.basis == .per100Grams)
    #expect(hundred.snapshot.nutrients[.protein] == 6_000_000)
    let unknown = try imported("{\"nutriments\":{\"proteins\":6}}")
    #expect(unknown.snapshot.nutrients.isEmpty)
    #expect(unknown.flags.contains(.basisUnknown))
  }

  @Test("D3: numbers per serving without a size are loggable as servings alone")
  func noSize() throws {
    let product = try imported(
      """
      {"serving_quantity":null,"serving_size":"1 bar","nutriments":{"proteins_serving":10}}
      """)
    #expect(product.snapshot.basis == .perServing)
    #expect(product.snapshot.serving == nil)
    let one = try Quantity(1000, .milliserving)
    #expect(product.snapshot.amount(of: .protein, in: one) == 10_000_000)
    let grams = try Quantity(30_000, .milligram)
    #expect(product.snapshot.amount(of: .protein, in: grams) == nil)
  }

  @Test("D8: millilitres and grams are told apart and never stand for each other")
  func volumeAndMass() throws {
    let oil = try imported(
      """
      {"quantity":"0,75 l","nutrition_data_per":"100g","nutriments":{"energy-kcal_100g":828}}
      """
    )
    #expect(oil.snapshot.basis == .per100Millilitres)
    let grams = try Quantity(15_000, .milligram)
    let millilitres = try Quantity(15_000, .microlitre)
    #expect(oil.snapshot.amount(of: .energy, in: grams) == nil)
    #expect(oil.snapshot.amount(of: .energy, in: millilitres) == 124_200)
  }

  @Test(
    "whether 100 means grams or millilitres",
    arguments: [
      ("\"nutrition_data_per\":\"100ml\"", "100ml"),
      ("\"nutrition_data_per\":\"100g\"", "100g"),
      ("\"nutrition_data_per\":\"100g\",\"product_quantity_unit\":\"ml\"", "100ml"),
      ("\"nutrition_data_per\":\"100g\",\"quantity\":\"33cl\"", "100ml"),
      ("\"nutrition_data_per\":\"100g\",\"quantity\":\"350 g\",\"serving_size\":\"15 ml\"", "100g"),
      ("\"nutrition_data_per\":\"100g\",\"serving_size\":\"4 Tbsp (60 ml)\"", "100ml"),
      (
        "\"nutrition_data_per\":\"100g\",\"quantity\":\"8 oz\",\"serving_size\":\"240 ml\"", "100ml"
      ),
      ("\"nutrition_data_per\":\"serving\",\"quantity\":\"1 l\",\"serving_size\":\"30 g\"", "100g"),
      ("\"nutrition_data_per\":\"serving\",\"serving_size\":\"30 ml\"", "100ml"),
      ("\"quantity\":\"16 oz (1 pt) 473 ml\"", "100ml"),
    ])
  func basis(fields: String, expected: String) throws {
    let product = try imported("{\(fields),\"nutriments\":{\"fat_100g\":1}}")
    #expect(product.snapshot.basis.name == expected)
  }

  @Test("A16: a serving that no food could be is noted")
  func implausible() throws {
    let product = try imported(
      "{\"serving_size\":\"250 mg\",\"nutriments\":{\"energy-kcal_serving\":105}}")
    #expect(product.snapshot.serving == (try Quantity(250, .milligram)))
    #expect(product.flags.contains(.servingImplausible))
  }
}
