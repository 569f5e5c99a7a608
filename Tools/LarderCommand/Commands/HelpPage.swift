// Help as lines: the overview, the page of a noun and the page of a verb, all from the grammar.
// Examples come first: most people need no more.

/// Help for a person.
struct HelpPage {
  /// Text is never wider than this, however wide the terminal.
  static let widthMaximum = 100

  /// The grammar.
  let grammar: Grammar
  /// The width to fit; a pipe has the maximum.
  let width: Int

  /// Pages of `grammar`, for a terminal of that width or a pipe.
  init(grammar: Grammar, width: Int?) {
    self.grammar = grammar
    self.width = min(width ?? Self.widthMaximum, Self.widthMaximum)
  }

  /// What there is.
  func overview() -> [StyledText] {
    var lines = [StyledText("Larder keeps the history of what you eat.", .bold), ""]
    lines += exampleLines(
      [
        Verb.log.examples.first, Verb.diary.examples.first,
      ].compactMap(\.self))
    for group in Verb.Group.allCases {
      let verbs = grammar.verbs.filter { $0.group == group }
      guard !verbs.isEmpty else { continue }
      lines += ["", StyledText(group.rawValue, .bold)]
      lines += definitions(verbs.map { ($0.name.typed, $0.summary) })
    }
    lines += ["", StyledText("Options that several verbs take", .bold)]
    lines += definitions(grammar.globals.map { ($0.usage, $0.help) })
    lines += [""] + paragraph("`larder help VERB` shows the page of a verb, with examples.")
    return lines
  }

  /// The verbs of a noun.
  func page(ofNoun noun: String) -> [StyledText] {
    let verbs = grammar.verbs(ofNoun: noun)
    var lines = exampleLines(verbs.prefix(2).compactMap(\.examples.first))
    lines += ["", StyledText("Verbs", .bold)]
    lines += definitions(verbs.map { ($0.usage, $0.summary) })
    return lines
  }

  /// Everything about a verb.
  func page(of verb: Verb) -> [StyledText] {
    var lines = exampleLines(verb.examples)
    lines += ["", StyledText("\(verb.name.typed): ", .bold) + StyledText(verb.summary)]
    lines += ["", StyledText("Usage", .bold), StyledText("  \(verb.usage)")]
    if !verb.arguments.isEmpty {
      lines += ["", StyledText("Arguments", .bold)]
      lines += definitions(verb.arguments.map { ($0.usage, $0.help) })
    }
    let options = verb.options + verb.globals.compactMap(grammar.global)
    if !options.isEmpty {
      lines += ["", StyledText("Options", .bold)]
      lines += definitions(options.map { ($0.usage, help(of: $0)) })
    }
    for detail in verb.details { lines += [""] + paragraph(detail) }
    lines += ["", StyledText("Exit status", .bold)]
    lines += definitions(verb.exits.map { (String($0.rawValue), $0.meaning) })
    return lines
  }

  private func help(of rule: OptionRule) -> String {
    rule.isRepeatable ? "\(rule.help); may be repeated" : rule.help
  }

  private func exampleLines(_ examples: [Verb.Example]) -> [StyledText] {
    var lines = [StyledText("Examples", .bold)]
    for example in examples {
      lines.append("  " + StyledText(example.line, .cyan))
      lines += TextWrap.lines(example.meaning, width: width - 6).map {
        StyledText("      \($0)", .dim)
      }
    }
    return lines
  }

  private func paragraph(_ text: String) -> [StyledText] {
    TextWrap.lines(text, width: width).map { StyledText($0) }
  }

  /// Terms and their explanations in two columns; a long term has its explanation below it, as all
  /// have where two columns have no room.
  private func definitions(_ pairs: [(String, String)]) -> [StyledText] {
    let termWidthMaximum = 26
    let terms = pairs.map { DisplayWidth.of($0.0) }.filter { $0 <= termWidthMaximum }
    let explanationWidthMinimum = 20
    let beside = 2 + (terms.max() ?? 0) + 2
    let isNarrow = width - beside < explanationWidthMinimum
    let column = isNarrow ? 6 : beside
    var lines: [StyledText] = []
    for (term, explanation) in pairs {
      let texts = TextWrap.lines(explanation, width: width - column)
      let isLong = isNarrow || DisplayWidth.of(term) > termWidthMaximum
      if isLong { lines.append(StyledText("  \(term)")) }
      for (index, text) in texts.enumerated() {
        let lead = index == 0 && !isLong ? "  \(term)" : ""
        let padding = String(repeating: " ", count: column - DisplayWidth.of(lead))
        lines.append(StyledText(lead + padding + text))
      }
    }
    return lines
  }
}
