// Search: exact names first, then names that begin with the words, then names that have them all.

import LarderSQL

/// A product a search found.
public struct CatalogMatch: Hashable, Sendable {
  /// How the words fit, best first.
  public enum Fit: UInt8, Sendable, Comparable {
    /// A name is these words and nothing else.
    case exact = 0
    /// A name begins with them.
    case prefix = 1
    /// A name and the brand together have them all.
    case words = 2

    /// Better before worse.
    public static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  /// The product.
  public let product: CatalogProduct
  /// The name to show, in the best language that was asked for.
  public let name: String
  /// How the words fit one of its names.
  public let fit: Fit
}

extension Catalog {
  /// Products whose names, in any language, fit `words`; upper and lower case, accents and
  /// punctuation do not count, and the last word may be unfinished.
  ///
  /// Exact names come first, then names that begin with the words, then names that have all of
  /// them; among equals short names, then complete, often-used products. The first 12 words count.
  /// - Parameters:
  ///   - languages: which of a product's names to show, best first (`de-at` falls back to `de`).
  ///   - limit: the most matches, 1 or more.
  /// - Throws: `corrupt`, `ioFailure`.
  public func search(
    _ words: String, languages: [String], limit: Int
  ) throws(CatalogError) -> [CatalogMatch] {
    precondition(limit > 0, "a search asks for at least one match")
    let words = CatalogSearch.words(words)
    guard !words.isEmpty else { return [] }
    let breadth = max(limit, 50)
    let (exact, others) = try CatalogError.wrapping { () throws(SQLError) in
      var others = Places(limit: 2 * breadth)
      others.add(try search.prefix(words, limit: breadth))
      others.add(try search.all(words, limit: breadth))
      return (try search.exact(words, limit: breadth), others.places)
    }
    var found = Places(limit: 3 * breadth)
    found.add(exact)
    found.add(others)
    let known = Set(others)
    var matches = try matches(found.places, words: words, languages: languages)
    // Names are found whole by a hash, which another name may share.
    matches.removeAll { $0.match.fit != .exact && !known.contains($0.place) }
    return matches.prefix(limit).map(\.match)
  }

  /// Products that might be meant by `words`: what `search` finds, then what has all words but one,
  /// then what has one of them, the longest first. In no order that means anything.
  package func candidates(_ words: String, limit: Int) throws(CatalogError) -> [CatalogProduct] {
    let words = CatalogSearch.words(words)
    guard !words.isEmpty else { return [] }
    let found = try CatalogError.wrapping { () throws(SQLError) in
      var places = Places(limit: limit)
      places.add(try search.exact(words, limit: limit))
      places.add(try search.prefix(words, limit: limit / 2))
      places.add(try search.all(words, limit: limit / 2))
      if words.count > 2 {
        for left in words.indices where !places.isFull {
          let others = words.indices.filter { $0 != left }.map { words[$0] }
          places.add(try search.all(others, limit: limit / 4))
        }
      }
      for word in words.sorted(by: { $0.utf8.count > $1.utf8.count }) where !places.isFull {
        places.add(try search.prefix([word], limit: limit / 4))
        places.add(try search.all([word], limit: limit / 4))
      }
      return places.places
    }
    var products: [CatalogProduct] = []
    for place in found {
      if let product = try product(place: place) { products.append(product) }
    }
    return products
  }

  private func matches(
    _ places: [Int64], words: [String], languages: [String]
  ) throws(CatalogError) -> [(place: Int64, match: CatalogMatch)] {
    let asked = words.joined(separator: " ")
    var ranked: [(fit: CatalogMatch.Fit, length: Int, place: Int64, product: CatalogProduct)] = []
    for place in places {
      guard let product = try product(place: place) else { continue }
      let names = (product.names.elements + product.genericNames.elements).map {
        SearchText($0.name).text
      }
      let (fit, length) = Self.fit(asked, names)
      ranked.append((fit, length, place, product))
    }
    ranked.sort { ($0.fit, $0.length, $0.place) < ($1.fit, $1.length, $1.place) }
    return ranked.map { one in
      let name = one.product.shownName(languages)
      return (one.place, CatalogMatch(product: one.product, name: name, fit: one.fit))
    }
  }

  /// The best fit of the folded words to folded names, with how long that name is.
  private static func fit(_ asked: String, _ names: [String]) -> (CatalogMatch.Fit, Int) {
    names.map { name -> (CatalogMatch.Fit, Int) in
      let fit: CatalogMatch.Fit =
        name == asked ? .exact : name.hasPrefix(asked) ? .prefix : .words
      return (fit, name.utf8.count)
    }.min { $0 < $1 } ?? (.words, 0)
  }
}

/// Places without repetition, in the order they came, up to a limit.
private struct Places {
  private(set) var places: [Int64] = []
  private var seen: Set<Int64> = []
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var isFull: Bool { places.count >= limit }

  mutating func add(_ more: [Int64]) {
    for place in more where !isFull && seen.insert(place).inserted { places.append(place) }
  }
}
