import LarderCatalog
import LarderCatalogImport
import LarderKernel
import Testing

@Suite("Energy of a record")
struct EnergyTests {
  private func energy(_ record: String) throws -> Int64? {
    try imported(record).snapshot.nutrients[.energy]
  }

  @Test("the kcal field is used, in small calories")
  func plain() throws {
    let product = try imported("{\"nutriments\":{\"energy-kcal_100g\":412.5,\"energy_100g\":1726}}")
    #expect(product.snapshot.nutrients[.energy] == 412_500)
    #expect(product.fields == [.init(nutrient: .energy, field: "energy-kcal_100g")])
  }

  @Test("A1: a kcal field that holds the kJ gives way to the kcal that was typed")
  func kcalFieldHoldsKj() throws {
    let product = try imported(
      """
      {"code":"5000123456789","nutrition_data_per":"100g","nutriments":{"energy-kcal_value":180,\
      "energy-kcal_100g":753,"energy_100g":753,"fat_100g":8,"carbohydrates_100g":22,\
      "proteins_100g":5}}
      """)
    #expect(product.snapshot.nutrients[.energy] == 180_000)
    #expect(product.flags.contains(.kcalFieldHoldsKj))
    #expect(product.flags.flags.map(\.name).contains("kcal_field_holds_kj"))
    #expect(product.fields.contains(.init(nutrient: .energy, field: "energy-kcal_value")))
  }

  @Test("equal numbers in both fields are told apart by the macros, else taken for kJ")
  func equalNumbers() throws {
    let macros = "\"fat_100g\":30,\"carbohydrates_100g\":50,\"proteins_100g\":10"
    let kcalIsRight = try imported(
      "{\"nutriments\":{\"energy-kcal_100g\":510,\"energy-kj_100g\":510,\(macros)}}")
    #expect(kcalIsRight.snapshot.nutrients[.energy] == 510_000)
    #expect(kcalIsRight.flags.contains(.kjFieldHoldsKcal))
    let kjIsRight = try imported(
      "{\"nutriments\":{\"energy-kcal_100g\":2134,\"energy-kj_100g\":2134,\(macros)}}")
    #expect(kjIsRight.snapshot.nutrients[.energy] == 510_038)
    #expect(kjIsRight.flags.contains(.kcalFieldHoldsKj))
    let unknown = try imported(
      "{\"nutriments\":{\"energy-kcal_100g\":753,\"energy-kj_100g\":753}}")
    #expect(unknown.snapshot.nutrients[.energy] == 179_971)
    #expect(unknown.flags.contains(.kcalFieldHoldsKj))
    #expect(try energy("{\"nutriments\":{\"energy-kcal_100g\":0,\"energy_100g\":0}}") == 0)
  }

  @Test("A2: kcal and kJ in each other's field are read the other way round")
  func swapped() throws {
    let product = try imported(
      "{\"nutriments\":{\"energy-kj_100g\":90,\"energy-kcal_100g\":377}}")
    #expect(product.snapshot.nutrients[.energy] == 90_000)
    #expect(product.flags.contains(.energySwapped))
    #expect(product.fields == [.init(nutrient: .energy, field: "energy-kj_100g as kcal")])
  }

  @Test("kcal and kJ that disagree without a reason are noted, and kcal is kept")
  func mismatch() throws {
    let product = try imported(
      "{\"nutriments\":{\"energy-kj_100g\":1000,\"energy-kcal_100g\":400}}")
    #expect(product.snapshot.nutrients[.energy] == 400_000)
    #expect(product.flags.contains(.energyMismatch))
  }

  @Test("A3: kJ alone is divided by 4.184 and rounded once, and says so")
  func fromKilojoules() throws {
    let product = try imported("{\"nutriments\":{\"energy_100g\":1637}}")
    #expect(product.snapshot.nutrients[.energy] == 391_252)
    #expect(product.fields == [.init(nutrient: .energy, field: "energy_100g/4.184")])
    #expect(product.flags.contains(.energyFromKj))
  }

  @Test("A4: a dash in the kJ box hides no kcal")
  func dash() throws {
    let product = try imported(
      "{\"nutriments\":{\"energy-kj_modifier\":\"-\",\"energy-kcal_100g\":412}}")
    #expect(product.snapshot.nutrients[.energy] == 412_000)
    #expect(!product.flags.contains(.valueUnreadable))
  }

  @Test("A5: energy of the prepared product is never that of the product as sold [CATALOG-4]")
  func prepared() throws {
    let product = try imported("{\"nutriments\":{\"energy-kcal_prepared_100g\":61}}")
    #expect(product.snapshot.nutrients.isEmpty)
    #expect(product.flags.contains(.preparedOnly))
    #expect(!product.flags.contains(.noNutrition))
  }

  @Test(
    "A6: energy that the nutrients cannot give is noted, with room for rounding, polyols and fibre",
    arguments: [
      ("\"energy-kcal_100g\":160,\"carbohydrates_100g\":65,\"polyols_100g\":65", false),
      ("\"energy-kcal_100g\":1,\"energy-kj_100g\":6", false),
      ("\"energy-kcal_100g\":0,\"proteins_100g\":50", true),
      (
        "\"energy-kcal_100g\":200,\"fat_100g\":2,\"carbohydrates_100g\":60,\"fiber_100g\":40,"
          + "\"proteins_100g\":15", false
      ),
      (
        "\"energy-kcal_100g\":500,\"fat_100g\":1,\"carbohydrates_100g\":10,\"proteins_100g\":1",
        true
      ),
      (
        "\"energy-kcal_100g\":230,\"alcohol_100g\":40,\"fat_100g\":0,\"carbohydrates_100g\":0,"
          + "\"proteins_100g\":0", false
      ),
    ])
  func atwater(nutriments: String, isFlagged: Bool) throws {
    let product = try imported("{\"nutriments\":{\(nutriments)}}")
    #expect(product.flags.contains(.energyMacrosMismatch) == isFlagged)
    #expect(product.snapshot.nutrients[.energy] != nil)
  }

  @Test("absurd values are noted and kept, impossible ones dropped")
  func absurd() throws {
    let truffles = try imported("{\"nutriments\":{\"energy-kcal_100g\":2674}}")
    #expect(truffles.snapshot.nutrients[.energy] == 2_674_000)
    #expect(truffles.flags.contains(.energyImplausible))
    let heavy = try imported(
      "{\"nutriments\":{\"fat_100g\":60,\"carbohydrates_100g\":40,\"proteins_100g\":6}}")
    #expect(heavy.flags.contains(.macrosImplausible))
    let impossible = try imported(
      "{\"nutriments\":{\"energy-kcal_100g\":1e15,\"fat_100g\":-3,\"proteins_100g\":4}}")
    #expect(impossible.snapshot.nutrients[.energy] == nil)
    #expect(impossible.snapshot.nutrients[.fat] == nil)
    #expect(impossible.snapshot.nutrients[.protein] == 4_000_000)
    #expect(impossible.flags.contains(.valueOutOfRange))
  }

  @Test("a typed kcal beats a kJ field, for its own basis only")
  func typed() throws {
    let nutriments =
      "\"energy_value\":160,\"energy_unit\":\"kcal\",\"energy_100g\":669"
    #expect(
      try energy("{\"nutrition_data_per\":\"100g\",\"nutriments\":{\(nutriments)}}") == 160_000)
    #expect(
      try energy("{\"nutrition_data_per\":\"serving\",\"nutriments\":{\(nutriments)}}")
        == 159_895)
  }
}
