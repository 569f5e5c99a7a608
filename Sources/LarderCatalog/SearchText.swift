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
    var output = ""
    for character in text.lowercased() {
      if let base = FoldingTable.bases[character] {
        output.append(base)
      } else if character.isLetter || character.isNumber {
        // What is left of marks on a letter the table does not know.
        output.unicodeScalars.append(
          contentsOf: character.unicodeScalars.filter { !(0x300...0x36f).contains($0.value) })
      } else if character != "'", character != "\u{2019}", output.last != " ", !output.isEmpty {
        output.append(" ")
      }
    }
    if output.last == " " { output.removeLast() }
    return output
  }
}

/// Letters with marks and what they are without. The standard library compares characters by
/// canonical equivalence, so composing a letter with a mark finds the precomposed one, too.
private enum FoldingTable {
  static let bases: [Character: String] = {
    var table: [Character: String] = [
      "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
      "ŋ": "n", "ħ": "h", "ŧ": "t", "ĸ": "k", "ſ": "s", "ς": "σ", "ə": "e",
    ]
    for letter in "abcdefghijklmnopqrstuvwxyz" {
      table[letter] = String(letter)
      add(letter, to: &table)
    }
    for letter in "αεηιουω" { add(letter, to: &table) }
    add("е", marks: ["\u{308}", "\u{300}"], to: &table)  // Cyrillic ё and ѐ.
    return table
  }()

  /// Marks a letter has, alone or as the first of two.
  private static let marks = [
    "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}",
    "\u{309}", "\u{30a}", "\u{30b}", "\u{30c}", "\u{30f}", "\u{311}", "\u{31b}", "\u{323}",
    "\u{324}", "\u{325}", "\u{326}", "\u{327}", "\u{328}", "\u{32d}", "\u{32e}", "\u{330}",
    "\u{331}",
  ]

  /// Marks that come as the second one, as in Vietnamese and Greek.
  private static let secondMarks = [
    "\u{300}", "\u{301}", "\u{303}", "\u{304}", "\u{308}", "\u{309}", "\u{30c}", "\u{323}",
  ]

  private static func add(
    _ letter: Character, marks: [String] = marks, to table: inout [Character: String]
  ) {
    for first in marks {
      table[Character(String(letter) + first)] = String(letter)
      for second in secondMarks where second != first {
        table[Character(String(letter) + first + second)] = String(letter)
      }
    }
  }
}
