// The shape of a chain's Merkle tree: RFC 6962 §2.1 with BLAKE2b-256 in the place of SHA-256.
//
// Invariants: a leaf can never pass for a node, their prefixes differ. Every node that is asked of
// a source is the root of a full, aligned subtree; the ragged right edge is computed from those
// here. Knows no event, block or batch: leaves are hashes, and where nodes are kept is the
// caller's.

package import LarderHash

/// The place of a full subtree: leaves `index` · 2^`level` up to (`index` + 1) · 2^`level`,
/// exclusive.
package struct MerklePosition: Hashable, Sendable {
  /// 0 for a leaf, one more for each doubling; below 63.
  package let level: Int
  /// Which of the subtrees of this level, from 0.
  package let index: UInt64

  /// The place of one full subtree.
  package init(level: Int, index: UInt64) {
    self.level = level
    self.index = index
  }

  /// The leaves below it.
  package var leaves: Range<UInt64> {
    (index << UInt64(level))..<((index + 1) << UInt64(level))
  }
}

/// Hashes of RFC 6962 trees over BLAKE2b-256.
package enum MerkleTree {
  /// The most leaves a tree can have: sizes are kept as 64-bit signed integers.
  package static let sizeMax: UInt64 = 1 << 62

  /// The root of a tree without leaves: the hash of nothing.
  package static let emptyRoot = BLAKE2b.hash256([])

  /// The node above two others: BLAKE2b-256(0x01 ‖ left ‖ right). No allocation.
  package static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
    var input = MerkleInput<65>()
    input.append(0x01)
    input.append(left)
    input.append(right)
    return input.hash
  }

  /// The root of the tree of these leaf hashes. O(n).
  package static func root(of leaves: Span<Bytes32>) -> Bytes32 {
    var range = CompactRange()
    for index in leaves.indices {
      range.append(leaves[index])
    }
    return range.root
  }

  /// The root of the tree of these leaf hashes. O(n).
  package static func root(of leaves: [Bytes32]) -> Bytes32 {
    root(of: leaves.span)
  }

  /// The root of the tree of `leaves` alone, from full subtrees: O(log n) of them.
  /// - Parameters:
  ///   - leaves: leaves so aligned that their own tree has no other nodes than the whole chain's;
  ///     every subtree of a proof is. Not empty.
  ///   - node: gives the root of a full subtree.
  /// - Throws: what `node` throws.
  package static func root<Failure: Error>(
    of leaves: Range<UInt64>, node: (MerklePosition) throws(Failure) -> Bytes32
  ) throws(Failure) -> Bytes32 {
    var range = CompactRange(begin: leaves.lowerBound)
    var begin = leaves.lowerBound
    while begin < leaves.upperBound {
      let position = largestSubtree(at: begin, before: leaves.upperBound)
      range.append(subtree: try node(position), level: position.level)
      begin = position.leaves.upperBound
    }
    return range.root
  }

  /// The largest full subtree that begins at `begin` and ends no later than `end`.
  static func largestSubtree(at begin: UInt64, before end: UInt64) -> MerklePosition {
    let fitting = 63 - (end - begin).leadingZeroBitCount
    let level = min(fitting, begin.trailingZeroBitCount)
    return MerklePosition(level: level, index: begin >> UInt64(level))
  }

  /// How many leaves the left subtree of a tree of `size` ≥ 2 leaves has: the largest power of two
  /// below `size`.
  static func leftSize(of size: UInt64) -> UInt64 {
    1 << UInt64(63 - (size - 1).leadingZeroBitCount)
  }
}
