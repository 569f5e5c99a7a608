// The grammar of the command line: one table from which parsing, help and suggestions come, and
// whatever else describes the command line.

/// Verbs and global options.
struct Grammar: Sendable {
  /// All verbs, in the order help lists them within their groups.
  let verbs: [Verb]
  /// The options that mean the same for every verb that honours them.
  let globals: [OptionRule]

  /// The grammar of this version.
  static let standard = Grammar(verbs: Verb.all, globals: OptionRule.globals)

  /// The verb of that name.
  func verb(_ name: VerbName) -> Verb? {
    verbs.first { $0.name == name }
  }

  /// The rule of a global option.
  func global(_ name: OptionName) -> OptionRule? {
    globals.first { $0.name == name }
  }

  /// First words that need a second: `meal`, `catalog`.
  var nouns: [String] {
    var nouns: [String] = []
    for verb in verbs {
      let words = verb.name.rawValue.split(separator: " ")
      if words.count == 2, !nouns.contains(String(words[0])) { nouns.append(String(words[0])) }
    }
    return nouns
  }

  /// The verbs of a noun: `meal list`, `meal show`, …
  func verbs(ofNoun noun: String) -> [Verb] {
    verbs.filter { $0.name.rawValue.hasPrefix(noun + " ") }
  }

  /// The verbs that honour a global option, as they are typed.
  func verbsHonouring(_ name: OptionName) -> [String] {
    verbs.filter { $0.globals.contains(name) }.map(\.name.typed)
  }

  /// The rule by which `verb` takes an option: one of its own, a global one it honours, `--help`.
  func rule(_ name: OptionName, of verb: Verb) -> OptionRule? {
    if let own = verb.options.first(where: { $0.name == name }) { return own }
    return verb.globals.contains(name) || name == .help ? global(name) : nil
  }

  /// Every rule of an option anywhere, nil if the grammar does not have it.
  func anyRule(_ name: OptionName) -> OptionRule? {
    global(name) ?? verbs.lazy.flatMap(\.options).first { $0.name == name }
  }
}

extension OptionRule {
  /// The global options.
  static let globals: [OptionRule] = [
    OptionRule(.store, .text("FOLDER"), "the store to use instead of LARDER_STORE or the default"),
    OptionRule(.state, .text("FOLDER"), "where the record outside the store is kept"),
    OptionRule(.wait, .duration("TIME"), "how long to wait while another process writes"),
    OptionRule(.json, .flag, "answer with one JSON document"),
    OptionRule(.jsonl, .flag, "answer with one JSON document per line"),
    OptionRule(.quiet, .flag, "print nothing but warnings and errors"),
    OptionRule(.verbose, .flag, "also name every single thing done or set aside"),
    OptionRule(.noInput, .flag, "never ask; what would be asked is an error"),
    OptionRule(.dryRun, .flag, "show what would be done, write nothing"),
    OptionRule(.help, .flag, "show the help page of the verb"),
  ]
}
