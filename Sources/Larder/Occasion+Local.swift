// A civil time of a zone as an occasion, for apps that have a picker and a zone.

internal import LarderCapture
internal import LarderKernel

extension Occasion {
  /// The occasion at a civil time of a zone, such as `2026-05-02T08:10` in `Europe/Berlin`.
  ///
  /// A time the clocks showed twice is the first of both; one they left out is read on the clock
  /// before the change. The civil date is the diary's day.
  /// - Parameters:
  ///   - local: `YYYY-MM-DDTHH:MM`, or with seconds.
  ///   - zone: a name of the machine's time zone database.
  ///   - mealType: the slot.
  /// - Throws: `invalidText` for a zone the machine does not have or a time of another form.
  public init(local: String, zone: String, as mealType: MealType) throws(KernelError) {
    guard let name = ZoneName(zone), let clock = ZoneDatabase.system.clock(of: name) else {
      throw KernelError(.invalidText, operation: "make occasion", subject: "zone")
    }
    let time: TypedTime
    do throws(CaptureError) {
      // The form has a date and a clock, so what "now" is does not matter.
      time = try TypedTime(
        reading: local, now: Instant(clamping: 0), clock: clock, slot: mealType)
    } catch {
      throw KernelError(.invalidText, operation: "make occasion", subject: "local time")
    }
    guard time.source == .civil, CivilDay(local.prefix(10)) == time.day else {
      throw KernelError(.invalidText, operation: "make occasion", subject: "local time")
    }
    self.init(moment: time.moment(zone: name), mealType: mealType)
  }
}
