// One golden vector: an input, what must come of it, and why it is there.

import LarderHash
import LarderKernel

/// A golden vector, one file below `Schemas/Vectors`.
package struct Vector: Sendable {
  /// The part of SPEC.md it is about: the folder.
  package let area: String
  /// What is particular about it: the file's name.
  package let name: String
  private let content: [String: JSON]

  /// A vector of an area, named for its flaw or its point.
  init(_ area: String, _ name: String, _ description: String, _ content: [String: JSON]) {
    self.area = area
    self.name = name
    self.content = content.merging(["description": .string(description)]) { _, new in new }
  }

  /// The path below `Schemas/Vectors`.
  package var path: String { "\(area)/\(name).json" }

  /// The file's text.
  package var text: String { JSON.object(content).text }

  /// All vectors, by path.
  /// - Throws: `VectorError` if the code does not do what a vector says it must.
  package static func all() throws -> [Vector] {
    let vectors =
      try CBORVectors.all() + HeaderVectors.all() + PayloadVectors.all() + IdentityVectors.all()
      + MerkleVectors.all() + AmountVectors.all() + ClockVectors.all() + CivilVectors.all()
      + FoldVectors.all() + HeadVectors.all() + KeyVectors.all()
      + LogVectors.all() + BatchVectors.all()
    let sorted = vectors.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for (left, right) in zip(sorted, sorted.dropFirst()) where left.path == right.path {
      throw VectorError("two vectors are called \(left.path)")
    }
    return sorted
  }
}

/// The code does not do what a vector says.
package struct VectorError: Error, CustomStringConvertible {
  /// What differs.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The value, or the error that a generator's constant is none.
func constant<Value>(_ value: Value?, _ name: String) throws(VectorError) -> Value {
  guard let value else { throw VectorError("\(name) is not what its type holds") }
  return value
}

/// A run of bytes: `first`, `first` + 1, …, modulo 256.
func pattern(_ first: UInt8, _ count: Int) -> [UInt8] {
  (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
}

extension Bytes16 {
  /// The bytes `first`, `first` + 1, ….
  static func pattern(_ first: UInt8) -> Bytes16 {
    Bytes16(LarderVectors.pattern(first, 16)) ?? .zero
  }
}

extension Bytes32 {
  /// The bytes `first`, `first` + 1, ….
  static func pattern(_ first: UInt8) -> Bytes32 {
    Bytes32(front: .pattern(first), back: .pattern(first &+ 16))
  }
}

extension CBORValue {
  /// A map with numbered fields.
  static func fields(_ fields: [UInt64: CBORValue]) -> CBORValue {
    .map(fields.map { Entry(key: .unsigned($0.key), value: $0.value) })
  }
}
