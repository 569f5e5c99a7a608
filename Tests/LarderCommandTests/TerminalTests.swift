import Testing

@testable import LarderCommand

private let terminal = Terminal(
  isInput: true, isOutput: true, isError: true, width: 60, wantsColour: false)

@Suite struct TerminalTests {
  private func make(_ environment: [Environment.Name: String], deviceWidth: Int? = nil) -> Terminal
  {
    Terminal(
      isInput: true, isOutput: true, isError: true, deviceWidth: deviceWidth,
      environment: Environment(environment))
  }

  @Test("colour is on but for NO_COLOR and dumb terminals; an empty NO_COLOR does not count")
  func colour() {
    #expect(make([:]).isOutputColoured)
    #expect(!make([.noColor: "1"]).isOutputColoured)
    #expect(make([.noColor: ""]).isOutputColoured)
    #expect(!make([.term: "dumb"]).isErrorColoured)
    #expect(make([.term: "xterm-256color"]).isErrorColoured)
    #expect(!Terminal.none.isOutputColoured)
  }

  @Test("the width is the device's, else of COLUMNS, else 80, within reason")
  func width() {
    #expect(make([.columns: "100"], deviceWidth: 120).width == 120)
    #expect(make([.columns: "100"]).width == 100)
    #expect(make([.columns: "x"]).width == 80)
    #expect(make([:]).width == 80)
    #expect(make([:], deviceWidth: 3).width == 20)
    #expect(make([.columns: "99999"]).width == 1000)
    #expect(Terminal.none.outputWidth == nil)
  }
}

@Suite struct ProgressLineTests {
  @Test("nothing is shown in the first second, then at most ten times a second, and it is removed")
  func timing() {
    let world = TestWorld(terminal: terminal)
    let progress = ProgressLine(
      "catalog", unit: .things("records"), context: world.context, isQuiet: false)
    progress.update(done: 10, total: 100)
    world.wait(milliseconds: 999)
    progress.update(done: 20, total: 100)
    #expect(world.error.isEmpty)
    world.wait(milliseconds: 1)
    progress.update(done: 50, total: 100)
    #expect(world.error == "\rcatalog: 50 of 100 records, 50 %, 50/s, 2 s left\u{1B}[K")
    world.wait(milliseconds: 99)
    progress.update(done: 60, total: 100)
    #expect(!world.error.contains("60 of"))
    world.wait(milliseconds: 1)
    progress.update(done: 60, total: 100)
    #expect(world.error.contains("60 of"))
    progress.finish()
    progress.finish()
    #expect(world.error.hasSuffix("left\u{1B}[K\r\u{1B}[K"))
  }

  @Test("work that is quick, quiet, or not watched leaves no trace")
  func silence() {
    let quick = TestWorld(terminal: terminal)
    ProgressLine("x", unit: .bytes, context: quick.context, isQuiet: false).finish()
    #expect(quick.error.isEmpty)
    for (terminal, isQuiet) in [(terminal, true), (Terminal.none, false)] {
      let world = TestWorld(terminal: terminal)
      let progress = ProgressLine("x", unit: .bytes, context: world.context, isQuiet: isQuiet)
      world.wait(milliseconds: 5000)
      progress.update(done: 1, total: nil)
      progress.finish()
      #expect(world.error.isEmpty)
    }
  }

  @Test("the line never exceeds the terminal")
  func fitting() {
    let world = TestWorld(terminal: terminal)
    let label = "a very long label that leaves no room for numbers at all, and more"
    let progress = ProgressLine(label, unit: .bytes, context: world.context, isQuiet: false)
    world.wait(milliseconds: 2000)
    progress.update(done: 1, total: 2)
    let line = world.error.dropFirst().dropLast(3)
    #expect(DisplayWidth.of(String(line)) == 59)
  }

  @Test("rates and times left, also of huge and of nonsensical numbers")
  func lines() {
    let world = TestWorld()
    let bytes = ProgressLine("copy", unit: .bytes, context: world.context, isQuiet: false)
    let second: UInt64 = 1_000_000_000
    #expect(
      bytes.line(done: 10_485_760, total: 20_971_520, elapsedNanoseconds: 10 * second)
        == "copy: 10.0 MiB of 20.0 MiB, 50 %, 1.0 MiB/s, 11 s left")
    #expect(bytes.line(done: 0, total: nil, elapsedNanoseconds: second) == "copy: 0 B")
    #expect(
      bytes.line(done: 5, total: 3, elapsedNanoseconds: second) == "copy: 5 B of 3 B, 100 %, 5 B/s")
    _ = bytes.line(done: .max, total: .max, elapsedNanoseconds: .max)
    _ = bytes.line(done: .max, total: 1, elapsedNanoseconds: 0)
    #expect(ProgressLine.grouped(1_234_567) == "1,234,567")
    #expect(ProgressLine.grouped(-999) == "-999")
    #expect(ProgressLine.grouped(.min) == "-9,223,372,036,854,775,808")
    #expect(ProgressLine.bytes(1023) == "1023 B")
    #expect(ProgressLine.bytes(1536) == "1.5 KiB")
    #expect(ProgressLine.duration(seconds: 59) == "59 s")
    #expect(ProgressLine.duration(seconds: 125) == "2 min 5 s")
    #expect(ProgressLine.duration(seconds: 3720) == "1 h 2 min")
  }
}

@Suite struct ChoicePromptTests {
  private let prompt = ChoicePrompt(
    question: "Which oats?", choices: ["rolled", "steel\u{1B}[31m cut", "instant"])

  private func ask(_ world: TestWorld, _ options: [OptionName: [String]] = [:])
    -> ChoicePrompt.Answer
  {
    prompt.ask(Invocation(verb: .log, arguments: [], options: options), in: world.context)
  }

  @Test("a number chooses; the list is numbered and inert")
  func choosing() {
    let world = TestWorld(terminal: terminal, typed: [" 2 "])
    #expect(ask(world) == .index(1))
    #expect(
      world.error == """
        Which oats?
          1  rolled
          2  steel^[[31m cut
          3  instant
        1-3, or Enter for none:\u{20}
        """)
    #expect(world.output.isEmpty)
  }

  @Test("an empty line and the end of input choose none; nonsense is asked again three times")
  func none() {
    #expect(ask(TestWorld(terminal: terminal, typed: [""])) == .none)
    #expect(ask(TestWorld(terminal: terminal, typed: [])) == .none)
    #expect(ask(TestWorld(terminal: terminal, typed: ["x", "0", "3"])) == .index(2))
    #expect(ask(TestWorld(terminal: terminal, typed: ["x", "4", "-1", "1"])) == .none)
  }

  @Test("nothing is asked in a pipe or with --no-input")
  func notAsked() {
    let pipe = Terminal(
      isInput: false, isOutput: true, isError: true, width: 80, wantsColour: false)
    let log = Terminal(isInput: true, isOutput: true, isError: false, width: 80, wantsColour: false)
    for world in [TestWorld(terminal: pipe, typed: ["1"]), TestWorld(terminal: log, typed: ["1"])] {
      #expect(ask(world) == .notAsked)
      #expect(world.error.isEmpty)
    }
    #expect(ask(TestWorld(terminal: terminal, typed: ["1"]), [.noInput: [""]]) == .notAsked)
  }
}
