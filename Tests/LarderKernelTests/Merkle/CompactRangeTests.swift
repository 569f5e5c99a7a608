import LarderHash
import LarderKernel
import Testing

@Suite("CompactRange")
struct CompactRangeTests {
  @Test("grown leaf by leaf it has the root of the recursive definition")
  func roots() {
    let reference = MerkleReference(leafCount: 700)
    var range = CompactRange()
    #expect(range.root == reference.root(0..<0))
    for count in 1...700 {
      range.append(reference.leaves[count - 1])
      #expect(range.root == reference.root(0..<count))
      #expect(range.nodes.count == count.nonzeroBitCount)
      #expect(range.count == UInt64(count))
    }
    #expect(MerkleTree.root(of: reference.leaves) == range.root)
  }

  @Test("two adjacent runs merge to the run of both, whatever their ends")
  func merging() {
    let reference = MerkleReference(leafCount: 41)
    func range(_ begin: Int, _ end: Int) -> CompactRange {
      var range = CompactRange(begin: UInt64(begin))
      for leaf in reference.leaves[begin..<end] { range.append(leaf) }
      return range
    }
    for begin in 0...41 {
      for end in begin...41 {
        let whole = range(begin, end)
        for middle in begin...end {
          var merged = range(begin, middle)
          merged.append(range(middle, end))
          #expect(merged == whole)
        }
      }
    }
  }

  @Test("its nodes are the largest full subtrees, from left to right")
  func nodes() {
    let reference = MerkleReference(leafCount: 64)
    var range = CompactRange(begin: 5)
    for leaf in reference.leaves[5..<61] { range.append(leaf) }
    let expected = [5..<6, 6..<8, 8..<16, 16..<32, 32..<48, 48..<56, 56..<60, 60..<61]
    #expect(range.nodes == expected.map { reference.root($0) })
  }

  @Test("a block's subtree is its own tree, and blocks combine to the chain")
  func blocks() {
    let size = 512
    let reference = MerkleReference(leafCount: 5 * size + 77)
    var chain = CompactRange()
    for block in 0..<5 {
      var range = CompactRange(begin: UInt64(block * size))
      for offset in 0..<size {
        range.append(reference.leaves[block * size + offset])
        if offset % 37 == 0 {
          #expect(range.root == reference.root(block * size..<(block * size + offset + 1)))
        }
      }
      #expect(range.nodes.count == 1)
      #expect(
        range.root
          == MerkleTree.root(of: Array(reference.leaves[block * size..<(block + 1) * size])))
      if block % 2 == 0 {
        chain.append(range)
      } else {
        chain.append(subtree: range.root, level: 9)
      }
    }
    for leaf in reference.leaves[(5 * size)...] { chain.append(leaf) }
    #expect(chain.root == reference.root(0..<reference.leaves.count))
  }

  @Test("comes back from its bytes and goes on growing")
  func frontiers() throws {
    let reference = MerkleReference(leafCount: 80)
    for begin in [0, 1, 6, 32] {
      var range = CompactRange(begin: UInt64(begin))
      for leaf in reference.leaves[begin...] {
        let frontier = range.frontier
        var restored = try CompactRange(
          begin: range.begin, end: range.end, frontier: frontier.span)
        #expect(restored == range)
        range.append(leaf)
        restored.append(leaf)
        #expect(restored == range)
      }
    }
  }

  @Test("refuses bytes that are not exactly its nodes")
  func refusals() throws {
    let frontier = [UInt8](repeating: 9, count: 5 * 32)
    func code(_ begin: UInt64, _ end: UInt64, _ byteCount: Int) -> MerkleError.Code? {
      let bytes = Array(frontier[..<byteCount])
      do throws(MerkleError) {
        _ = try CompactRange(begin: begin, end: end, frontier: bytes.span)
        return nil
      } catch {
        #expect(error.operation == .readFrontier)
        return error.code
      }
    }
    #expect(code(0, 0, 0) == nil)
    #expect(code(0, 7, 96) == nil)
    #expect(code(1, 7, 96) == .wrongLength)
    #expect(code(0, 0, 32) == .wrongLength)
    #expect(code(0, 7, 64) == .wrongLength)
    #expect(code(0, 7, 95) == .wrongLength)
    #expect(code(0, 7, 97) == .wrongLength)
    #expect(code(0, 7, 128) == .wrongLength)
    #expect(code(7, 6, 32) == .outOfRange)
    #expect(code(0, MerkleTree.sizeMax, 32) == nil)
    #expect(code(0, MerkleTree.sizeMax + 1, 64) == .outOfRange)
    #expect(code(.max, .max, 0) == .outOfRange)
    #expect("\(MerkleError.Code.outOfRange)" == "outOfRange")
  }

  @Test("a run out of line has no tree of its own")
  func misaligned() async {
    await #expect(processExitsWith: .failure) {
      var range = CompactRange(begin: 1)
      range.append(.init(front: .zero, back: .zero))
      range.append(.init(front: .zero, back: .zero))
      _ = range.root
    }
  }
}
