// A run of leaves as the few hashes that stand for it: how a chain's tree grows without its leaves.
//
// Invariants: `nodes` are the roots of the largest full, aligned subtrees of [begin, end), from
// left to right; so begin and end alone say how many there are and of which levels, and equal runs
// are equal values. Nothing here knows where leaves are kept. (The name and the idea are those of
// the transparency.dev log toolkit.)

package import LarderHash

/// The full subtrees of leaves `begin` up to `end`, exclusive. Merges with the run that follows it.
package struct CompactRange: Hashable, Sendable {
  /// The first leaf, counted from 0 in the whole chain.
  package let begin: UInt64
  /// The leaf after the last; `begin` where there is none.
  package private(set) var end: UInt64
  /// The roots of the full subtrees, leftmost first; at most 124.
  package private(set) var nodes: [Bytes32]

  /// A run without leaves that begins at `begin`.
  package init(begin: UInt64 = 0) {
    precondition(begin <= MerkleTree.sizeMax, "a chain cannot be as long")
    self.begin = begin
    end = begin
    nodes = []
  }

  /// The run with the nodes in `frontier`, as `frontier` gives them.
  /// - Throws: `MerkleError`: `outOfRange` if no run is from `begin` to `end`, `wrongLength` if
  ///   `frontier` has not exactly 32 bytes for each of its nodes.
  package init(begin: UInt64, end: UInt64, frontier: Span<UInt8>) throws(MerkleError) {
    guard begin <= end, end <= MerkleTree.sizeMax else {
      throw MerkleError(code: .outOfRange, operation: .readFrontier)
    }
    guard frontier.count == Self.nodeCount(from: begin, to: end) * Bytes32.byteCount else {
      throw MerkleError(code: .wrongLength, operation: .readFrontier)
    }
    self.begin = begin
    self.end = end
    nodes = []
    nodes.reserveCapacity(frontier.count / Bytes32.byteCount)
    for offset in stride(from: 0, to: frontier.count, by: Bytes32.byteCount) {
      guard let node = Bytes32(frontier.extracting(offset..<(offset + Bytes32.byteCount))) else {
        throw MerkleError(code: .wrongLength, operation: .readFrontier)
      }
      nodes.append(node)
    }
  }

  /// How many leaves.
  package var count: UInt64 { end - begin }

  /// The nodes as bytes: 32 each, leftmost first.
  package var frontier: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(nodes.count * Bytes32.byteCount)
    for node in nodes { node.append(to: &bytes) }
    return bytes
  }

  /// The root of the RFC 6962 tree that these leaves make by themselves. O(log n).
  ///
  /// Only for a run whose own tree is a part of the whole chain's: `begin` is 0, or a multiple of
  /// the power of two that holds all the leaves, as the begin of a block is.
  package var root: Bytes32 {
    precondition(isAligned, "the tree of leaves that begin out of line is not in their nodes")
    guard var root = nodes.last else { return MerkleTree.emptyRoot }
    for node in nodes.dropLast().reversed() {
      root = MerkleTree.node(node, root)
    }
    return root
  }

  /// Adds the next leaf. O(1) amortised: one hash more than carries.
  package mutating func append(_ leaf: Bytes32) {
    append(subtree: leaf, level: 0)
  }

  /// Adds the 2^`level` leaves of a full subtree that begins at `end`; `end` is a multiple of that.
  package mutating func append(subtree: Bytes32, level: Int) {
    precondition((0..<63).contains(level), "no subtree is of this level")
    precondition(end.trailingZeroBitCount >= level, "the subtree does not begin at the end")
    precondition(end + 1 << UInt64(level) <= MerkleTree.sizeMax, "a chain cannot be as long")
    var root = subtree
    var level = UInt64(level)
    var index = end >> level
    end += 1 << level
    // A right child whose sibling is in the run makes their parent full; the sibling is the last
    // node.
    while index & 1 == 1, (index - 1) << level >= begin, let left = nodes.popLast() {
      root = MerkleTree.node(left, root)
      index >>= 1
      level += 1
    }
    nodes.append(root)
  }

  /// Adds all leaves of the run that begins where this one ends. O(log n).
  package mutating func append(_ next: CompactRange) {
    precondition(next.begin == end, "the runs are not adjacent")
    var start = next.begin
    for node in next.nodes {
      let position = MerkleTree.largestSubtree(at: start, before: next.end)
      append(subtree: node, level: position.level)
      start = position.leaves.upperBound
    }
  }

  private var isAligned: Bool {
    guard begin > 0, count > 1 else { return true }
    return begin.trailingZeroBitCount >= 64 - (count - 1).leadingZeroBitCount
  }

  /// How many nodes stand for the leaves from `begin` up to `end`.
  private static func nodeCount(from begin: UInt64, to end: UInt64) -> Int {
    var count = 0
    var start = begin
    while start < end {
      start = MerkleTree.largestSubtree(at: start, before: end).leaves.upperBound
      count += 1
    }
    return count
  }
}
