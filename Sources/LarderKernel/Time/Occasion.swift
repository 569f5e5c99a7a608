// When something was eaten, as its diary tells it: the instant, the civil clock it was read from,
// the diary day chosen at capture, and the meal slot. SPEC.md, "Time and order".

/// When something was eaten, without the slot: what a change of time sets as one.
public struct Moment: Hashable, Sendable {
  /// The moment.
  public var consumedAt: Instant
  /// The zone of the clock it was read from.
  public var zone: ZoneName
  /// How far that clock was from UTC.
  public var utcOffset: UTCOffset
  /// The civil date.
  public var day: CivilDay

  /// All of them.
  public init(consumedAt: Instant, zone: ZoneName, utcOffset: UTCOffset, day: CivilDay) {
    self.consumedAt = consumedAt
    self.zone = zone
    self.utcOffset = utcOffset
    self.day = day
  }

  /// The minute of the civil day the clock showed, 0…1439.
  public var minuteOfDay: Int { consumedAt.civil(utcOffset: utcOffset).minuteOfDay }

  /// The occasion of this moment as that meal.
  public func occasion(as mealType: MealType) -> Occasion {
    Occasion(moment: self, mealType: mealType)
  }
}

/// When and as which meal something was eaten.
public struct Occasion: Hashable, Sendable {
  /// When.
  public var moment: Moment
  /// The meal slot.
  public var mealType: MealType

  /// Both.
  public init(moment: Moment, mealType: MealType) {
    self.moment = moment
    self.mealType = mealType
  }
}

/// A meal slot: `breakfast`, `lunch`, `dinner`, `snack`, or a person's own word.
public struct MealType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word, 1…64 bytes of UTF-8 without control characters.
  public let rawValue: String

  /// The slot of that word; nil if it is empty, too long or has control characters.
  public init?(rawValue: String) {
    guard (1...64).contains(rawValue.utf8.count),
      !Self.hasControl(rawValue.utf8Span.span)
    else { return nil }
    self.rawValue = rawValue
  }

  /// Whether one of U+0000…001F and U+007F…009F is in a text, all the controls there will ever be.
  private static func hasControl(_ text: Span<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      if byte < 0x20 || byte == 0x7f || (previous == 0xc2 && byte < 0xa0) { return true }
      previous = byte
    }
    return false
  }

  private init(known rawValue: String) {
    self.rawValue = rawValue
  }

  /// Breakfast.
  public static let breakfast = MealType(known: "breakfast")
  /// Lunch.
  public static let lunch = MealType(known: "lunch")
  /// Dinner.
  public static let dinner = MealType(known: "dinner")
  /// Anything between meals.
  public static let snack = MealType(known: "snack")

  /// The word.
  public var description: String { rawValue }
}
