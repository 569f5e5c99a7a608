// Second step of reading a command line: the verb, and whether everything given is something the
// verb takes. Every refusal says what to type instead.
import LarderCapture

/// Understands command lines by the grammar.
struct CommandLineParser {
  private typealias Token = CommandLineScanner.Token

  /// The grammar.
  let grammar: Grammar

  /// What `arguments`, without the program's name, ask for. `--help` anywhere asks for the page of
  /// the verb, whatever else is there.
  /// - Throws: usage errors.
  func parse(_ arguments: [String]) throws(CommandError) -> Invocation {
    var arguments = arguments
    if arguments.first == "--version" { arguments[0] = VerbName.version.rawValue }
    let tokens = CommandLineScanner(grammar: grammar).tokens(of: arguments)
    var words = tokens.compactMap { if case .word(let word) = $0 { word } else { nil } }
    if tokens.contains(.option(.help, value: "")) {
      return try help(on: words, tokens: tokens)
    }
    let verb = try takeVerb(from: &words)
    let options = try collect(tokens, for: verb)
    try check(options, of: verb)
    try check(words, of: verb)
    return Invocation(verb: verb.name, arguments: words, options: options)
  }

  /// How the answer, even an error, of these arguments is to be written.
  func form(of arguments: [String]) -> Invocation.Form {
    let tokens = CommandLineScanner(grammar: grammar).tokens(of: arguments)
    if tokens.contains(.option(.jsonl, value: "")) { return .lines }
    return tokens.contains(.option(.json, value: "")) ? .document : .text
  }

  private func help(on words: [String], tokens: [Token]) throws(CommandError) -> Invocation {
    var names: [String] = []
    if let first = words.first, grammar.nouns.contains(first), words.count == 1 {
      names = [first]
    } else if !words.isEmpty {
      var rest = words
      names = try takeVerb(from: &rest).name.rawValue.split(separator: " ").map(String.init)
    }
    let isDocument = tokens.contains(.option(.json, value: ""))
    return Invocation(verb: .help, arguments: names, options: isDocument ? [.json: [""]] : [:])
  }

  // MARK: The verb

  /// The verb that `words` begin with; its words are removed.
  func takeVerb(from words: inout [String]) throws(CommandError) -> Verb {
    guard let first = words.first else {
      guard let today = grammar.verb(.today) else { throw unknownVerb("") }
      return today
    }
    if !first.isEmpty, let verb = grammar.verbs.first(where: { $0.name.rawValue == first }) {
      words.removeFirst()
      return verb
    }
    guard grammar.nouns.contains(first) else { throw unknownVerb(first) }
    guard words.count > 1 else { throw secondWordMissing(first) }
    let name = "\(first) \(words[1])"
    guard let verb = grammar.verbs.first(where: { $0.name.rawValue == name }) else {
      throw unknownSecondWord(words[1], noun: first)
    }
    words.removeFirst(2)
    return verb
  }

  private func unknownVerb(_ word: String) -> CommandError {
    .usage(
      .unknownVerb, "there is no verb \(CommandError.quoted(word))",
      hint: "\(suggestion(for: word))`larder help` lists all verbs")
  }

  private func suggestion(for word: String) -> String {
    if let verb = grammar.verbs.first(where: { $0.alsoCalled.contains(word) }) {
      return "did you mean `\(verb.name.typed)`? "
    }
    if word.contains("=") || word.hasPrefix("code:") { return "did you mean `larder log …`? " }
    let known = grammar.verbs.map(\.name.rawValue).filter { !$0.isEmpty } + grammar.nouns
    if let near = Spelling.nearest(to: word, among: known) {
      return "did you mean `larder \(near)`? "
    }
    let others = grammar.verbs.flatMap(\.alsoCalled)
    if let near = Spelling.nearest(to: word, among: others),
      let verb = grammar.verbs.first(where: { $0.alsoCalled.contains(near) })
    {
      return "did you mean `\(verb.name.typed)`? "
    }
    return ""
  }

  private func secondWordMissing(_ noun: String) -> CommandError {
    .usage(
      .missingArgument, "larder \(noun) needs a second word: \(seconds(ofNoun: noun))",
      hint: "`larder help \(noun)` shows what each does")
  }

  private func unknownSecondWord(_ word: String, noun: String) -> CommandError {
    let whole = "\(noun) \(word)"
    var meant = grammar.verbs.first { $0.alsoCalled.contains(whole) }?.name.typed
    if meant == nil {
      let known = grammar.verbs(ofNoun: noun).map { $0.name.rawValue.dropFirst(noun.count + 1) }
      meant = Spelling.nearest(to: word, among: known.map(String.init)).map {
        "larder \(noun) \($0)"
      }
    }
    let question = meant.map { "did you mean `\($0)`? " } ?? ""
    return .usage(
      .unknownVerb, "there is no verb \(CommandError.quoted(whole))",
      hint: "\(question)larder \(noun) knows \(seconds(ofNoun: noun))")
  }

  private func seconds(ofNoun noun: String) -> String {
    grammar.verbs(ofNoun: noun).map { $0.name.rawValue.dropFirst(noun.count + 1) }
      .joined(separator: ", ")
  }

  // MARK: Arguments

  private func check(_ words: [String], of verb: Verb) throws(CommandError) {
    let hint = "\(verb.usage), for example: \(verb.examples.first?.line ?? verb.name.typed)"
    var left = words[...]
    for argument in verb.arguments {
      switch argument.count {
      case .one, .atLeastOne:
        guard left.popFirst() != nil else {
          throw .usage(.missingArgument, "\(verb.name.typed) needs \(argument.name)", hint: hint)
        }
      case .optional, .any:
        _ = left.popFirst()
      }
      if argument.count == .atLeastOne || argument.count == .any { left = [] }
    }
    guard let surplus = left.first else { return }
    throw .usage(
      .unexpectedArgument,
      "\(verb.name.typed) does not take the argument \(CommandError.quoted(surplus))",
      hint: verb.arguments.isEmpty ? verb.usage : "\(hint); quote words that belong together")
  }
}
