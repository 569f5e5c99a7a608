// How many columns text takes on a terminal. Wide ranges are those of Unicode's EastAsianWidth
// (W and F) that are not emoji; emoji come from the standard library's properties, so they are as
// new as it is.

/// Widths of text in terminal columns, and cutting to a width. Expects inert text.
enum DisplayWidth {
  /// The columns `text` takes.
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The columns of one character: 2 for emoji, flags and keycaps, else what its scalars take.
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count > 1, isEmojiSequence(scalars) { return 2 }
    // Half a flag, alone, is a letter.
    let isFlagHalf = (0x1F1E6...0x1F1FF).contains(first.value)
    if first.properties.isEmojiPresentation, !isFlagHalf { return 2 }
    return scalars.reduce(0) { $0 + of($1) }
  }

  /// `text` if it fits `width` columns, else its beginning with an ellipsis, together at most
  /// `width` columns. No character is split.
  static func truncated(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
      let next = of(character)
      guard used + next <= width - 1 else { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }

  /// Whether `text` has letters that are written from right to left, or a mark of that direction.
  static func isRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0590...0x08FF, 0x200F, 0x061C, 0xFB1D...0xFDFF, 0xFE70...0xFEFE: true
      case 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }

  private static func isEmojiSequence(_ scalars: Character.UnicodeScalarView) -> Bool {
    scalars.contains { scalar in
      switch scalar.value {
      case 0xFE0F, 0x20E3: true
      case 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
      default: false
      }
    }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value == 0xAD || value >= 0x20 ? 1 : 0 }
    // Vowels and finals of Hangul join the syllable before them.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    if (0xE0000...0xE0FFF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .format where isPrependedMark(value): return 1
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wideRanges.contains { $0.contains(value) } ? 2 : 1
    }
  }

  /// Format characters of Arabic, Syriac and Kaithi that are drawn before what they belong to.
  private static func isPrependedMark(_ value: UInt32) -> Bool {
    switch value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE1F,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
    0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
