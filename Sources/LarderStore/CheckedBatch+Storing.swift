// A checked batch as the log keeps it.

internal import LarderHash
internal import LarderKernel

extension CheckedBatch {
  /// The leaf of the event `seq`, which is one of the batch's.
  func leaf(at seq: UInt64) -> Bytes32 { entries[Int(seq - edge.first)].leaf }

  /// Whether these leaves after `prefix` make the root that was signed.
  func agrees(after prefix: CompactRange) -> Bool {
    var range = prefix
    for entry in entries { range.append(entry.leaf) }
    return range.root == edge.rootAfter
  }

  /// The events of some seqs, as they are kept.
  func stored(_ seqs: Range<UInt64>) -> [LogEvent] {
    seqs.map { seq in
      let entry = entries[Int(seq - edge.first)]
      return LogEvent(
        seq: seq, stream: entry.header.stream, header: Array(batch.events[entry.place.header]),
        payload: entry.place.body.payload(in: batch.events),
        commitment: entry.place.body.commitment, leaf: entry.leaf)
    }
  }

  /// The events of some seqs, as they are folded.
  func events(_ seqs: Range<UInt64>) -> [Event] {
    seqs.map { seq in
      let entry = entries[Int(seq - edge.first)]
      return Event(
        id: EventID(author: edge.author, seq: seq), header: entry.header,
        payload: entry.place.body.payload(in: batch.events), leaf: entry.leaf)
    }
  }

  /// The salts of the whole block one by one: those in `known`, and those of these events.
  func merged(into known: ChainSalts?) -> [UInt8] {
    var known = known
    var own = batch.salts.source(first: edge.first)
    var bytes: [UInt8] = []
    let offset = Int(edge.first % Limits.blockEventCount)
    for index in 0..<Int(Limits.blockEventCount) {
      var salt = known?.salt(at: index)
      if entries.indices.contains(index - offset) {
        salt = own.salt(at: index - offset) ?? salt
      }
      (salt ?? .zero).append(to: &bytes)
    }
    return bytes
  }
}
