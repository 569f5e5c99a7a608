import Testing

@testable import LarderCommand

@Suite struct GrammarTests {
  private let grammar = Grammar.standard

  @Test("every verb has one row")
  func rows() {
    #expect(
      grammar.verbs.map(\.name.rawValue).sorted() == VerbName.allCases.map(\.rawValue).sorted())
  }

  @Test("every row has two examples, a summary, exit statuses, and each example parses to its verb")
  func examples() throws {
    for verb in grammar.verbs {
      #expect(verb.examples.count == 2, "\(verb.name.typed)")
      #expect(!verb.summary.isEmpty && !verb.summary.hasSuffix("."))
      #expect(verb.exits.first == .done)
      for example in verb.examples {
        let words = try #require(ShellWords.split(example.line))
        #expect(words.first == "larder")
        let invocation = try CommandLineParser(grammar: grammar).parse(Array(words.dropFirst()))
        #expect(invocation.verb == verb.name, "\(example.line)")
      }
    }
  }

  @Test("an option takes a value in all verbs or in none, and no verb has one twice")
  func optionKinds() {
    var takesValue: [OptionName: Bool] = [:]
    for verb in grammar.verbs {
      let rules = verb.options + verb.globals.compactMap(grammar.global)
      #expect(Set(rules.map(\.name)).count == rules.count, "\(verb.name.typed)")
      #expect(verb.globals.allSatisfy { grammar.global($0) != nil })
      for rule in rules {
        #expect(takesValue[rule.name, default: rule.kind != .flag] == (rule.kind != .flag))
        takesValue[rule.name] = rule.kind != .flag
        #expect(!rule.help.isEmpty && !rule.help.hasSuffix("."))
      }
    }
    let helped = Set(grammar.globals.map(\.name)).subtracting([.help])
    let used = Set(grammar.verbs.flatMap(\.globals))
    #expect(helped == used, "the list of global options names what some verb honours")
  }

  @Test("only the last argument of a verb may be of any count but one")
  func arguments() {
    for verb in grammar.verbs {
      #expect(verb.arguments.dropLast().allSatisfy { $0.count == .one })
    }
  }

  @Test("what people call a verb is no verb itself and leads to one verb only")
  func otherNames() {
    var seen: Set<String> = []
    for verb in grammar.verbs {
      for other in verb.alsoCalled {
        #expect(VerbName(rawValue: other) == nil, "\(other)")
        #expect(seen.insert(other).inserted, "\(other)")
      }
    }
  }
}

@Suite struct HelpTests {
  private let grammar = Grammar.standard

  @Test("the overview names every verb and every global option, and fits")
  func overview() async {
    let world = TestWorld()
    #expect(await world.run("help") == .done)
    for verb in grammar.verbs { #expect(world.output.contains(verb.summary)) }
    for rule in grammar.globals { #expect(world.output.contains(rule.name.typed)) }
    #expect(world.error.isEmpty)
    for width in [40, 60, 80, 200] {
      let lines = HelpPage(grammar: grammar, width: width).overview()
      // Examples are lines to copy: they are not broken.
      #expect(
        lines.filter { $0.width > max(60, width) }.allSatisfy { $0.plain.contains("larder log") })
    }
  }

  @Test("a verb's page begins with its examples and names all it takes")
  func page() async {
    for verb in grammar.verbs where verb.name != .today {
      let world = TestWorld()
      #expect(await CommandTool(context: world.context).run(["help", verb.name.rawValue]) == .done)
      #expect(world.output.hasPrefix("Examples\n  \(verb.examples[0].line)\n"))
      for rule in verb.options { #expect(world.output.contains(rule.usage)) }
      for argument in verb.arguments { #expect(world.output.contains(argument.usage)) }
      #expect(world.output.contains(verb.usage))
      let other = TestWorld()
      _ = await CommandTool(context: other.context).run(
        verb.name.rawValue.split(separator: " ").map(String.init) + ["--help"])
      #expect(other.output == world.output)
    }
  }

  @Test("help of a noun, of a program's own name, and of nonsense")
  func others() async {
    let noun = TestWorld()
    #expect(await noun.run("help", "meal") == .done)
    #expect(noun.output.contains("larder meal delete REF [options]"))
    let named = TestWorld()
    #expect(await named.run("help", "larder", "log") == .done)
    #expect(named.output.contains("larder log: record a meal"))
    let nonsense = TestWorld()
    #expect(await nonsense.run("help", "lgo") == .usage)
    #expect(nonsense.error.contains("`larder log`"))
  }

  @Test("the document holds the whole grammar")
  func document() async {
    let world = TestWorld()
    #expect(await world.run("help", "--json") == .done)
    #expect(world.output.hasPrefix(#"{"schema":1,"command":"help","result":{"verbs":["#))
    #expect(world.output.hasSuffix("\"warnings\":[]}\n"))
    for verb in grammar.verbs {
      #expect(world.output.contains(#""verb":"\#(verb.name.rawValue)""#))
    }
    let one = TestWorld()
    #expect(await one.run("log", "--help", "--json") == .done)
    #expect(one.output.hasPrefix(#"{"schema":1,"command":"help","result":{"verb":"log","#))
  }
}

/// Splits a line into words as a shell does: spaces, single and double quotes. Nil if a quotation
/// mark is left open.
enum ShellWords {
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
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
    return quote == nil ? words : nil
  }
}
