// The one error of Capture. It says what was wrong with which part of what was entered, and never
// quotes it: who asked knows the words, who reads a log need not.

/// Why an entry was not understood.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong; callers act on this.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is nothing where something must be.
    public static let empty = Code(rawValue: "empty")
    /// More bytes or digits than there may be.
    public static let tooLong = Code(rawValue: "tooLong")
    /// Fewer digits than there must be.
    public static let tooShort = Code(rawValue: "tooShort")
    /// Text with control characters in it.
    public static let controlCharacter = Code(rawValue: "controlCharacter")
    /// It has none of the forms that are understood.
    public static let unreadable = Code(rawValue: "unreadable")
    /// Something follows what was understood.
    public static let trailingText = Code(rawValue: "trailingText")

    /// What should be a number is none.
    public static let notANumber = Code(rawValue: "notANumber")
    /// Today matters, and which day that is cannot be told.
    public static let todayUnknown = Code(rawValue: "todayUnknown")
    /// A number that can be read in two ways, as `1,050` and `1.050` can.
    public static let ambiguousNumber = Code(rawValue: "ambiguousNumber")
    /// Below zero.
    public static let negative = Code(rawValue: "negative")
    /// Zero, where an amount is more than nothing.
    public static let zero = Code(rawValue: "zero")
    /// Less than half of the smallest unit that is counted.
    public static let tooSmall = Code(rawValue: "tooSmall")
    /// Above the limit of what can be recorded.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A number without a unit.
    public static let missingUnit = Code(rawValue: "missingUnit")
    /// A unit that is not known here.
    public static let unknownUnit = Code(rawValue: "unknownUnit")
    /// A unit that means different amounts in different places, as `fl oz` does.
    public static let ambiguousUnit = Code(rawValue: "ambiguousUnit")
    /// An amount where none can be given.
    public static let amountNotTaken = Code(rawValue: "amountNotTaken")

    /// A word that is none of those known here; `suggestion` has the nearest.
    public static let unknownWord = Code(rawValue: "unknownWord")
    /// The same thing twice.
    public static let duplicate = Code(rawValue: "duplicate")
    /// Numbers for one kind of amount and an amount of another, as per 100 g and millilitres.
    public static let notComparable = Code(rawValue: "notComparable")

    /// A date the calendar does not have, or an hour, minute or second no clock shows.
    public static let notOnCalendar = Code(rawValue: "notOnCalendar")
    /// Before the year 1 or after the year 9999.
    public static let outOfRange = Code(rawValue: "outOfRange")
    /// A range whose end comes before its beginning.
    public static let reversedRange = Code(rawValue: "reversedRange")
  }

  /// What was being read: `amount`, `time`, `reference`; hints depend on it.
  public struct Operation: RawRepresentable, Hashable, Sendable {
    /// The stable name.
    public let rawValue: String

    /// An operation of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An amount such as `40g`.
    public static let amount = Operation(rawValue: "amount")
    /// A food, with or without an amount.
    public static let food = Operation(rawValue: "food")
    /// The digits of a barcode.
    public static let code = Operation(rawValue: "code")
    /// Nutrient numbers such as `energy=420kcal`.
    public static let numbers = Operation(rawValue: "numbers")
    /// A time such as `yesterday 19:00`.
    public static let time = Operation(rawValue: "time")
    /// A day such as `2026-05-02`.
    public static let day = Operation(rawValue: "day")
    /// A range of days.
    public static let dayRange = Operation(rawValue: "range of days")
    /// A meal slot.
    public static let slot = Operation(rawValue: "slot")
    /// A reference to a meal or item.
    public static let reference = Operation(rawValue: "reference")
  }

  /// What was wrong.
  public let code: Code
  /// What was being read.
  public let operation: Operation
  /// Which part was wrong: `number`, `unit`, `month`.
  public let subject: String
  /// The known word that was probably meant.
  public let suggestion: String?

  /// An error with all its parts.
  public init(
    _ code: Code, operation: Operation, subject: String, suggestion: String? = nil
  ) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.suggestion = suggestion
  }

  /// One line without what was entered.
  public var description: String {
    "read \(operation.rawValue): \(code.rawValue): \(subject)"
  }
}
