import Foundation
import Testing

@Suite("The small catalog")
struct FixtureTests {
  private struct Product: Decodable {
    let code: String
    let lang: String
    // The keys of a dump, as they are.
    let product_name: String
  }

  @Test("claims no real product: every code is valid, distinct, and of the range shops give out")
  func codes() throws {
    let fixture = try #require(SourceTree.repository.file("Tests/Fixtures/catalog/foods.jsonl"))
    let products = try fixture.lines.filter { !$0.isEmpty }.map {
      try JSONDecoder().decode(Product.self, from: Data($0.utf8))
    }
    #expect(products.count >= 30)
    #expect(Set(products.map(\.lang)).count >= 5)
    #expect(Set(products.map(\.code)).count == products.count)
    for product in products {
      #expect(product.code.first == "2", "\(product.code)")
      #expect(hasValidCheckDigit(product.code), "\(product.code)")
    }
  }

  @Test("the check digit of this test is the one on packages")
  func checkDigit() {
    #expect(hasValidCheckDigit("4006381333931"))
    #expect(hasValidCheckDigit("96385074"))
    #expect(!hasValidCheckDigit("4006381333932"))
    #expect(!hasValidCheckDigit("4006381333"))
  }

  /// EAN-13 and EAN-8: weights 1 and 3 from the right, a sum that ten divides.
  private func hasValidCheckDigit(_ code: String) -> Bool {
    let digits = code.compactMap(\.wholeNumberValue)
    guard digits.count == code.count, digits.count == 13 || digits.count == 8 else { return false }
    let sum = digits.reversed().enumerated().reduce(0) { sum, place in
      sum + place.element * (place.offset % 2 == 0 ? 1 : 3)
    }
    return sum % 10 == 0
  }
}
