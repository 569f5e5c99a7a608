// Taking in what other devices wrote, and what this one wrote in another life: each batch whole or
// not at all, whatever is missing before it. SPEC.md, "Receiving".
//
// Invariants: an event that is here already is not stored again; one that contradicts what is here
// begins a branch, and both are kept and folded; nothing that was received is ever refused for its
// clock, its kind or its version.

internal import LarderCrypto
internal import LarderHash
package import LarderKernel
internal import LarderSQL

/// What became of a batch.
package struct ReceivedBatch: Hashable, Sendable {
  /// How it went.
  package enum Outcome: Hashable, Sendable {
    /// Some or all of its events were new.
    case stored
    /// All of its events were here.
    case known
    /// It contradicts what the author wrote elsewhere: it is kept beside that, as a branch.
    case forked
    /// It is not what its author signed; nothing of it was kept.
    case refused(KernelError)
  }

  /// Who wrote it.
  package let author: AuthorID
  /// Its seqs.
  package let seqs: Range<UInt64>
  /// How many events were new.
  package var addedCount: Int
  /// How it went.
  package var outcome: Outcome
}

extension Store {
  /// Events received in one transaction: well under 100 ms of the lock.
  private static let receivedEventCount = 2048

  /// Takes in batches, in any order. One that is refused leaves the others alone.
  /// - Returns: what became of each, in their order.
  /// - Throws: `busy`, `full`, `corrupt`, `ioFailure`; batches of earlier transactions are kept.
  package func receive(_ batches: [Batch]) throws(StoreError) -> [ReceivedBatch] {
    var results: [ReceivedBatch] = []
    var waiting: [CheckedBatch] = []
    var places: [Int] = []
    var waitingCount = 0
    for batch in batches {
      let edge = batch.edge.edge
      var result = ReceivedBatch(
        author: edge.author, seqs: edge.first..<edge.end, addedCount: 0, outcome: .known)
      do throws(KernelError) {
        waiting.append(try batch.check())
        places.append(results.count)
        waitingCount += Int(edge.count)
      } catch {
        result.outcome = .refused(error)
      }
      results.append(result)
      if waitingCount >= Self.receivedEventCount {
        try store(waiting, at: places, &results)
        waiting = []
        places = []
        waitingCount = 0
      }
    }
    try store(waiting, at: places, &results)
    return results
  }

  private func store(
    _ batches: [CheckedBatch], at places: [Int], _ results: inout [ReceivedBatch]
  ) throws(StoreError) {
    if batches.isEmpty { return }
    own = nil
    var changed = results
    try writing { () throws(StoreError) in
      var added: [Event] = []
      let intake = try StoreError.wrapping { () throws(SQLError) in try Intake(connection) }
      for (batch, place) in zip(batches, places) {
        let (events, outcome) = try intake.take(batch, log: statements.log, connection)
        added += events
        changed[place].addedCount = events.count
        changed[place].outcome = outcome
      }
      try project(added, isLocal: false)
      if let last = added.map(\.header.hlc).max() { try receiveClock(last) }
    }
    results = changed
  }

  /// `last = max(last, remote)`.
  private func receiveClock(_ remote: HLC) throws(StoreError) {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("UPDATE _device SET hlc = max(hlc, ?)").run(Int64(remote.rawValue))
    }
  }
}

/// Takes in batches, inside one transaction.
struct Intake: ~Copyable {
  private let edges: EdgeTable
  private let insertAuthor: Statement
  private let markRenewal: Statement
  private let tree: ChainTree

  init(_ connection: borrowing Connection) throws(SQLError) {
    let edges = try EdgeTable(connection)
    let author = try connection.prepare(
      "INSERT OR IGNORE INTO _authors(author, publicKey) VALUES (?, ?)")
    let renewal = try connection.prepare(
      "UPDATE _device SET renewal = 'ahead' WHERE author = ?")
    let tree = try ChainTree(connection)
    self.edges = edges
    insertAuthor = author
    markRenewal = renewal
    self.tree = tree
  }

  /// Stores what is new of `batch`.
  /// - Returns: the new events, and how it went.
  func take(
    _ batch: CheckedBatch, log: borrowing EventLog, _ connection: borrowing Connection
  ) throws(StoreError) -> ([Event], ReceivedBatch.Outcome) {
    let edge = batch.edge
    var chains = try log.chains.chains(of: edge.author)
    var known: [Int64: KnownLeaves] = [:]
    let place = edge.first / Limits.blockEventCount
    for chain in chains {
      known[chain.id] = try tree.leaves(of: chain, block: place, log)
    }
    guard var current = try predecessor(of: batch, chains: &chains, known: known, log, connection)
    else {
      let reason = KernelError(.outOfRange, operation: "check batch", subject: "roots")
      return ([], .refused(reason))
    }
    try StoreError.wrapping { () throws(SQLError) in
      try insertAuthor.run(edge.author.bytes, batch.batch.publicKey)
    }
    var added: [Event] = []
    var isForked = false
    var seq = edge.first
    while seq < edge.end {
      let leaf = batch.leaf(at: seq)
      if known[current.id]?.leaf(at: seq) == leaf {
        seq += 1
        continue
      }
      if let other = chains.first(where: { known[$0.id]?.leaf(at: seq) == leaf }) {
        current = try join(current, other, log, &chains)
        known[current.id] = try tree.leaves(of: current, block: place, log)
        continue
      }
      if current.size != seq {
        current = try branch(from: current, at: seq, batch, log, connection)
        chains.append(current)
        isForked = true
      }
      var end = seq + 1
      while end < edge.end,
        !chains.contains(where: { known[$0.id]?.leaf(at: end) == batch.leaf(at: end) })
      { end += 1 }
      try tree.keepSalts(of: batch, for: current.id, log)
      try log.add(batch.stored(seq..<end), to: &current)
      added += batch.events(seq..<end)
      current.signedRoot = edge.rootAfter
      try update(current, &chains, log)
      seq = end
    }
    if !added.isEmpty { current = try closeGap(after: current, log, &chains) }
    try StoreError.wrapping { () throws(SQLError) in
      try edges.insert(batch.batch.edge, of: current.id)
      if !added.isEmpty { try markRenewal.run(edge.author.bytes) }
    }
    return (added, isForked ? .forked : added.isEmpty ? .known : .stored)
  }

  /// The chain that the batch goes on from, or a new one; nil if its roots are not those of its
  /// leaves after what is here.
  private func predecessor(
    of batch: CheckedBatch, chains: inout [Chain], known: [Int64: KnownLeaves],
    _ log: borrowing EventLog, _ connection: borrowing Connection
  ) throws(StoreError) -> Chain? {
    let edge = batch.edge
    for chain in chains where known[chain.id]?.leaf(at: edge.first) == batch.leaf(at: edge.first) {
      guard chain.isAttached else { return chain }
      let prefix = try tree.prefix(of: chain, upTo: edge.first, log)
      return prefix.root == edge.rootBefore && batch.agrees(after: prefix) ? chain : nil
    }
    for chain in chains where chain.size == edge.first && chain.root == edge.rootBefore {
      return !chain.isAttached || batch.agrees(after: chain.range) ? chain : nil
    }
    for chain in chains
    where chain.isAttached && chain.start <= edge.first && edge.first < chain.size {
      let prefix = try tree.prefix(of: chain, upTo: edge.first, log)
      if prefix.root == edge.rootBefore { return batch.agrees(after: prefix) ? chain : nil }
    }
    let isFirst = edge.first == 0
    if isFirst, edge.rootBefore != MerkleTree.emptyRoot || !batch.agrees(after: CompactRange()) {
      return nil
    }
    let chain = Chain(
      id: 0, author: edge.author, parent: nil, start: edge.first, startRoot: edge.rootBefore,
      range: CompactRange(begin: edge.first), signedRoot: edge.rootBefore, isAttached: isFirst)
    let new = try StoreError.wrapping { () throws(SQLError) in
      try log.chains.insert(chain, connection: connection)
    }
    chains.append(new)
    return new
  }

  /// A chain that leaves `parent` before the seq `seq`.
  private func branch(
    from parent: Chain, at seq: UInt64, _ batch: CheckedBatch, _ log: borrowing EventLog,
    _ connection: borrowing Connection
  ) throws(StoreError) -> Chain {
    var range = CompactRange(begin: seq)
    var root = seq == batch.edge.first ? batch.edge.rootBefore : Event.noLeaf
    if parent.isAttached {
      range = try tree.prefix(of: parent, upTo: seq, log)
      root = range.root
    }
    let chain = Chain(
      id: 0, author: parent.author, parent: parent.id, start: seq, startRoot: root, range: range,
      signedRoot: root, isAttached: parent.isAttached)
    return try StoreError.wrapping { () throws(SQLError) in
      try log.chains.insert(chain, connection: connection)
    }
  }

  /// Goes on in `next`, which has the event after the last one of `current`.
  private func join(
    _ current: Chain, _ next: Chain, _ log: borrowing EventLog, _ chains: inout [Chain]
  ) throws(StoreError) -> Chain {
    guard next.parent == nil, !next.isAttached, current.size == next.start else { return next }
    return try merge(next, into: current, log, &chains) ?? next
  }

  /// Joins what was received ahead of a gap that is closed now.
  private func closeGap(
    after current: Chain, _ log: borrowing EventLog, _ chains: inout [Chain]
  ) throws(StoreError) -> Chain {
    let next = chains.first {
      $0.id != current.id && !$0.isAttached && $0.parent == nil && $0.start == current.size
        && $0.startRoot == current.root
    }
    guard let next else { return current }
    return try merge(next, into: current, log, &chains) ?? current
  }

  /// Gives the events of `next` to `current`, which it follows.
  /// - Returns: the chain of both; nil if the author signed two histories: then they stay apart.
  private func merge(
    _ next: Chain, into current: Chain, _ log: borrowing EventLog, _ chains: inout [Chain]
  ) throws(StoreError) -> Chain? {
    var merged = current
    merged.range.append(next.range)
    if merged.isAttached, merged.range.root != next.signedRoot { return nil }
    merged.signedRoot = next.signedRoot
    try tree.move(next, to: merged, log)
    try StoreError.wrapping { () throws(SQLError) in
      try edges.move(from: next.id, to: merged.id)
      try log.chains.remove(next.id, heir: merged.id)
    }
    chains.removeAll { $0.id == next.id }
    for place in chains.indices where chains[place].parent == next.id {
      chains[place].parent = merged.id
    }
    try update(merged, &chains, log)
    return try closeGap(after: merged, log, &chains)
  }

  private func update(
    _ chain: Chain, _ chains: inout [Chain], _ log: borrowing EventLog
  ) throws(StoreError) {
    try StoreError.wrapping { () throws(SQLError) in
      try log.chains.update(chain, isWitnessed: false)
    }
    if let place = chains.firstIndex(where: { $0.id == chain.id }) { chains[place] = chain }
  }
}
