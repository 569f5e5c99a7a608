import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedSlotTests {
  private func code(_ text: String) -> CaptureError.Code? {
    do throws(CaptureError) {
      _ = try TypedSlot.read(text)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("slots are the four or a word of one's own, in lower case")
  func slots() throws {
    #expect(try TypedSlot.read("breakfast") == .breakfast)
    #expect(try TypedSlot.read(" Lunch ") == .lunch)
    #expect(try TypedSlot.read("SECOND  Breakfast").rawValue == "second breakfast")
    #expect(try TypedSlot.read("Imbiß").rawValue == "imbiß")
    #expect(try TypedSlot.read("عشاء").rawValue == "عشاء")
  }

  @Test("what cannot be a slot is refused")
  func errors() {
    #expect(code("") == .empty)
    #expect(code("  ") == .empty)
    #expect(code("today/lunch") == .unreadable)
    #expect(code(String(repeating: "a", count: 65)) == .tooLong)
    #expect(code("a\u{1B}b") == .controlCharacter)
    // Lower case of this letter takes one byte more.
    #expect(code(String(repeating: "İ", count: 32)) == .tooLong)
  }

  @Test("one slip from a standard slot is noticed, a word of its own is not")
  func nearMisses() throws {
    #expect(TypedSlot.nearMiss(of: try TypedSlot.read("brekfast")) == .breakfast)
    #expect(TypedSlot.nearMiss(of: try TypedSlot.read("luhcn")) == nil)
    #expect(TypedSlot.nearMiss(of: try TypedSlot.read("lunhc")) == .lunch)
    #expect(TypedSlot.nearMiss(of: try TypedSlot.read("snacks")) == .snack)
    #expect(TypedSlot.nearMiss(of: try TypedSlot.read("brunch")) == nil)
    #expect(TypedSlot.nearMiss(of: .dinner) == nil)
  }

  @Test("the hour decides where nothing is said")
  func hours() {
    func usual(_ hour: Int, _ minute: Int) -> MealType {
      TypedSlot.usual(atMinute: hour * 60 + minute)
    }
    #expect(usual(3, 59) == .snack)
    #expect(usual(4, 0) == .breakfast)
    #expect(usual(10, 59) == .breakfast)
    #expect(usual(11, 0) == .lunch)
    #expect(usual(15, 59) == .lunch)
    #expect(usual(16, 0) == .snack)
    #expect(usual(16, 59) == .snack)
    #expect(usual(17, 0) == .dinner)
    #expect(usual(21, 59) == .dinner)
    #expect(usual(22, 0) == .snack)
    #expect(usual(0, 0) == .snack)
    #expect(usual(23, 59) == .snack)
  }

  @Test("the usual time of a standard slot lies in its hours")
  func usualTimes() {
    for slot in TypedSlot.standard {
      #expect(TypedSlot.usual(atMinute: TypedSlot.usualMinute(of: slot)) == slot)
    }
    #expect(TypedSlot.usualMinute(of: nil) == 720)
    #expect(TypedSlot.usualMinute(of: MealType(rawValue: "brunch")) == 720)
  }
}
