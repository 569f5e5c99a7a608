// Fuzzes the reading of batches: what is accepted is written back the same, a batch that holds has
// the leaves its edge says, and nothing traps. Signatures are not checked, or nothing would get
// behind them.

import LarderHash
import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

private func check(_ input: [UInt8]) {
  guard let batch = try? Batch(input.span) else { return }
  precondition(batch.bytes == input, "an accepted batch has another encoding")
  precondition(batch.edge.edge.isPossible, "an accepted edge is none")
  #if PLANTED_BUG
    precondition(batch.edge.edge.first & 0xff != 0xba, "the planted bug")
  #endif
  // The root of the leaves is put right, or nothing would get behind it either.
  let edge = batch.edge.edge
  guard let leaves = leaves(of: batch) else { return }
  let sound = Edge(
    author: AuthorID(BLAKE2b.hash128(batch.publicKey.bytes)), first: edge.first,
    count: edge.count, rootBefore: edge.rootBefore, rootAfter: edge.rootAfter,
    leavesRoot: MerkleTree.root(of: leaves))
  let again = Batch(
    publicKey: batch.publicKey, edge: SignedEdge(edge: sound, signature: batch.edge.signature),
    salts: batch.salts, events: batch.events)
  guard let checked = try? again.check(isSigned: { _, _ in true }) else {
    preconditionFailure("a batch with the right root does not hold")
  }
  precondition(checked.entries.map(\.leaf) == leaves, "the leaves are others")
}

/// The leaves by the long way; nil if the events, headers or salts are none.
private func leaves(of batch: Batch) -> [Bytes32]? {
  let edge = batch.edge.edge
  guard var reader = try? EventSequenceReader(count: Int(edge.count)) else { return nil }
  var salts = batch.salts.source(first: edge.first)
  var leaves: [Bytes32] = []
  do {
    while let entry = try reader.next(in: batch.events.span) {
      let header = Array(batch.events[entry.header])
      _ = try EventHeader(header.span)
      switch entry.body {
      case .erased(let commitment):
        guard salts.salt(at: leaves.count) == nil else { return nil }
        leaves.append(MerkleLeaf.hash(header: header.span, commitment: commitment))
      case .payload(let place):
        guard let salt = salts.salt(at: leaves.count), salt != .zero else { return nil }
        let payload = Array(batch.events[place])
        leaves.append(MerkleLeaf.hash(header: header.span, salt: salt, payload: payload.span))
      }
    }
  } catch {
    return nil
  }
  return leaves
}
