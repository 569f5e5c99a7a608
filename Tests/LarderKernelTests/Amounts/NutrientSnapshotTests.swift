import LarderKernel
import Testing

@Suite("NutrientSnapshot")
struct NutrientSnapshotTests {
  // [AMT-1] [AMT-2] [AMT-3] [AMT-4]
  @Test("every pair of basis and unit follows the one division, rounding half up")
  func arithmetic() throws {
    func eaten(_ basis: Basis, _ serving: Quantity?, _ per: Int64, _ quantity: Quantity) throws
      -> Int64?
    {
      let snapshot = try NutrientSnapshot(
        basis: basis, serving: serving, nutrients: try NutrientAmounts([.fat: per]))
      return snapshot.amount(of: .fat, in: quantity)
    }
    let gram = try Quantity(30_000, .milligram)
    let millilitre = try Quantity(30_000, .microlitre)
    let servings = try Quantity(1500, .milliserving)
    let cup = try Quantity(45_000, .milligram)
    #expect(try eaten(.per100Grams, nil, 5, gram) == 2)  // 1.5 rounds up
    #expect(try eaten(.per100Grams, nil, 4, gram) == 1)  // 1.2
    #expect(try eaten(.per100Millilitres, nil, 5, millilitre) == 2)
    #expect(try eaten(.per100Grams, nil, 5, millilitre) == nil)
    #expect(try eaten(.per100Millilitres, nil, 5, gram) == nil)
    #expect(try eaten(.perServing, nil, 7, servings) == 11)  // 10.5 rounds up
    #expect(try eaten(.perServing, nil, 7, gram) == nil)
    #expect(try eaten(.perServing, cup, 7, gram) == 5)  // 4.67
    #expect(try eaten(.perServing, cup, 7, millilitre) == nil)
    #expect(try eaten(.per100Grams, cup, 520_000, servings) == 351_000)
    #expect(try eaten(.per100Grams, nil, 520_000, servings) == nil)
    #expect(try eaten(.per100Millilitres, cup, 5, servings) == nil)
  }

  // [AMT-1] [AMT-5]
  @Test("the largest values neither trap nor wrap: what passes the limit is unknown")
  func extremes() throws {
    let most = Limits.amountMaximum
    let snapshot = try NutrientSnapshot(
      basis: .per100Grams, serving: try Quantity(most, .milligram),
      nutrients: try NutrientAmounts([.fat: Limits.nutrientAmountMaximum, .salt: 1]))
    #expect(snapshot.amount(of: .fat, in: try Quantity(most, .milliserving)) == nil)
    #expect(snapshot.amount(of: .fat, in: try Quantity(most, .milligram)) == nil)
    #expect(snapshot.amount(of: .fat, in: try Quantity(1, .milligram)) == 10_000_000)
    #expect(snapshot.amount(of: .salt, in: try Quantity(most, .milliserving)) == 10_000_000_000)
    #expect(throws: KernelError.self) { try Quantity(0, .milligram) }
    #expect(throws: KernelError.self) { try Quantity(most + 1, .milligram) }
  }

  // [AMT-6]
  @Test("unknown is absent, never 0, and 0 is known")
  func unknown() throws {
    let snapshot = try NutrientSnapshot(
      basis: .per100Grams, serving: nil, nutrients: try NutrientAmounts([.sugars: 0]))
    let quantity = try Quantity(100_000, .milligram)
    #expect(snapshot.eaten(quantity).map(\.number) == [Nutrient.sugars.rawValue])
    #expect(snapshot.amount(of: .sugars, in: quantity) == 0)
    #expect(snapshot.amount(of: .fat, in: quantity) == nil)
  }
}
