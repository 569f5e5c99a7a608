// Requirement tags: each one SPEC.md defines is named by a test, and each one named anywhere is
// defined. A tag is an area of three capitals or more and a number, in brackets.

/// The tags of SPEC.md and the check of who names them.
struct SpecTags {
  /// A tag with the place it stands at.
  struct Place {
    let tag: String
    let path: String
    let line: Int
  }

  /// Tags defined twice, defined and not tested, or named and not defined.
  static func findings(spec: SourceFile, files: [SourceFile]) -> [Finding] {
    let definitions = definitions(in: spec)
    let named = files.filter { $0.path != spec.path && $0.isCode }.flatMap(places(in:))
    let tested = Set(named.filter { isTest($0.path) }.map(\.tag))
    let defined = Set(definitions.map(\.tag))
    var seen: Set<String> = []
    let twice = definitions.filter { !seen.insert($0.tag).inserted }
    return twice.map { Finding($0.path, line: $0.line, "[\($0.tag)] is defined twice") }
      + definitions.filter { !tested.contains($0.tag) }
      .map { Finding($0.path, line: $0.line, "no test names [\($0.tag)]") }
      + (named + places(in: spec)).filter { !defined.contains($0.tag) }
      .map { Finding($0.path, line: $0.line, "[\($0.tag)] is not defined in \(spec.path)") }
  }

  /// Tags that begin a paragraph or a list item.
  static func definitions(in spec: SourceFile) -> [Place] {
    let item = #/^\s*(?:[-*]|\d+\.)\s+(?:\*\*)?\[([A-Z]{3,}-\d+)\]/#
    let paragraph = #/^(?:\*\*)?\[([A-Z]{3,}-\d+)\]/#
    var isFirst = true
    return spec.lines.enumerated().compactMap { index, line in
      defer { isFirst = line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") }
      let match = isFirst ? line.prefixMatch(of: paragraph)?.1 : nil
      return (match ?? line.prefixMatch(of: item)?.1)
        .map { Place(tag: String($0), path: spec.path, line: index + 1) }
    }
  }

  private static func places(in file: SourceFile) -> [Place] {
    file.lines.enumerated().flatMap { index, line in
      guard line.contains("-"), line.contains("[") else { return [Place]() }
      return line.matches(of: #/\[([A-Z]{3,}-\d+)\]/#)
        .map { Place(tag: String($0.1), path: file.path, line: index + 1) }
    }
  }

  /// A test: what stands under `Tests`, or a script of `Tools`.
  private static func isTest(_ path: String) -> Bool {
    path.hasPrefix("Tests/") || (path.hasPrefix("Tools/") && path.split(separator: "/").count == 2)
  }
}
