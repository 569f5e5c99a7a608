// Letters with marks and what they are without: Latin by table, the rest by name.
//
// The tables follow the canonical decompositions of Unicode 15 (UnicodeData.txt), and add letters
// that have none but are written without their stroke where a keyboard lacks them: ø, ł, đ, ı and
// the like. Nothing is computed at start.

/// What letters are without their marks.
enum FoldingTable {
  /// What a scalar in lower case becomes: ASCII letters; nil for one that stays as it is.
  static func base(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0xc0...0x24f: latin(latinExtended, Int(scalar.value) - 0xc0) ?? special(scalar)
    case 0x1e00...0x1eff: latin(latinAdditional, Int(scalar.value) - 0x1e00)
    default: special(scalar)
    }
  }

  /// Whether a scalar is a mark that does not count, as in "e" with U+0301 behind it.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    (0x300...0x36f).contains(scalar.value)
  }

  private static func latin(_ table: [UInt8], _ index: Int) -> String? {
    let unit = table[index]
    return unit == UInt8(ascii: ".") ? nil : String(UnicodeScalar(unit))
  }

  private static func special(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "ß": "ss"
    case "æ", "ǽ", "ǣ": "ae"
    case "œ": "oe"
    case "þ": "th"
    case "ŋ": "n"
    case "ĸ": "k"
    case "ά": "α"
    case "έ": "ε"
    case "ή": "η"
    case "ί", "ϊ", "ΐ": "ι"
    case "ό": "ο"
    case "ύ", "ϋ", "ΰ": "υ"
    case "ώ": "ω"
    case "ς": "σ"
    case "ё", "ѐ": "е"
    case "й", "ѝ": "и"
    case "ї": "і"
    case "ў": "у"
    case "ѓ": "г"
    case "ќ": "к"
    default: nil
    }
  }

  /// U+00C0…U+024F; a full stop where no single ASCII letter is meant.
  private static let latinExtended = Array(
    ("aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y"
      + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkkllllll."
      + ".llnnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
      + ".b.............e.ff.............oo.............uu..............."
      + ".............aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa..oo"
      + "aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............"
      + "................").utf8)

  /// U+1E00…U+1EFF, likewise.
  private static let latinAdditional = Array(
    ("aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
      + "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
      + "wwwwwwwwwwxxxxyyzzzzzzhtwy.s....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
      + "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......").utf8)
}
