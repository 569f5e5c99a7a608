import LarderCatalog
import LarderCatalogImport
import LarderKernel
import Testing

@Suite("Search")
struct SearchTests {
  private static func record(
    _ code: Int, _ names: [String: String], brand: String? = nil, scans: Int = 0,
    kcal: Int? = nil, generic: String? = nil
  ) -> String {
    let fields =
      names.map { "\"product_name_\($0.key)\":\"\($0.value)\"" }
      + [brand.map { "\"brands\":\"\($0)\"" }, generic.map { "\"generic_name_en\":\"\($0)\"" }]
      .compactMap { $0 }
      + [kcal.map { "\"nutriments\":{\"energy-kcal_100g\":\($0)}" }].compactMap { $0 }
    return "{\"code\":\"\(code)\",\"unique_scans_n\":\(scans),\(fields.joined(separator: ","))}"
  }

  private static let records = [
    record(20_000_011, ["en": "Peanut butter crunchy"], brand: "Acme"),
    record(20_000_028, ["en": "Peanut butter"], brand: "Zed", scans: 5),
    record(20_000_035, ["en": "Peanut butter"], scans: 9),
    record(20_000_042, ["en": "Cookies with peanut butter"]),
    record(20_000_059, ["fr": "Thé glacé", "de": "Eistee", "en": "Iced tea"]),
    record(20_000_066, ["ro": "Ouă", "en": "Eggs"]),
    record(20_000_073, ["fr": "Pâtés"]), record(20_000_080, ["fr": "Pates"]),
    record(20_000_097, ["it": "Crema"], brand: "Noccio", generic: "Hazelnut spread"),
    record(20_000_103, ["en": "Eggs"], kcal: 143),
  ]

  /// Installed once for all tests.
  private static let store = Result {
    let store = try TestStore()
    try store.install("search.jsonl", records)
    return store
  }

  private func search(
    _ words: String, languages: [String] = ["en"], limit: Int = 10
  ) throws -> [CatalogMatch] {
    let store = try Self.store.get()
    return try Catalog.open(store.location).search(words, languages: languages, limit: limit)
  }

  @Test("exact names come first, then beginnings, then names that have all words")
  func ranks() throws {
    let matches = try search("PEANUT Butter!")
    #expect(matches.map(\.fit) == [.exact, .exact, .prefix, .words])
    #expect(
      matches.map(\.product.code.canonical) == ["20000035", "20000028", "20000011", "20000042"])
    #expect(try search("butter peanut").allSatisfy { $0.fit == .words })
    #expect(try search("butter peanut").count == 4)
    #expect(try search("peanut butter", limit: 1).count == 1)
  }

  @Test("of equals the complete, often-used one comes first")
  func quality() throws {
    #expect(try search("eggs").map(\.product.code.canonical) == ["20000103", "20000066"])
  }

  @Test("the last word may be unfinished, and the brand counts")
  func prefixes() throws {
    #expect(try search("pean").count == 4)
    #expect(try search("acme pea").map(\.product.code.canonical) == ["20000011"])
    #expect(try search("noccio").map(\.product.code.canonical) == ["20000097"])
    #expect(try search("hazelnut").map(\.name) == ["Crema"])
  }

  @Test("K6, K7: names in every language are found without accents, and shown as they are")
  func languages() throws {
    #expect(try search("the glace", languages: ["de-AT", "fr"]).map(\.name) == ["Eistee"])
    #expect(try search("thé", languages: ["fr"]).map(\.name) == ["Thé glacé"])
    #expect(try search("the", languages: ["ja"]).map(\.name) == ["Iced tea"])
    #expect(try search("oua", languages: ["ro"]).map(\.name) == ["Ouă"])
    #expect(try search("OUĂ", languages: ["ro"]).map(\.name) == ["Ouă"])
    #expect(Set(try search("pates", languages: ["fr"]).map(\.name)) == ["Pâtés", "Pates"])
  }

  @Test(
    "words that are no query of the index's language are words",
    arguments: [
      "\"", "peanut\"", "peanut OR", "NOT peanut", "pea*nut", "^peanut", "name:peanut", "(((", "-",
      "peanut AND butter NEAR(", "", "   ", "💥", "'; DROP TABLE products; --",
    ])
  func hostile(words: String) throws {
    _ = try search(words)
  }

  @Test("a query of a thousand words costs no more than one of twelve")
  func longQuery() throws {
    let words = Array(repeating: "peanut", count: 1000).joined(separator: " ")
    #expect(try search(words).count == 4)
  }
}
