// How much of a nutrient an amount of food has.

import LarderKernel

enum AmountVectors {
  /// The basis, the serving, the nutrient per basis, the amount eaten.
  private typealias Sum = (
    basis: Basis, serving: (Int64, QuantityUnit)?, per: Int64, eaten: (Int64, QuantityUnit)
  )

  static func all() throws -> [Vector] {
    try scenarios.map { name, description, sums in
      Vector("amounts", name, description, ["amounts": .array(try sums.map(amount))])
    } + [nutrients()]
  }

  private static let scenarios: [(String, String, [Sum])] = [
    (
      "per_100_grams", "mg of a food known per 100 g",
      [
        (.per100Grams, nil, 400_000, (100_000, .milligram)),
        (.per100Grams, nil, 391_300, (30_000, .milligram)),
        (.per100Grams, nil, 0, (30_000, .milligram)),
      ]
    ),
    (
      "per_100_millilitres", "\u{b5}l of a drink known per 100 ml",
      [
        (.per100Millilitres, nil, 42_121, (330_000, .microlitre)),
        (.per100Millilitres, nil, 1, (50_000, .microlitre)),
      ]
    ),
    (
      "half_rounds_up", "a half rounds up, once; less rounds down",
      [
        (.per100Grams, nil, 5, (30_000, .milligram)), (.per100Grams, nil, 1, (50_000, .milligram)),
        (.per100Grams, nil, 1, (49_999, .milligram)), (.perServing, nil, 7, (1500, .milliserving)),
        (.perServing, (3, .milligram), 1, (1, .milligram)),
        (.perServing, (2, .milligram), 1, (1, .milligram)),
        (.perServing, (3, .milligram), 1, (2, .milligram)),
        (.per100Grams, (1, .milligram), 50_000_000, (1, .milliserving)),
        (.per100Grams, (1, .milligram), 49_999_999, (1, .milliserving)),
      ]
    ),
    (
      "per_serving", "servings of a food known per serving",
      [
        (.perServing, nil, 250_000, (1000, .milliserving)),
        (.perServing, nil, 250_000, (333, .milliserving)),
      ]
    ),
    (
      "mass_of_serving", "mg or \u{b5}l of a food known per serving of that size",
      [
        (.perServing, (45_000, .milligram), 234_000, (15_000, .milligram)),
        (.perServing, (330_000, .microlitre), 139_000, (200_000, .microlitre)),
      ]
    ),
    (
      "servings_of_mass", "servings of a food known per 100 g or ml, of a size that is known",
      [
        (.per100Grams, (45_000, .milligram), 520_000, (1500, .milliserving)),
        (.per100Millilitres, (330_000, .microlitre), 42_121, (1000, .milliserving)),
      ]
    ),
    (
      "mass_against_volume", "mass never stands for volume",
      [
        (.per100Grams, nil, 5, (30_000, .microlitre)),
        (.per100Millilitres, nil, 5, (30_000, .milligram)),
        (.per100Grams, (45_000, .microlitre), 5, (1000, .milliserving)),
        (.per100Millilitres, (45_000, .milligram), 5, (1000, .milliserving)),
        (.perServing, (45_000, .milligram), 5, (30_000, .microlitre)),
      ]
    ),
    (
      "serving_without_size", "a serving of unknown size never converts",
      [
        (.per100Grams, nil, 5, (1000, .milliserving)), (.perServing, nil, 5, (30_000, .milligram)),
        (.per100Millilitres, nil, 5, (1000, .milliserving)),
      ]
    ),
    (
      "passes_limit", "an amount above 10^12 is unknown; products need 128 bits",
      [
        (.per100Grams, nil, 1_000_000_000_000, (100_000, .milligram)),
        (.per100Grams, nil, 1_000_000_000_000, (100_001, .milligram)),
        (
          .per100Grams, (1_000_000_000, .milligram), 1_000_000_000_000,
          (1_000_000_000, .milliserving)
        ),
        (.per100Grams, (1_000_000_000, .milligram), 1, (1_000_000_000, .milliserving)),
        (.perServing, (1, .milligram), 1_000_000_000_000, (1_000_000_000, .milligram)),
        (.perServing, (999_999_937, .milligram), 999_999_999_989, (1_000_000_000, .milligram)),
        (.perServing, (1_000_000_000, .microlitre), 999_999_999_999, (999_999_999, .microlitre)),
      ]
    ),
  ]

  private static func amount(_ sum: Sum) throws -> JSON {
    let serving = try sum.serving.map { try Quantity($0.0, $0.1) }
    let snapshot = try NutrientSnapshot(
      basis: sum.basis, serving: serving, nutrients: try NutrientAmounts([.fat: sum.per]))
    let eaten = try Quantity(sum.eaten.0, sum.eaten.1)
    let result = snapshot.amount(of: .fat, in: eaten)
    return .object([
      "basis": .string(sum.basis.name),
      "serving": serving.map(quantity) ?? .null, "per": .number(sum.per),
      "eaten": quantity(eaten), "amount": result.map(JSON.number) ?? .null,
    ])
  }

  private static func quantity(_ quantity: Quantity) -> JSON {
    .object(["value": .number(quantity.value), "unit": .string(quantity.unit.name)])
  }

  private static func nutrients() -> Vector {
    Vector(
      "amounts", "nutrients", "the nutrients: number, name, unit, column",
      [
        "nutrients": .array(
          Nutrient.allCases.map {
            .object([
              "number": .number(Int64($0.rawValue)), "name": .string($0.name),
              "unit": .string($0.unit.rawValue), "column": .string($0.columnName),
            ])
          })
      ])
  }
}
