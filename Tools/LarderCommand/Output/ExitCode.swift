// The exit statuses, each with one meaning for every command.

/// How a run of the command line ended.
enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  case failed = 1
  case usage = 2
  case integrity = 3
  case notFound = 4
  case busy = 5
  case notEntitled = 6
  case unreachable = 7
  case partial = 8
  case attention = 9
  case interrupted = 130

  /// The meaning, for help and man pages.
  var meaning: String {
    switch self {
    case .done: "done"
    case .failed: "failed"
    case .usage: "wrong usage; nothing was done"
    case .integrity: "an integrity problem was found"
    case .notFound: "not found, or ambiguous"
    case .busy: "busy: another process is writing"
    case .notEntitled: "not entitled: no key, revoked, wrong code, or a newer format"
    case .unreachable: "the remote cannot be reached now"
    case .partial: "done in part"
    case .attention: "something wants attention"
    case .interrupted: "interrupted"
    }
  }
}
