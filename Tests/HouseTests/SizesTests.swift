import Testing

@Suite("Sizes")
struct SizesTests {
  private func functions(_ source: String) -> [Sizes.Function] {
    Sizes.functions(in: SwiftText(source).code)
  }

  @Test("files, lines and functions fit")
  func repository() {
    let findings = Sizes.findings(in: SourceTree.repository.files)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test("a long file is found, a test may be longer")
  func longFile() {
    let text = String(repeating: "let a = 1\n", count: 501)
    #expect(Sizes.findings(in: [SourceFile("Sources/A/A.swift", text)]).count == 1)
    #expect(Sizes.findings(in: [SourceFile("Tools/A.py", text)]).count == 1)
    #expect(Sizes.findings(in: [SourceFile("Tools/a", "#!/bin/sh\n" + text)]).count == 1)
    #expect(Sizes.findings(in: [SourceFile("A.md", text)]).isEmpty)
    #expect(Sizes.findings(in: [SourceFile("Tests/A/A.swift", text)]).isEmpty)
    let fits = String(text.dropLast(10))
    #expect(Sizes.findings(in: [SourceFile("Sources/A/A.swift", fits)]).isEmpty)
  }

  @Test("a long line is found, counted in characters")
  func longLine() {
    let fits = "// " + String(repeating: "é", count: 97)
    #expect(Sizes.findings(in: [SourceFile("Sources/A/A.swift", fits)]).isEmpty)
    #expect(Sizes.findings(in: [SourceFile("Sources/A/A.swift", "\n\(fits)é")]).lines == [2])
  }

  @Test(
    "a long function is found wherever it stands",
    arguments: [
      "func f(_ a: Int = { 3 }()) throws(E) -> Int {", "init?(_ a: Int) {", "deinit {",
      "subscript(_ index: Int) -> Int {", "static var a: [Int: String] {", "var a: Int {",
      "func f<A>(\n  _ a: A\n) -> Int where A: B {", "mutating func f() {",
    ])
  func longFunction(head: String) {
    let lines = head.split(separator: "\n").count
    func type(_ count: Int) -> String {
      let body = String(repeating: "if b { c() } // {\n", count: count - lines - 1)
      return "struct A {\nlet b = 1\n\(head)\n\(body)}\nfunc g() {}\n}\n"
    }
    #expect(Sizes.findings(in: [SourceFile("Sources/A/A.swift", type(60))]).isEmpty)
    #expect(Sizes.findings(in: [SourceFile("Sources/A/A.swift", type(61))]).lines == [3])
  }

  @Test("the accessors of a property are measured")
  func accessors() {
    let source = "struct A {\nvar a: Int {\nget {\nb\n}\nset { c() }\n}\n}"
    #expect(
      functions(source) == [
        Sizes.Function(line: 2, lineCount: 6), Sizes.Function(line: 3, lineCount: 3),
        Sizes.Function(line: 6, lineCount: 1),
      ])
  }

  @Test("types, closures, loops and calls are no functions")
  func innocent() {
    #expect(functions("struct A {\nvar b = 1\nlet c = d {\n}\n}") == [])
    #expect(
      functions("protocol A {\nfunc f()\nvar a: Int { get }\n}") == [
        Sizes.Function(line: 3, lineCount: 1)
      ])
    #expect(
      functions("self.init(1)\nA.init(2)\nvar a = 1\nif a {\n}\nvar b: Int\nfor c in d {\n}") == [])
    #expect(functions("let a = { func b() {} }") == [Sizes.Function(line: 1, lineCount: 1)])
  }

  @Test(
    "braces that do not match end the measuring without a trap", arguments: ["}}}", "{{{", ")){"])
  func malformed(source: String) {
    #expect(functions(source) == [])
  }
}
