import Testing

@Suite("Swift text")
struct SwiftTextTests {
  private func code(_ source: String) -> String {
    SwiftText(source).code.joined(separator: "\n")
  }

  @Test("comments are no code, nested ones neither")
  func comments() {
    #expect(code("a // try!\nb") == "a        \nb")
    #expect(code("a /* x /* try! */ y */ b") == "a                      b")
    #expect(SwiftText("a // try!").comments == ["  // try!"])
  }

  @Test("strings are no code, code in an interpolation is")
  func strings() {
    #expect(code(#"let a = "try! \" { ""#) == #"let a = "          ""#)
    #expect(code(#"f("a \(b("c { d")) e }")"#) == ##"f("   (b("     "))    ")"##)
    #expect(SwiftText(#"f("ab \(c) d")"#).strings == [#"   ab \    d  "#])
  }

  @Test("multi-line and raw strings end where they end")
  func longStrings() {
    #expect(code("\"\"\"\n\" { // x\n\"\"\" }") == "\"\"\"\n        \n\"\"\" }")
    #expect(code(##"#"a \(b) " c"# }"##) == ##"#"          "# }"##)
    #expect(code(##"#"a \#(b) c"# }"##) == ##"#"    (b)  "# }"##)
  }

  @Test("regular expressions are no code, divisions are")
  func regularExpressions() {
    #expect(code(#"let a = /x"{y/"#) == "let a = /    /")
    #expect(code(#"let a = #/x"/{y/#"#) == "let a = #/     /#")
    #expect(code("let a = b / c / d") == "let a = b / c / d")
  }

  @Test(
    "malformed source ends without a trap",
    arguments: ["\"", "/*", "\"\\(", "#\"", "\"\"\"", "/x\\"])
  func malformed(source: String) {
    #expect(SwiftText(source).code.count == 1)
  }
}
