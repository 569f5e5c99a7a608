// When something was eaten, as people type it, read against a given now and given clocks. Nothing
// here looks at a clock or a zone of the machine.

package import LarderKernel

/// A time as typed: the instant, the clock it was read on, and what had to be assumed.
package struct TypedTime: Hashable, Sendable {
  /// Where the time came from.
  package enum Source: Hashable, Sendable {
    /// Nothing was typed, or `now`, or a day that is today.
    case now
    /// A time to go back from now: `-2h`.
    case relative
    /// A civil time, with or without a day: `08:30`, `yesterday 19:00`, `2026-05-02T08:30`.
    case civil
    /// A day alone; the time is the usual one of the slot.
    case day
    /// A time with an offset from UTC, or `Z`.
    case offset
  }

  /// What the person should be told about a time.
  package enum Note: Hashable, Sendable {
    /// The clocks showed this time twice; the first is taken. The other has this offset.
    case repeated(other: UTCOffset)
    /// The clocks left this time out; it is read on the clock before the change.
    case skipped(before: UTCOffset)
    /// No time of day was typed.
    case clockAssumed
    /// It lies ahead of now.
    case inFuture
    /// The offset that was typed is not that of the zone at that time.
    case offsetNotOfZone(zone: UTCOffset)
  }

  /// The longest time that is read, in bytes.
  package static let byteCountMaximum = 64

  /// The instant.
  package let instant: Instant
  /// The offset of the clock it was read on.
  package let utcOffset: UTCOffset
  /// The civil date on that clock.
  package let day: CivilDay
  /// Where it came from.
  package let source: Source
  /// What the person should be told.
  package let notes: [Note]

  /// Now.
  package init(now: Instant, clock: ZoneClock) {
    self.init(now, offset: clock.offset(now), source: .now, notes: [])
  }

  /// The time `text` names: `08:30`, `yesterday 19:00`, `-2h`, `-30min`, `today`, a day alone,
  /// `2026-05-02 08:30`, or RFC 3339 with offset or `Z`. Seconds may be given; below a millisecond
  /// they are cut.
  ///
  /// A civil time is one of `clock`. A day alone is read at the usual time of `slot`, today is now.
  /// With an offset, date and clock are kept as typed; with `Z` or `+00:00` the instant is what was
  /// meant, and date and clock are those of the zone.
  /// - Throws: `empty`, `tooLong`, `controlCharacter`, `unreadable`, `notOnCalendar`,
  ///   `outOfRange`.
  package init(
    reading text: String, now: Instant, clock: ZoneClock, slot: MealType?
  ) throws(CaptureError) {
    let line = try TypedText.line(text, byteCountMaximum: Self.byteCountMaximum, operation: .time)
    let word = TypedDay.normalised(line)
    if word == "now" {
      self.init(now: now, clock: clock)
      return
    }
    if let milliseconds = try Self.milliseconds(back: word) {
      guard let instant = Instant(milliseconds: now.milliseconds - milliseconds) else {
        throw CaptureError(.outOfRange, operation: .time, subject: "time")
      }
      self.init(instant, offset: clock.offset(instant), source: .relative, notes: [])
      return
    }
    let today = clock.civil(now).day
    let parts = try Self.parts(of: word, today: today)
    let read: TypedTime
    if let offset = parts.offset {
      read = try Self.time(parts, offset: offset, clock: clock)
    } else if parts.clock == nil, parts.day == today {
      read = TypedTime(now: now, clock: clock)
    } else {
      read = try Self.civilTime(parts, clock: clock, slot: slot)
    }
    let isAhead = read.instant > now
    self.init(
      read.instant, offset: read.utcOffset, source: read.source,
      notes: read.notes + (isAhead ? [.inFuture] : []))
  }

  /// What an event records of it, in that zone.
  package func moment(zone: ZoneName) -> Moment {
    Moment(consumedAt: instant, zone: zone, utcOffset: utcOffset, day: day)
  }

  private init(_ instant: Instant, offset: UTCOffset, source: Source, notes: [Note]) {
    self.instant = instant
    self.utcOffset = offset
    self.day = instant.civil(utcOffset: offset).day
    self.source = source
    self.notes = notes
  }

  // MARK: From civil time to an instant

  private static func civilTime(
    _ parts: Parts, clock: ZoneClock, slot: MealType?
  ) throws(CaptureError) -> TypedTime {
    let usual = Int64(TypedSlot.usualMinute(of: slot)) * 60_000
    let local = Int64(parts.day.daysSince1970) * 86_400_000 + (parts.clock ?? usual)
    let meaning = clock.meaning(ofLocal: local)
    var notes: [Note] = parts.clock == nil ? [.clockAssumed] : []
    switch meaning {
    case .unique: break
    case .ambiguous(_, let later): notes.append(.repeated(other: ZoneClock.offset(later)))
    case .gap(let before, _): notes.append(.skipped(before: ZoneClock.offset(before)))
    }
    // The rules count in seconds; what is below one is the same on every clock.
    let fraction = (parts.clock ?? 0) % 1000
    let seconds = meaning.instant(ofLocal: (local - fraction) / 1000)
    guard let instant = Instant(milliseconds: seconds * 1000 + fraction) else { throw outOfRange }
    return TypedTime(
      instant, offset: clock.offset(instant), source: parts.clock == nil ? .day : .civil,
      notes: notes)
  }

  private static func time(
    _ parts: Parts, offset: UTCOffset, clock: ZoneClock
  ) throws(CaptureError) -> TypedTime {
    let local = Int64(parts.day.daysSince1970) * 86_400_000 + (parts.clock ?? 0)
    guard let instant = Instant(milliseconds: local - Int64(offset.seconds) * 1000) else {
      throw outOfRange
    }
    let zone = clock.offset(instant)
    guard offset != zone, offset != .zero else {
      return TypedTime(instant, offset: zone, source: .offset, notes: [])
    }
    return TypedTime(
      instant, offset: offset, source: .offset, notes: [.offsetNotOfZone(zone: zone)])
  }

  private static var outOfRange: CaptureError {
    CaptureError(.outOfRange, operation: .time, subject: "time")
  }
}
