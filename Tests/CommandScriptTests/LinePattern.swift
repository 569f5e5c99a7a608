// Compares lines with lines that are expected, some of which stand for others.

/// Expected lines.
struct LinePattern {
  /// The lines, with `[..]` for any text and `...` for any lines.
  let lines: [String]

  /// Whether `actual` is as expected.
  func matches(_ actual: [String]) -> Bool {
    Self.matches(lines[...], actual[...])
  }

  private static func matches(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool
  {
    guard let first = expected.first else { return actual.isEmpty }
    let rest = expected.dropFirst()
    guard first == "..." else {
      guard let line = actual.first, matchesLine(first, line) else { return false }
      return matches(rest, actual.dropFirst())
    }
    return (0...actual.count).contains { matches(rest, actual.dropFirst($0)) }
  }

  /// Whether a line is as expected.
  static func matchesLine(_ expected: String, _ line: String) -> Bool {
    var parts = expected.split(separator: "[..]", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, let last = parts.popLast() else { return expected == line }
    var rest = line[...]
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }
}
