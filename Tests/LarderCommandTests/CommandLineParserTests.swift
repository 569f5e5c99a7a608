import Testing

@testable import LarderCommand

@Suite struct CommandLineParserTests {
  private let parser = CommandLineParser(grammar: .standard)

  private func parse(_ words: String...) throws(CommandError) -> Invocation {
    try parser.parse(words)
  }

  private func error(_ words: String...) -> CommandError? {
    do throws(CommandError) {
      _ = try parser.parse(words)
      return nil
    } catch {
      return error
    }
  }

  @Test("verbs of one word and of two, and none")
  func verbs() throws {
    #expect(try parse("log", "oats").verb == .log)
    #expect(try parse("meal", "show", "last").verb == .mealShow)
    #expect(try parse("meal", "show", "last").arguments == ["last"])
    #expect(try parse().verb == .today)
    #expect(try parse("--json").verb == .today)
    #expect(try parse("--version").verb == .version)
    #expect(try parse("--version", "--json").verb == .version)
  }

  @Test("options stand anywhere, with = or a space, and -- ends them")
  func options() throws {
    let log = try parse("--store", "a", "log", "--meal=lunch", "oats=60g", "--at", "-2h", "milk")
    #expect(log.arguments == ["oats=60g", "milk"])
    #expect(log.value(.store) == "a")
    #expect(log.value(.meal) == "lunch")
    #expect(log.value(.at) == "-2h")
    #expect(try parse("log", "--title=--x=y", "a").value(.title) == "--x=y")
    #expect(try parse("log", "--title=", "a").value(.title) == "")
    #expect(try parse("log", "--", "--meal", "-x").arguments == ["--meal", "-x"])
    #expect(try parse("meal", "--json", "list").has(.json))
    #expect(try parse("diary", "-3d").arguments == ["-3d"])
    #expect(try parse("log", "-").arguments == ["-"])
    #expect(try parse("log", "-5g").arguments == ["-5g"])
    #expect(try parse("log", "--tag", "a", "--tag=b", "x").values(.tag) == ["a", "b"])
    #expect(try parse("log", "--pick", "3", "x").number(.pick) == 3)
  }

  @Test("an unknown verb gets the nearest, or the one people call so")
  func unknownVerb() {
    #expect(error("lgo")?.code == .unknownVerb)
    #expect(error("lgo")?.exit == .usage)
    #expect(error("lgo")?.hint?.contains("`larder log`") == true)
    #expect(error("add", "x")?.hint?.contains("`larder log`") == true)
    #expect(error("rm", "x")?.hint?.contains("`larder meal delete`") == true)
    #expect(error("serch", "x")?.hint?.contains("`larder catalog search`") == true)
    #expect(error("code:1=2g")?.hint?.contains("`larder log …`") == true)
    #expect(error("xyzzy")?.hint == "`larder help` lists all verbs")
    #expect(error("")?.code == .unknownVerb)
    #expect(error("meal shwo")?.code == .unknownVerb)
  }

  @Test("a noun without its second word, or with a wrong one, lists them")
  func nouns() {
    #expect(error("meal")?.message == "larder meal needs a second word: list, show, delete")
    #expect(error("meal", "shwo")?.hint?.contains("`larder meal show`") == true)
    #expect(error("meal", "add", "x")?.hint?.contains("`larder log`") == true)
    #expect(error("catalog", "xyzzy")?.hint == "larder catalog knows install, search, show, status")
  }

  @Test("an unknown option gets the nearest the verb takes")
  func unknownOption() {
    #expect(error("log", "x", "--mael", "lunch")?.hint?.contains("did you mean --meal?") == true)
    #expect(error("log", "x", "--mael", "lunch")?.code == .unknownOption)
    #expect(error("log", "-x")?.hint?.contains("after --") == true)
    #expect(error("log", "-j", "x")?.hint?.contains("--json") == true)
    #expect(error("log", "x", "--\u{1B}[31m")?.message.contains("\u{1B}") == false)
  }

  @Test("an option the verb cannot honour is an error that names where it works")
  func notHonoured() {
    #expect(error("version", "--store", "x")?.code == .optionNotHonoured)
    #expect(error("diary", "--keep-items")?.hint == "it works with larder meal delete")
    #expect(error("diary", "--quiet")?.hint?.contains("larder log") == true)
    #expect(error("log", "x", "--yes")?.hint == "no verb of this version takes it")
    #expect(error("--meal", "lunch")?.code == .optionNotHonoured)
    #expect(error("diary", "--store")?.code == .missingArgument)
  }

  @Test("values are asked for, checked and given once")
  func values() {
    #expect(error("log", "x", "--meal")?.code == .missingArgument)
    #expect(error("log", "x", "--meal", "--json")?.code == .missingArgument)
    #expect(error("diary", "--sum", "dya")?.hint == "did you mean --sum day?")
    #expect(error("diary", "--sum", "month")?.message == "--sum takes day or week, not \"month\"")
    #expect(error("log", "x", "--pick", "0")?.code == .invalidArgument)
    #expect(error("log", "x", "--pick", "x")?.code == .invalidArgument)
    #expect(error("log", "x", "--wait", "soon")?.code == .invalidArgument)
    #expect(error("log", "x", "--meal", "a", "--meal", "b")?.code == .unexpectedArgument)
    #expect(error("log", "x", "--json=yes")?.code == .unexpectedArgument)
    #expect(error("meal", "list", "--json", "--jsonl")?.code == .unexpectedArgument)
    #expect(error("rebuild", "--quiet", "--verbose")?.code == .unexpectedArgument)
  }

  @Test("arguments that are missing or too many")
  func counts() {
    #expect(error("log")?.code == .missingArgument)
    #expect(error("meal", "show")?.hint?.contains("larder meal show last") == true)
    #expect(error("meal", "show", "a", "b")?.message.contains("\"b\"") == true)
    #expect(error("version", "x")?.code == .unexpectedArgument)
    #expect(error("rebuild") == nil)
    #expect(error("rebuild", "a", "b") == nil)
    #expect(error("diary", "a", "b")?.code == .unexpectedArgument)
  }

  @Test("--help asks for help, whatever else is there")
  func help() throws {
    #expect(try parse("--help").verb == .help)
    #expect(try parse("-h").arguments.isEmpty)
    #expect(try parse("log", "--help").arguments == ["log"])
    #expect(try parse("meal", "show", "-h").arguments == ["meal", "show"])
    #expect(try parse("meal", "--help").arguments == ["meal"])
    #expect(try parse("log", "--nonsense", "--meal", "x", "--help").arguments == ["log"])
    #expect(try parse("log", "--help", "--json").has(.json))
    #expect(error("lgo", "--help")?.code == .unknownVerb)
    #expect(try parse("log", "--", "--help").verb == .log)
  }

  @Test("the form of an answer is known even where the rest is wrong")
  func form() {
    #expect(parser.form(of: ["lgo", "--json"]) == .document)
    #expect(parser.form(of: ["--jsonl"]) == .lines)
    #expect(parser.form(of: ["log", "--title", "--json"]) == .document)
    #expect(parser.form(of: ["log", "--", "--json"]) == .text)
    #expect(parser.form(of: ["log", "--title=--json"]) == .text)
  }

  @Test("no words make it trap")
  func anything() {
    var seed: UInt64 = 9
    let words = [
      "log", "meal", "show", "--json", "--meal", "--store=x", "--", "-", "-h", "--=", "--x", "=",
      "", "help", "-3d", "--tag", "\u{1B}", "--help", "catalog", "🍎", "---", "--json=", "today",
    ]
    for _ in 0..<5000 {
      var line: [String] = []
      for _ in 0..<Int(seed % 6) {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        line.append(words[Int((seed >> 33) % UInt64(words.count))])
      }
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      _ = try? parser.parse(line)
    }
  }
}

@Suite struct WaitTimeTests {
  @Test("seconds and minutes up to a day")
  func times() {
    #expect(WaitTime("0")?.seconds == 0)
    #expect(WaitTime("30")?.seconds == 30)
    #expect(WaitTime("30s")?.seconds == 30)
    #expect(WaitTime("2min")?.seconds == 120)
    #expect(WaitTime("86400")?.seconds == 86_400)
    for text in ["", "s", "-1", "1.5", "30 s", "1h", "86401", "99999999999999999999", "1441min"] {
      #expect(WaitTime(text) == nil, "\(text)")
    }
  }
}

@Suite struct RawArgumentsTests {
  private func words(_ text: String) throws -> [String] {
    try RawArguments(commandLine: Array(text.utf8)).text()
  }

  @Test("every argument is kept, the empty ones too, and the program's name is not one")
  func splitting() throws {
    #expect(try words("") == [])
    #expect(try words("larder\0") == [])
    #expect(try words("larder\0log\0\0--note\0\0") == ["log", "", "--note", ""])
    #expect(try words("\0thé\0") == ["thé"])
  }

  @Test("what is not UTF-8 is named by its place and bytes, in the form that was asked for")
  func invalid() async {
    let world = TestWorld()
    let bytes = Array("larder\0log\0".utf8) + [0x63, 0xC3, 0x28, 0x1B, 0] + Array("--json\0".utf8)
    let status = await CommandTool(context: world.context).run(RawArguments(commandLine: bytes))
    #expect(status == .usage)
    #expect(world.error.contains(#""message":"argument 2 is not UTF-8 text: \"c\\xC3(^[\"""#))
    #expect(world.output.isEmpty)
  }

  @Test("arguments that cannot be read are not taken for none")
  func unknown() async {
    let world = TestWorld()
    #expect(await CommandTool(context: world.context).run(nil) == .failed)
    #expect(world.error.hasPrefix("error: the arguments cannot be read"))
  }
}
