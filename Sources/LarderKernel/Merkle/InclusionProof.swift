// That a leaf stands at a place in a tree (RFC 6962 §2.1.1, checked as RFC 9162 §2.1.3.2 says).
//
// A proof binds a leaf and its index to a root of a known size. It does not prove the size: trees
// of neighbouring sizes can have paths of one shape, so root and size must come together from a
// signed statement (a tip, an edge).

package import LarderHash

/// The siblings on the way from a leaf to the root.
package struct InclusionProof: Hashable, Sendable {
  /// The siblings, lowest first.
  package let path: MerklePath

  /// A proof of these siblings.
  package init(path: MerklePath) {
    self.path = path
  }

  /// The proof for leaf `index` of the tree of the first `size` leaves.
  /// - Parameters:
  ///   - index: from 0 to `size` − 1.
  ///   - node: gives the root of a full subtree of those leaves; asked O(log `size`) times.
  /// - Throws: what `node` throws.
  package init<Failure: Error>(
    index: UInt64, size: UInt64, node: (MerklePosition) throws(Failure) -> Bytes32
  ) throws(Failure) {
    precondition(index < size && size <= MerkleTree.sizeMax, "the tree has no such leaf")
    var siblings: [Range<UInt64>] = []
    var (begin, end) = (UInt64(0), size)
    while end - begin > 1 {
      let middle = begin + MerkleTree.leftSize(of: end - begin)
      if index < middle {
        siblings.append(middle..<end)
        end = middle
      } else {
        siblings.append(begin..<middle)
        begin = middle
      }
    }
    var nodes: [Bytes32] = []
    nodes.reserveCapacity(siblings.count)
    for sibling in siblings.reversed() {
      nodes.append(try MerkleTree.root(of: sibling, node: node))
    }
    path = MerklePath(nodes: nodes)
  }

  /// The proof for leaf `index` of the tree of all `leaves`. O(n).
  package init(index: Int, in leaves: [Bytes32]) {
    precondition(leaves.indices.contains(index), "the tree has no such leaf")
    self.init(index: UInt64(index), size: UInt64(leaves.count)) { position in
      MerkleTree.root(of: leaves, at: position)
    }
  }

  /// Whether `leaf` stands at `index` in the tree of `size` leaves that has this `root`. Any
  /// numbers may be given: what no tree has is not proved.
  package func proves(leaf: Bytes32, index: UInt64, size: UInt64, root: Bytes32) -> Bool {
    guard index < size, size <= MerkleTree.sizeMax else { return false }
    var hash = leaf
    var index = index
    var last = size - 1
    for sibling in path.nodes {
      guard last > 0 else { return false }
      if index & 1 == 1 || index == last {
        hash = MerkleTree.node(sibling, hash)
        // A last node without a sibling stands for itself on the levels above.
        let levels = index.trailingZeroBitCount
        index >>= levels
        last >>= levels
      } else {
        hash = MerkleTree.node(hash, sibling)
      }
      index >>= 1
      last >>= 1
    }
    return last == 0 && hash == root
  }
}

extension MerkleTree {
  /// The root of the full subtree at `position` over all of a chain's `leaves`.
  static func root(of leaves: [Bytes32], at position: MerklePosition) -> Bytes32 {
    let range = position.leaves
    let span = leaves.span
    return root(of: span.extracting(Int(range.lowerBound)..<Int(range.upperBound)))
  }
}
