// Years and days of the proleptic Gregorian calendar, as far as a yearly rule needs them.

/// A year of the Gregorian calendar, also before there was one.
struct CivilYear: Hashable, Sendable {
  let number: Int64
  /// Days from 1 January 1970 to this year's.
  let firstDay: Int64

  init(number: Int64) {
    self.number = number
    let past = number - 1
    // 719,162 days lie between 1 January of the years 1 and 1970.
    let leapDays =
      past.floorDivided(by: 4) - past.floorDivided(by: 100) + past.floorDivided(by: 400)
    firstDay = 365 * past + leapDays - 719_162
  }

  /// The year of an instant, in seconds since 1970 UTC.
  init(containing seconds: Int64) {
    let day = seconds.floorDivided(by: 86_400)
    // 400 years have 146,097 days; the guess is at most one year off.
    var year = CivilYear(number: 1_970 + (day * 400).floorDivided(by: 146_097))
    if day < year.firstDay {
      year = CivilYear(number: year.number - 1)
    } else if day >= CivilYear(number: year.number + 1).firstDay {
      year = CivilYear(number: year.number + 1)
    }
    self = year
  }

  var isLeap: Bool {
    number.isMultiple(of: 4) && (!number.isMultiple(of: 100) || number.isMultiple(of: 400))
  }

  /// Days from 1 January to the first of `month`, 1 to 13.
  func dayIndex(ofMonth month: Int) -> Int {
    let starts: InlineArray<13, Int> = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
    return starts[month - 1] + (isLeap && month > 2 ? 1 : 0)
  }
}
