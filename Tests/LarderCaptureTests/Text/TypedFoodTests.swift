import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedFoodTests {
  private let today = CivilDay(year: 2026, month: 5, day: 2) ?? .minimum

  private func read(_ text: String) throws(CaptureError) -> TypedFood {
    try TypedFood(reading: text, today: today)
  }

  private func error(_ text: String) -> CaptureError? {
    do throws(CaptureError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("words, with and without an amount")
  func words() throws {
    let oats = try read("porridge oats=60g")
    #expect(oats.what == .words("porridge oats"))
    #expect(oats.amount == (try Quantity(60_000, .milligram)))
    #expect(try read("  porridge \t oats ").what == .words("porridge oats"))
    #expect(try read("porridge oats").amount == nil)
    #expect(try read("birthday cake=1serving").amount == (try Quantity(1000, .milliserving)))
    #expect(try read("quark 0,2% fat=150 g").what == .words("quark 0,2% fat"))
    #expect(try read("Vitamin mix 1,2,6").what == .words("Vitamin mix 1,2,6"))
    #expect(try read("خبز=١٥٠g").what == .words("خبز"))
  }

  @Test("an equals sign in a name stays there unless an amount was meant")
  func equalsInNames() throws {
    #expect(try read("E=mc2 bar").what == .words("E=mc2 bar"))
    #expect(try read("E=mc2 bar").amount == nil)
    #expect(try read("E=mc2 bar=40g").what == .words("E=mc2 bar"))
    #expect(try read("a=b=c").what == .words("a=b=c"))
    #expect(error("oats=NaN")?.code == .notANumber)
    #expect(error("oats=-5g")?.code == .negative)
    #expect(error("oats=1e9g")?.code == .trailingText)
    #expect(error("oats=60 \"100 g\"")?.code == .trailingText)
    #expect(error("oats=\"100 g\"")?.code == .notANumber)
    #expect(error("oats=")?.code == .empty)
    #expect(error("oats=5g=foo")?.code == .trailingText)
    #expect(error("=60g")?.operation == .food)
    #expect(error("=60g")?.code == .empty)
    #expect(error("")?.code == .empty)
  }

  @Test("codes are digits of any script, with the spaces and hyphens people write")
  func codes() throws {
    #expect(try read("code:0000101209159=30g").what == .code("0000101209159"))
    #expect(try read("code:0000101209159=30g").amount == (try Quantity(30_000, .milligram)))
    #expect(try read("CODE: 0 12345 67890 5 ").what == .code("012345678905"))
    #expect(try read("code:٠١٢").what == .code("012"))
    #expect(error("code:")?.code == .empty)
    #expect(error("code:12a4")?.code == .notANumber)
    #expect(error("code:123=NaN")?.code == .notANumber)
    #expect(error("code:123=abc")?.operation == .amount)
    #expect(error("code:" + String(repeating: "1", count: 33))?.code == .tooLong)
    #expect(try TypedFood.code(" 50-00112-637922 ") == "5000112637922")
  }

  @Test("what was recorded before is named by reference or template")
  func recorded() throws {
    let lunch = TypedReference.slot(day: today, slot: .lunch, number: nil)
    #expect(try read("meal:today/lunch").what == .meal(lunch))
    #expect(try read("item:last").what == .item(.last))
    #expect(try read("item:a1b2=40g").what == .item(.fragment("a1b2")))
    #expect(try read("template:my  muesli").what == .template("my muesli"))
    #expect(try read("template:muesli=2serving").amount == (try Quantity(2000, .milliserving)))
    #expect(error("meal:today/lunch=1serving")?.code == .amountNotTaken)
    #expect(error("template:muesli=60g")?.code == .amountNotTaken)
    #expect(error("template:")?.code == .empty)
    #expect(error("item:xyz")?.operation == .reference)
  }

  @Test("a near miss of a prefix is an error, other colons are words")
  func nearMisses() throws {
    #expect(error("cod:123")?.suggestion == "code:")
    #expect(error("itme:last")?.suggestion == "item:")
    #expect(error("tempalte:x")?.suggestion == "template:")
    #expect(try read("Note: bread").what == .words("Note: bread"))
    #expect(try read("meat: beef=100g").what == .words("meat: beef"))
    #expect(try read("brand:thing").what == .words("brand:thing"))
  }

  @Test("text that could do harm is refused")
  func harm() {
    #expect(error("oats\u{1B}[31m=60g")?.code == .controlCharacter)
    #expect(error("oats\u{0}")?.code == .controlCharacter)
    #expect(error(String(repeating: "a", count: 1025))?.code == .tooLong)
    #expect(error(String(repeating: " a", count: 100_000))?.code == .tooLong)
    #expect(error(String(repeating: "=a", count: 100_000))?.code == .tooLong)
  }

  @Test("the longest words are read, with all the spaces they may have")
  func longest() throws {
    let words = String(repeating: "=", count: 1024)
    let spaces = String(repeating: " ", count: 3 * 1024)
    let amount = String(repeating: " ", count: 4 * 64 - 3) + "40g"
    let food = try read(spaces + words + "=" + amount)
    #expect(food.what == .words(words))
    #expect(food.amount == (try Quantity(40_000, .milligram)))
    #expect(error(spaces + " " + words + "=40g")?.code == .tooLong)
  }
}
