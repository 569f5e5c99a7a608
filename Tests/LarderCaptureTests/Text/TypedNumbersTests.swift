import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedNumbersTests {
  private func error(_ text: String) -> CaptureError? {
    do throws(CaptureError) {
      _ = try TypedNumbers(reading: text)
      return nil
    } catch {
      return error
    }
  }

  @Test("the example of the help page")
  func example() throws {
    let numbers = try TypedNumbers(reading: "energy=420kcal,carbs=55g")
    #expect(numbers.nutrients[.energy] == 420_000)
    #expect(numbers.nutrients[.carbohydrates] == 55_000_000)
    #expect(numbers.nutrients.elements.count == 2)
    #expect(numbers.reference == .amountEaten)
    let serving = try Quantity(1000, .milliserving)
    let snapshot = try numbers.snapshot(for: serving)
    #expect(snapshot.basis == .perServing)
    #expect(snapshot.serving == nil)
    #expect(snapshot.amount(of: .energy, in: serving) == 420_000)
    #expect(snapshot.amount(of: .carbohydrates, in: serving) == 55_000_000)
  }

  @Test(
    "units, names and decimal commas",
    arguments: [
      ("energy=1757kJ", Nutrient.energy, 419_933), ("kJ=418.4", .energy, 100_000),
      ("kcal=420", .energy, 420_000), ("energy=0,5 kcal", .energy, 500),
      ("carbs=5,5g", .carbohydrates, 5_500_000),
      ("Carbohydrates = 5.5 g", .carbohydrates, 5_500_000),
      ("sat-fat=1g", .saturatedFat, 1_000_000), ("saturated fat=1g", .saturatedFat, 1_000_000),
      ("saturatedFat=1g", .saturatedFat, 1_000_000), ("fibre=2g", .fiber, 2_000_000),
      ("sugar=2g", .sugars, 2_000_000), ("salt=400mg", .salt, 400_000),
      ("sodium=400mg", .sodium, 400_000), ("b12=2.4µg", .vitaminB12, 2400),
      ("vitamin-b12=2,4ug", .vitaminB12, 2400), ("Vitamin D=10mcg", .vitaminD, 10_000),
      ("vitamin d=5\u{3BC}g", .vitaminD, 5000), ("iodine=150ng", .iodine, 150),
      ("vitc=80mg", .vitaminC, 80_000), ("water=0.2kg", .water, 200_000_000),
      ("fat=0g", .fat, 0), ("protein=١٫٥g", .protein, 1_500_000),
    ])
  func units(_ text: String, _ nutrient: Nutrient, _ amount: Int64) throws {
    #expect(try TypedNumbers(reading: text).nutrients[nutrient] == amount)
  }

  @Test("commas, semicolons and decimal commas live together")
  func separators() throws {
    let numbers = try TypedNumbers(reading: "energy=420kcal, carbs=5,5g ;fat=1,5 g,protein=3g")
    #expect(numbers.nutrients[.energy] == 420_000)
    #expect(numbers.nutrients[.carbohydrates] == 5_500_000)
    #expect(numbers.nutrients[.fat] == 1_500_000)
    #expect(numbers.nutrients[.protein] == 3_000_000)
  }

  @Test(
    "what is wrong is told apart",
    arguments: [
      ("", CaptureError.Code.empty), ("per=100g", .empty), ("energy", .unreadable),
      ("energy=", .notANumber), ("energy=420", .missingUnit), ("carbs=55", .missingUnit),
      ("energy=420g", .unknownUnit), ("carbs=55kcal", .unknownUnit), ("carbs=55ml", .unknownUnit),
      ("energy=420cal", .ambiguousUnit), ("vitamin-d=400IU", .ambiguousUnit),
      ("energy=-5kcal", .negative), ("energy=NaN", .notANumber), ("fat=<0,5g", .notANumber),
      ("fat=traces", .notANumber), ("fat=-", .notANumber), ("fat=1,050g", .ambiguousNumber),
      ("fat=1g fat", .unknownUnit), ("fat=1e3g", .trailingText), ("fat=1g,", .trailingText),
      ("carbs=1g,carbohydrates=2g", .duplicate), ("per=100g,per=100ml,fat=1g", .duplicate),
      ("carsb=1g", .unknownWord), ("xyzzy=1g", .unknownWord), ("=1g", .unknownWord),
      ("water=999999999kg", .tooLarge), ("per=2serving,fat=1g", .notComparable),
      ("per=0g,fat=1g", .zero), ("fat=1g\u{0}", .controlCharacter),
      (String(repeating: "fat=1g,", count: 1000), .tooLong),
    ])
  func errors(_ text: String, _ expected: CaptureError.Code) {
    #expect(error(text)?.code == expected)
  }

  @Test("a misspelt nutrient is suggested by its usual word")
  func suggestions() {
    #expect(error("carsb=1g")?.suggestion == "carbs")
    #expect(error("protien=1g")?.suggestion == "protein")
    #expect(error("saturatd-fat=1g")?.suggestion == "saturated-fat")
    #expect(error("xyzzy=1g")?.suggestion == nil)
  }

  @Test("numbers of the amount eaten come back to the last digit")
  func amountEaten() throws {
    let numbers = try TypedNumbers(reading: "energy=421kcal,carbs=55.1g,b12=0.7µg")
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      let value = Int64.random(in: 1...2_000_000, using: &generator)
      for unit in [QuantityUnit.milligram, .microlitre] {
        let quantity = try Quantity(value, unit)
        let snapshot = try numbers.snapshot(for: quantity)
        #expect(snapshot.eaten(quantity) == numbers.nutrients.elements)
      }
      let servings = try Quantity(value, .milliserving)
      let eaten = try numbers.snapshot(for: servings).eaten(servings)
      for (element, typed) in zip(eaten, numbers.nutrients.elements) {
        // A serving's number is off by at most a half, and so many servings are eaten of it.
        #expect(abs(element.amount - typed.amount) <= value / 2000 + 1)
      }
    }
  }

  @Test("numbers of a stated basis scale to what was eaten")
  func basis() throws {
    let per100 = try TypedNumbers(reading: "per=100g,energy=500kcal")
    let sixty = try Quantity(60_000, .milligram)
    #expect(try per100.snapshot(for: sixty).amount(of: .energy, in: sixty) == 300_000)
    let perThirty = try TypedNumbers(reading: "energy=100kcal,per=30g")
    #expect(try perThirty.snapshot(for: sixty).amount(of: .energy, in: sixty) == 200_000)
    let two = try Quantity(2000, .milliserving)
    #expect(try perThirty.snapshot(for: two).amount(of: .energy, in: two) == 200_000)
    let perServing = try TypedNumbers(reading: "per=serving,energy=100kcal")
    #expect(try perServing.snapshot(for: two).amount(of: .energy, in: two) == 200_000)
    let drink = try TypedNumbers(reading: "per=100ml,energy=42kcal")
    let can = try Quantity(330_000, .microlitre)
    #expect(try drink.snapshot(for: can).amount(of: .energy, in: can) == 138_600)
  }

  @Test("numbers that say nothing about the amount are refused, not lost")
  func notComparable() throws {
    let pairs: [(String, Quantity)] = [
      ("per=100g,fat=1g", try Quantity(1000, .microlitre)),
      ("per=100g,fat=1g", try Quantity(1000, .milliserving)),
      ("per=100ml,fat=1g", try Quantity(1000, .milligram)),
      ("per=serving,fat=1g", try Quantity(1000, .milligram)),
      ("per=30g,fat=1g", try Quantity(1000, .microlitre)),
    ]
    for (text, quantity) in pairs {
      let numbers = try TypedNumbers(reading: text)
      #expect(throws: CaptureError.self) { _ = try numbers.snapshot(for: quantity) }
    }
    let heavy = try TypedNumbers(reading: "water=900kg")
    let crumb = try Quantity(1, .milliserving)
    #expect(throws: CaptureError.self) { _ = try heavy.snapshot(for: crumb) }
  }

  @Test("every nutrient is known by its own name and by its usual word")
  func allNames() {
    for nutrient in Nutrient.allCases {
      #expect(NutrientWords.nutrient(named: nutrient.name) == nutrient)
      #expect(NutrientWords.nutrient(named: NutrientWords.usualWord(nutrient)) == nutrient)
    }
  }
}
