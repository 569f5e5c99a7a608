// RFC 6962 §2.1 word for word: recursive, on slices, with no thought for speed. What the tests of
// the tree, its ranges and its proofs compare with.

import LarderHash
import LarderKernel

/// The recursive definitions over a fixed list of leaves, each distinct, remembering what they
/// computed.
final class MerkleReference {
  let leaves: [Bytes32]
  private var roots: [Range<Int>: Bytes32] = [:]

  init(leafCount: Int) {
    leaves = (0..<leafCount).map { BLAKE2b.hash256([0x00] + [UInt8($0 >> 8), UInt8($0 & 0xff)]) }
  }

  /// MTH(D[range]).
  func root(_ range: Range<Int>) -> Bytes32 {
    if let known = roots[range] { return known }
    let root: Bytes32
    switch range.count {
    case 0: root = BLAKE2b.hash256([])
    case 1: root = leaves[range.lowerBound]
    default:
      let middle = range.lowerBound + Self.split(range.count)
      root = BLAKE2b.hash256(
        [0x01] + self.root(range.lowerBound..<middle).bytes
          + self.root(middle..<range.upperBound).bytes)
    }
    roots[range] = root
    return root
  }

  /// PATH(index, D[range]), index counted from the range's start.
  func path(_ index: Int, _ range: Range<Int>) -> [Bytes32] {
    if range.count == 1 { return [] }
    let middle = range.lowerBound + Self.split(range.count)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    return index < left.count
      ? path(index, left) + [root(right)] : path(index - left.count, right) + [root(left)]
  }

  /// SUBPROOF(count, D[range], isWhole).
  func proof(_ count: Int, _ range: Range<Int>, isWhole: Bool = true) -> [Bytes32] {
    if count == range.count { return isWhole ? [] : [root(range)] }
    let middle = range.lowerBound + Self.split(range.count)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    return count <= left.count
      ? proof(count, left, isWhole: isWhole) + [root(right)]
      : proof(count - left.count, right, isWhole: false) + [root(left)]
  }

  /// The root of the full subtree at `position`.
  func node(_ position: MerklePosition) -> Bytes32 {
    root(Int(position.leaves.lowerBound)..<Int(position.leaves.upperBound))
  }

  /// The largest power of two below `count`.
  private static func split(_ count: Int) -> Int {
    var size = 1
    while size * 2 < count { size *= 2 }
    return size
  }
}

/// A proof's hashes, each time with one flaw: everything a forger could try with them.
func flawed(_ nodes: [Bytes32], foreign: Bytes32) -> [[Bytes32]] {
  var all: [[Bytes32]] = []
  for index in nodes.indices {
    var changed = nodes
    let half = nodes[index].front
    changed[index] = Bytes32(
      front: Bytes16(high: half.high ^ 1 << 63, low: half.low), back: nodes[index].back)
    all.append(changed)
    var replaced = nodes
    replaced[index] = foreign
    all.append(replaced)
    var dropped = nodes
    dropped.remove(at: index)
    all.append(dropped)
    var doubled = nodes
    doubled.insert(nodes[index], at: index)
    all.append(doubled)
    if index > 0 {
      var swapped = nodes
      swapped.swapAt(index, index - 1)
      all.append(swapped)
    }
  }
  for index in 0...nodes.count {
    var longer = nodes
    longer.insert(foreign, at: index)
    all.append(longer)
  }
  return all
}
