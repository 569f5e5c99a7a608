import LarderKernel
import Testing

@Suite("ProductCode")
struct ProductCodeTests {
  @Test(
    "every way to write a code has one canonical form [CATALOG-3]",
    arguments: [
      ("012345678905", "0012345678905"),
      ("0012345678905", "0012345678905"),
      ("00012345678905", "0012345678905"),
      ("12345678905", "0012345678905"),
      (" 0 12345 67890 5 ", "0012345678905"),
      ("0-12345-67890-5", "0012345678905"),
      ("0000040123455", "40123455"),
      ("40123455", "40123455"),
      ("123", "00000123"),
      ("1", "00000001"),
      ("00002220", "00002220"),
      ("123456789", "0000123456789"),
      ("25000044984", "0025000044984"),
      ("71464240608", "0071464240608"),
      ("36613446535732", "36613446535732"),
      ("036613446535732", "36613446535732"),
      ("123456789012345678901234", "123456789012345678901234"),
    ])
  func canonical(asked: String, expected: String) throws {
    let code = try ProductCode(asked)
    #expect(code.canonical == expected)
    #expect(code.asked == asked)
    #expect(try ProductCode(expected) == code)
  }

  @Test("the canonical form of a canonical form is itself, for every count of digits and zeros")
  func idempotent() throws {
    for zeroCount in 0...10 {
      for digitCount in 1...14 {
        let significant = String("98765432109876".prefix(digitCount))
        let asked = String(repeating: "0", count: zeroCount) + significant
        let once = try ProductCode(asked)
        let twice = try ProductCode(once.canonical)
        #expect(twice.canonical == once.canonical)
        #expect(twice.hasValidCheckDigit == once.hasValidCheckDigit)
        #expect(once == (try ProductCode(significant)))
      }
    }
  }

  @Test(
    "the check digit is judged, whatever the width",
    arguments: [
      ("40123455", true), ("40123456", false), ("012345678905", true), ("5000123456789", true),
      ("5000123456780", false), ("00012444", false), ("00013029", false), ("00002220", false),
      ("00000758", true), ("0000101209159", true), ("36613446535732", false),
      ("36613446535736", true), ("123456789012345", false),
    ])
  func checkDigit(asked: String, isValid: Bool) throws {
    #expect(try ProductCode(asked).hasValidCheckDigit == isValid)
  }

  @Test(
    "what is no code is refused with a code that says why",
    arguments: [
      ("", "invalidText"), ("   ", "invalidText"), ("-", "invalidText"), ("0000", "invalidText"),
      ("12a4", "invalidText"), ("1--2", "invalidText"), ("-12", "invalidText"),
      ("12-", "invalidText"), ("١٢٣", "invalidText"), ("12\n", "invalidText"),
      ("1234567890123456789012345", "limitExceeded"),
      (String(repeating: "1 ", count: 40), "limitExceeded"),
    ])
  func refused(asked: String, code: String) {
    let error = #expect(throws: KernelError.self) { try ProductCode(asked) }
    #expect(error?.code.rawValue == code)
  }
}
