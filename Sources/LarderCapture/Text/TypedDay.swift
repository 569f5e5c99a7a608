// Days and ranges of days as people type them. A day is a civil date here, never an instant.

package import LarderKernel

/// Reads days.
package enum TypedDay {
  /// The longest day that is read, in bytes.
  package static let byteCountMaximum = 64

  /// The civil day of now. Only called where it matters, so that a text that names its day needs no
  /// zone; what it throws is thrown.
  package typealias Today = () throws(CaptureError) -> CivilDay

  /// How far back `-3d` reaches, in days.
  package static let daysBackMaximum = 40_000

  /// The day `text` names, seen from `today`: `today`, `yesterday`, `2026-05-02`, `-3d`, or a day
  /// of the week (`monday`, `mon`), which is the last such day, today included.
  /// - Throws: `empty`, `tooLong`, `controlCharacter`, `unreadable`, `notOnCalendar`,
  ///   `outOfRange`.
  package static func read(_ text: String, today: @autoclosure TypedDay.Today) throws(CaptureError)
    -> CivilDay
  {
    let line = try TypedText.line(text, byteCountMaximum: byteCountMaximum, operation: .day)
    return try read(word: normalised(line), today: try today(), operation: .day)
  }

  /// The words a day can be named by, for suggestions.
  static let words = ["today", "yesterday"] + weekdays

  /// `text` in lower case with ASCII digits and hyphens.
  static func normalised(_ text: String) -> String {
    let hyphens: [Character: Character] = ["\u{2212}": "-", "\u{2010}": "-", "\u{2011}": "-"]
    return String(TypedText.withASCIIDigits(text).lowercased().map { hyphens[$0] ?? $0 })
  }

  /// The day a normalised word names.
  static func read(
    word: String, today: @autoclosure TypedDay.Today, operation: CaptureError.Operation
  ) throws(CaptureError) -> CivilDay {
    if word == "today" { return try today() }
    if word == "yesterday" { return try back(1, from: try today(), operation: operation) }
    if word.hasPrefix("-"), word.hasSuffix("d") {
      let digits = word.dropFirst().dropLast()
      if !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) {
        guard let count = Int(digits), count <= daysBackMaximum else {
          throw CaptureError(.outOfRange, operation: operation, subject: "days back")
        }
        return try back(count, from: try today(), operation: operation)
      }
    }
    if let weekday = weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
      let today = try today()
      return try back((today.weekday - weekday + 7) % 7, from: today, operation: operation)
    }
    if let day = try date(word, operation: operation) { return day }
    throw CaptureError(
      .unreadable, operation: operation, subject: "day",
      suggestion: Spelling.nearest(to: word, among: words))
  }

  /// The date of `YYYY-MM-DD`, nil for text of any other shape.
  /// - Throws: `notOnCalendar`, with the part that is wrong.
  static func date(
    _ word: some StringProtocol, operation: CaptureError.Operation
  ) throws(CaptureError) -> CivilDay? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    if let date = CivilDay(year: year, month: month, day: day) { return date }
    let part = year == 0 ? "year" : (1...12).contains(month) ? "day" : "month"
    throw CaptureError(.notOnCalendar, operation: operation, subject: part)
  }

  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  private static func back(
    _ count: Int, from today: CivilDay, operation: CaptureError.Operation
  ) throws(CaptureError) -> CivilDay {
    guard let day = today.advanced(by: -count) else {
      throw CaptureError(.outOfRange, operation: operation, subject: "day")
    }
    return day
  }
}

/// A range of days, both ends included.
package struct TypedDayRange: Hashable, Sendable {
  /// The first day.
  package let first: CivilDay
  /// The last day, not before the first.
  package let last: CivilDay

  /// The days `text` names: one day, `FROM..TO`, or `FROM..` for all days until today.
  /// - Throws: as `TypedDay.read`, and `reversedRange`.
  package init(reading text: String, today: @autoclosure TypedDay.Today) throws(CaptureError) {
    let line = try TypedText.line(
      text, byteCountMaximum: 2 * TypedDay.byteCountMaximum, operation: .dayRange)
    let word = TypedDay.normalised(line)
    guard let mark = word.firstRange(of: "..") else {
      first = try TypedDay.read(word: word, today: try today(), operation: .dayRange)
      last = first
      return
    }
    let from = TypedText.trimmed(word[..<mark.lowerBound])
    let to = TypedText.trimmed(word[mark.upperBound...])
    guard !from.isEmpty else {
      throw CaptureError(.empty, operation: .dayRange, subject: "first day")
    }
    first = try TypedDay.read(word: String(from), today: try today(), operation: .dayRange)
    last =
      to.isEmpty
      ? try today() : try TypedDay.read(word: String(to), today: try today(), operation: .dayRange)
    guard first <= last else {
      throw CaptureError(.reversedRange, operation: .dayRange, subject: "last day")
    }
  }
}
