// The one error of the command line: what people see after `error:` and `hint:`. It may quote the
// argument that was just typed, where the person must know which one is meant; never what is
// stored.

/// Why a command did not do what was asked.
struct CommandError: Error, Hashable, Sendable {
  /// What scripts act on. Codes are added, never renamed.
  struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name.
    let rawValue: String

    /// A code of that name.
    init(rawValue: String) { self.rawValue = rawValue }

    static let unknownVerb = Code(rawValue: "unknown_verb")
    static let unknownOption = Code(rawValue: "unknown_option")
    static let optionNotHonoured = Code(rawValue: "option_not_honoured")
    static let missingArgument = Code(rawValue: "missing_argument")
    static let unexpectedArgument = Code(rawValue: "unexpected_argument")
    static let argumentsUnknown = Code(rawValue: "arguments_unknown")
    static let invalidArgument = Code(rawValue: "invalid_argument")
    static let invalidConfiguration = Code(rawValue: "invalid_configuration")
    static let notFound = Code(rawValue: "not_found")
    static let ambiguous = Code(rawValue: "ambiguous")
    static let noStore = Code(rawValue: "no_store")
    static let outputFailed = Code(rawValue: "output_failed")
    static let alreadyExists = Code(rawValue: "already_exists")
    static let busy = Code(rawValue: "busy")
    static let full = Code(rawValue: "full")
    static let denied = Code(rawValue: "denied")
    static let damaged = Code(rawValue: "damaged")
    static let newerFormat = Code(rawValue: "newer_format")
    static let interrupted = Code(rawValue: "interrupted")
    static let keyMissing = Code(rawValue: "key_missing")
    static let obstructed = Code(rawValue: "obstructed")
    static let storeFailed = Code(rawValue: "store_failed")
    static let amountMissing = Code(rawValue: "amount_missing")
    static let numbersUnknown = Code(rawValue: "numbers_unknown")
    static let badCheckDigit = Code(rawValue: "bad_check_digit")
  }

  /// One of several things that could have been meant.
  struct Candidate: Hashable, Sendable {
    /// What it is called.
    let label: String
    /// What to type to mean it: `code:0000101209159`, a reference.
    let argument: String
  }

  /// The most candidates an error lists.
  static let candidateCountMaximum = 10

  /// What scripts act on.
  let code: Code
  /// What went wrong, one sentence without a full stop.
  let message: String
  /// What to type or do next.
  let hint: String?
  /// The status the process ends with.
  let exit: ExitCode
  /// What could have been meant, best first.
  let candidates: [Candidate]

  /// An error with all its parts; candidates beyond the tenth are left out.
  init(
    _ code: Code, _ message: String, hint: String?, exit: ExitCode, candidates: [Candidate] = []
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.exit = exit
    self.candidates = Array(candidates.prefix(Self.candidateCountMaximum))
  }

  /// A usage error: status 2.
  static func usage(_ code: Code, _ message: String, hint: String?) -> CommandError {
    CommandError(code, message, hint: hint, exit: .usage)
  }

  /// What was typed, in quotation marks, inert, and cut where it is long.
  static func quoted(_ argument: String) -> String {
    "\"" + DisplayWidth.truncated(InertText.line(argument), to: 60) + "\""
  }

  /// A path in quotation marks, inert and whole: it must be possible to copy it.
  static func quotedPath(_ path: String) -> String {
    "\"" + InertText.line(path) + "\""
  }

  /// The last line on standard error under `--json`.
  var json: JSONValue {
    let list = candidates.map { candidate -> JSONValue in
      ["label": .string(candidate.label), "argument": .string(candidate.argument)]
    }
    return [
      "error": .object(of: [
        ("code", .string(code.rawValue)), ("message", .string(message)),
        ("hint", hint.map(JSONValue.string)), ("exit", .integer(Int64(exit.rawValue))),
        ("candidates", list.isEmpty ? nil : .array(list)),
      ])
    ]
  }

  /// The lines on standard error for a person.
  var lines: [StyledText] {
    var lines = [StyledText("error: ", .red) + StyledText(message)]
    for (index, candidate) in candidates.enumerated() {
      let number = StyledText("  \(index + 1)  ", .bold)
      lines.append(
        number + StyledText(candidate.label) + StyledText("  \(candidate.argument)", .dim))
    }
    if let hint { lines.append(StyledText("hint: ", .cyan) + StyledText(hint)) }
    return lines
  }
}
