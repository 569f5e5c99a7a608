// What one verb of the command line is called, takes and means: a row of the grammar.

/// The words of a verb. Every verb there is stands here once; a `switch` over it is the proof that
/// each has a body.
enum VerbName: String, CaseIterable, Sendable {
  /// No verb at all: today's diary.
  case today = ""
  case log
  case diary
  case mealList = "meal list"
  case mealShow = "meal show"
  case mealDelete = "meal delete"
  case history
  case catalogInstall = "catalog install"
  case catalogSearch = "catalog search"
  case catalogShow = "catalog show"
  case catalogStatus = "catalog status"
  case deviceList = "device list"
  case events
  case initialise = "init"
  case projectionList = "projection list"
  case projectionUse = "projection use"
  case projectionDrop = "projection drop"
  case query
  case schema
  case rebuild
  case verify
  case doctor
  case version
  case help

  /// As it is typed, with the name of the program.
  var typed: String { rawValue.isEmpty ? "larder" : "larder \(rawValue)" }
}

/// One verb.
struct Verb: Sendable {
  /// Where help lists it.
  enum Group: String, CaseIterable, Sendable {
    case everyDay = "Every day"
    case diary = "The diary"
    case food = "Food"
    case devices = "Devices"
    case proof = "Proof"
    case engine = "Engine"
    case machine = "Machine"
  }

  /// A positional argument.
  struct Argument: Hashable, Sendable {
    /// How many there may be.
    enum Count: Sendable {
      case one
      case optional
      case atLeastOne
      case any
    }

    /// The word in capitals that stands for it.
    let name: String
    /// How many.
    let count: Count
    /// What it is, one phrase or more.
    let help: String

    /// As the usage line shows it.
    var usage: String {
      switch count {
      case .one: name
      case .optional: "[\(name)]"
      case .atLeastOne: "\(name)…"
      case .any: "[\(name)…]"
      }
    }
  }

  /// A line to type, and what it does.
  struct Example: Hashable, Sendable {
    /// The line, as a shell reads it.
    let line: String
    /// What it does, one phrase.
    let meaning: String
  }

  /// Its words.
  let name: VerbName
  /// Where help lists it.
  let group: Group
  /// What it does, one phrase.
  let summary: String
  /// Its positional arguments, in order; only the last may be of any count but one.
  let arguments: [Argument]
  /// Its own options.
  let options: [OptionRule]
  /// The global options it honours.
  let globals: [OptionName]
  /// Two lines to begin with.
  let examples: [Example]
  /// Paragraphs of explanation.
  let details: [String]
  /// The statuses it ends with.
  let exits: [ExitCode]
  /// Other words people try for it, so that it can be suggested.
  let alsoCalled: [String]

  /// The line that shows how to use it.
  var usage: String {
    let parts =
      [name.typed] + arguments.map(\.usage)
      + (options.isEmpty && globals.isEmpty ? [] : ["[options]"])
    return parts.joined(separator: " ")
  }
}
