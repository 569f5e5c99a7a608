// The blobs of the catalog's rows, to and from values.

import LarderKernel
import LarderSQL

/// Encoding and decoding of the catalog's blobs.
enum CatalogCoding {
  /// A CBOR map from nutrient to amount.
  static func encoded(_ amounts: NutrientAmounts) -> [UInt8] {
    var writer = CBORWriter(reserving: 8 * amounts.elements.count + 4)
    amounts.encode(into: &writer)
    return writer.bytes
  }

  /// A CBOR map from language to name.
  static func encoded(_ names: ProductNames) -> [UInt8] {
    var writer = CBORWriter(reserving: 64)
    names.encode(into: &writer)
    return writer.bytes
  }

  /// Calls `body` with each pair of a CBOR map from number to number.
  static func numbers(
    _ bytes: Span<UInt8>, _ body: (UInt64, Int64) -> Bool
  ) throws(CBORError) {
    var reader = CBORReader()
    var previous: UInt64?
    for _ in 0..<(try reader.mapCount(in: bytes)) {
      let offset = reader.offset
      let key = try reader.key(in: bytes, after: previous)
      previous = key
      guard body(key, try reader.integer(in: bytes)) else {
        throw CBORError(code: .outOfRange, offset: offset)
      }
    }
    try reader.finish(in: bytes)
  }

  /// The amounts of a CBOR map as `encoded` writes it.
  static func amounts(_ bytes: Span<UInt8>) throws(CBORError) -> NutrientAmounts {
    var amounts = NutrientAmounts()
    try numbers(bytes) { number, amount in
      guard let nutrient = Nutrient(number) else { return false }
      return (try? amounts.set(nutrient, to: amount)) != nil
    }
    return amounts
  }
}

extension Nutrient {
  /// The nutrient with that number.
  fileprivate init?(_ number: UInt64) {
    guard let small = UInt16(exactly: number) else { return nil }
    self.init(rawValue: small)
  }
}
