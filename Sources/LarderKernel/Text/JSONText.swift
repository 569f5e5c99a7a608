// Text as JSON text (RFC 8259): the one place that escapes, for columns that hold a list and for
// every document of the command line.

/// Writes JSON texts.
public enum JSONText {
  /// `text` in quotes. Quotes, backslashes, both control ranges and the line separators U+2028 and
  /// U+2029 are escaped, and so is what `isEscaped` asks for; everything else is as it is.
  /// - Parameters:
  ///   - text: any text.
  ///   - isEscaped: asked for every scalar; for writers whose readers obey more than JSON's do.
  public static func quoted(
    _ text: String, alsoEscaping isEscaped: (Unicode.Scalar) -> Bool = { _ in false }
  ) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{8}": result += "\\b"
      case "\u{c}": result += "\\f"
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        append(escaped: scalar, to: &result)
      default:
        if isEscaped(scalar) {
          append(escaped: scalar, to: &result)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  /// An array of texts.
  public static func array(of texts: [String]) -> String {
    "[" + texts.map { quoted($0) }.joined(separator: ",") + "]"
  }

  /// Appends `\u` and four digits for each UTF-16 unit of `scalar`.
  private static func append(escaped scalar: Unicode.Scalar, to result: inout String) {
    for unit in String(Character(scalar)).utf16 {
      let digits = String(unit, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
