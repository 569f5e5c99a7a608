// Why bytes are not a tree's nodes.

/// A refusal of bytes that should be nodes of a tree.
package struct MerkleError: Error, Hashable, Sendable {
  /// What was wrong.
  package let code: Code
  /// What was being done.
  package let operation: Operation

  /// A fault. Compare with the constants; more may be added.
  package struct Code: Hashable, Sendable {
    private let name: String

    /// A size or position that no chain can have.
    package static let outOfRange = Code(name: "outOfRange")
    /// Not as many bytes as the nodes have.
    package static let wrongLength = Code(name: "wrongLength")
  }

  /// A step that can refuse.
  package struct Operation: Hashable, Sendable {
    private let name: String

    /// Taking up a stored run of leaves.
    package static let readFrontier = Operation(name: "readFrontier")
  }

  /// A fault of `code` in `operation`.
  package init(code: Code, operation: Operation) {
    self.code = code
    self.operation = operation
  }
}

extension MerkleError.Code: CustomStringConvertible {
  /// The constant's name.
  package var description: String { name }
}
