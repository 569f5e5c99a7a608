import Testing

@Suite("SPEC tags")
struct SpecTagsTests {
  // Planted tags are put together here so that the check of the repository does not see them.
  private static func tag(_ number: Int, _ area: String = "PLANTED") -> String {
    "[\(area)-\(number)]"
  }

  private func findings(spec: String, test: String, path: String = "Tests/A/A.swift") -> [String] {
    SpecTags.findings(
      spec: SourceFile("SPEC.md", spec), files: [SourceFile(path, test)]
    ).map(\.message)
  }

  @Test("every requirement is named by a test, and every tag is defined")
  func repository() throws {
    let tree = SourceTree.repository
    let spec = try #require(tree.file("SPEC.md"))
    #expect(SpecTags.findings(spec: spec, files: tree.files).report == "")
  }

  @Test("definitions begin a paragraph or an item, references do not")
  func definitions() {
    let tag = Self.tag
    let spec = """
      # \(tag(9, "PLANTED"))
      \(tag(1, "PLANTED")) one, see
      \(tag(8, "PLANTED")) two

      **\(tag(2, "PLANTED"))** three
      - \(tag(3, "PLANTED")) four
      12. **\(tag(4, "PLANTED"))** five
      """
    let found = SpecTags.definitions(in: SourceFile("SPEC.md", spec)).map(\.tag)
    #expect(found == ["PLANTED-1", "PLANTED-2", "PLANTED-3", "PLANTED-4"])
  }

  @Test("a requirement no test names is found")
  func untested() {
    let spec = "- \(Self.tag(1)) one\n- \(Self.tag(2)) two\n"
    #expect(
      findings(spec: spec, test: "@Test(\"\(Self.tag(1))\")") == [
        "no test names \(Self.tag(2))"
      ])
    #expect(findings(spec: spec, test: Self.tag(1) + Self.tag(2)).isEmpty)
  }

  @Test("a source that cites a requirement is no test of it, a script is")
  func citations() {
    let spec = "- \(Self.tag(1)) one\n"
    let citing = "// SPEC \(Self.tag(1))"
    #expect(findings(spec: spec, test: citing, path: "Sources/A/A.swift").count == 1)
    #expect(findings(spec: spec, test: citing, path: "Tools/LarderCommand/A.swift").count == 1)
    #expect(findings(spec: spec, test: citing, path: "Tools/verify.py").isEmpty)
  }

  @Test("a tag that is not defined, or defined twice, is found")
  func undefined() {
    let spec = "- \(Self.tag(1)) one, as \(Self.tag(3)) says\n- \(Self.tag(1)) again\n"
    #expect(
      findings(spec: spec, test: Self.tag(1) + Self.tag(2)) == [
        "\(Self.tag(1)) is defined twice", "\(Self.tag(2)) is not defined in SPEC.md",
        "\(Self.tag(3)) is not defined in SPEC.md",
      ])
  }
}
