// Roots and proofs of RFC 6962's shape over BLAKE2b-256: good ones, and ones that prove nothing.

import LarderHash
import LarderKernel

enum MerkleVectors {
  /// Leaves as any: the hash of their number.
  private static func leaves(_ count: Int) -> [Bytes32] {
    (0..<count).map { number in
      var message: [UInt8] = []
      message.appendBigEndian(UInt64(number))
      return BLAKE2b.hash256(message)
    }
  }

  static func all() throws -> [Vector] {
    [roots(), inclusion(), consistency(), largeInclusion()] + inclusionFlaws() + consistencyFlaws()
      + paths()
  }

  private static func roots() -> Vector {
    let sizes = Array(0...17) + [31, 32, 33, 100, 255, 256, 257, 300, 511, 512, 513, 1000]
    return Vector(
      "merkle", "roots", "roots of the trees of the first leaves; leaf n is BLAKE2b-256(be64(n))",
      [
        "roots": .array(
          sizes.map { size in
            let root = MerkleTree.root(of: leaves(size))
            return .object(["size": .number(Int64(size)), "root": .string(root.hex)])
          })
      ])
  }

  private static func inclusion() -> Vector {
    var proofs: [JSON] = []
    for size in [1, 2, 3, 4, 5, 7, 8, 9] {
      let leaves = leaves(size)
      for index in 0..<size {
        let proof = InclusionProof(index: index, in: leaves)
        proofs.append(
          inclusion(
            proof.path, leaf: leaves[index], index: UInt64(index), size: UInt64(size),
            root: MerkleTree.root(of: leaves)))
      }
    }
    return Vector(
      "merkle", "inclusion", "every leaf of small trees", ["inclusion": .array(proofs)])
  }

  private static func largeInclusion() -> Vector {
    let leaves = leaves(300)
    let root = MerkleTree.root(of: leaves)
    let proofs = [0, 128, 255, 256, 287, 288, 295, 296, 299].map { index in
      inclusion(
        InclusionProof(index: index, in: leaves).path, leaf: leaves[index], index: UInt64(index),
        size: 300, root: root)
    }
    return Vector(
      "merkle", "inclusion_300", "some leaves of a tree with a ragged edge",
      ["inclusion": .array(proofs)])
  }

  private static func inclusion(
    _ path: MerklePath, leaf: Bytes32, index: UInt64, size: UInt64, root: Bytes32
  ) -> JSON {
    let isProved = InclusionProof(path: path).proves(
      leaf: leaf, index: index, size: size, root: root)
    return .object([
      "leaf": .string(leaf.hex), "index": .digits(index), "size": .digits(size),
      "root": .string(root.hex), "path": .string(path.bytes.hex), "proves": .bool(isProved),
    ])
  }

  private static func inclusionFlaws() -> [Vector] {
    let leaves = leaves(7)
    let root = MerkleTree.root(of: leaves)
    let path = InclusionProof(index: 5, in: leaves).path.nodes
    let flaws: [(String, String, [Bytes32], Bytes32, UInt64, UInt64)] = [
      ("other_leaf", "another leaf's hash", path, leaves[4], 5, 7),
      ("other_index", "another place", path, leaves[5], 4, 7),
      ("index_beyond", "a place the tree has not", path, leaves[5], 7, 7),
      ("size_zero", "a tree without leaves", path, leaves[5], 0, 0),
      ("size_beyond", "a tree larger than any", path, leaves[5], 5, 1 << 62 + 1),
      ("node_missing", "a path too short", Array(path.dropLast()), leaves[5], 5, 7),
      ("node_added", "a path too long", path + [root], leaves[5], 5, 7),
      ("nodes_swapped", "two nodes in each other's place", path.reversed(), leaves[5], 5, 7),
      ("no_path", "a tree of one leaf needs no path, this one does", [], leaves[5], 5, 7),
    ]
    return flaws.map { name, description, nodes, leaf, index, size in
      let proof = inclusion(
        MerklePath(nodes: nodes), leaf: leaf, index: index, size: size, root: root)
      return Vector(
        "merkle", "inclusion_" + name, description, ["inclusion": .array([proof])])
    }
  }

  private static func consistency() -> Vector {
    var proofs: [JSON] = []
    for later in [1, 2, 3, 4, 6, 7, 8, 300] {
      let leaves = leaves(later)
      for earlier in later > 8 ? [1, 128, 256, 257, 299] : Array(0...later) {
        proofs.append(
          consistency(
            ConsistencyProof(earlier: earlier, of: leaves).path, earlier: UInt64(earlier),
            earlierRoot: MerkleTree.root(of: Array(leaves.prefix(earlier))), later: UInt64(later),
            laterRoot: MerkleTree.root(of: leaves)))
      }
    }
    return Vector(
      "merkle", "consistency", "every tree is the beginning of a larger one",
      ["consistency": .array(proofs)])
  }

  private static func consistency(
    _ path: MerklePath, earlier: UInt64, earlierRoot: Bytes32, later: UInt64, laterRoot: Bytes32
  ) -> JSON {
    let isProved = ConsistencyProof(path: path).proves(
      earlier: earlier, earlierRoot: earlierRoot, later: later, laterRoot: laterRoot)
    return .object([
      "earlier": .digits(earlier), "earlierRoot": .string(earlierRoot.hex),
      "later": .digits(later), "laterRoot": .string(laterRoot.hex),
      "path": .string(path.bytes.hex), "proves": .bool(isProved),
    ])
  }

  private static func consistencyFlaws() -> [Vector] {
    let leaves = leaves(7)
    let (three, seven) = (
      MerkleTree.root(of: Array(leaves.prefix(3))), MerkleTree.root(of: leaves)
    )
    let path = ConsistencyProof(earlier: 3, of: leaves).path.nodes
    let empty = MerkleTree.emptyRoot
    let flaws: [(String, String, [Bytes32], (UInt64, Bytes32), (UInt64, Bytes32))] = [
      ("fork", "a beginning that is another's", path, (3, seven), (7, seven)),
      ("rewritten", "an end that is another's", path, (3, three), (7, three)),
      ("backwards", "a larger tree is no beginning", path, (7, seven), (3, three)),
      ("other_size", "another size of the beginning", path, (4, three), (7, seven)),
      ("node_missing", "a path too short", Array(path.dropLast()), (3, three), (7, seven)),
      ("node_added", "a path too long", path + [seven], (3, three), (7, seven)),
      ("equal_with_path", "equal trees need no path", path, (7, seven), (7, seven)),
      ("equal_other_root", "equal sizes, other roots", [], (7, three), (7, seven)),
      ("empty_with_path", "the empty tree needs no path", path, (0, empty), (7, seven)),
      ("empty_other_root", "a root that is not the empty tree's", [], (0, three), (7, seven)),
    ]
    return flaws.map { name, description, nodes, earlier, later in
      let proof = consistency(
        MerklePath(nodes: nodes), earlier: earlier.0, earlierRoot: earlier.1, later: later.0,
        laterRoot: later.1)
      return Vector(
        "merkle", "consistency_" + name, description, ["consistency": .array([proof])])
    }
  }

  private static func paths() -> [Vector] {
    let node = CBORValue.bytes(pattern(0, 32))
    let flaws: [(String, String, CBORValue)] = [
      ("of_65", "more nodes than any tree needs", .array(Array(repeating: node, count: 65))),
      ("short_node", "a node of 31 bytes", .array([.bytes(pattern(0, 31))])),
      ("text_node", "a node that is text", .array([.text("x")])),
      ("no_array", "a node without an array", node),
    ]
    return flaws.compactMap { name, description, value in
      guard let bytes = try? value.encode() else { return nil }
      do throws(CBORError) {
        _ = try MerklePath(bytes.span)
        return nil
      } catch {
        return Vector(
          "merkle", "path_" + name, description,
          ["path": .string(bytes.hex), "error": .string("\(error.code)")])
      }
    }
  }
}
