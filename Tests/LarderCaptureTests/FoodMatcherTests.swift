import Foundation
import LarderCapture
import LarderCatalog
import LarderCatalogImport
import LarderKernel
import Testing

@Suite("FoodMatcher")
struct FoodMatcherTests {
  /// Invented foods: code, name, brand.
  private static let foods: [(String, String, String?)] = [
    ("20000011", "Porridge oats", nil), ("20000028", "Porridge oats", "Acme"),
    ("20000035", "Chicken breast", "Zed"), ("20000042", "Chicken breasts", "Acme"),
    ("20000059", "Banana", nil), ("20000066", "Oat milk", "Zed"),
    ("20000073", "Crème fraîche", "Zed"), ("20000080", "Dark chocolate", "Acme"),
    ("20000097", "Dark chocolate", "Zed"), ("20000103", "Sourdough bread", "Zed"),
    ("20000110", "White chocolate", nil), ("20000127", "Rice cakes with sea salt", nil),
    ("20000134", "Bakery loaf, rye bread, sliced and packed", "Zed"),
    ("20000141", "Rye crisp", nil), ("20000158", "Taco seasoning", "Zed"),
    ("20000165", "Almond bark", nil), ("20000172", "Pickles", nil),
    ("20000189", "Vanilla yoghurt", "Zed"), ("20000196", "Yoghurt drink, vanilla and peach", nil),
    ("20000202", "Penne", "Acme"),
  ]

  private static let folder = Result {
    let folder = NSTemporaryDirectory() + "larder-matcher-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let lines = foods.map { code, name, brand in
      let brand = brand.map { ",\"brands\":\"\($0)\"" } ?? ""
      return "{\"code\":\"\(code)\",\"lang\":\"en\",\"product_name\":\"\(name)\"\(brand)}"
    }
    let path = folder + "/foods.jsonl"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    let now = try #require(Instant(milliseconds: 0))
    _ = try CatalogImporter(CatalogLocation(folder: folder)).install(
      path, installedAt: now, progress: { _ in }, isCancelled: { false })
    return folder
  }

  private func match(_ words: String) throws -> FoodMatcher.Outcome {
    let catalog = try Catalog.open(CatalogLocation(folder: try Self.folder.get()))
    return try FoodMatcher(languages: ["en"]).match(words, in: catalog)
  }

  private func codes(_ outcome: FoodMatcher.Outcome) -> [String] {
    switch outcome {
    case .one(let candidate): [candidate.product.code.canonical]
    case .several(let candidates): candidates.map(\.product.code.canonical)
    case .none: []
    }
  }

  @Test("one exact name is taken, without accents, in either case")
  func exact() throws {
    for words in ["Banana", "BANANA", " banana! "] {
      guard case .one(let candidate) = try match(words) else {
        Issue.record("\(words) is not one food")
        continue
      }
      #expect(candidate.product.code.canonical == "20000059")
      #expect(candidate.quality == .exact)
      #expect(candidate.similarity == 1)
    }
    #expect(codes(try match("creme fraiche")) == ["20000073"])
  }

  @Test("generic beats branded on an equal name; the brand asked for beats generic")
  func generic() throws {
    guard case .one(let candidate) = try match("porridge oats") else {
      Issue.record("a brand made the generic food ambiguous")
      return
    }
    #expect(candidate.product.code.canonical == "20000011")
    guard case .one(let branded) = try match("acme porridge oats") else {
      Issue.record("the brand that was asked for is not one food")
      return
    }
    #expect(branded.product.code.canonical == "20000028")
  }

  @Test("equal names of two brands are a choice, and so are names that are nearly equal")
  func ambiguous() throws {
    guard case .several(let candidates) = try match("dark chocolate") else {
      Issue.record("one of two brands was chosen")
      return
    }
    #expect(Set(candidates.prefix(2).map(\.product.code.canonical)) == ["20000080", "20000097"])
    guard case .several(let breasts) = try match("chicken breast") else {
      Issue.record("one of two nearly equal names was chosen")
      return
    }
    #expect(breasts.first?.product.code.canonical == "20000035")
  }

  @Test("words in another order and one more word still find the food")
  func near() throws {
    #expect(codes(try match("oats porridge")).first == "20000011")
    #expect(codes(try match("sourdough bread sliced")).first == "20000103")
    #expect(codes(try match("some oat milk")).contains("20000066"))
  }

  @Test("what fits only partly is offered and never taken")
  func partial() throws {
    guard case .several(let candidates) = try match("chocolate pudding dark") else {
      Issue.record("a partial match was taken, or lost")
      return
    }
    #expect(candidates.allSatisfy { $0.quality < .exact })
  }

  @Test(
    "a food that lacks a word is never taken, however alike it is",
    arguments: ["white bread", "white choc bread", "banana tea", "porridge oat bars"])
  func missingWord(words: String) throws {
    guard case .several = try match(words) else {
      Issue.record("\(words) was taken for one food, or nothing was offered")
      return
    }
  }

  @Test("a food of which only a part was asked is offered and not taken", arguments: ["rice"])
  func shortWords(words: String) throws {
    guard case .several(let candidates) = try match(words) else {
      Issue.record("\(words) was taken for one food")
      return
    }
    #expect(candidates.first?.product.code.canonical == "20000127")
  }

  @Test("foods that have all the words come before those that are only alike")
  func allWordsFirst() throws {
    #expect(codes(try match("rye bread")).first == "20000134")
  }

  @Test("a misspelled word is the word")
  func misspelled() throws {
    guard case .one(let candidate) = try match("porrige oats") else {
      Issue.record("a misspelled word was not found")
      return
    }
    #expect(candidate.product.code.canonical == "20000011")
  }

  @Test(
    "another word is another food, even if it begins alike",
    arguments: ["tac", "bar", "pick", "penn", "penn acme", "almond bar", "roast oats"])
  func otherWords(words: String) throws {
    if case .one(let candidate) = try match(words) {
      Issue.record("\(words) was taken for \(candidate.name)")
    }
  }

  @Test("a plural is the word")
  func plural() throws {
    #expect(try match("pickle").isOne && match("penne acme").isOne && !match("oats").isOne)
  }

  @Test("where two foods have all the words, none is taken unless that is its name")
  func severalHaveAll() throws {
    #expect(try !match("vanilla").isOne && !match("yoghurt vanilla").isOne)
    #expect(try match("vanilla yoghurt").isOne)
  }

  @Test("what fits nothing is none")
  func none() throws {
    #expect(try match("zucchini") == .none)
    #expect(try match("") == .none)
    #expect(try match("\"*\"") == .none)
  }
}

extension FoodMatcher.Outcome {
  fileprivate var isOne: Bool {
    if case .one = self { true } else { false }
  }
}
