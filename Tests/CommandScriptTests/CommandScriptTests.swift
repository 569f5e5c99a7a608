import Foundation
import Testing

@Suite struct CommandScriptTests {
  /// The names of the scripts in Tests/Scripts.
  static let names: [String] = {
    let folder = ScriptRunner.package.appendingPathComponent("Tests/Scripts").path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test("the program answers as the script says", arguments: names)
  func script(_ name: String) throws {
    let file = ScriptRunner.package.appendingPathComponent("Tests/Scripts/\(name)")
    let text = try String(contentsOf: file, encoding: .utf8)
    try ScriptRunner(name: name, script: Script(text)).run()
  }

  @Test("there are scripts")
  func some() {
    #expect(!Self.names.isEmpty)
  }
}

@Suite struct ScriptTests {
  @Test("a script is read into steps")
  func reading() throws {
    let script = try Script(
      """
      # comment
      set TZ=Asia/Tokyo

      $ A=1 larder log 'a b' "c"\\ d
      < in
      > out
      ! err
      ? 2
      take ID "id":"([0-9a-f]+)"
      write f
      | one
      | two
      """)
    #expect(script.steps.map(\.line) == [2, 4, 9, 10])
    guard case .run(let run) = script.steps[1].action else {
      Issue.record("the second step is no run")
      return
    }
    #expect(run.words == ["larder", "log", "a b", "c d"])
    #expect(run.environment.map(\.name) == ["A"])
    #expect(run.input == ["in"] && run.output == ["out"] && run.error == ["err"])
    #expect(run.status == 2)
    guard case .write("f", ["one", "two"]) = script.steps[3].action else {
      Issue.record("the last step writes no file")
      return
    }
  }

  @Test("a script that is wrong is not run", arguments: ["nonsense", "> x", "$ 'x", "? 1", "| x"])
  func faults(_ text: String) {
    #expect(throws: Script.Fault.self) { _ = try Script(text) }
  }

  @Test("expected lines stand for others where they say so")
  func patterns() {
    #expect(LinePattern(lines: []).matches([]))
    #expect(!LinePattern(lines: []).matches(["a"]))
    #expect(LinePattern(lines: ["a", "b"]).matches(["a", "b"]))
    #expect(!LinePattern(lines: ["a"]).matches(["a", "b"]))
    #expect(LinePattern(lines: ["...", "b"]).matches(["a", "x", "b"]))
    #expect(LinePattern(lines: ["a", "..."]).matches(["a"]))
    #expect(!LinePattern(lines: ["...", "b", "..."]).matches(["a", "c"]))
    #expect(LinePattern.matchesLine("a [..] c", "a b b c"))
    #expect(LinePattern.matchesLine("[..]", ""))
    #expect(LinePattern.matchesLine("a[..]a[..]a", "aaa"))
    #expect(!LinePattern.matchesLine("a[..]a", "a"))
    #expect(!LinePattern.matchesLine("a[..]b", "ac"))
    #expect(!LinePattern.matchesLine("ab", "ac"))
  }
}
