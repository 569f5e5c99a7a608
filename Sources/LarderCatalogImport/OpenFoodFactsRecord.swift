// One line of an Open Food Facts dump and what it comes to.

package import FoundationEssentials
package import LarderCatalog

/// What a line of a dump comes to.
package enum OpenFoodFactsRecord: Hashable, Sendable {
  /// A product.
  case product(CatalogProduct)
  /// Nothing the catalog can keep, and why.
  case setAside(SetAsideReason)

  /// Reads one line, which is one JSON object. Never traps, whatever the bytes are.
  package static func read(_ line: Data, with decoder: JSONDecoder) -> OpenFoodFactsRecord {
    guard let record = try? decoder.decode(ProductRecord.self, from: line) else {
      return .setAside(.notJSON)
    }
    return record.reading(source: .openFoodFacts)
  }
}
