import LarderHash
import LarderKernel
import Testing

@Suite("ConsistencyProof")
struct ConsistencyProofTests {
  private let foreign = BLAKE2b.hash256([0xff])

  private func proves(
    _ nodes: [Bytes32], _ earlier: Int, _ earlierRoot: Bytes32, _ later: Int, _ laterRoot: Bytes32
  ) -> Bool {
    ConsistencyProof(path: MerklePath(nodes: nodes)).proves(
      earlier: UInt64(earlier), earlierRoot: earlierRoot, later: UInt64(later),
      laterRoot: laterRoot)
  }

  @Test("every pair of trees up to 300 has the proof of RFC 6962, and it proves")
  func allPairs() {
    let reference = MerkleReference(leafCount: 300)
    for later in 1...300 {
      let laterRoot = reference.root(0..<later)
      let wrong = (1...later).filter { earlier in
        let proof = ConsistencyProof(
          earlier: UInt64(earlier), later: UInt64(later), node: reference.node)
        return proof.path.nodes != reference.proof(earlier, 0..<later)
          || !proof.proves(
            earlier: UInt64(earlier), earlierRoot: reference.root(0..<earlier),
            later: UInt64(later), laterRoot: laterRoot)
      }
      #expect(wrong.isEmpty, "beginnings of \(later) leaves")
    }
  }

  @Test("from leaves it is the same proof as from nodes")
  func fromLeaves() {
    let reference = MerkleReference(leafCount: 77)
    for earlier in 1...77 {
      let proof = ConsistencyProof(earlier: earlier, of: reference.leaves)
      #expect(proof.path.nodes == reference.proof(earlier, 0..<77))
    }
    #expect(ConsistencyProof(earlier: 0, of: reference.leaves).path.nodes.isEmpty)
  }

  @Test("any flaw in its hashes refuses")
  func flaws() {
    let reference = MerkleReference(leafCount: 300)
    for later in Array(1...33) + [100, 255, 256, 257, 300] {
      for earlier in stride(from: 1, through: later, by: later < 34 ? 1 : 7) {
        let proved = flawed(reference.proof(earlier, 0..<later), foreign: foreign).filter {
          proves($0, earlier, reference.root(0..<earlier), later, reference.root(0..<later))
        }
        #expect(proved.isEmpty, "\(earlier) of \(later) leaves")
      }
    }
  }

  @Test("other roots, or other sizes with their roots, refuse")
  func otherStatements() {
    let reference = MerkleReference(leafCount: 24)
    for later in 1...24 {
      for earlier in 1...later {
        let nodes = reference.proof(earlier, 0..<later)
        let (first, second) = (reference.root(0..<earlier), reference.root(0..<later))
        #expect(!proves(nodes, earlier, foreign, later, second))
        #expect(!proves(nodes, earlier, first, later, foreign))
        if earlier != later { #expect(!proves(nodes, earlier, second, later, first)) }
        for other in 0...24 where other != earlier && other != later {
          let root = reference.root(0..<other)
          #expect(nodes.isEmpty || !proves(nodes, other, root, later, second))
          #expect(!proves(nodes, earlier, first, other, root))
        }
      }
    }
  }

  @Test("a forked chain is not an extension")
  func forks() {
    let reference = MerkleReference(leafCount: 50)
    var changed = reference.leaves
    changed[20] = foreign
    for earlier in 21...49 {
      let ours = ConsistencyProof(earlier: earlier, of: reference.leaves).path.nodes
      let theirs = ConsistencyProof(earlier: earlier, of: changed).path.nodes
      let root = MerkleTree.root(of: changed)
      #expect(!proves(ours, earlier, reference.root(0..<earlier), 50, root))
      #expect(!proves(theirs, earlier, reference.root(0..<earlier), 50, root))
    }
  }

  @Test("the empty tree begins every tree, and equal sizes need equal roots")
  func trivialPairs() {
    let root = BLAKE2b.hash256([1])
    let empty = MerkleTree.emptyRoot
    #expect(proves([], 0, empty, 0, empty))
    #expect(proves([], 0, empty, 9, root))
    #expect(!proves([], 0, empty, 0, root))
    #expect(!proves([], 0, root, 0, root))
    #expect(!proves([], 0, root, 9, root))
    #expect(!proves([root], 0, empty, 9, root))
    #expect(proves([], 5, root, 5, root))
    #expect(!proves([], 5, root, 5, empty))
    #expect(!proves([root], 5, root, 5, root))
  }

  @Test("numbers that no trees have prove nothing")
  func extremes() {
    let root = BLAKE2b.hash256([1])
    for nodes in [[], Array(repeating: root, count: 64)] {
      let proof = ConsistencyProof(path: MerklePath(nodes: nodes))
      for (earlier, later) in [
        (2, 1), (.max, .max), (1, .max), (1, MerkleTree.sizeMax + 1), (.max, 1),
        (3, MerkleTree.sizeMax), (MerkleTree.sizeMax - 1, MerkleTree.sizeMax),
      ] as [(UInt64, UInt64)] {
        #expect(!proof.proves(earlier: earlier, earlierRoot: root, later: later, laterRoot: root))
      }
    }
  }
}
