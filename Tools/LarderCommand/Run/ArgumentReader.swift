// Reads the arguments of a command line that name foods, times, days and meals, against one now and
// one zone, and says in the words of the command line what was wrong with them.
import LarderCapture
import LarderKernel

/// Reads typed arguments.
struct ArgumentReader: Sendable {
  /// The time everything is read against.
  let now: Instant
  /// The clocks of the person's zone, or why they cannot be had; asked for only where they matter.
  let clock: Result<ZoneClock, CommandError>

  /// When days begin.
  var policy = DayStartPolicy()

  /// The day of the diary now.
  func today() throws(CommandError) -> CivilDay { today(try clock.get()) }

  private func today(_ clock: ZoneClock) -> CivilDay {
    let civil = clock.civil(now)
    return policy.diaryDay(of: civil.day, minute: civil.minuteOfDay)
  }

  /// The day of the diary now, for a reader that may not need it.
  private func readersToday() throws(CaptureError) -> CivilDay {
    guard case .success(let clock) = clock else {
      throw CaptureError(.todayUnknown, operation: .day, subject: "zone")
    }
    return today(clock)
  }

  /// The foods of `larder log`.
  func foods(_ arguments: [String]) throws(CommandError) -> [TypedFood] {
    try arguments.map { argument throws(CommandError) in
      try read(argument, place: "WHAT") { text throws(CaptureError) in
        try TypedFood(reading: text, today: try readersToday())
      }
    }
  }

  /// The slot of `--meal`, nil where it is not given.
  func slot(of invocation: Invocation) throws(CommandError) -> MealType? {
    guard let text = invocation.value(.meal) else { return nil }
    return try read(text, place: OptionName.meal.typed, by: TypedSlot.read)
  }

  /// The time of `--at`, now where it is not given.
  func time(of invocation: Invocation, slot: MealType?) throws(CommandError) -> TypedTime {
    let (now, clock) = (now, try clock.get())
    guard let text = invocation.value(.at) else { return TypedTime(now: now, clock: clock) }
    return try read(text, place: OptionName.at.typed) { text throws(CaptureError) in
      try TypedTime(reading: text, now: now, clock: clock, slot: slot)
    }
  }

  /// The time of `--since`, which must be there; of a day alone its beginning.
  func since(of invocation: Invocation) throws(CommandError) -> Instant {
    let text = invocation.value(.since) ?? "now"
    let (now, clock) = (now, try clock.get())
    let time = try read(text, place: OptionName.since.typed) { text throws(CaptureError) in
      try TypedTime(reading: text, now: now, clock: clock, slot: nil)
    }
    guard time.source == .day else { return time.instant }
    let midnight = Int64(time.day.daysSince1970) * 86_400
    let local = clock.meaning(ofLocal: midnight * 1000)
    return Instant(clamping: local.instant(ofLocal: midnight) * 1000)
  }

  /// The numbers of `--numbers`, nil where they are not given.
  func numbers(of invocation: Invocation) throws(CommandError) -> TypedNumbers? {
    guard let text = invocation.value(.numbers) else { return nil }
    return try read(text, place: OptionName.numbers.typed) { text throws(CaptureError) in
      try TypedNumbers(reading: text)
    }
  }

  /// The days an argument names, today where there is none.
  func days(_ argument: String?) throws(CommandError) -> TypedDayRange {
    try read(argument ?? "today", place: "DAY") { text throws(CaptureError) in
      try TypedDayRange(reading: text, today: try readersToday())
    }
  }

  /// The meal or item an argument refers to.
  func reference(_ argument: String) throws(CommandError) -> TypedReference {
    try read(argument, place: "REF") { text throws(CaptureError) in
      try TypedReference(reading: text, today: try readersToday())
    }
  }

  private func read<Value>(
    _ argument: String, place: String, by read: (String) throws(CaptureError) -> Value
  ) throws(CommandError) -> Value {
    do throws(CaptureError) {
      return try read(argument)
    } catch {
      if error.code == .todayUnknown { _ = try clock.get() }
      throw CommandError(error, argument: argument, place: place)
    }
  }
}
