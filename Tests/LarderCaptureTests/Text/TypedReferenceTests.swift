import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedReferenceTests {
  private let today = CivilDay("2026-05-02") ?? .minimum

  private func read(_ text: String) throws(CaptureError) -> TypedReference {
    try TypedReference(reading: text, today: today)
  }

  private func error(_ text: String) -> CaptureError? {
    do throws(CaptureError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("ids, their ends, last")
  func ids() throws {
    let id = "0196f2c3a4b5c6d7e8f9000102030405"
    #expect(try read(id) == .identifier(id))
    #expect(try read(id.uppercased()) == .identifier(id))
    #expect(try read(id + "0011223344556677") == .identifier(id + "0011223344556677"))
    #expect(try read("0405") == .fragment("0405"))
    #expect(try read(" BEEF ") == .fragment("beef"))
    #expect(try read("last") == .last)
    #expect(try read("Last") == .last)
  }

  @Test("a slot of a day, and one of its meals")
  func slots() throws {
    let yesterday = CivilDay("2026-05-01") ?? .minimum
    #expect(try read("today/lunch") == .slot(day: today, slot: .lunch, number: nil))
    #expect(try read("yesterday/breakfast") == .slot(day: yesterday, slot: .breakfast, number: nil))
    #expect(
      try read("2026-05-01/Breakfast/2") == .slot(day: yesterday, slot: .breakfast, number: 2))
    #expect(try read("-1d/dinner/1") == .slot(day: yesterday, slot: .dinner, number: 1))
    let own = MealType(rawValue: "second breakfast") ?? .snack
    #expect(try read("today/second breakfast") == .slot(day: today, slot: own, number: nil))
  }

  @Test("what refers to nothing is refused with what is missing")
  func errors() {
    #expect(error("")?.code == .empty)
    #expect(error("abc")?.code == .tooShort)
    #expect(error("a")?.code == .tooShort)
    #expect(error(String(repeating: "a", count: 49))?.code == .tooLong)
    #expect(error("wxyz")?.code == .unreadable)
    #expect(error("lsat")?.suggestion == "last")
    #expect(error("today")?.subject == "slot")
    #expect(error("today")?.suggestion == "today/lunch")
    #expect(error("2026-05-02")?.suggestion == "2026-05-02/lunch")
    #expect(error("today/")?.code == .unreadable)
    #expect(error("/lunch")?.code == .unreadable)
    #expect(error("today/lunch/0")?.subject == "number")
    #expect(error("today/lunch/x")?.subject == "number")
    #expect(error("today/lunch/99999999999999999999")?.subject == "number")
    #expect(error("today/lunch/1/2")?.code == .unreadable)
    #expect(error("2026-13-01/lunch")?.code == .notOnCalendar)
    #expect(error("tody/lunch")?.suggestion == "today")
    #expect(error("today/lunch\u{1B}")?.code == .controlCharacter)
  }

  @Test("every end of an id of four digits or more is a fragment")
  func fragments() throws {
    let id = Array("0196f2c3a4b5c6d7e8f9000102030405")
    for count in 4..<32 {
      #expect(try read(String(id.prefix(count))) == .fragment(String(id.prefix(count))))
      #expect(try read(String(id.suffix(count))) == .fragment(String(id.suffix(count))))
    }
  }
}
