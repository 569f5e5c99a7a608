// `larder help`, and `--help` of any verb.

/// Shows help.
enum HelpCommand {
  /// The overview, or the page of the verb or noun named by the arguments.
  /// - Throws: `unknownVerb`.
  static func run(_ invocation: Invocation, grammar: Grammar) throws(CommandError) -> Answer {
    var words = invocation.arguments.flatMap { $0.split(separator: " ").map(String.init) }
    if words.first == "larder" { words.removeFirst() }
    guard let first = words.first else {
      return Answer(
        result: { HelpDocument.document(of: grammar) },
        lines: { HelpPage(grammar: grammar, width: $0).overview() })
    }
    if words.count == 1, grammar.nouns.contains(first) {
      let verbs = grammar.verbs(ofNoun: first)
      return Answer(
        result: {
          ["verbs": .array(verbs.map { HelpDocument.document(of: $0, grammar: grammar) })]
        },
        lines: { HelpPage(grammar: grammar, width: $0).page(ofNoun: first) })
    }
    let verb = try CommandLineParser(grammar: grammar).takeVerb(from: &words)
    return Answer(
      result: { HelpDocument.document(of: verb, grammar: grammar) },
      lines: { HelpPage(grammar: grammar, width: $0).page(of: verb) })
  }
}
