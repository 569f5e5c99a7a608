// One breach of a house rule, printed the way compilers print theirs: editors can jump to it.

/// A breach of a house rule at a line of a file.
struct Finding: Hashable, CustomStringConvertible {
  /// Relative to the top of the repository.
  let path: String
  /// From 1; 0 when the breach is the file itself.
  let line: Int
  /// What is wrong and what to do.
  let message: String

  init(_ path: String, line: Int = 0, _ message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  var description: String {
    line > 0 ? "\(path):\(line): \(message)" : "\(path): \(message)"
  }
}

extension [Finding] {
  /// All findings, one a line, for the message of a failed expectation.
  var report: String {
    map(\.description).joined(separator: "\n")
  }

  /// The lines at which something was found, for the checkers' own tests.
  var lines: [Int] { map(\.line) }
}
