import Larder
import LarderCapture
import LarderKernel
import Testing

@testable import LarderCommand

@Suite struct CommandToolTests {
  @Test("an answer goes to standard output, alone")
  func answer() async {
    let world = TestWorld()
    #expect(await world.run("version") == .done)
    #expect(world.output == "larder \(VersionCommand.version)\n")
    #expect(world.error.isEmpty)
    let document = TestWorld()
    #expect(await document.run("version", "--json") == .done)
    #expect(
      document.output
        == #"{"schema":1,"command":"version","result":{"version":"\#(VersionCommand.version)"},"#
        + "\"warnings\":[]}\n")
  }

  @Test("an error goes to standard error, as text or as its last line")
  func error() async {
    let world = TestWorld()
    #expect(await world.run("lgo") == .usage)
    #expect(world.output.isEmpty)
    #expect(
      world.error
        == "error: there is no verb \"lgo\"\n"
        + "hint: did you mean `larder log`? `larder help` lists all verbs\n")
    let document = TestWorld()
    #expect(await document.run("lgo", "--json") == .usage)
    #expect(
      document.error
        == #"{"error":{"code":"unknown_verb","message":"there is no verb \"lgo\"","#
        + #""hint":"did you mean `larder log`? `larder help` lists all verbs","exit":2}}"# + "\n")
  }

  @Test("what was typed cannot steer the terminal from an error")
  func inertErrors() async {
    let world = TestWorld()
    #expect(await world.run("\u{1B}]0;x\u{7}\u{9B}31m\u{202E}") == .usage)
    #expect(!world.error.unicodeScalars.contains { $0 != "\n" && InertText.isActive($0) })
  }

  @Test("an answer that cannot be written is a failure and says so")
  func fullDisk() async {
    let world = TestWorld(isOutputFull: true)
    #expect(await world.run("version") == .failed)
    #expect(world.error.contains("could not be written"))
  }

  @Test("without a store, bare larder says how to begin")
  func beginning() async {
    let world = TestWorld()
    #expect(await world.run() == .done)
    #expect(world.output.contains("no diary yet at /home/ada/.local/share/larder (default)"))
    #expect(world.output.contains("larder init"))
    let document = TestWorld(environment: [.home: "/home/ada", .store: "/x"])
    #expect(await document.run("--json") == .done)
    #expect(document.output.contains(#""store":"/x","store_origin":"LARDER_STORE","exists":false"#))
  }

  @Test("warnings follow the answer, in the form of the answer")
  func warnings() async {
    let files = ["/home/ada/.config/larder/config": "future_setting = 1\n"]
    let world = TestWorld(files: files)
    #expect(await world.run() == .done)
    #expect(world.error.hasPrefix("warning: line 1 of "))
    let document = TestWorld(files: files)
    #expect(await document.run("--json") == .done)
    #expect(document.output.contains(#""warnings":[{"code":"unknown_setting","message":"line 1"#))
    #expect(document.error.isEmpty)
  }

  @Test("on a terminal errors are coloured, in a pipe they are not")
  func colour() async {
    let terminal = Terminal(
      isInput: true, isOutput: true, isError: true, width: 80, wantsColour: true)
    let world = TestWorld(terminal: terminal)
    #expect(await world.run("lgo") == .usage)
    #expect(world.error.hasPrefix("\u{1B}[31merror: \u{1B}[0m"))
  }

  @Test("help fits the terminal, explanations below their terms where it is narrow")
  func narrowHelp() async {
    for (width, isBeside) in [(20, false), (80, true)] {
      let terminal = Terminal(
        isInput: true, isOutput: true, isError: true, width: width, wantsColour: false)
      let world = TestWorld(terminal: terminal)
      #expect(await world.run("help") == .done)
      let lines = world.output.split(separator: "\n").map(String.init)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
      #expect(lines.contains("      record a meal") != isBeside)
      #expect(lines.contains { $0.hasPrefix("  larder log  ") } == isBeside)
    }
  }

  @Test("candidates of an error are numbered, at most ten")
  func candidates() {
    let candidates = (1...12).map {
      CommandError.Candidate(label: "food \($0)", argument: "code:\($0)")
    }
    let error = CommandError(
      .ambiguous, "several foods match", hint: "--pick N", exit: .notFound, candidates: candidates)
    #expect(error.lines.map(\.plain)[1] == "  1  food 1  code:1")
    #expect(error.lines.count == 12)
    #expect(error.json.text.contains(#"{"label":"food 10","argument":"code:10"}]"#))
    #expect(!error.json.text.contains("food 11"))
  }
}

@Suite struct ArgumentReaderTests {
  private func reader() throws -> ArgumentReader {
    let now = try #require(Instant(milliseconds: 1_777_716_000_000))
    let name = try #require(ZoneName("UTC"))
    let rules = try #require(ZoneDatabase(folder: "/nowhere").rules(of: name))
    return ArgumentReader(now: now, clock: .success(ZoneClock(rules)))
  }

  private func message(_ body: (ArgumentReader) throws(CommandError) -> Void) throws -> [String?] {
    let reader = try reader()
    do throws(CommandError) {
      try body(reader)
      return []
    } catch {
      #expect(error.exit == .usage)
      return [error.message, error.hint]
    }
  }

  @Test("every entry that fails says which argument, what is wrong, and what is understood")
  func messages() throws {
    let food = try message { reader throws(CommandError) in _ = try reader.foods(["oats=NaN"]) }
    #expect(food.first == "WHAT \"oats=NaN\": this is not a number")
    let ambiguous = try message { reader throws(CommandError) in
      _ = try reader.foods(["oats=1,050g"])
    }
    #expect(ambiguous.last??.contains("1.05g") == true)
    let at = Invocation(verb: .log, arguments: [], options: [.at: ["yesterdayish"]])
    let time = try message { reader throws(CommandError) in _ = try reader.time(of: at, slot: nil) }
    #expect(time.first == "--at \"yesterdayish\": this is not understood")
    #expect(time.last??.hasPrefix("did you mean yesterday? write 08:30") == true)
    let month = try message { reader throws(CommandError) in _ = try reader.days("2026-13-01") }
    #expect(month.first == "DAY \"2026-13-01\": there is no such month")
    let reference = try message { reader throws(CommandError) in _ = try reader.reference("abc") }
    #expect(reference.first == "REF \"abc\": the id is too short")
    let slot = Invocation(verb: .log, arguments: [], options: [.meal: ["a/b"]])
    #expect(try message { reader throws(CommandError) in _ = try reader.slot(of: slot) }.count == 2)
    let numbers = Invocation(verb: .log, arguments: [], options: [.numbers: ["carsb=5g"]])
    let unknown = try message { reader throws(CommandError) in
      _ = try reader.numbers(of: numbers)
    }
    #expect(unknown.last??.hasPrefix("did you mean carbs?") == true)
  }

  @Test("what is understood is handed on")
  func values() throws {
    let reader = try reader()
    #expect(try reader.today().description == "2026-05-02")
    #expect(try reader.foods(["oats=60g", "code:12"]).count == 2)
    #expect(try reader.days(nil).first == reader.today())
    #expect(try reader.reference("last") == .last)
    let bare = Invocation(verb: .log, arguments: [], options: [:])
    #expect(try reader.slot(of: bare) == nil)
    #expect(try reader.numbers(of: bare) == nil)
    #expect(try reader.time(of: bare, slot: nil).source == .now)
  }
}

@Suite struct NutrientFigureTests {
  private func text(_ nutrient: Nutrient, _ amount: Int64) -> String {
    NutrientFigure(nutrient: nutrient).text(amount)
  }

  @Test("documents are exact, their keys carry the unit and are all different")
  func documents() throws {
    let amounts = try NutrientAmounts([
      .energy: 419_933, .carbohydrates: 55_100_000, .vitaminB12: 2400, .sodium: 400_500,
      .saturatedFat: 5,
    ])
    #expect(
      JSONValue.nutrients(amounts).text
        == #"{"energy_kcal":419.933,"saturated_fat_g":0.000005,"carbs_g":55.1,"sodium_mg":400.5,"#
        + #""vitamin_b12_ug":2.4}"#)
    let keys = Nutrient.allCases.map { NutrientFigure(nutrient: $0).key }
    #expect(Set(keys).count == Nutrient.allCases.count)
    #expect(NutrientFigure(nutrient: .omega3Fat).key == "omega3_fat_g")
    #expect(NutrientFigure(nutrient: .vitaminB12).label == "vitamin B12")
    #expect(NutrientFigure(nutrient: .pantothenicAcid).label == "pantothenic acid")
    #expect(NutrientFigure(nutrient: .carbohydrates).label == "carbs")
  }

  @Test("people get sensible digits, and a trace is not nothing")
  func people() {
    #expect(text(.energy, 419_933) == "420 kcal")
    #expect(text(.energy, 499) == "<1 kcal")
    #expect(text(.energy, 0) == "0 kcal")
    #expect(text(.carbohydrates, 55_140_000) == "55.1 g")
    #expect(text(.carbohydrates, 99_960_000) == "100 g")
    #expect(text(.carbohydrates, 123_400_000) == "123 g")
    #expect(text(.salt, 50_000) == "0.05 g")
    #expect(text(.salt, 4000) == "<0.01 g")
    #expect(text(.salt, 0) == "0 g")
    #expect(text(.vitaminC, 80_000) == "80.0 mg")
    #expect(text(.vitaminB12, 2400) == "2.4 µg")
    #expect(text(.vitaminD, 1_000_000_000_000) == "1000000000 µg")
  }

  @Test("amounts of food are exact")
  func quantities() throws {
    #expect(try Quantity(60_000, .milligram).text == "60 g")
    #expect(try Quantity(60_005, .milligram).text == "60.0050 g")
    #expect(try Quantity(5, .milligram).text == "0.005 g")
    #expect(try Quantity(1_000_005, .milligram).text == "1000.005 g")
    #expect(try Quantity(330_000, .microlitre).text == "330 ml")
    #expect(try Quantity(1000, .milliserving).text == "1 serving")
    #expect(try Quantity(1500, .milliserving).text == "1.5 servings")
    #expect(try Quantity(500, .milliserving).text == "0.5 servings")
    let quantity = try Quantity(40_500, .milligram)
    #expect(quantity.key == "amount_g" && quantity.decimal.description == "40.5")
    // What is printed is read back as the same amount.
    for value in stride(from: Int64(1), to: 5_000_000, by: 7919) {
      for unit in QuantityUnit.allCases {
        let quantity = try Quantity(value, unit)
        #expect(try TypedAmount.read(quantity.text) == quantity)
      }
    }
  }
}
