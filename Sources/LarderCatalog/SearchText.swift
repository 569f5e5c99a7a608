// Text as search compares it: lower case, without accents and punctuation, words by single spaces.
//
// Invariant: folding is for finding only. Identity is the code, and names are shown as given, so
// "pâtés" and "pates" are found by one word and stay two names. No locale decides anything.

/// Text folded for search.
package struct SearchText: Hashable, Sendable {
  /// The folded text.
  package let text: String

  /// Folds `text`.
  package init(_ text: some StringProtocol) {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    var isASCII = true
    for unit in text.utf8 {
      guard unit < 0x80 else {
        isASCII = false
        break
      }
      Self.append(ascii: unit, to: &output)
    }
    if isASCII {
      if output.last == UInt8(ascii: " ") { output.removeLast() }
      self.text = String(decoding: output, as: UTF8.self)
    } else {
      self.text = Self.folded(text)
    }
  }

  /// The words.
  package var words: [Substring] { text.split(separator: " ") }

  private static func append(ascii unit: UInt8, to output: inout [UInt8]) {
    switch unit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      output.append(unit)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      output.append(unit | 0x20)
    case UInt8(ascii: "'"): break
    default:
      if let last = output.last, last != UInt8(ascii: " ") { output.append(UInt8(ascii: " ")) }
    }
  }

  private static func folded(_ text: some StringProtocol) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if let base = FoldingTable.base(of: scalar) {
        output.append(contentsOf: base.unicodeScalars)
      } else if counts(scalar) {
        output.append(scalar)
      } else if !isSilent(scalar), let last = output.last, last != " " {
        output.append(" ")
      }
    }
    if output.last == " " { output.removeLast() }
    return String(output)
  }

  /// Whether a scalar is part of a word: letters, digits, and the vowel signs of other scripts.
  private static func counts(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) }
    guard !FoldingTable.isMark(scalar) else { return false }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }

  /// Whether a scalar vanishes without parting words.
  private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar == "\u{2019}" || FoldingTable.isMark(scalar)
  }
}
