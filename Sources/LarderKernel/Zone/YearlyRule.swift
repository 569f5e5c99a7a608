// What a zone does every year from the last recorded transition on: the TZ string of POSIX, as the
// footer of a time zone file holds it (RFC 9636 §3.3).
//
// Invariant: whether summer time holds at an instant is decided by whole spans of summer time, each
// from its own year's start, so years that begin or end within one need no special case, and
// neither does summer time that never ends.

/// A standard offset and, perhaps, a span of summer time in every year.
struct YearlyRule: Hashable, Sendable {
  /// Seconds east of UTC outside summer time.
  let standardOffset: Int32
  let summer: Summer?

  /// The span of summer time.
  struct Summer: Hashable, Sendable {
    /// Seconds east of UTC within it. It may be less than the standard offset.
    let offset: Int32
    /// On the clock that shows standard time.
    let start: YearlyDate
    /// On the clock that shows summer time.
    let end: YearlyDate
  }

  /// More than a date can lie outside its year, in seconds: 167 hours, 366 days where there are
  /// 365, and an offset of a day.
  private static let reach: Int64 = 10 * 86_400

  /// The offset in seconds east at `seconds` since 1970 UTC.
  func offset(atUTC seconds: Int64) -> Int32 {
    guard let summer else { return standardOffset }
    let year = CivilYear(containing: seconds)
    // A span can end in the year after its start's, and dates can lie a week outside their years.
    let past = seconds - year.firstDay * 86_400
    let isNearEnds = !(Self.reach..<(365 * 86_400 - Self.reach)).contains(past)
    let first = year.number - (isNearEnds ? 2 : 1)
    let last = year.number + (isNearEnds ? 1 : 0)
    for number in first...last
    where span(of: summer, in: CivilYear(number: number)).contains(seconds) {
      return summer.offset
    }
    return standardOffset
  }

  /// All instants in and near `window` at which summer time may start or end, in any order.
  func changes(around window: ClosedRange<Int64>) -> [Int64] {
    guard let summer else { return [] }
    let first = CivilYear(containing: window.lowerBound).number - 1
    let last = CivilYear(containing: window.upperBound).number + 1
    return (first...last).flatMap { number in
      let year = CivilYear(number: number)
      return [start(of: summer, in: year), end(of: summer, in: year)]
    }
  }

  /// The span of summer time that starts in `year`: up to that year's end of summer time or, if
  /// that is past by then, the first one after. (In the south it is the next year's; a year later
  /// still only where odd hours move both dates over the end of the year.)
  private func span(of summer: Summer, in year: CivilYear) -> Range<Int64> {
    let start = start(of: summer, in: year)
    for number in year.number...(year.number + 2) {
      let end = end(of: summer, in: CivilYear(number: number))
      if end > start { return start..<end }
    }
    return start..<start
  }

  private func start(of summer: Summer, in year: CivilYear) -> Int64 {
    summer.start.seconds(in: year) - Int64(standardOffset)
  }

  private func end(of summer: Summer, in year: CivilYear) -> Int64 {
    summer.end.seconds(in: year) - Int64(summer.offset)
  }
}

/// A day of every year and a time on it.
struct YearlyDate: Hashable, Sendable {
  /// How the day is given.
  enum Day: Hashable, Sendable {
    /// `Jn`: 1 to 365; 29 February has no number.
    case withoutLeapDay(Int)
    /// `n`: 0 to 365, counting all days.
    case fromZero(Int)
    /// `Mm.w.d`: weekday `weekday` (0 is Sunday) of week `week` of `month`, the last for week 5.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  let day: Day
  /// Seconds from the day's midnight, −167 to 167 hours.
  let time: Int32

  /// This date's reading in `year`, as seconds since 1970 at offset 0.
  func seconds(in year: CivilYear) -> Int64 {
    (year.firstDay + Int64(dayIndex(in: year))) * 86_400 + Int64(time)
  }

  /// Days since 1 January.
  private func dayIndex(in year: CivilYear) -> Int {
    switch day {
    case .withoutLeapDay(let number):
      return number - (year.isLeap && number > 59 ? 0 : 1)
    case .fromZero(let number):
      return number
    case .weekday(let month, let week, let weekday):
      let first = year.dayIndex(ofMonth: month)
      // 4 January 1970 was a Sunday.
      let sinceSunday = year.firstDay + Int64(first) - 3
      let firstWeekday = Int(sinceSunday - sinceSunday.floorDivided(by: 7) * 7)
      var day = (weekday - firstWeekday + 7) % 7 + 7 * (week - 1)
      if first + day >= year.dayIndex(ofMonth: month + 1) { day -= 7 }
      return first + day
    }
  }
}
