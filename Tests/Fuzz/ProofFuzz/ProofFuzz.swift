// Fuzzes the reading of proofs and frontiers: what is accepted is written back the same, and no
// proof that anyone makes up proves anything.

import LarderHash
import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

/// The first 16 bytes are two numbers, the rest is a proof and a frontier.
private func check(_ input: [UInt8]) {
  guard input.count >= 16 else { return }
  let (first, second) = (input.span.bigEndianWord(at: 0), input.span.bigEndianWord(at: 8))
  let rest = Array(input[16...])
  if var range = try? CompactRange(begin: first, end: second, frontier: rest.span) {
    precondition(range.frontier == rest, "a frontier changed on its way through")
    precondition(range.nodes.count * 32 == rest.count, "a frontier with other nodes")
    if range.begin == 0 { _ = range.root }
    if range.end < MerkleTree.sizeMax { range.append(MerkleTree.emptyRoot) }
  }
  guard let path = try? MerklePath(rest.span) else { return }
  precondition(path.bytes == rest, "an accepted proof has another encoding")
  precondition(path.nodes.count <= MerklePath.countMax, "a proof beyond its limit")
  #if PLANTED_BUG
    precondition(path.nodes.isEmpty, "the planted bug")
  #endif
  let (leaf, root) = (BLAKE2b.hash256([1]), BLAKE2b.hash256([2]))
  precondition(
    !InclusionProof(path: path).proves(leaf: leaf, index: first, size: second, root: root),
    "a made-up proof of inclusion")
  let consistency = ConsistencyProof(path: path)
  precondition(
    !consistency.proves(earlier: first, earlierRoot: leaf, later: second, laterRoot: root),
    "a made-up proof of consistency")
}
