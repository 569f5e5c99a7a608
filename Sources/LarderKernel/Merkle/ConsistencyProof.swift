// That a tree is the beginning of a larger one (RFC 6962 §2.1.2, checked as RFC 9162 §2.1.4.2
// says).
//
// As with inclusion, sizes are not proved: each root comes with its size from a signed statement.

package import LarderHash

/// The nodes that make both roots.
package struct ConsistencyProof: Hashable, Sendable {
  /// The nodes, lowest first.
  package let path: MerklePath

  /// A proof of these nodes.
  package init(path: MerklePath) {
    self.path = path
  }

  /// The proof that the first `earlier` of `later` leaves are the beginning of them all.
  /// - Parameters:
  ///   - earlier: from 0 to `later`.
  ///   - node: gives the root of a full subtree of the `later` leaves; asked O(log `later`) times.
  /// - Throws: what `node` throws.
  package init<Failure: Error>(
    earlier: UInt64, later: UInt64, node: (MerklePosition) throws(Failure) -> Bytes32
  ) throws(Failure) {
    precondition(earlier <= later && later <= MerkleTree.sizeMax, "no such trees")
    guard earlier > 0, earlier < later else {
      path = MerklePath(nodes: [])
      return
    }
    var parts: [Range<UInt64>] = []
    var (begin, end) = (UInt64(0), later)
    while end != earlier {
      let middle = begin + MerkleTree.leftSize(of: end - begin)
      if earlier <= middle {
        parts.append(middle..<end)
        end = middle
      } else {
        parts.append(begin..<middle)
        begin = middle
      }
    }
    // What remains ends with the earlier tree. If it is that tree, the verifier has its root
    // already.
    if begin > 0 { parts.append(begin..<end) }
    var nodes: [Bytes32] = []
    nodes.reserveCapacity(parts.count)
    for part in parts.reversed() {
      nodes.append(try MerkleTree.root(of: part, node: node))
    }
    path = MerklePath(nodes: nodes)
  }

  /// The proof that the first `earlier` of `leaves` are the beginning of them all. O(n).
  package init(earlier: Int, of leaves: [Bytes32]) {
    precondition((0...leaves.count).contains(earlier), "the tree is not as large")
    self.init(earlier: UInt64(earlier), later: UInt64(leaves.count)) { position in
      MerkleTree.root(of: leaves, at: position)
    }
  }

  /// Whether the tree of `earlier` leaves with `earlierRoot` is the beginning of that of `later`
  /// leaves with `laterRoot`. Any numbers may be given: what no trees have is not proved. Every
  /// tree extends the empty one, without nodes.
  package func proves(
    earlier: UInt64, earlierRoot: Bytes32, later: UInt64, laterRoot: Bytes32
  ) -> Bool {
    guard earlier <= later, later <= MerkleTree.sizeMax else { return false }
    guard earlier > 0 else {
      return path.nodes.isEmpty && earlierRoot == MerkleTree.emptyRoot
        && (later > 0 || laterRoot == MerkleTree.emptyRoot)
    }
    guard earlier < later else {
      return path.nodes.isEmpty && earlierRoot == laterRoot
    }
    let isFull = earlier.nonzeroBitCount == 1
    guard let start = isFull ? earlierRoot : path.nodes.first else { return false }
    return proves(
      earlier, earlierRoot, later, laterRoot, from: start, by: path.nodes.dropFirst(isFull ? 0 : 1))
  }

  /// Builds both roots upwards from the largest full subtree that ends with the earlier tree.
  private func proves(
    _ earlier: UInt64, _ earlierRoot: Bytes32, _ later: UInt64, _ laterRoot: Bytes32,
    from start: Bytes32, by nodes: ArraySlice<Bytes32>
  ) -> Bool {
    let levels = earlier.trailingZeroBitCount
    var index = (earlier - 1) >> levels
    var last = (later - 1) >> levels
    var (earlierHash, laterHash) = (start, start)
    for node in nodes {
      guard last > 0 else { return false }
      if index & 1 == 1 || index == last {
        // A last node without a sibling stands for itself on the levels above.
        earlierHash = MerkleTree.node(node, earlierHash)
        laterHash = MerkleTree.node(node, laterHash)
        let levels = index.trailingZeroBitCount
        index >>= levels
        last >>= levels
      } else {
        laterHash = MerkleTree.node(laterHash, node)
      }
      index >>= 1
      last >>= 1
    }
    return last == 0 && earlierHash == earlierRoot && laterHash == laterRoot
  }
}
