import LarderCapture
import Testing

@Suite("TextSimilarity")
struct TextSimilarityTests {
  @Test(
    "Jaro–Winkler gives the published values",
    arguments: [
      ("MARTHA", "MARHTA", 0.961), ("DWAYNE", "DUANE", 0.840), ("DIXON", "DICKSONX", 0.813),
      ("DUNNINGHAM", "CUNNIGHAM", 0.896), ("ABROMS", "ABRAMS", 0.922),
      ("LAMPLEY", "CAMPLEY", 0.905), ("JONES", "JOHNSON", 0.832),
      ("SHACKLEFORD", "SHACKELFORD", 0.982),
      ("MICHELLE", "MICHAEL", 0.921), ("ITMAN", "SMITH", 0.467),
    ])
  func published(left: String, right: String, expected: Double) {
    #expect(abs(TextSimilarity.jaroWinkler(left, right) - expected) < 0.0015)
    #expect(abs(TextSimilarity.jaroWinkler(right, left) - expected) < 0.0015)
  }

  @Test("equal texts are 1, texts without a common letter 0, and so are nothing and something")
  func bounds() {
    #expect(TextSimilarity.jaroWinkler("oats", "oats") == 1)
    #expect(TextSimilarity.jaroWinkler("", "") == 1)
    #expect(TextSimilarity.jaroWinkler("abc", "xyz") == 0)
    #expect(TextSimilarity.jaroWinkler("", "a") == 0)
    #expect(TextSimilarity.jaroWinkler("a", "a") == 1)
  }

  @Test("Jaccard is the share of common words")
  func jaccard() {
    #expect(TextSimilarity.jaccard("peanut butter", "butter peanut") == 1)
    #expect(TextSimilarity.jaccard("peanut butter", "peanut brittle") == 1.0 / 3)
    #expect(TextSimilarity.jaccard("", "") == 1)
    #expect(TextSimilarity.jaccard("a", "") == 0)
  }

  @Test("words in another order stay close")
  func combined() {
    let swapped = TextSimilarity.combined("porridge oats", "oats porridge")
    #expect(swapped > TextSimilarity.jaroWinkler("porridge oats", "oats porridge"))
    #expect(swapped > 0.78)
  }

  @Test(
    "qualities begin at their bounds",
    arguments: [
      (1.0, MatchQuality.exact), (0.95, .exact), (0.949, .strong), (0.78, .strong),
      (0.779, .partial), (0.55, .partial), (0.549, .weak), (0, .weak),
    ])
  func qualities(similarity: Double, expected: MatchQuality) {
    #expect(MatchQuality(similarity: similarity) == expected)
  }
}
