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
      var payload: [UInt8]?
      var commitment: Bytes32?
      switch entry.place.body {
      case .payload(let place): payload = Array(batch.events[place])
      case .erased(let value): commitment = value
      }
      return LogEvent(
        seq: seq, stream: entry.header.stream, header: Array(batch.events[entry.place.header]),
        payload: payload, commitment: commitment, leaf: entry.leaf)
    }
  }

  /// The events of some seqs, as they are folded.
  func events(_ seqs: Range<UInt64>) -> [Event] {
    seqs.map { seq in
      let entry = entries[Int(seq - edge.first)]
      var payload: [UInt8]?
      if case .payload(let place) = entry.place.body { payload = Array(batch.events[place]) }
      return Event(
        id: EventID(author: edge.author, seq: seq), header: entry.header, payload: payload,
        leaf: entry.leaf)
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
