// What a person reads when an entry was not understood: which argument, what was wrong with it, and
// the forms that are understood.
import LarderCapture

extension CommandError {
  /// The error for `argument`, which `place` took: `--at`, `WHAT`, `REF`.
  init(_ error: CaptureError, argument: String, place: String) {
    let problem = Self.problem(error)
    let suggestion = error.suggestion.map { "did you mean \($0)? " } ?? ""
    self.init(
      .invalidArgument, "\(place) \(Self.quoted(argument)): \(problem)",
      hint: suggestion + Self.forms(of: error), exit: .usage)
  }

  private static func problem(_ error: CaptureError) -> String {
    switch error.code {
    case .empty: "there is no \(error.subject)"
    case .tooLong: "the \(error.subject) is too long"
    case .tooShort: "the \(error.subject) is too short"
    case .controlCharacter: "there are control characters in it"
    case .trailingText: "something follows the number and its unit"
    case .notANumber: "this is not a number"
    case .ambiguousNumber: "the number can be read in two ways"
    case .negative: "the number is negative"
    case .zero: "the amount is nothing"
    case .tooSmall: "the amount is too small to be counted"
    case .tooLarge: "the number is larger than can be recorded"
    case .missingUnit: "the number has no unit"
    case .unknownUnit: "the unit is not known"
    case .ambiguousUnit: "the unit means different amounts to different people"
    case .amountNotTaken: "a \(error.subject) does not take this amount"
    case .unknownWord: "the \(error.subject) is not known"
    case .duplicate: "\(error.subject) is given twice"
    case .notComparable: "these numbers say nothing about an amount of this kind"
    case .notOnCalendar: "there is no such \(error.subject)"
    case .outOfRange: "the \(error.subject) is too far away"
    case .reversedRange: "the last day comes before the first"
    default: "this is not understood"
    }
  }

  private static func forms(of error: CaptureError) -> String {
    switch error.operation {
    case .amount where error.code == .ambiguousNumber,
      .numbers where error.code == .ambiguousNumber:
      "write thousands without a mark, as in 1050g, and decimals with other than three digits, as "
        + "in 1.05g or 1.0500g"
    case .amount:
      "an amount is a number and g, kg, mg, ml, cl, dl, l, oz, lb or serving: 40g, 1.5kg, 2serving"
    case .food where error.code == .amountNotTaken:
      "a meal is repeated as it was; a template takes servings, as in template:NAME=2serving"
    case .food: "write words, code:DIGITS, item:REF, template:NAME or meal:REF, then =40g"
    case .code: "write the digits below the barcode, as in code:5000112637922"
    case .numbers where error.code == .notComparable:
      "give the amount in the unit the numbers are for, or leave per= out"
    case .numbers: "write numbers with units, as in energy=420kcal,carbs=55g,salt=0.5g"
    case .time:
      "write 08:30, yesterday 19:00, -2h, 2026-05-02 08:30 or 2026-05-02T08:30+02:00"
    case .day, .dayRange:
      "write today, yesterday, 2026-05-02, -3d, monday, or 2026-05-01..2026-05-07"
    case .slot: "write breakfast, lunch, dinner, snack or a word of your own without a slash"
    default:
      "write an id, 4 or more digits of its beginning or end, last, today/lunch, or "
        + "2026-05-02/breakfast/2"
    }
  }
}
