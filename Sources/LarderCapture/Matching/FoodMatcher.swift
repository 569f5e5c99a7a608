// Which food of the catalog is meant by some words?
//
// Invariant: one food is an answer only if it fits well and no other fits as well; whoever has to
// choose is given the candidates, best first, and nothing is chosen for them.

public import LarderCatalog
import LarderKernel

/// Finds the food that words mean.
public struct FoodMatcher: Sendable {
  /// A food the words may mean.
  public struct Candidate: Hashable, Sendable {
    /// The food.
    public let product: CatalogProduct
    /// The name to show.
    public let name: String
    /// The likeness of the words to the closest of its names, 0…1.
    public let similarity: Double

    /// A food with how alike it is, 0 where only a search found it.
    package init(product: CatalogProduct, name: String, similarity: Double) {
      self.product = product
      self.name = name
      self.similarity = similarity
    }

    /// What the likeness is worth.
    public var quality: MatchQuality { MatchQuality(similarity: similarity) }
  }

  /// What came of a search for the food that is meant.
  public enum Outcome: Hashable, Sendable {
    /// This one: it has that name, or it fits strongly and is the only food with every word.
    case one(Candidate)
    /// One of these, best first, at most ten: several fit alike, or none fits well.
    case several([Candidate])
    /// Nothing in the catalog fits even partly.
    case none
  }

  /// Another candidate within this distance makes a match ambiguous.
  public static let ambiguityDistance = 0.03
  /// The most candidates of an answer.
  public static let candidateCountMaximum = 10
  /// How many products are compared at most.
  private static let poolCount = 200

  /// The languages whose names are shown, best first.
  public let languages: [String]

  /// A matcher that shows names in the first of `languages` a product has one in.
  public init(languages: [String]) {
    self.languages = languages
  }

  /// The food that `words` mean. Case, accents and punctuation do not count.
  ///
  /// Of foods whose names are equally close a generic one beats a branded one: alone it is the
  /// answer, however many brands have the same name.
  /// - Throws: `corrupt`, `ioFailure`.
  public func match(
    _ words: String, in catalog: borrowing Catalog
  ) throws(CatalogError) -> Outcome {
    let ranked = try ranked(words, in: catalog)
    let candidates = ranked.map(\.candidate)
    guard let first = ranked.first else { return .none }
    let best = first.candidate
    let others = ranked.dropFirst()
    let isOnlyOne = !others.contains { $0.coverage > .partial && !yields($0.candidate, to: best) }
    guard first.coverage == .whole, best.quality >= .strong, best.similarity == 1 || isOnlyOne,
      !isAmbiguous(best, among: candidates.dropFirst())
    else { return .several(Array(candidates.prefix(Self.candidateCountMaximum))) }
    return .one(best)
  }

  /// The foods `words` may mean, best first: those that have all the words, then those that fit at
  /// least partly.
  /// - Throws: `corrupt`, `ioFailure`.
  public func candidates(
    _ words: String, in catalog: borrowing Catalog
  ) throws(CatalogError) -> [Candidate] {
    try ranked(words, in: catalog).map(\.candidate)
  }

  /// How much of what was asked a food's names have, and how much of a name was asked.
  private enum Coverage: Int, Comparable {
    /// Some word that was asked is in none of its names.
    case partial
    /// One of its names, with the brand, has every word that was asked.
    case words
    /// And at least half of that name's words were asked.
    case whole

    static func < (left: Coverage, right: Coverage) -> Bool { left.rawValue < right.rawValue }
  }

  private func ranked(
    _ words: String, in catalog: borrowing Catalog
  ) throws(CatalogError) -> [(candidate: Candidate, coverage: Coverage)] {
    let asked = SearchText(words)
    let pool = try catalog.candidates(words, limit: Self.poolCount)
    let ranked = pool.map { product in
      let names = (product.names.elements + product.genericNames.elements).map {
        SearchText($0.name).text
      }
      let candidate = Candidate(
        product: product, name: product.shownName(languages),
        similarity: Self.similarity(of: asked.text, to: names, brand: product.brand))
      return (candidate, Self.coverage(of: asked.words, by: names, brand: product.brand))
    }
    return ranked.filter { $0.0.quality > .weak || $0.1 > .partial }.sorted { left, right in
      let isWhole = (left.1 > .partial, right.1 > .partial)
      return isWhole.0 != isWhole.1 ? isWhole.0 : Self.precedes(left.0, right.0)
    }
  }

  /// How much of `asked` the best of the names has.
  private static func coverage(
    of asked: [Substring], by names: [String], brand: String?
  ) -> Coverage {
    let brand = brand.map { SearchText($0).words.map(String.init) } ?? []
    func has(_ words: [String], _ word: String) -> Bool {
      words.contains { TextSimilarity.isSameWord($0, word) }
    }
    return names.map { name -> Coverage in
      let words = name.split(separator: " ").map(String.init)
      guard !asked.isEmpty, asked.allSatisfy({ has(words + brand, String($0)) }) else {
        return .partial
      }
      let missing = words.count { word in !asked.contains { has([word], String($0)) } }
      return 2 * missing <= words.count ? .whole : .words
    }.max() ?? .partial
  }

  /// Whether `other` is the same food of some brand, where `best` is of none.
  private func yields(_ other: Candidate, to best: Candidate) -> Bool {
    best.product.brand == nil && other.product.brand != nil
      && SearchText(best.name).text == SearchText(other.name).text
  }

  private func isAmbiguous(_ best: Candidate, among others: ArraySlice<Candidate>) -> Bool {
    others.contains { other in
      guard best.similarity - other.similarity <= Self.ambiguityDistance else { return false }
      let yields = best.product.brand == nil && other.product.brand != nil
      return !(yields && other.similarity <= best.similarity)
    }
  }

  /// The likeness to the closest of the names, with and without the brand before it.
  private static func similarity(
    of asked: String, to names: [String], brand: String?
  ) -> Double {
    let brand = brand.map { SearchText($0).text + " " }
    let branded = brand.map { brand in names.map { brand + $0 } } ?? []
    return (names + branded).map { TextSimilarity.combined(asked, $0) }.max() ?? 0
  }

  /// Closer before less close, generic before branded, then complete, often-used ones, then by
  /// code.
  private static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
    func key(_ candidate: Candidate) -> (Double, Int, Int, Int64) {
      (
        -candidate.similarity, candidate.product.brand == nil ? 0 : 1,
        -candidate.product.completeness, -candidate.product.popularity
      )
    }
    return key(left) == key(right)
      ? left.product.code.canonical < right.product.code.canonical : key(left) < key(right)
  }
}
