// Text as JSON text (RFC 8259): for the few places where a column or an answer holds a list.

/// Writes JSON texts.
public enum JSONText {
  /// `text` in quotes: quotes, backslashes, control characters and the line separators U+2028 and
  /// U+2029 escaped, everything else as it is.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// An array of texts.
  public static func array(of texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ",") + "]"
  }
}
