// What a command answers: the same facts once as a document and once as lines for a person. Each is
// made only if it is asked for.

/// Something the person should know although the command did what was asked.
struct Warning: Hashable, Sendable {
  /// What scripts act on: snake case.
  let code: String
  /// One sentence without a full stop.
  let message: String

  /// The warning in a document.
  var json: JSONValue { ["code": .string(code), "message": .string(message)] }
}

/// The answer of a command that did what was asked, at least in part.
struct Answer {
  /// Status of the process: done, in part, a problem found, attention.
  var exit: ExitCode
  /// What the person should know besides.
  var warnings: [Warning]
  /// What is done once the answer is written: upkeep nobody should wait for.
  var afterwards: (@Sendable () async -> Void)?
  /// Gives the elements of a list that may be endless, as they come, for `--jsonl` and for a
  /// person; what it is given writes one, and answers false once nobody reads any more.
  var stream: ((_ write: @escaping Writing) async throws(CommandError) -> Void)?
  /// Writes an element.
  typealias Writing = @Sendable (_ json: () -> JSONValue, _ lines: () -> [StyledText]) -> Bool
  /// The `result` of the document, for `--json`.
  let result: () -> JSONValue
  /// What must be shown beside the elements of a list, for `--jsonl`: notices of sources.
  let elementNotices: [String]
  /// The elements of a long list, for `--jsonl`; nil where there is no list.
  let elements: (() -> [JSONValue])?
  /// The lines for a person, given the width they have to fit; nil in a pipe.
  let lines: (_ width: Int?) -> [StyledText]

  /// An answer.
  init(
    exit: ExitCode = .done, warnings: [Warning] = [], elements: (() -> [JSONValue])? = nil,
    elementNotices: [String] = [],
    result: @escaping () -> JSONValue, lines: @escaping (_ width: Int?) -> [StyledText]
  ) {
    self.exit = exit
    self.warnings = warnings
    self.elements = elements
    self.elementNotices = elementNotices
    self.result = result
    self.lines = lines
  }
}
