// A text file of the repository as the house checkers see it: a path and its text, so that every
// checker can be tried on planted text without touching the disk.

/// A file's path from the top of the repository, and its text.
struct SourceFile: Sendable {
  /// Relative, with `/` between its parts.
  let path: String
  /// The whole text.
  let text: String
  /// The text line by line, without line ends.
  let lines: [Substring]
  /// Code, comments and strings apart; empty for a file that is not Swift.
  let swift: SwiftText

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    swift = SwiftText(path.hasSuffix(".swift") ? text : "")
  }

  /// The last part of the path.
  var name: Substring { parts.last ?? "" }

  /// The path's parts.
  var parts: [Substring] { path.split(separator: "/") }

  /// What follows the last dot of the name, or nothing.
  var fileExtension: Substring {
    let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
    return pieces.count > 1 ? pieces[pieces.count - 1] : ""
  }

  /// Swift source.
  var isSwift: Bool { fileExtension == "swift" }
  /// Command lines and what they must answer.
  var isCommandScript: Bool { path.hasPrefix("Tests/Scripts/") }

  /// Something a person writes for a machine to run: Swift, C, Python, SQL, CDDL or a script.
  var isCode: Bool {
    ["swift", "c", "h", "py", "sh", "sql", "cddl"].contains(fileExtension) || isScript
      || isCommandScript
  }

  /// A file that begins with an interpreter line.
  var isScript: Bool { text.hasPrefix("#!") }

  /// The module a Swift file is compiled into: the folder under `Sources`, `Tools` or `Tests`.
  var module: String? {
    let parts = parts
    guard parts.count > 2, ["Sources", "Tools", "Tests"].contains(parts[0]) else { return nil }
    return String(parts[1])
  }

  /// Whether the file stands under the folder `folder`.
  func isUnder(_ folder: String) -> Bool {
    path.hasPrefix(folder + "/")
  }
}
