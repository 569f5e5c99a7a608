import Testing

@Suite("Documents")
struct DocumentsTests {
  private let tree = SourceTree.repository

  @Test("no file names a folder of one machine")
  func machinePaths() {
    #expect(Documents.machinePathFindings(in: tree.files).report == "")
  }

  @Test("every link leads to a file")
  func links() {
    #expect(Documents.linkFindings(in: tree.files, paths: Set(tree.paths)).report == "")
  }

  @Test("the README's commands exist, scripts can be run, the licence is Apache-2.0")
  func promises() throws {
    let readme = try #require(tree.file("README.md"))
    let licence = try #require(tree.file("LICENSE"))
    let findings =
      Documents.commandFindings(readme: readme, executables: tree.executables)
      + Documents.scriptFindings(in: tree.files, executables: tree.executables)
      + Documents.licenceFindings(licence: licence, readme: readme)
    #expect(findings.report == "")
  }

  @Test("folders of a machine are found, parts of other paths are not")
  func plantedMachinePaths() {
    func lines(_ text: String) -> [Int] {
      Documents.machinePathFindings(in: [SourceFile("A.md", text)]).lines
    }
    let folder = "wo" + "rk"
    #expect(lines("a\nsee /\(folder)/a\n/\(folder)/\n") == [2, 3])
    #expect(lines("/tmp/ba" + "sh_jobs/1") == [1])
    #expect(lines("build/\(folder)/a, /\(folder)s/, /tmp/a").isEmpty)
  }

  @Test("links that lead nowhere are found")
  func plantedLinks() {
    let text = """
      [a](B.md) [b](../A/C.md#x) [c](https://example.org/x) [d](#here) `[e](no.md)`
      ```
      [f](no.md)
      ```
      [g](no.md) ![h](../../../up.png)
      """
    let findings = Documents.linkFindings(
      in: [SourceFile("A/A.md", text)], paths: ["A/A.md", "A/B.md", "A/C.md"])
    #expect(findings.map(\.message) == ["no.md leads nowhere", "../../../up.png leads nowhere"])
    #expect(findings.lines == [5, 5])
  }

  @Test("a README whose commands are missing is found")
  func plantedCommands() {
    let readme = SourceFile("README.md", "```\nTools/demo\nTools/test\n```\n")
    #expect(
      Documents.commandFindings(readme: readme, executables: ["Tools/test"]).report
        == "Tools/demo: cannot be run")
    let silent = SourceFile("README.md", "```\nTools/test\n```\n")
    #expect(
      Documents.commandFindings(readme: silent, executables: ["Tools/demo", "Tools/test"])
        .count == 1)
  }

  @Test("a script without the run bit, and another licence, are found")
  func plantedFiles() {
    let script = SourceFile("Tools/a", "#!/bin/sh\n")
    #expect(Documents.scriptFindings(in: [script], executables: []).count == 1)
    #expect(Documents.scriptFindings(in: [script], executables: ["Tools/a"]).isEmpty)
    let licence = SourceFile("LICENSE", "MIT License\n")
    let readme = SourceFile("README.md", "MIT")
    #expect(Documents.licenceFindings(licence: licence, readme: readme).count == 2)
  }
}
