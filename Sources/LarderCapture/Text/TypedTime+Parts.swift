// Taking typed times apart: a day, a clock, an offset, or a time to go back.

import LarderKernel

extension TypedTime {
  /// The parts of a typed time.
  struct Parts: Hashable {
    /// The civil date.
    var day: CivilDay
    /// Milliseconds since midnight on the clock, nil where none was typed.
    var clock: Int64?
    /// The offset, nil where none was typed; zero for `Z`.
    var offset: UTCOffset?
  }

  /// The parts of a normalised text.
  /// - Throws: `unreadable`, `notOnCalendar`, `outOfRange`.
  static func parts(of word: String, today: CivilDay) throws(CaptureError) -> Parts {
    // A date with a `t` behind it is RFC 3339; otherwise spaces part day and clock.
    let characters = Array(word)
    if characters.count > 10, characters[10] == "t" || characters[10] == " ",
      let day = try TypedDay.date(String(characters[..<10]), operation: .time)
    {
      let rest = String(characters[11...])
      let (text, offset) = try splitOffset(rest)
      return Parts(day: day, clock: try clock(text), offset: offset)
    }
    guard let colon = word.firstIndex(of: ":") else {
      return Parts(day: try TypedDay.read(word: word, today: today, operation: .time))
    }
    guard let space = word[..<colon].lastIndex(of: " ") else {
      return Parts(day: today, clock: try clock(word))
    }
    let day = try TypedDay.read(word: String(word[..<space]), today: today, operation: .time)
    return Parts(day: day, clock: try clock(String(word[word.index(after: space)...])))
  }

  /// The milliseconds of `-2h`, `-30min` or `-2h30min`; nil for text of any other shape.
  /// - Throws: `outOfRange` beyond 100,000 hours.
  static func milliseconds(back word: String) throws(CaptureError) -> Int64? {
    guard word.hasPrefix("-") else { return nil }
    var rest = word.dropFirst().filter { $0 != " " }[...]
    var total: Int64 = 0
    var isFirst = true
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest.removeFirst(unit.count)
      let isHours = unit == "h" && isFirst
      let isMinutes = (unit == "min" || unit == "m") && rest.isEmpty
      guard !digits.isEmpty, isHours || isMinutes else { return nil }
      guard let number = Int64(digits), number <= (isHours ? 100_000 : 6_000_000) else {
        throw CaptureError(.outOfRange, operation: .time, subject: "time")
      }
      total += number * (isHours ? 3_600_000 : 60_000)
      isFirst = false
    }
    return isFirst ? nil : total
  }

  /// The milliseconds since midnight of `8:30`, `08:30`, `08:30:15` or `08:30:15.250`.
  /// - Throws: `unreadable`, `notOnCalendar` with the part no clock shows.
  static func clock(_ text: String) throws(CaptureError) -> Int64 {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    let counts = parts.map(\.utf8.count)
    guard (2...3).contains(parts.count), (1...2).contains(counts[0]),
      counts.dropFirst().allSatisfy({ $0 == 2 }), parts.allSatisfy(isDigits),
      halves.count == 1 || (halves.count == 2 && parts.count == 3 && isDigits(halves[1])),
      let hour = Int64(parts[0]), let minute = Int64(parts[1]),
      let second = parts.count == 3 ? Int64(parts[2]) : 0
    else { throw CaptureError(.unreadable, operation: .time, subject: "clock") }
    for (value, limit, name) in [
      (hour, 23, "hour"), (minute, 59, "minute"), (second, 59, "second"),
    ]
    where value > limit {
      throw CaptureError(.notOnCalendar, operation: .time, subject: name)
    }
    let fraction = halves.count == 2 ? Int64((halves[1] + "00").prefix(3)) ?? 0 : 0
    return ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// A clock and the offset behind it: `z`, `+02:00`, `-0330`.
  private static func splitOffset(
    _ text: String
  ) throws(CaptureError) -> (clock: String, offset: UTCOffset?) {
    if text.last == "z" { return (trimmed(text.dropLast()), .zero) }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else {
      return (trimmed(text[...]), nil)
    }
    let digits = text[text.index(after: sign)...]
    var numbers = digits.split(separator: ":", omittingEmptySubsequences: false)
    if numbers.count == 1, digits.utf8.count == 4 {
      numbers = [digits.prefix(2), digits.suffix(2)]
    }
    guard numbers.map(\.utf8.count) == [2, 2], numbers.allSatisfy(isDigits),
      let hours = Int64(numbers[0]), let minutes = Int64(numbers[1])
    else { throw CaptureError(.unreadable, operation: .time, subject: "offset") }
    let seconds = (hours * 60 + minutes) * 60
    guard hours <= 23, minutes <= 59,
      let offset = UTCOffset(seconds: text[sign] == "-" ? -seconds : seconds)
    else { throw CaptureError(.notOnCalendar, operation: .time, subject: "offset") }
    return (trimmed(text[..<sign]), offset)
  }

  private static func trimmed(_ text: Substring) -> String {
    String(TypedText.trimmed(text))
  }
}
