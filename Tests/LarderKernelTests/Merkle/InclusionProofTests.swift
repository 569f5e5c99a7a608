import LarderHash
import LarderKernel
import Testing

@Suite("InclusionProof")
struct InclusionProofTests {
  private let foreign = BLAKE2b.hash256([0xff])

  @Test("every leaf of every tree up to 300 has the proof of RFC 6962, and it proves")
  func allPairs() {
    let reference = MerkleReference(leafCount: 300)
    for size in 1...300 {
      let root = reference.root(0..<size)
      let wrong = (0..<size).filter { index in
        let proof = InclusionProof(index: UInt64(index), size: UInt64(size), node: reference.node)
        return proof.path.nodes != reference.path(index, 0..<size)
          || !proof.proves(
            leaf: reference.leaves[index], index: UInt64(index), size: UInt64(size), root: root)
      }
      #expect(wrong.isEmpty, "of \(size) leaves")
    }
  }

  @Test("from leaves it is the same proof as from nodes")
  func fromLeaves() {
    let reference = MerkleReference(leafCount: 77)
    for index in 0..<77 {
      let proof = InclusionProof(index: index, in: reference.leaves)
      #expect(proof.path.nodes == reference.path(index, 0..<77))
    }
  }

  @Test("any flaw in its hashes refuses")
  func flaws() {
    let reference = MerkleReference(leafCount: 300)
    for size in Array(1...33) + [100, 255, 256, 257, 300] {
      for index in stride(from: 0, to: size, by: size < 34 ? 1 : 7) {
        let proved = flawed(reference.path(index, 0..<size), foreign: foreign).filter { nodes in
          InclusionProof(path: MerklePath(nodes: nodes)).proves(
            leaf: reference.leaves[index], index: UInt64(index), size: UInt64(size),
            root: reference.root(0..<size))
        }
        #expect(proved.isEmpty, "leaf \(index) of \(size)")
      }
    }
  }

  @Test("another leaf, index, root, or size with its root, refuses")
  func otherStatements() {
    let reference = MerkleReference(leafCount: 40)
    for size in 1...40 {
      let root = reference.root(0..<size)
      for index in 0..<size {
        let proof = InclusionProof(path: MerklePath(nodes: reference.path(index, 0..<size)))
        let leaf = reference.leaves[index]
        #expect(!proof.proves(leaf: foreign, index: UInt64(index), size: UInt64(size), root: root))
        #expect(!proof.proves(leaf: leaf, index: UInt64(index), size: UInt64(size), root: foreign))
        let provedIndexes = (0...41).filter { other in
          other != index
            && proof.proves(leaf: leaf, index: UInt64(other), size: UInt64(size), root: root)
        }
        #expect(provedIndexes.isEmpty, "leaf \(index) of \(size)")
        let provedSizes = (0...40).filter { other in
          other != size
            && proof.proves(
              leaf: leaf, index: UInt64(index), size: UInt64(other),
              root: reference.root(0..<other))
        }
        #expect(provedSizes.isEmpty, "leaf \(index) of \(size)")
      }
    }
  }

  @Test("binds no size: that comes with the root from a signed statement")
  func sizeIsNotBound() {
    let reference = MerkleReference(leafCount: 3)
    let proof = InclusionProof(index: 0, in: reference.leaves)
    let root = reference.root(0..<3)
    #expect(proof.proves(leaf: reference.leaves[0], index: 0, size: 3, root: root))
    #expect(proof.proves(leaf: reference.leaves[0], index: 0, size: 4, root: root))
    #expect(!proof.proves(leaf: reference.leaves[0], index: 0, size: 5, root: root))
  }

  @Test("numbers that no tree has prove nothing")
  func extremes() {
    let leaf = BLAKE2b.hash256([1])
    let long = InclusionProof(path: MerklePath(nodes: Array(repeating: leaf, count: 64)))
    let empty = InclusionProof(path: MerklePath(nodes: []))
    for proof in [long, empty] {
      for (index, size) in [
        (0, 0), (1, 1), (.max, .max), (0, .max), (0, MerkleTree.sizeMax + 1), (.max, 1),
        (0, MerkleTree.sizeMax), (MerkleTree.sizeMax - 1, MerkleTree.sizeMax),
      ] as [(UInt64, UInt64)] {
        #expect(!proof.proves(leaf: leaf, index: index, size: size, root: leaf))
      }
    }
    #expect(empty.proves(leaf: leaf, index: 0, size: 1, root: leaf))
  }

  @Test("the largest tree's proof fits its limits")
  func largest() {
    let (size, index) = (MerkleTree.sizeMax - 1, MerkleTree.sizeMax - 3)
    // All full subtrees of one level alike: their root depends on the level only.
    var roots = [BLAKE2b.hash256([1])]
    for _ in 0..<62 {
      roots.append(MerkleTree.node(roots[roots.count - 1], roots[roots.count - 1]))
    }
    let proof = InclusionProof(index: index, size: size) { roots[$0.level] }
    #expect(proof.path.nodes.count <= MerklePath.countMax)
    let root = MerkleTree.root(of: 0..<size) { roots[$0.level] }
    #expect(proof.proves(leaf: roots[0], index: index, size: size, root: root))
    #expect(!proof.proves(leaf: roots[1], index: index, size: size, root: root))
  }

  @Test("an error of the source of nodes comes through")
  func failingSource() {
    struct Missing: Error, Equatable {}
    #expect(throws: Missing()) {
      try InclusionProof(index: 2, size: 9) { _ throws(Missing) in throw Missing() }
    }
  }
}
