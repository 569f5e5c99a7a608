// First step of reading a command line: which words are options, which are values, which are
// neither. Needs of the grammar only which options take a value.

/// Splits arguments into tokens.
struct CommandLineScanner {
  /// A part of a command line.
  enum Token: Hashable, Sendable {
    /// A verb, or an argument of one.
    case word(String)
    /// An option; a flag has an empty value.
    case option(OptionName, value: String)
    /// An option that takes a value and has none.
    case valueMissing(OptionName)
    /// A flag with a value.
    case valueUnexpected(OptionName)
    /// Something with dashes that is no option of any verb, as typed without its value.
    case unknownOption(String)
  }

  /// The grammar.
  let grammar: Grammar

  /// The tokens of `arguments`. `--` ends options. A dash before a digit begins a word (`-3d`), a
  /// dash alone is one. The value of an option is what follows `=`, or else the next argument
  /// unless that begins with two dashes.
  func tokens(of arguments: [String]) -> [Token] {
    var tokens: [Token] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        tokens += rest.map(Token.word)
        break
      }
      if argument == "-h" {
        tokens.append(.option(.help, value: ""))
      } else if argument.hasPrefix("--") {
        tokens.append(option(argument.dropFirst(2), rest: &rest))
      } else if argument.hasPrefix("-"), argument.count > 1, !isNumberLike(argument) {
        tokens.append(.unknownOption(argument))
      } else {
        tokens.append(.word(argument))
      }
    }
    return tokens
  }

  private func isNumberLike(_ argument: String) -> Bool {
    argument.dropFirst().first?.isNumber ?? false
  }

  private func option(_ text: Substring, rest: inout ArraySlice<String>) -> Token {
    let mark = text.firstIndex(of: "=")
    let written = String(text[..<(mark ?? text.endIndex)])
    let attached = mark.map { String(text[text.index(after: $0)...]) }
    guard let name = OptionName(rawValue: written) else { return .unknownOption("--" + written) }
    guard let rule = grammar.anyRule(name), rule.kind != .flag else {
      return attached == nil ? .option(name, value: "") : .valueUnexpected(name)
    }
    if let attached { return .option(name, value: attached) }
    guard let next = rest.first, !next.hasPrefix("--") else { return .valueMissing(name) }
    rest.removeFirst()
    return .option(name, value: next)
  }
}
