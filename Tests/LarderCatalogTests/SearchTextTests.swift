import LarderCatalog
import Testing

@Suite("SearchText")
struct SearchTextTests {
  @Test(
    "case, accents and punctuation do not count",
    arguments: [
      ("Thé glacé", "the glace"), ("PÂTÉS", "pates"), ("pates", "pates"), ("ouă", "oua"),
      ("Müsli  & Nüsse!", "musli nusse"), ("Weißwurst", "weisswurst"), ("Smørrebrød", "smorrebrod"),
      ("Łosoś", "losos"), ("İçecek ısı", "icecek isi"), ("Phở bò", "pho bo"),
      ("Bánh mì", "banh mi"), ("e\u{301}clair", "eclair"), ("PC'S", "pcs"),
      ("l’œuf", "loeuf"), ("Γάλα ΕΛΛΗΝΙΚΌΣ", "γαλα ελληνικοσ"), ("Ёлка", "елка"),
      ("Йогурт", "иогурт"), ("Їжа", "іжа"), ("豆腐 100g", "豆腐 100g"), ("3.5% milk", "3 5 milk"),
      ("  ", ""), ("--", ""),
      ("coca-cola", "coca cola"),
    ])
  func folded(text: String, expected: String) {
    #expect(SearchText(text).text == expected)
  }

  @Test("folding what is folded changes nothing")
  func idempotent() {
    for text in ["Crème brûlée", "ǅungla", "ﬁsh", "ẞ", "ñandú", "Привет, мир"] {
      let once = SearchText(text).text
      #expect(SearchText(once).text == once)
    }
  }
}
