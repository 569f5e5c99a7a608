import Testing

@testable import LarderCommand

@Suite struct InertTextTests {
  @Test("escapes and controls become visible, everything else stays")
  func visible() {
    #expect(InertText.line("\u{1B}[31mred\u{1B}[0m") == "^[[31mred^[[0m")
    #expect(InertText.line("a\nb\tc\u{0}d\u{7F}") == "a^Jb^Ic^@d^?")
    #expect(InertText.line("\u{9B}31m") == "<U+009B>31m")
    #expect(InertText.line("abc\u{202E}def") == "abc<U+202E>def")
    #expect(InertText.line("\u{FEFF}x\u{2028}") == "<U+FEFF>x<U+2028>")
    for text in ["thé", "👩‍🚀", "عشاء", "e\u{301}", "ガム", "100 % \u{A0}x"] {
      #expect(InertText.line(text) == text)
    }
  }

  // [CLI-4]
  @Test("nothing a terminal obeys is left, whatever the text")
  func nothingActive() {
    for value in UInt32(0)...0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let line = InertText.line("a" + String(Character(scalar)) + "b")
      #expect(!line.unicodeScalars.contains(where: InertText.isActive))
      #expect(InertText.line(line) == line)
    }
  }

  @Test("notes keep their lines")
  func lines() {
    #expect(InertText.lines("a\nb") == ["a", "b"])
    #expect(InertText.lines("a\r\nb\rc") == ["a", "b", "c"])
    #expect(InertText.lines("") == [""])
    #expect(InertText.lines("a\n\n\u{1B}c\n") == ["a", "", "^[c", ""])
  }
}

@Suite struct DisplayWidthTests {
  @Test(
    "widths of text",
    arguments: [
      ("", 0), ("abc", 3), ("thé", 3), ("e\u{301}", 1), ("日本", 4), ("ガム", 4), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("ｶﾞ", 2), ("Ａ", 2), ("عشاء", 4), ("שלום", 4), ("🍎", 2),
      ("👩‍🚀", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("👍🏽", 2), ("❤\u{FE0F}", 2), ("❤", 1),
      ("1\u{FE0F}\u{20E3}", 2), ("…", 1), ("µg", 2), ("\u{200B}", 0), ("a\u{200D}b", 2),
      ("ไทย", 3), ("น้ำ", 2), ("𠀀", 2), ("\u{AD}", 1), ("⌚", 2), ("½", 1), ("～", 2), ("🇩", 1),
      ("\u{600}", 1),
      ("䷀", 2),
    ])
  func widths(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test("cutting keeps whole characters and never exceeds the width")
  func truncation() {
    #expect(DisplayWidth.truncated("porridge", to: 8) == "porridge")
    #expect(DisplayWidth.truncated("porridge", to: 5) == "porr…")
    #expect(DisplayWidth.truncated("日本語", to: 5) == "日本…")
    #expect(DisplayWidth.truncated("日本語", to: 4) == "日…")
    #expect(DisplayWidth.truncated("👩‍🚀👩‍🚀👩‍🚀", to: 5) == "👩‍🚀👩‍🚀…")
    #expect(DisplayWidth.truncated("abc", to: 1) == "…")
    #expect(DisplayWidth.truncated("abc", to: 0) == "")
    for text in ["日本語テキスト", "👨‍👩‍👧‍👦 family", "e\u{301}e\u{301}e\u{301}", "mixed 日本 text"] {
      for width in 0...14 {
        let cut = DisplayWidth.truncated(text, to: width)
        #expect(DisplayWidth.of(cut) <= width)
        #expect(cut == text || cut.last == "…" || width == 0)
      }
    }
  }

  @Test("right-to-left text is recognised")
  func direction() {
    #expect(DisplayWidth.isRightToLeft("عشاء"))
    #expect(DisplayWidth.isRightToLeft("a שלום"))
    #expect(!DisplayWidth.isRightToLeft("thé 日本 🍎"))
  }
}

@Suite struct TextWrapTests {
  @Test("lines break at spaces, and inside words only where they must")
  func wrapping() {
    #expect(TextWrap.lines("porridge oats with milk", width: 13) == ["porridge oats", "with milk"])
    #expect(TextWrap.lines("abcdefgh", width: 3) == ["abc", "def", "gh"])
    #expect(TextWrap.lines("日本語テキスト", width: 5) == ["日本", "語テ", "キス", "ト"])
    #expect(TextWrap.lines("", width: 5) == [""])
    #expect(TextWrap.lines("a", width: 0) == ["a"])
    #expect(TextWrap.lines("日本", width: 1) == ["日", "本"])
  }

  @Test("no character is lost and no line is too wide")
  func complete() {
    let text = "quark 0,2 % fat 日本語テキスト 👩‍🚀 verylongwordthatdoesnotfit عشاء"
    for width in 2...40 {
      let lines = TextWrap.lines(text, width: width)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}

@Suite struct StyledTextTests {
  @Test("text is inert from the moment a line is made")
  func inert() {
    let line = StyledText("a\u{1B}[2Jb", .bold)
    #expect(line.plain == "a^[[2Jb")
    #expect(line.rendered(isColoured: false, isIsolated: false) == "a^[[2Jb")
    #expect(line.rendered(isColoured: true, isIsolated: false) == "\u{1B}[1ma^[[2Jb\u{1B}[0m")
  }

  @Test("right-to-left text is kept from reordering its neighbours, on a terminal only")
  func isolates() {
    let line = StyledText("عشاء") + StyledText(" 60 g")
    #expect(line.rendered(isColoured: false, isIsolated: true) == "\u{2068}عشاء\u{2069} 60 g")
    #expect(line.rendered(isColoured: false, isIsolated: false) == "عشاء 60 g")
    #expect(line.width == 9)
  }

  @Test("a line is cut across runs with their styles")
  func truncation() {
    let line = StyledText("abc", .bold) + StyledText("defg") + StyledText("hi", .dim)
    #expect(line.truncated(to: 9) == line)
    for width in 1...8 {
      let cut = line.truncated(to: width)
      #expect(cut.width == width)
      #expect(cut.plain == String("abcdefghi".prefix(width - 1)) + "…")
    }
    #expect(line.truncated(to: 5).runs.map(\.style) == [.bold, .plain])
    #expect(line.truncated(to: 0).isEmpty)
  }

  @Test("a line wraps with its styles and its indent, and loses nothing but spaces")
  func wrapping() {
    let line = StyledText("  abc ", .bold) + StyledText("def gh") + StyledText(" ijk", .dim)
    #expect(line.wrapped(to: line.width) == [line])
    let lines = line.wrapped(to: 8)
    #expect(lines.map(\.plain) == ["  abc", "  def gh", "  ijk"])
    #expect(lines.map { $0.runs.last?.style } == [.bold, .plain, .dim])
    for width in 1...40 {
      let lines = line.wrapped(to: width)
      #expect(lines.allSatisfy { $0.width <= width })
      #expect(lines.map(\.plain).joined().filter { $0 != " " } == "abcdefghijk")
    }
  }

  @Test("spaces at the end go, others stay")
  func trailing() {
    let line = StyledText(" a ") + StyledText("  ", .bold)
    #expect(line.trimmingTrailingSpaces().plain == " a")
    #expect(StyledText("   ").trimmingTrailingSpaces().isEmpty)
  }
}

@Suite struct TextTableTests {
  private func table() -> TextTable {
    var table = TextTable([
      TextTable.Column("food", overflow: .wrap), TextTable.Column("amount", isRightAligned: true),
      TextTable.Column("note", overflow: .truncate),
    ])
    table.append(["porridge oats with milk", "60 g", "from the catalog"])
    table.append(["日本語テキスト", "330 ml", "x"])
    return table
  }

  @Test("without a width columns are aligned and nothing is cut")
  func pipe() {
    #expect(
      table().lines(width: nil).map(\.plain) == [
        "food                     amount  note",
        "porridge oats with milk    60 g  from the catalog",
        "日本語テキスト           330 ml  x",
      ])
  }

  @Test("with a width every line fits, by wrapping and by ellipses")
  func fitting() {
    for width in 32...80 {
      let lines = table().lines(width: width)
      #expect(lines.allSatisfy { $0.width <= width }, "\(width)")
      let text = lines.map(\.plain).joined(separator: "\n")
      #expect(text.contains("60 g") && text.contains("330 ml"))
    }
    #expect(
      table().lines(width: 40).map(\.plain) == [
        "food             amount  note",
        "porridge oats      60 g  from the catal…",
        "with milk",
        "日本語テキスト   330 ml  x",
      ])
  }

  @Test("a width too small for columns lets each row flow, cells with their headings")
  func tooSmall() {
    for width in 5...25 {
      let lines = table().lines(width: width)
      #expect(lines.allSatisfy { $0.width <= width }, "\(width)")
      let text = lines.map(\.plain).joined().filter { $0 != " " }
      #expect(text.contains("330ml") && text.contains("notefromthecatalog"), "\(width)")
    }
    #expect(
      table().lines(width: 20).map(\.plain) == [
        "food porridge oats", "with milk", "  amount 60 g", "  note from the", "  catalog",
        "food 日本語テキスト", "  amount 330 ml", "  note x",
      ])
  }

  @Test("indent and missing headings")
  func plain() {
    var table = TextTable(
      [TextTable.Column(""), TextTable.Column("", isRightAligned: true)], indent: 2)
    table.append(["a", "1"])
    table.append(["bc", "22"])
    #expect(table.lines(width: nil).map(\.plain) == ["  a    1", "  bc  22"])
    #expect(TextTable([TextTable.Column("")]).lines(width: 10).isEmpty)
  }
}
