// Reads the TZ string of a time zone file's footer: `CET-1CEST,M3.5.0,M10.5.0/3`.
//
// Invariant: what is accepted is a whole string of POSIX's grammar with the wider hours of RFC 9636
// §3.3.1 and the dates of summer time spelled out. (The wider hours mean the same in a file of
// version 2, which should not have them, so they are not refused there.)

extension YearlyRule {
  /// The rule that `text` spells.
  /// - Parameter base: where the text begins in its file, for errors.
  /// - Throws: `TimeZoneError`: `badFooter`, at the first byte that fits no rule.
  init(_ text: [UInt8], at base: Int) throws(TimeZoneError) {
    var text = FooterText(bytes: text, base: base)
    try text.designation()
    // In this notation, and nowhere else, west is positive.
    let standard = -(try text.duration(hoursMax: 24))
    if text.isAtEnd {
      (standardOffset, summer) = (standard, nil)
      return
    }
    try text.designation()
    let isStated = text.next != UInt8(ascii: ",")
    let offset = isStated ? -(try text.duration(hoursMax: 24)) : standard + 3_600
    try text.take(UInt8(ascii: ","))
    let start = try text.date()
    try text.take(UInt8(ascii: ","))
    let end = try text.date()
    guard text.isAtEnd else { throw text.fault }
    standardOffset = standard
    summer = Summer(offset: offset, start: start, end: end)
  }
}

/// A cursor over the footer's characters.
private struct FooterText {
  let bytes: [UInt8]
  let base: Int
  private var offset = 0

  init(bytes: [UInt8], base: Int) {
    (self.bytes, self.base) = (bytes, base)
  }

  var isAtEnd: Bool { offset == bytes.count }
  /// The next byte; 0, which stands nowhere in a rule, at the end.
  var next: UInt8 { isAtEnd ? 0 : bytes[offset] }
  var fault: TimeZoneError { TimeZoneError(code: .badFooter, offset: base + offset) }

  mutating func take(_ byte: UInt8) throws(TimeZoneError) {
    guard next == byte else { throw fault }
    offset += 1
  }

  /// Takes the next byte if it is this one.
  mutating func takes(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  /// Three or more letters, or letters, digits and signs between `<` and `>`.
  mutating func designation() throws(TimeZoneError) {
    let isQuoted = takes(UInt8(ascii: "<"))
    let start = offset
    while next.isLetter || isQuoted && next.isDigitOrSign {
      offset += 1
    }
    guard offset - start >= 3 else { throw fault }
    if isQuoted { try take(UInt8(ascii: ">")) }
  }

  /// `[+-]h[h[h]][:mm[:ss]]` in seconds; three digits of hours only where so many hours can be.
  mutating func duration(hoursMax: Int) throws(TimeZoneError) -> Int32 {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { offset += 1 }
    var seconds = 3_600 * (try number(digits: 1...(hoursMax > 99 ? 3 : 2), in: 0...hoursMax))
    if takes(UInt8(ascii: ":")) {
      seconds += 60 * (try number(digits: 2...2, in: 0...59))
      if takes(UInt8(ascii: ":")) {
        seconds += try number(digits: 2...2, in: 0...59)
      }
    }
    return Int32(isNegative ? -seconds : seconds)
  }

  /// `Jn`, `n` or `Mm.w.d`, and a time after `/`, which is 02:00 if left out.
  mutating func date() throws(TimeZoneError) -> YearlyDate {
    let day: YearlyDate.Day
    if takes(UInt8(ascii: "J")) {
      day = .withoutLeapDay(try number(digits: 1...3, in: 1...365))
    } else if takes(UInt8(ascii: "M")) {
      let month = try number(digits: 1...2, in: 1...12)
      try take(UInt8(ascii: "."))
      let week = try number(digits: 1...1, in: 1...5)
      try take(UInt8(ascii: "."))
      day = .weekday(
        month: month, week: week, weekday: try number(digits: 1...1, in: 0...6))
    } else {
      day = .fromZero(try number(digits: 1...3, in: 0...365))
    }
    let time = takes(UInt8(ascii: "/")) ? try duration(hoursMax: 167) : 7_200
    return YearlyDate(day: day, time: time)
  }

  private mutating func number(
    digits: ClosedRange<Int>, in range: ClosedRange<Int>
  ) throws(TimeZoneError) -> Int {
    let start = offset
    var value = 0
    while next.isDigit && offset - start < digits.upperBound {
      value = value * 10 + Int(next - UInt8(ascii: "0"))
      offset += 1
    }
    guard digits.contains(offset - start), range.contains(value) else {
      throw TimeZoneError(code: .badFooter, offset: base + start)
    }
    return value
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  fileprivate var isDigitOrSign: Bool {
    isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
  }

  fileprivate var isLetter: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}
