import LarderCatalog
import LarderCatalogImport
import LarderKernel
import Testing

@Suite("Numbers of a record")
struct NumbersTests {
  @Test("A8: each field is read on its own, and a bad one loses itself only")
  func tolerant() throws {
    let product = try imported(
      """
      {"nutriments":{"fat_100g":"3.5","sugars_100g":"","proteins_100g":"traces","salt_100g":null,\
      "carbohydrates_100g":[1],"fiber_100g":{"a":1},"starch_100g":true,"iron_100g":"0,0021"},\
      "serving_quantity":"30","product_name":7,"brands":["a"],"rev":"11"}
      """)
    let nutrients = product.snapshot.nutrients
    #expect(nutrients[.fat] == 3_500_000)
    #expect(nutrients[.iron] == 2100)
    #expect(nutrients.elements.count == 2)
    #expect(product.flags.contains(.valueUnreadable))
    #expect(product.snapshot.serving == nil)
    #expect(product.flags.contains(.servingUnknown))
    #expect(product.revision.number == 11)
    #expect(product.brand == nil)
    #expect(product.shownName([]) == "7")
  }

  @Test("K5: a limit is kept as a limit and is no value")
  func limits() throws {
    let product = try imported(
      """
      {"nutriments":{"fat_100g":"<0,5","fiber_100g":1,"fiber_modifier":"<","sugars_100g":2,\
      "sugars_modifier":"~","proteins_100g":9,"proteins_modifier":"-","salt_100g":">1"}}
      """)
    #expect(product.snapshot.nutrients.elements.map(\.number) == [Nutrient.sugars.rawValue])
    #expect(product.upperLimits[.fat] == 500_000)
    #expect(product.upperLimits[.fiber] == 1_000_000)
    #expect(product.upperLimits.elements.count == 2)
    #expect(product.flags.contains(.valueIsLimit))
    #expect(product.flags.contains(.valueApproximate))
    #expect(!product.flags.contains(.noNutrition))
  }

  @Test("A7: salt and sodium are kept as given, and one is derived only where the other is missing")
  func salt() throws {
    let both = try imported("{\"nutriments\":{\"salt_100g\":1.2,\"sodium_100g\":0.00048}}")
    #expect(both.snapshot.nutrients[.salt] == 1_200_000)
    #expect(both.snapshot.nutrients[.sodium] == 480)
    #expect(both.flags.contains(.saltSodiumMismatch))
    let sodium = try imported("{\"nutriments\":{\"sodium_100g\":0.4}}")
    #expect(sodium.snapshot.nutrients[.salt] == 1_000_000)
    #expect(sodium.flags.contains(.saltDerived))
    #expect(sodium.fields.contains(.init(nutrient: .salt, field: "sodium*2.5")))
    let salt = try imported("{\"nutriments\":{\"salt_100g\":1}}")
    #expect(salt.snapshot.nutrients[.sodium] == 400_000)
    #expect(salt.flags.contains(.sodiumDerived))
  }

  @Test("A15: float noise makes no other number")
  func noise() throws {
    let plain = try imported("{\"nutriments\":{\"carbohydrates_100g\":2.9}}")
    let noisy = try imported("{\"nutriments\":{\"carbohydrates_100g\":2.9000000953674}}")
    #expect(plain.snapshot.nutrients[.carbohydrates] == 2_900_000)
    #expect(plain == noisy)
  }

  @Test("D6: masses are in grams whatever the label's unit, trace nutrients in nanograms")
  func masses() throws {
    let product = try imported(
      """
      {"nutriments":{"vitamin-b12_100g":0.0000024,"vitamin-b12_unit":"µg",\
      "vitamin-d_100g":1.0725e-05,"vitamin-pp_100g":0.016,"folates_100g":0.0002,\
      "calcium_100g":0.12,"calcium_value":120,"calcium_unit":"mg",\
      "vitamin-b9_100g":0.0003,"iron_100g":4.999999999999999e-7}}
      """)
    let nutrients = product.snapshot.nutrients
    #expect(nutrients[.vitaminB12] == 2400)
    #expect(nutrients[.vitaminD] == 10_725)
    #expect(nutrients[.niacin] == 16_000)
    #expect(nutrients[.folate] == 300_000)
    #expect(nutrients[.calcium] == 120_000)
    #expect(nutrients[.iron] == 0)
  }

  @Test("rounding is half up, once, from the digits as written")
  func rounding() throws {
    let product = try imported(
      """
      {"nutriments":{"fat_100g":0.0000005,"sugars_100g":0.00000049999999999999999999999,\
      "fiber_100g":1.0000015,"proteins_100g":1.0000014999}}
      """)
    let nutrients = product.snapshot.nutrients
    #expect(nutrients[.fat] == 1)
    #expect(nutrients[.sugars] == 0)
    #expect(nutrients[.fiber] == 1_000_002)
    #expect(nutrients[.protein] == 1_000_001)
  }

  @Test("alcohol is a share of the volume, so it has a mass in 100 ml alone")
  func alcohol() throws {
    let wine = try imported(
      "{\"quantity\":\"75 cl\",\"nutriments\":{\"alcohol_100g\":12.5,\"alcohol_unit\":\"% vol\"}}")
    #expect(wine.snapshot.basis == .per100Millilitres)
    #expect(wine.snapshot.nutrients[.alcohol] == 9_862_500)
    let praline = try imported(
      "{\"quantity\":\"200 g\",\"nutriments\":{\"alcohol_100g\":5,\"fat_100g\":30}}")
    #expect(praline.snapshot.nutrients[.alcohol] == nil)
    #expect(praline.flags.contains(.unitUnknown))
    let weighed = try imported(
      "{\"quantity\":\"200 g\",\"nutriments\":{\"alcohol_100g\":5,\"alcohol_unit\":\"g\"}}")
    #expect(weighed.snapshot.nutrients[.alcohol] == 5_000_000)
  }

  @Test("A14: the new shape is read by its units, and an unknown basis stays unknown")
  func sets() throws {
    let unknown = try imported(
      """
      {"schema_version":1003,"nutrition":{"aggregated_set":{"per":"100g","preparation":"as_sold",\
      "nutrients":{"energy-kcal":{"value":412,"unit":"kcal","source_per":"100kj"}}}}}
      """)
    #expect(unknown.snapshot.nutrients.isEmpty)
    #expect(unknown.flags.contains(.basisUnknown))
    let drink = try imported(
      """
      {"schema_version":1003,"nutrition":{"aggregated_set":{"per":"100ml","preparation":"as_sold",\
      "nutrients":{"energy-kj":{"value":180,"unit":"kJ","source_per":"100ml"},\
      "caffeine":{"value":32,"unit":"mg"},"vitamin-b12":{"value":0.5,"unit":"µg"},\
      "sugars":{"value":4.9,"unit":"g"},"fat":{"value":0.5,"unit":"g","modifier":"<"},\
      "salt":{"value":3,"unit":"spoons"},"proteins":{"value":1,"unit":"g","source":"estimate"}}}}}
      """)
    let nutrients = drink.snapshot.nutrients
    #expect(drink.snapshot.basis == .per100Millilitres)
    #expect(nutrients[.energy] == 43_021)
    #expect(nutrients[.caffeine] == 32_000)
    #expect(nutrients[.vitaminB12] == 500)
    #expect(nutrients[.sugars] == 4_900_000)
    #expect(nutrients[.salt] == nil && nutrients[.protein] == nil)
    #expect(drink.upperLimits[.fat] == 500_000)
    #expect(drink.flags.contains(.unitUnknown) && drink.flags.contains(.estimateIgnored))
    #expect(
      drink.fields.contains(
        .init(nutrient: .energy, field: "nutrition.aggregated_set.energy-kj/4.184")))
  }

  @Test("input sets stand in for a missing or prepared aggregate, estimates never")
  func inputSets() throws {
    let product = try imported(
      """
      {"schema_version":1004,"nutrition":{"aggregated_set":{"per":"100g","preparation":"prepared",\
      "nutrients":{"fat":{"value":1,"unit":"g"}}},"input_sets":[{"source":"estimate","per":"100g",\
      "preparation":"as_sold","nutrients":{"fat":{"value":2,"unit":"g"}}},{"source":"packaging",\
      "per":"serving","preparation":"as_sold","nutrients":{"fat":{"value":3,"unit":"g"}}}]}}
      """)
    #expect(product.snapshot.basis == .perServing)
    #expect(product.snapshot.nutrients[.fat] == 3_000_000)
    #expect(product.flags.contains(.estimateIgnored))
  }

  @Test("the schema version decides which shape is read")
  func schemaVersion() throws {
    let nutrition =
      "\"nutrition\":{\"aggregated_set\":{\"per\":\"100g\",\"nutrients\":{\"fat\":{\"value\":1}}}}"
    let nutriments = "\"nutriments\":{\"fat_100g\":2}"
    func fat(_ fields: String) throws -> Int64? {
      try imported("{\(fields)}").snapshot.nutrients[.fat]
    }
    #expect(try fat("\"schema_version\":1003,\(nutrition),\(nutriments)") == 1_000_000)
    #expect(try fat("\"schema_version\":1002,\(nutrition),\(nutriments)") == 2_000_000)
    #expect(try fat("\(nutrition),\(nutriments)") == 2_000_000)
    #expect(try fat("\"schema_version\":1003,\(nutriments)") == 2_000_000)
  }
}
