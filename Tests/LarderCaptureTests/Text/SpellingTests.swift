import LarderCapture
import Testing

@Suite struct SpellingTests {
  private func distance(_ word: String, _ other: String) -> Int? {
    Spelling.distance(word, other, atMost: 8)
  }

  @Test("a slip of each kind counts as one")
  func slips() {
    #expect(distance("meal", "meal") == 0)
    #expect(distance("mael", "meal") == 1)
    #expect(distance("meel", "meal") == 1)
    #expect(distance("mea", "meal") == 1)
    #expect(distance("meals", "meal") == 1)
    #expect(distance("", "meal") == 4)
    #expect(distance("meal", "") == 4)
    // No place is edited twice: the published example that tells this distance from its cousin.
    #expect(distance("ca", "abc") == 3)
  }

  @Test("distance is symmetric and obeys its bounds")
  func symmetric() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let words = (0..<2).map { _ in
        String(
          (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            "abc".randomElement(using: &generator) ?? "a"
          })
      }
      let distance = try #require(self.distance(words[0], words[1]))
      #expect(distance == self.distance(words[1], words[0]))
      #expect(distance >= abs(words[0].count - words[1].count))
      #expect(distance <= max(words[0].count, words[1].count))
      #expect((distance == 0) == (words[0] == words[1]))
      for limit in 0...8 {
        let found = Spelling.distance(words[0], words[1], atMost: limit)
        #expect(found == (distance <= limit ? distance : nil))
      }
      // The same in another script, where a letter is more than a byte.
      let accented = words.map { String($0.map { "\($0)\u{301}" }.joined()) }
      #expect(distance == self.distance(accented[0], accented[1]))
    }
  }

  @Test("the nearest word is found, a stranger is not")
  func nearest() {
    let verbs = ["log", "diary", "rebuild", "verify", "history"]
    #expect(Spelling.nearest(to: "lgo", among: verbs) == "log")
    #expect(Spelling.nearest(to: "DAIRY", among: verbs) == "diary")
    #expect(Spelling.nearest(to: "rebiuld", among: verbs) == "rebuild")
    #expect(Spelling.nearest(to: "hist", among: verbs) == "history")
    #expect(Spelling.nearest(to: "lo", among: ["loss", "l", "lo"]) == "lo")
    #expect(Spelling.nearest(to: "di", among: verbs) == "diary")
    #expect(Spelling.nearest(to: "cafe", among: ["café", "cave"]) == "café")
    #expect(Spelling.nearest(to: "xyzzy", among: verbs) == nil)
    #expect(Spelling.nearest(to: "", among: verbs) == nil)
    #expect(Spelling.nearest(to: "q", among: verbs) == nil)
    #expect(Spelling.nearest(to: String(repeating: "a", count: 10_000), among: verbs) == nil)
  }
}
