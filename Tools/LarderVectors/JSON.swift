// JSON with one rendering, so that a vector regenerated is the same bytes.
//
// Invariant: keys are sorted, numbers are whole, and lines end with a line feed.

/// A JSON value.
package enum JSON: Hashable, Sendable {
  /// Null.
  case null
  /// False or true.
  case bool(Bool)
  /// A whole number; those beyond 2⁵³ are given as strings, because many readers round them.
  case number(Int64)
  /// Text.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object.
  case object([String: JSON])

  /// A whole number of 64 bits as the text of its digits.
  package static func digits(_ value: some BinaryInteger) -> JSON { .string(String(value)) }

  /// `value` as a string, or null.
  package static func optional(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }

  /// The text, two spaces a level, arrays of scalars on one line while they are short.
  package var text: String {
    var output = ""
    write(to: &output, indent: "")
    return output + "\n"
  }

  private func write(to output: inout String, indent: String) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .number(let value): output += String(value)
    case .string(let text): Self.quote(text, to: &output)
    case .array(let values):
      let line = "[" + values.map(\.compact).joined(separator: ", ") + "]"
      if values.allSatisfy(\.isScalar), line.utf8.count + indent.utf8.count <= 100 {
        output += line
        return
      }
      Self.list(values.map { ("", $0) }, "[", "]", to: &output, indent: indent)
    case .object(let members):
      if members.isEmpty {
        output += "{}"
        return
      }
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let lines = sorted.map { member in
        var key = ""
        Self.quote(member.key, to: &key)
        return (key + ": ", member.value)
      }
      Self.list(lines, "{", "}", to: &output, indent: indent)
    }
  }

  private static func list(
    _ members: [(String, JSON)], _ open: String, _ close: String, to output: inout String,
    indent: String
  ) {
    output += open
    for (place, member) in members.enumerated() {
      output += (place == 0 ? "\n" : ",\n") + indent + "  " + member.0
      member.1.write(to: &output, indent: indent + "  ")
    }
    output += "\n" + indent + close
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private var compact: String {
    var output = ""
    write(to: &output, indent: "")
    return output
  }

  /// The text with everything escaped that is not plain ASCII: a vector reads alike in any editor.
  private static func quote(_ text: String, to output: inout String) {
    output += "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: output += "\\\""
      case 0x5c: output += "\\\\"
      case 0x0a: output += "\\n"
      case 0x20...0x7e: output.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    output += "\""
  }
}
