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
    "A6: energy that the nutrients can give is not noted [CATALOG-6]",
    arguments: [
      Numbers(
        "fibre among the carbohydrates", 200, fat: 2, carbohydrates: 60, protein: 15, fiber: 40),
      Numbers("fibre beside them", 169, fat: 1, carbohydrates: 10, protein: 5, fiber: 50),
      Numbers("polyols at 2.4 kcal a gram", 160, carbohydrates: 65, polyols: 65),
      Numbers("erythritol at nothing", 0, fat: 0, carbohydrates: 99, protein: 0, polyols: 99),
      Numbers("spirit", 230, fat: 0, carbohydrates: 0, protein: 0, alcohol: 33),
      Numbers("alcohol by volume", 230, fat: 0, carbohydrates: 0, protein: 0, alcoholByVolume: 40),
      Numbers("vinegar, its acid on no label", 21, fat: 0, carbohydrates: 0.6, protein: 0.4),
      Numbers("water with a trace", 1),
      Numbers("nothing but fat known", 300, fat: 2),
      // (20 × 9 + 30 × 4 + 10 × 4) = 340: 340 × 1.2 + 31.5 = 439.5, 340 ÷ 1.2 − 13.5 = 269.8.
      Numbers("just not too much", 439, fat: 20, carbohydrates: 30, protein: 10),
      Numbers("just not too little", 270, fat: 20, carbohydrates: 30, protein: 10),
      // A US label: 1 g of carbohydrates and 0 kcal in 15 g.
      Numbers("rounded", 0, fat: 0, carbohydrates: 6.67, protein: 0, serving: "1 Tbsp (15 g)"),
      // 5 kcal and 0 g of everything in 15 ml.
      Numbers("drops", 33, fat: 0, carbohydrates: 0, protein: 0, serving: "15 ml", per: "100ml"),
      Numbers("per serving", 31, fat: 0, carbohydrates: 0, protein: 0, per: "serving"),
    ])
  fileprivate func agreeing(numbers: Numbers) throws {
    let product = try imported(numbers.record)
    #expect(product.snapshot.nutrients[.energy] == numbers.kilocalories * 1000)
    #expect(!product.flags.contains(.energyMacrosMismatch))
  }

  @Test(
    "A6: energy that the nutrients cannot give is noted and kept [CATALOG-6]",
    arguments: [
      Numbers("less than the protein alone", 0, protein: 50),
      Numbers("more than all there is", 500, fat: 1, carbohydrates: 10, protein: 1),
      Numbers("a digit too many", 2674, fat: 53, carbohydrates: 42, protein: 6, fiber: 3),
      Numbers("more than fibre gives", 240, fat: 1, carbohydrates: 10, protein: 5, fiber: 50),
      Numbers("less than the rest gives", 50, fat: 2, carbohydrates: 60, protein: 15, fiber: 40),
      Numbers("more than polyols give", 400, fat: 0, carbohydrates: 65, protein: 0, polyols: 65),
      Numbers("less than the alcohol alone", 100, alcohol: 33),
      Numbers("just too much", 440, fat: 20, carbohydrates: 30, protein: 10),
      Numbers("just too little", 269, fat: 20, carbohydrates: 30, protein: 10),
      // The same as "rounded" above, but nothing says that it was rounded for 15 g.
      Numbers("no serving", 0, fat: 0, carbohydrates: 7.5, protein: 0),
      Numbers(
        "not its unit", 0, fat: 0, carbohydrates: 7.5, protein: 0, serving: "15 ml", pack: "90 g"),
      Numbers("a large serving", 0, fat: 0, carbohydrates: 7.5, protein: 0, serving: "250 g"),
      // Whoever eats 100 g of these mints has eaten more than nothing.
      Numbers("tiny serving", 388, fat: 0, carbohydrates: 0, protein: 0, serving: "0.49 g"),
      Numbers("per serving", 32, fat: 0, carbohydrates: 0, protein: 0, per: "serving"),
    ])
  fileprivate func disagreeing(numbers: Numbers) throws {
    let product = try imported(numbers.record)
    #expect(product.snapshot.nutrients[.energy] == numbers.kilocalories * 1000)
    #expect(product.flags.contains(.energyMacrosMismatch))
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

/// The numbers of a record about energy.
private struct Numbers: CustomTestStringConvertible {
  let testDescription: String
  let kilocalories: Int64
  let record: String

  init(
    _ kind: String, _ kilocalories: Int64, fat: Double? = nil, carbohydrates: Double? = nil,
    protein: Double? = nil, fiber: Double? = nil, polyols: Double? = nil, alcohol: Double? = nil,
    alcoholByVolume: Double? = nil, serving: String? = nil, pack: String? = nil,
    per basis: String = "100g"
  ) {
    testDescription = kind
    self.kilocalories = kilocalories
    let suffix = basis == "serving" ? "serving" : "100g"
    var fields = ["\"energy-kcal_\(suffix)\":\(kilocalories)"]
    for (name, grams) in [
      ("fat", fat), ("carbohydrates", carbohydrates), ("proteins", protein), ("fiber", fiber),
      ("polyols", polyols),
    ] {
      if let grams { fields.append("\"\(name)_\(suffix)\":\(grams)") }
    }
    if let alcohol { fields.append("\"alcohol_\(suffix)\":\(alcohol),\"alcohol_unit\":\"g\"") }
    if let alcoholByVolume { fields.append("\"alcohol_\(suffix)\":\(alcoholByVolume)") }
    var record = "{\"nutrition_data_per\":\"\(basis)\""
    if let serving { record += ",\"serving_size\":\"\(serving)\"" }
    if let pack { record += ",\"quantity\":\"\(pack)\"" }
    self.record = record + ",\"nutriments\":{\(fields.joined(separator: ","))}}"
  }
}
