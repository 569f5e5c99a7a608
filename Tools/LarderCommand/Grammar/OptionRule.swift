// What an option of the command line is called, takes and means.

/// The name of an option, without its dashes. Every option there is stands here once.
enum OptionName: String, CaseIterable, Sendable {
  // Global ones.
  case store
  case state
  case wait
  case json
  case jsonl
  case quiet
  case verbose
  case noInput = "no-input"
  case yes
  case dryRun = "dry-run"
  case help
  // Those of single verbs.
  case at
  case csv
  case expect
  case field
  case `continue`
  case fix
  case follow
  case keep
  case keepItems = "keep-items"
  case kind
  case limit
  case meal
  case note
  case numbers
  case pick
  case since
  case sum
  case tag
  case title
  case unknown
  case zone

  /// As it is typed.
  var typed: String { "--" + rawValue }
}

/// One option.
struct OptionRule: Hashable, Sendable {
  /// What an option takes.
  enum Kind: Hashable, Sendable {
    /// Nothing: it is there or not.
    case flag
    /// Text, described by a word in capitals.
    case text(String)
    /// One of these words.
    case choice([String])
    /// A whole number in this range.
    case whole(String, ClosedRange<Int>)
    /// A time to wait: `30`, `30s`, `2min`.
    case duration(String)
  }

  /// The name.
  let name: OptionName
  /// What it takes.
  let kind: Kind
  /// What it does, one phrase.
  let help: String
  /// Whether it may be given more than once.
  let isRepeatable: Bool

  /// An option.
  init(_ name: OptionName, _ kind: Kind, _ help: String, isRepeatable: Bool = false) {
    self.name = name
    self.kind = kind
    self.help = help
    self.isRepeatable = isRepeatable
  }

  /// What stands for the value in help, nil for a flag.
  var valueName: String? {
    switch kind {
    case .flag: nil
    case .text(let name), .whole(let name, _), .duration(let name): name
    case .choice(let words): words.joined(separator: "|")
    }
  }

  /// As help shows it: `--meal SLOT`.
  var usage: String {
    let value = valueName.map { " \($0)" } ?? ""
    return name.typed + value
  }

  /// What is wrong with a value, or nil: the rest of the sentence "--wait takes …".
  func expectation(violatedBy value: String) -> String? {
    switch kind {
    case .flag: return "no value"
    case .text: return nil
    case .choice(let words):
      return words.contains(value) ? nil : words.joined(separator: " or ")
    case .whole(_, let range):
      if let number = Int(value), range.contains(number) { return nil }
      return "a whole number, \(range.lowerBound) to \(range.upperBound)"
    case .duration:
      return WaitTime(value) == nil ? WaitTime.expectation : nil
    }
  }
}
