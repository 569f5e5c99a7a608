// CBOR for people: the diagnostic notation of RFC 8949 §8.
//
// Invariant: the text is one line and cannot steer a terminal, whatever the strings hold.

import LarderHash

extension CBORValue {
  /// This value in diagnostic notation (RFC 8949 §8), on one line: `{1: "Rye", 2: [h'00ff', -5]}`.
  /// In strings, controls and the marks that change the direction of text are written as `\u`
  /// escapes.
  public var diagnosticNotation: String {
    var output = ""
    describe(to: &output)
    return output
  }

  private func describe(to output: inout String) {
    switch self {
    case .unsigned(let value): output += String(value)
    case .negative(let value): output += String(-1 - Int128(value))
    case .bytes(let content): output += "h'\(content.hex)'"
    case .text(let text): Self.quote(text, to: &output)
    case .bool(let value): output += value ? "true" : "false"
    case .null: output += "null"
    case .array(let items):
      output += "["
      for (index, item) in items.enumerated() {
        if index > 0 { output += ", " }
        item.describe(to: &output)
      }
      output += "]"
    case .map(let entries):
      output += "{"
      for (index, entry) in entries.enumerated() {
        if index > 0 { output += ", " }
        entry.key.describe(to: &output)
        output += ": "
        entry.value.describe(to: &output)
      }
      output += "}"
    }
  }

  /// The text as a JSON string.
  private static func quote(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where isUnprintable(scalar):
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }

  /// Controls, separators of lines and paragraphs, and directional marks: all below U+FFFF.
  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1f, 0x7f...0x9f, 0x061c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069,
      0xfeff:
      true
    default: false
    }
  }
}
