// On which day of the diary something was eaten: the civil day it was eaten on, or the one before
// where it was eaten before the day's start. The one place that decides it; the view `Diary` says
// the same in SQL. SPEC.md, "Days".

/// When days begin: minutes after midnight, each from a civil day on; midnight before the first.
public struct DayStartPolicy: Hashable, Sendable {
  /// A start and the first civil day it holds for.
  public struct Start: Hashable, Sendable {
    /// The first day.
    public let fromDay: CivilDay
    /// Minutes after midnight, 0…1439.
    public let minute: Int

    /// A start.
    public init(fromDay: CivilDay, minute: Int) {
      self.fromDay = fromDay
      self.minute = minute
    }
  }

  private let starts: [Start]

  /// The policy of these starts, in any order.
  public init(_ starts: [Start] = []) {
    self.starts = starts.sorted { $0.fromDay < $1.fromDay }
  }

  /// When the civil day `day` begins, in minutes after midnight.
  public func start(of day: CivilDay) -> Int {
    starts.last { $0.fromDay <= day }?.minute ?? 0
  }

  /// The day of the diary of a minute of a civil day.
  public func diaryDay(of day: CivilDay, minute: Int) -> CivilDay {
    guard minute < start(of: day),
      let before = CivilDay(daysSince1970: Int64(day.daysSince1970) - 1)
    else { return day }
    return before
  }

  /// The civil days on which a day of the diary lies: itself, and the next one where that does not
  /// begin at midnight.
  public func civilDays(of day: CivilDay) -> [CivilDay] {
    guard let next = CivilDay(daysSince1970: Int64(day.daysSince1970) + 1), start(of: next) > 0
    else { return [day] }
    return [day, next]
  }
}
