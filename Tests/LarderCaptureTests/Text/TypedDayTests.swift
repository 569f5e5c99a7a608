import LarderCapture
import LarderKernel
import Testing

@Suite struct TypedDayTests {
  /// A Saturday.
  private let today = CivilDay("2026-05-02") ?? .minimum

  private func day(_ text: String) -> String? {
    (try? TypedDay.read(text, today: today))?.description
  }

  private func error(_ text: String) -> CaptureError? {
    do throws(CaptureError) {
      _ = try TypedDay.read(text, today: today)
      return nil
    } catch {
      return error
    }
  }

  @Test("days are read")
  func days() {
    #expect(day("today") == "2026-05-02")
    #expect(day(" Yesterday ") == "2026-05-01")
    #expect(day("2024-02-29") == "2024-02-29")
    #expect(day("٢٠٢٦-٠٥-٠٢") == "2026-05-02")
    #expect(day("-0d") == "2026-05-02")
    #expect(day("-3d") == "2026-04-29")
    #expect(day("\u{2212}3d") == "2026-04-29")
    #expect(day("saturday") == "2026-05-02")
    #expect(day("friday") == "2026-05-01")
    #expect(day("Sun") == "2026-04-26")
  }

  @Test("what no calendar has is told from what is not understood")
  func errors() {
    #expect(error("2026-13-01")?.subject == "month")
    #expect(error("2026-00-01")?.subject == "month")
    #expect(error("2026-04-31")?.subject == "day")
    #expect(error("2026-02-29")?.subject == "day")
    #expect(error("2026-02-32")?.subject == "day")
    #expect(error("0000-01-01")?.subject == "year")
    #expect(error("2026-13-01")?.code == .notOnCalendar)
    for text in ["2026-5-2", "02.05.2026", "5/2/2026", "tomorrow", "-d", "-3", "3d", "-3dd"] {
      #expect(error(text)?.code == .unreadable, "\(text)")
    }
    #expect(error("yesterdayish")?.suggestion == "yesterday")
    #expect(error("wendesday")?.suggestion == "wednesday")
    #expect(error("")?.code == .empty)
    #expect(error("-99999d")?.code == .outOfRange)
    #expect(error("-99999999999999999999d")?.code == .outOfRange)
    #expect(error(String(repeating: "x", count: 1000))?.code == .tooLong)
  }

  @Test("ranges have both ends, one of which may be today")
  func ranges() throws {
    func range(_ text: String) throws(CaptureError) -> [String] {
      let range = try TypedDayRange(reading: text, today: today)
      return [range.first.description, range.last.description]
    }
    #expect(try range("2026-04-26..2026-05-02") == ["2026-04-26", "2026-05-02"])
    #expect(try range("-7d..yesterday") == ["2026-04-25", "2026-05-01"])
    #expect(try range("-7d..") == ["2026-04-25", "2026-05-02"])
    #expect(try range("yesterday .. today") == ["2026-05-01", "2026-05-02"])
    #expect(try range("yesterday") == ["2026-05-01", "2026-05-01"])
    #expect(try range("2026-05-01..2026-05-01") == ["2026-05-01", "2026-05-01"])
  }

  @Test("ranges that are none are refused")
  func badRanges() {
    func code(_ text: String) -> CaptureError.Code? {
      do throws(CaptureError) {
        _ = try TypedDayRange(reading: text, today: today)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("today..yesterday") == .reversedRange)
    #expect(code("2026-05-03..") == .reversedRange)
    #expect(code("..today") == .empty)
    #expect(code("..") == .empty)
    #expect(code("today...yesterday") == .unreadable)
    #expect(code("today..yesterday..today") == .unreadable)
    #expect(code("2026-13-01..today") == .notOnCalendar)
  }

  @Test("a day read and written a hundred times stays what it was, in any zone")
  func idempotent() throws {
    var text = "2026-03-29"
    for _ in 0..<100 { text = try TypedDay.read(text, today: today).description }
    #expect(text == "2026-03-29")
  }
}
