// Stored text may hold anything: escapes that recolour, move or answer, controls that reorder what
// is read. Here it becomes text that only looks like itself.

/// Makes any text harmless to show.
enum InertText {
  /// Whether a terminal may act on `scalar` instead of showing it: both control ranges, line and
  /// paragraph separators, bidirectional overrides and isolates, and invisible format characters
  /// without a place in food names. Joiners and the two direction marks are left alone.
  static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x2028, 0x2029: true
    case 0x202A...0x202E, 0x2066...0x2069, 0x206A...0x206F: true
    case 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
  }

  /// One line of text with every active scalar in a visible form: `^[` for escape, `^J` for a line
  /// break, `^?` for delete, `<U+202E>` for the rest.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isActive) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isActive(scalar) {
        result += visibleForm(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The lines of text that may have line breaks of its own, such as a note, each inert. CRLF, LF
  /// and CR end a line; nothing else does.
  static func lines(_ text: String) -> [String] {
    var result: [String] = []
    var current = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in text.unicodeScalars {
      let isBreak = scalar == "\n" || scalar == "\r"
      if isBreak, !(scalar == "\n" && isAfterReturn) {
        result.append(line(String(current)))
        current = String.UnicodeScalarView()
      } else if !isBreak {
        current.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    result.append(line(String(current)))
    return result
  }

  private static func visibleForm(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0...0x1F: "^\(Character(Unicode.Scalar(UInt8(scalar.value) + 0x40)))"
    case 0x7F: "^?"
    default: "<U+\(padded(String(scalar.value, radix: 16, uppercase: true)))>"
    }
  }

  private static func padded(_ digits: String) -> String {
    String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
