// Help as a document: the whole grammar, or one verb of it, for tools that describe or complete the
// command line.

/// The grammar as JSON.
enum HelpDocument {
  /// All of it.
  static func document(of grammar: Grammar) -> JSONValue {
    [
      "verbs": .array(grammar.verbs.map { document(of: $0, grammar: grammar) }),
      "global_options": .array(grammar.globals.map(document)),
      "exit_codes": .array(ExitCode.allCases.map(document)),
    ]
  }

  /// One verb, with its own and the global options it takes.
  static func document(of verb: Verb, grammar: Grammar) -> JSONValue {
    let options = verb.options + verb.globals.compactMap(grammar.global)
    return [
      "verb": .string(verb.name.rawValue),
      "group": .string(verb.group.rawValue),
      "summary": .string(verb.summary),
      "usage": .string(verb.usage),
      "examples": .array(
        verb.examples.map { ["line": .string($0.line), "meaning": .string($0.meaning)] }),
      "arguments": .array(verb.arguments.map(document)),
      "options": .array(options.map(document)),
      "details": .array(verb.details.map(JSONValue.string)),
      "exit_codes": .array(verb.exits.map(document)),
    ]
  }

  private static func document(of argument: Verb.Argument) -> JSONValue {
    let isRequired = argument.count == .one || argument.count == .atLeastOne
    let isRepeatable = argument.count == .any || argument.count == .atLeastOne
    return [
      "name": .string(argument.name), "help": .string(argument.help),
      "required": .bool(isRequired), "repeatable": .bool(isRepeatable),
    ]
  }

  private static func document(of rule: OptionRule) -> JSONValue {
    var choices: JSONValue?
    if case .choice(let words) = rule.kind { choices = .array(words.map(JSONValue.string)) }
    return .object(of: [
      ("name", .string(rule.name.rawValue)), ("value", rule.valueName.map(JSONValue.string)),
      ("choices", choices), ("help", .string(rule.help)),
      ("repeatable", .bool(rule.isRepeatable)),
    ])
  }

  private static func document(of exit: ExitCode) -> JSONValue {
    ["exit": .integer(Int64(exit.rawValue)), "meaning": .string(exit.meaning)]
  }
}
