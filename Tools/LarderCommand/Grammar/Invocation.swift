// One understood command line: which verb, with which options and arguments. Everything in it obeys
// the grammar.

/// What was asked for.
struct Invocation: Sendable {
  /// How an answer is written.
  enum Form: Sendable {
    case text
    case document
    case lines
  }

  /// The verb.
  let verb: VerbName
  /// The positional arguments, in order.
  let arguments: [String]
  /// The values of each option, in order; a flag has one empty value.
  let options: [OptionName: [String]]

  /// Whether a flag was given.
  func has(_ name: OptionName) -> Bool { options[name] != nil }

  /// The value of an option, nil where it was not given.
  func value(_ name: OptionName) -> String? { options[name]?.first }

  /// All values of an option that may be repeated.
  func values(_ name: OptionName) -> [String] { options[name] ?? [] }

  /// The value of a whole-number option, nil where it was not given.
  func number(_ name: OptionName) -> Int? { value(name).flatMap { Int($0) } }

  /// How the answer is written.
  var form: Form {
    if has(.jsonl) { return .lines }
    return has(.json) ? .document : .text
  }
}
