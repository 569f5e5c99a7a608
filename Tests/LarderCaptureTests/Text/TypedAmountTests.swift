import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedAmountTests {
  private func read(_ text: String) -> (Int64, QuantityUnit)? {
    (try? TypedAmount.read(text)).map { ($0.value, $0.unit) }
  }

  private func code(_ text: String) -> CaptureError.Code? {
    do throws(CaptureError) {
      _ = try TypedAmount.read(text)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "amounts are read exactly",
    arguments: [
      ("40g", 40_000, QuantityUnit.milligram), ("330ml", 330_000, .microlitre),
      ("1.5kg", 1_500_000, .milligram), ("1,5kg", 1_500_000, .milligram),
      ("0.75l", 750_000, .microlitre), ("0,75 l", 750_000, .microlitre),
      ("30 mg", 30, .milligram), ("2serving", 2000, .milliserving),
      ("2 servings", 2000, .milliserving), ("0.5 Serving", 500, .milliserving),
      ("33cl", 330_000, .microlitre), ("2dl", 200_000, .microlitre),
      ("1oz", 28_350, .milligram), ("16 oz", 453_592, .milligram), ("1lb", 453_592, .milligram),
      (".5g", 500, .milligram), (",5g", 500, .milligram), ("60\u{A0}g", 60_000, .milligram),
      ("  60  g  ", 60_000, .milligram), ("1.0500g", 1050, .milligram),
      ("0,125kg", 125_000, .milligram), ("0.0005g", 1, .milligram), ("0.0014g", 1, .milligram),
      ("1000kg", 1_000_000_000, .milligram), ("007g", 7000, .milligram),
      ("60 G", 60_000, .milligram), ("330 mL", 330_000, .microlitre),
      ("2 gram", 2000, .milligram),
    ])
  func exact(_ text: String, _ value: Int64, _ unit: QuantityUnit) {
    let read = read(text)
    #expect(read?.0 == value)
    #expect(read?.1 == unit)
  }

  @Test("digits of other scripts, their decimal mark and marks that only group are read")
  func scripts() {
    #expect(read("١٥٠g")?.0 == 150_000)
    #expect(read("١٫٥kg")?.0 == 1_500_000)
    #expect(read("۱۵۰ g")?.0 == 150_000)
    #expect(read("१५० g")?.0 == 150_000)
    #expect(read("１５０g")?.0 == 150_000)
    #expect(read("1\u{A0}050 g")?.0 == 1_050_000)
    #expect(read("1\u{202F}050,5 g")?.0 == 1_050_500)
    #expect(read("1'050.5 g")?.0 == 1_050_500)
    #expect(read("١٬٠٥٠g")?.0 == 1_050_000)
    #expect(read("1234,567 g")?.0 == 1_234_567)
    #expect(read("1234.567 g")?.0 == 1_234_567)
    #expect(read("١٫٥٠٠g")?.0 == 1500)
    #expect(read("0.125g")?.0 == 125)
  }

  @Test(
    "numbers that can be read in two ways are refused",
    arguments: [
      "1,050g", "1.050g", "1.050,5g", "1,050.5g", "1,2,6g", "1.2.3g", "10,500 ml", "10.500 ml",
      "999,999g", "999.999g", "١.٥٠٠g",
    ])
  func ambiguous(_ text: String) {
    #expect(code(text) == .ambiguousNumber)
  }

  @Test(
    "what is wrong is told apart",
    arguments: [
      ("NaN", CaptureError.Code.notANumber), ("nan g", .notANumber), ("inf", .notANumber),
      ("g", .notANumber), ("abc", .notANumber), ("+5g", .notANumber), ("<0,5", .notANumber),
      ("~5g", .notANumber), ("½ serving", .notANumber), ("-g", .notANumber), ("5.g", .notANumber),
      ("5,g", .notANumber), (".", .notANumber), (",", .notANumber), ("1\u{A0}05,0g", .notANumber),
      ("1'0500g", .notANumber), ("0x10g", .trailingText),
      ("-5g", .negative), ("\u{2212}5g", .negative), ("-.5g", .negative),
      ("1e9g", .trailingText), ("60 \"100 g\"", .trailingText), ("1 050g", .trailingText),
      ("60g 5", .trailingText), ("2 servings of cake", .trailingText), ("60 g g", .trailingText),
      ("0g", .zero), ("0.000 kg", .zero), ("0.0004g", .tooSmall), ("0.4mg", .tooSmall),
      ("1000.001kg", .tooLarge), ("2000000 serving", .tooLarge), ("999999999999kg", .tooLarge),
      ("60", .missingUnit), ("1,5", .missingUnit),
      ("60 cups", .unknownUnit), ("60 µg", .unknownUnit), ("60 m", .unknownUnit),
      ("2 fl oz", .ambiguousUnit), ("2floz", .ambiguousUnit),
      ("", .empty), ("   ", .empty), ("\n", .empty),
      ("1\u{0}g", .controlCharacter), ("\u{1B}[31m5g", .controlCharacter),
      ("1234567890123456789g", .tooLong), ("0.1234567890123456789g", .tooLong),
      (String(repeating: "9", count: 300), .tooLong),
    ])
  func errors(_ text: String, _ expected: CaptureError.Code) {
    #expect(code(text) == expected)
  }

  @Test("a long unit that is misspelt is suggested")
  func suggestion() {
    do throws(CaptureError) {
      _ = try TypedAmount.read("2 servnigs")
      Issue.record("it was read")
    } catch {
      #expect(error.suggestion == "serving")
    }
  }

  @Test("every whole and fractional gram reads back as what was written")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let milligrams = Int64.random(in: 1...1_000_000_000, using: &generator)
      let fraction = String(String(1000 + milligrams % 1000).dropFirst())
      let point = try TypedAmount.read("\(milligrams / 1000).\(fraction)0g")
      #expect(point.value == milligrams)
      let comma = try TypedAmount.read("\(milligrams / 1000),\(fraction)0 g")
      #expect(comma.value == milligrams)
      #expect(try TypedAmount.read("\(milligrams)mg").value == milligrams)
    }
  }

  @Test("no text makes it trap, and what it reads lies within the limits")
  func anything() {
    var generator = SeededGenerator(seed: 3)
    let characters = Array("0123456789.,-+eEgklmsNaNinf ½٣\u{66B}\u{A0}'\"\u{0}\n")
    for _ in 0..<5000 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = String(
        (0..<count).map { _ in characters.randomElement(using: &generator) ?? "0" })
      if let quantity = try? TypedAmount.read(text) {
        #expect((1...Limits.amountMaximum).contains(quantity.value))
      }
    }
  }

  @Test("an attempt at an amount is told from a name")
  func attempts() {
    let attempts = [
      "60g", "", " ", "NaN", "nan", "inf", "-5g", "1e9g", "60 \"100 g\"", "\"100 g\"", "+5", "<0,5",
      "~5g", ".5g", ",5g", "g", "serving", "١٥٠", "-inf", "∞", "5½",
    ]
    for text in attempts { #expect(TypedAmount.isAttempt(text), "\(text)") }
    for text in ["mc2 bar", "new thing", "water", "-", "a5", "nano", "gram cracker"] {
      #expect(!TypedAmount.isAttempt(text), "\(text)")
    }
  }
}
