// The options of a command line: known ones, taken by the verb, given once, with values they take.
import LarderCapture

extension CommandLineParser {
  /// The options among `tokens` with their values.
  func collect(
    _ tokens: [CommandLineScanner.Token], for verb: Verb
  ) throws(CommandError) -> [OptionName: [String]] {
    var options: [OptionName: [String]] = [:]
    for token in tokens {
      switch token {
      case .word: continue
      case .unknownOption(let written): throw unknownOption(written, verb: verb)
      case .valueUnexpected(let name):
        try checkTaken(name, by: verb)
        throw .usage(
          .unexpectedArgument, "\(name.typed) takes no value", hint: "write \(name.typed) alone")
      case .valueMissing(let name):
        try checkTaken(name, by: verb)
        throw valueMissing(name, verb: verb)
      case .option(let name, let value):
        let rule = try checkTaken(name, by: verb)
        if let expectation = rule.expectation(violatedBy: value), rule.kind != .flag {
          throw invalid(name, value: value, rule: rule, expectation: expectation)
        }
        if options[name] != nil, !rule.isRepeatable, rule.kind != .flag {
          throw .usage(
            .unexpectedArgument, "\(name.typed) is given twice", hint: "give \(name.typed) once")
        }
        options[name, default: []].append(value)
      }
    }
    return options
  }

  /// Refuses options that contradict each other.
  func check(_ options: [OptionName: [String]], of verb: Verb) throws(CommandError) {
    let pairs: [(OptionName, OptionName)] = [(.json, .jsonl), (.quiet, .verbose)]
    for (first, second) in pairs where options[first] != nil && options[second] != nil {
      throw .usage(
        .unexpectedArgument, "\(first.typed) and \(second.typed) exclude each other",
        hint: "give one of them")
    }
  }

  @discardableResult
  private func checkTaken(_ name: OptionName, by verb: Verb) throws(CommandError) -> OptionRule {
    if let rule = grammar.rule(name, of: verb) { return rule }
    let own = grammar.verbs.filter { $0.options.contains { $0.name == name } }.map(\.name.typed)
    let places = own + grammar.verbsHonouring(name)
    let shown = places.prefix(6).joined(separator: ", ")
    let hint =
      places.isEmpty
      ? "no verb of this version takes it"
      : "it works with \(shown)\(places.count > 6 ? " and others" : "")"
    throw .usage(
      .optionNotHonoured, "\(verb.name.typed) does not take \(name.typed)", hint: hint)
  }

  private func unknownOption(_ written: String, verb: Verb) -> CommandError {
    let own = verb.options.map(\.name.rawValue)
    let taken = own + verb.globals.map(\.rawValue) + [OptionName.help.rawValue]
    let bare = String(written.drop { $0 == "-" })
    var hint: String
    if written.hasPrefix("--") {
      hint = Spelling.nearest(to: bare, among: taken).map { "did you mean --\($0)? " } ?? ""
    } else {
      let near = taken.first { $0.first == bare.first }
      hint = near.map { "options are written out, did you mean --\($0)? " } ?? ""
      hint += "An argument that begins with a dash goes after --. "
    }
    return .usage(
      .unknownOption, "\(verb.name.typed) has no option \(CommandError.quoted(written))",
      hint: hint + "`\(verb.name.typed) --help` lists its options")
  }

  private func valueMissing(_ name: OptionName, verb: Verb) -> CommandError {
    let usage = grammar.rule(name, of: verb)?.usage ?? name.typed
    return .usage(
      .missingArgument, "\(name.typed) needs a value",
      hint: "\(usage); a value that begins with two dashes is written \(name.typed)=VALUE")
  }

  private func invalid(
    _ name: OptionName, value: String, rule: OptionRule, expectation: String
  ) -> CommandError {
    var hint = rule.usage
    if case .choice(let words) = rule.kind, let near = Spelling.nearest(to: value, among: words) {
      hint = "did you mean \(name.typed) \(near)?"
    }
    return .usage(
      .invalidArgument,
      "\(name.typed) takes \(expectation), not \(CommandError.quoted(value))", hint: hint)
  }
}
