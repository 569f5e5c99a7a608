import Testing

@testable import LarderCommand

@Suite struct JSONValueTests {
  @Test("values are written compactly, members in the order given")
  func values() {
    let value: JSONValue = [
      "b": 1, "a": [true, false, .null], "text": "x", "empty": .object([]), "none": [],
      "number": .decimal(ExactDecimal(12_300_000, scale: 6)), "low": .integer(.min),
    ]
    #expect(
      value.text
        == #"{"b":1,"a":[true,false,null],"text":"x","empty":{},"none":[],"number":12.3,"#
        + #""low":-9223372036854775808}"#)
  }

  @Test("what is unknown is absent")
  func absent() {
    let value = JSONValue.object(of: [("a", nil), ("b", .integer(2)), ("c", nil)])
    #expect(value.text == #"{"b":2}"#)
  }

  @Test("every control character is escaped, of both ranges, and so are separators")
  func controls() {
    for value in Array(UInt32(0)...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029, 0x202E, 0x2066] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = JSONValue.string(String(Character(scalar))).text
      #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(value)")
      #expect(text.hasPrefix("\"\\"))
    }
    #expect(JSONValue.string("\n\r\t\u{8}\u{C}\u{1B}\u{9B}").text == #""\n\r\t\b\f\u001b\u009b""#)
    #expect(JSONValue.string("\u{2028}\u{202E}").text == #""\u2028\u202e""#)
  }

  @Test("quotes and backslashes are escaped, other text stays as it is")
  func text() {
    #expect(JSONValue.string(#"a"b\c/d"#).text == #""a\"b\\c/d""#)
    #expect(JSONValue.string("thé 👩‍🚀 عشاء e\u{301}").text == "\"thé 👩‍🚀 عشاء e\u{301}\"")
    #expect(JSONValue.object(of: [("a\"b", .null)]).text == #"{"a\"b":null}"#)
  }
}

@Suite struct ExactDecimalTests {
  @Test(
    "decimals are written exactly, without noise or needless zeros",
    arguments: [
      (12_300_000, 6, "12.3"), (0, 6, "0"), (5, 3, "0.005"), (-5, 3, "-0.005"), (7, 0, "7"),
      (-7000, 3, "-7"), (1, 18, "0.000000000000000001"), (2_900_000, 6, "2.9"),
      (1_000_000_000_000, 6, "1000000"), (Int64.max, 18, "9.223372036854775807"),
      (Int64.min, 18, "-9.223372036854775808"), (Int64.min, 0, "-9223372036854775808"),
    ])
  func exact(_ units: Int64, _ scale: Int, _ text: String) {
    #expect(ExactDecimal(units, scale: scale).description == text)
  }

  @Test("rounding is to the nearest, halves away from zero")
  func rounding() {
    #expect(ExactDecimal(1250, scale: 3).rounded(to: 1).description == "1.3")
    #expect(ExactDecimal(-1250, scale: 3).rounded(to: 1).description == "-1.3")
    #expect(ExactDecimal(1249, scale: 3).rounded(to: 1).description == "1.2")
    #expect(ExactDecimal(999, scale: 3).rounded(to: 0).description == "1")
    #expect(ExactDecimal(7, scale: 0).rounded(to: 3).description == "7")
    #expect(ExactDecimal(.min, scale: 18).rounded(to: 0).description == "-9")
  }

  @Test("a fixed number of places is kept with zeros")
  func fixed() {
    #expect(ExactDecimal(3000, scale: 3).fixed(1) == "3.0")
    #expect(ExactDecimal(3050, scale: 3).fixed(2) == "3.05")
    #expect(ExactDecimal(3500, scale: 3).fixed(2) == "3.50")
    #expect(ExactDecimal(3500, scale: 3).fixed(0) == "4")
    #expect(ExactDecimal(3, scale: 0).fixed(2) == "3.00")
    #expect(ExactDecimal(0, scale: 3).fixed(1) == "0.0")
  }

  @Test("what is written is the number: digits without the point are the units")
  func inverse() {
    for units in stride(from: Int64(1), to: 3_000_000, by: 997) {
      let text = ExactDecimal(units, scale: 6).description
      let parts = text.split(separator: ".")
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      let padded = fraction + String(repeating: "0", count: 6 - fraction.count)
      #expect(Int64(parts[0] + padded) == units)
      #expect(!text.hasSuffix(".") && (parts.count == 1 || !text.hasSuffix("0")))
    }
  }
}
