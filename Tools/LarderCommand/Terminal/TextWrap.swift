// Breaking a line of text into lines that fit, at spaces where there are some.

/// Wraps text by display width.
enum TextWrap {
  /// `text` in lines of at most `width` columns, broken at spaces; a word that is longer than a
  /// line is broken where it must be. Never loses a character but the spaces at breaks. A width
  /// below 1 counts as 1.
  static func lines(_ text: String, width: Int) -> [String] {
    let width = max(1, width)
    guard DisplayWidth.of(text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true).map(String.init) {
      let joined = line.isEmpty ? word : "\(line) \(word)"
      if DisplayWidth.of(joined) <= width {
        line = joined
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = word
      while DisplayWidth.of(line) > width {
        let head = prefix(of: line, width: width)
        lines.append(head)
        line.removeFirst(head.count)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// The most characters of `word` that fit, at least one.
  private static func prefix(of word: String, width: Int) -> String {
    var head = ""
    var used = 0
    for character in word {
      used += DisplayWidth.of(character)
      if used > width, !head.isEmpty { break }
      head.append(character)
    }
    return head
  }
}
