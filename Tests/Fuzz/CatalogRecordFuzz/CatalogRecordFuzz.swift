// Fuzzes the reading of one record of a dump: any bytes are a product or set aside, every number is
// within its limits and names its field, and nothing traps.

import FoundationEssentials
import LarderCatalog
import LarderCatalogImport
import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Data(UnsafeBufferPointer(start: start, count: byteCount))
  guard case .product(let product) = OpenFoodFactsRecord.read(input, with: JSONDecoder()) else {
    return 0
  }
  check(product)
  return 0
}

private func check(_ product: CatalogProduct) {
  let nutrients = product.snapshot.nutrients
  let numbers = nutrients.elements + product.upperLimits.elements
  precondition(
    numbers.allSatisfy { (0...Limits.nutrientAmountMaximum).contains($0.amount) },
    "a number beyond its limit")
  precondition(
    Set(numbers.map(\.number)) == Set(product.fields.map(\.nutrient.rawValue)),
    "a number without a field, or a field without a number")
  precondition(
    nutrients.elements.allSatisfy { number in
      !product.upperLimits.elements.contains { $0.number == number.number }
    }, "a number that is a limit, too")
  precondition(
    (try? ProductCode(product.code.canonical)) == product.code, "a code that is not canonical")
  precondition(!product.shownName(["en"]).isEmpty, "a product without anything to show")
  _ = product.contentHash
  #if PLANTED_BUG
    precondition(nutrients[.fat] == nil, "the planted bug")
  #endif
}
