import Testing

@Suite("Banned calls")
struct BannedCallsTests {
  @Test("the sources hold none")
  func repository() {
    let findings = BannedCalls.findings(in: SourceTree.repository.files)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test(
    "hidden inputs, traps and prints are found",
    arguments: [
      "let a = Date()", "let a = ContinuousClock()", "let a = Int.random(in: 0..<3)",
      "var a = SystemRandomNumberGenerator()", "try! f()", "fatalError(\"no\")", "print(1)",
      "clock_gettime(a, b)", "let a = localtime_r(b, c)", "f(\"\\(Date())\")",
    ])
  func code(source: String) {
    let file = SourceFile("Sources/LarderKernel/A.swift", "\n" + source)
    #expect(BannedCalls.findings(in: [file]).lines == [2])
  }

  @Test("the clock of a type is found, that of a value is one that was passed in")
  func clocks() {
    func lines(_ source: String) -> [Int] {
      BannedCalls.findings(in: [SourceFile("Sources/LarderCapture/A.swift", source)]).lines
    }
    #expect(lines("let a = Date.now") == [1])
    #expect(lines("let a = DispatchTime.now() + b") == [1])
    #expect(lines("let a = platform.now()").isEmpty)
    #expect(lines("let a = platform().now()").isEmpty)
    #expect(lines("let a: Source = .now").isEmpty)
    #expect(lines("import Dispatch\nf(until: .now() + a)") == [2])
    #expect(lines("import FoundationEssentials\n.now\na.now") == [2])
  }

  @Test(
    "SQL that reads the clock is found",
    arguments: [
      "SELECT date('now')", "SELECT strftime('%s', 'now')", "x DEFAULT CURRENT_TIMESTAMP",
      "SELECT datetime(1, 'unixepoch', 'LOCALTIME')",
    ])
  func sql(statement: String) {
    let swift = SourceFile("Sources/LarderStore/A.swift", "let a = \"\(statement)\"")
    #expect(BannedCalls.findings(in: [swift]).lines == [1])
    #expect(BannedCalls.findings(in: [SourceFile("Schemas/A.sql", statement)]).lines == [1])
  }

  @Test(
    "longer names, comments and strings are not mistaken for a banned word",
    arguments: [
      "let a = Candidate()", "a.nowhere()", "// try! print(1)", "let a = \"fatalError(\"",
      "blueprint(1)", "let unsafely = 1", "withUnsafeBytes { f($0) }", "let a = \"as of now\"",
      "let a = \"/etc/localtime\"",
    ])
  func innocent(source: String) {
    #expect(BannedCalls.findings(in: [SourceFile("Sources/LarderKernel/A.swift", source)]).isEmpty)
  }

  @Test("only the platform file reads the clock, only the command line prints")
  func allowed() {
    let clock = "let a = Date()"
    #expect(
      BannedCalls.findings(in: [SourceFile("Sources/Larder/PlatformClock.swift", clock)]).isEmpty)
    #expect(!BannedCalls.findings(in: [SourceFile("Sources/Larder/Clock.swift", clock)]).isEmpty)
    #expect(
      !BannedCalls.findings(in: [SourceFile("Sources/LarderSQL/PlatformA.swift", clock)]).isEmpty)
    #expect(!BannedCalls.findings(in: [SourceFile("Tools/LarderCommand/A.swift", clock)]).isEmpty)
    #expect(
      BannedCalls.findings(in: [SourceFile("Tools/LarderCommand/A.swift", "print(1)")]).isEmpty)
  }

  @Test("a test that is not seeded is found")
  func seeds() {
    let source = "var a = SystemRandomNumberGenerator()"
    #expect(BannedCalls.findings(in: [SourceFile("Tests/A/A.swift", source)]).lines == [1])
  }

  @Test(
    "unsafe constructs stand in wrapper and platform files only, with a comment",
    arguments: [
      "unsafe f()", "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1",
    ])
  func unsafe(source: String) {
    func lines(_ path: String, _ text: String) -> Set<Int> {
      Set(BannedCalls.findings(in: [SourceFile(path, text)]).lines)
    }
    #expect(lines("Sources/LarderKernel/A.swift", "// Proof.\n" + source) == [2])
    #expect(lines("Sources/LarderSQL/A.swift", source) == [1])
    #expect(lines("Sources/LarderSQL/A.swift", "// Proof.\n" + source) == [])
    let distant = "// Proof.\n" + String(repeating: "\n", count: 70) + source
    #expect(lines("Sources/LarderSQL/A.swift", distant) == [72])
    #expect(lines("Sources/Larder/SerialExecutor.swift", "// Proof.\n" + source) == [])
    #expect(lines("Sources/LarderStore/PlatformFiles.swift", "// Proof.\n" + source) == [])
    let handle = "unsafe executor.asUnownedSerialExecutor()"
    #expect(lines("Sources/Larder/A.swift", "// Proof.\n" + handle) == [])
    #expect(lines("Sources/Larder/A.swift", handle) == [1])
  }

  @Test(
    "unfinished work is found in any code",
    arguments: [
      "Sources/LarderKernel/A.swift", "Tests/A/A.swift", "Tools/A.py", "Tools/A.sh",
    ])
  func unfinished(path: String) {
    let source = "x\n// TO" + "DO: more\n// FIX" + "ME\n@Test(.dis" + "abled(\"later\"))"
    #expect(BannedCalls.findings(in: [SourceFile(path, source)]).lines == [2, 3, 4])
    #expect(BannedCalls.findings(in: [SourceFile("A.md", source)]).isEmpty)
  }
}
