// Scripts of command lines and what they must answer. The format, one thing a line:
//
//   # comment; empty lines do not count
//   $ larder diary 2026-05-02      runs it, as a shell reads words; NAME=VALUE may stand before it
//   < line                         a line of its standard input
//   > line                         a line of its standard output
//   ! line                         a line of its standard error
//   ? 2                            its exit status, 0 if not given
//   set NAME=VALUE                 an environment variable from here on
//   save NAME / same NAME          keeps the standard output, or compares it with a kept one
//   take NAME PATTERN              a variable: what the pattern's group finds in the output
//   write NAME                     a file in $WORK with the `| line`s that follow
//   needs PATH                     leaves the script with a message if there is no such file
//
// In lines that are expected, `[..]` stands for any text, and a line `...` for any lines. $WORK,
// $HOME, $STORE, $STATE, $DATA, $FIXTURES, $PROGRAM (larder itself, for what a shell must start)
// and variables taken are replaced everywhere.
import Foundation

/// A parsed script.
struct Script: Sendable {
  /// One command line and what it must do.
  struct Run: Sendable {
    var words: [String]
    var environment: [(name: String, value: String)]
    var input: [String] = []
    var output: [String] = []
    var error: [String] = []
    var status: Int32 = 0
  }

  /// One step of a script.
  enum Action: Sendable {
    case run(Run)
    case set(name: String, value: String)
    case save(String)
    case same(String)
    case take(name: String, pattern: String)
    case write(name: String, lines: [String])
    case needs(String)
  }

  /// A step with the line it stands on, from 1.
  struct Step: Sendable {
    let line: Int
    var action: Action
  }

  /// Why a script cannot be run.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The steps, in order.
  private(set) var steps: [Step] = []

  /// The script of a text.
  init(_ text: String) throws(Fault) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      do throws(Fault) {
        try read(String(line), number: index + 1)
      } catch {
        throw Fault(description: "line \(index + 1): \(error.description)")
      }
    }
  }

  private mutating func read(_ line: String, number: Int) throws(Fault) {
    guard !line.isEmpty, !line.hasPrefix("#") else { return }
    let mark = line.prefix { $0 != " " }
    let rest = String(line.dropFirst(mark.count + 1))
    switch mark {
    case "$": append(.run(try Self.run(rest)), number)
    case "<": try changeRun { $0.input.append(rest) }
    case ">": try changeRun { $0.output.append(rest) }
    case "!": try changeRun { $0.error.append(rest) }
    case "?":
      guard let status = Int32(rest) else { throw Fault(description: "no exit status: \(rest)") }
      try changeRun { $0.status = status }
    case "|":
      guard case .write(let name, let lines)? = steps.last?.action else {
        throw Fault(description: "a line of a file without `write`")
      }
      steps[steps.count - 1].action = .write(name: name, lines: lines + [rest])
    case "set":
      let pair = try Self.pair(rest, separator: "=")
      append(.set(name: pair.0, value: pair.1), number)
    case "save": append(.save(rest), number)
    case "same": append(.same(rest), number)
    case "take":
      let pair = try Self.pair(rest, separator: " ")
      append(.take(name: pair.0, pattern: pair.1), number)
    case "write": append(.write(name: rest, lines: []), number)
    case "needs": append(.needs(rest), number)
    default: throw Fault(description: "not understood: \(line)")
    }
  }

  private mutating func append(_ action: Action, _ number: Int) {
    steps.append(Step(line: number, action: action))
  }

  private mutating func changeRun(_ change: (inout Run) -> Void) throws(Fault) {
    guard case .run(var run)? = steps.last?.action else {
      throw Fault(description: "an expectation without a command line")
    }
    change(&run)
    steps[steps.count - 1].action = .run(run)
  }

  private static func run(_ text: String) throws(Fault) -> Run {
    guard var words = words(of: text), !words.isEmpty else {
      throw Fault(description: "a quotation mark is left open, or there is no word")
    }
    var environment: [(String, String)] = []
    while let first = words.first, let mark = first.firstIndex(of: "="),
      first[..<mark].allSatisfy({ $0.isUppercase || $0 == "_" }), words.count > 1
    {
      environment.append((String(first[..<mark]), String(first[first.index(after: mark)...])))
      words.removeFirst()
    }
    return Run(words: words, environment: environment)
  }

  private static func pair(
    _ text: String, separator: Character
  ) throws(Fault) -> (String, String) {
    guard let mark = text.firstIndex(of: separator) else {
      throw Fault(description: "\"\(separator)\" is missing")
    }
    return (String(text[..<mark]), String(text[text.index(after: mark)...]))
  }

  /// Words as a shell splits them: spaces, both quotation marks, backslash outside of single ones.
  /// Nil if a quotation mark is left open.
  static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let complete = word { words.append(complete) }
    return quote == nil && !isEscaped ? words : nil
  }
}
