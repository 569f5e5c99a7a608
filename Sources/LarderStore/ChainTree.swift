// Trees of chains out of what is stored: leaves of a block, the tree up to a seq, the salts; and
// moving a chain's rows to the one it goes on from.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Leaves of a chain that are here.
struct KnownLeaves {
  let first: UInt64
  let leaves: [Bytes32]

  /// The leaf of the event `seq`, if it is among them.
  func leaf(at seq: UInt64) -> Bytes32? {
    guard seq >= first, seq - first < UInt64(leaves.count) else { return nil }
    return leaves[Int(seq - first)]
  }
}

/// The statements that look below a chain's row.
struct ChainTree: ~Copyable {
  private let selectTail: Statement
  private let selectBlocks: Statement
  private let selectPacked: Statement
  private let insertSalts: Statement
  private let updateSalts: Statement
  private let deleteBlock: Statement
  private let deleteStreams: Statement
  private let moveTail: Statement
  private let moveBlocks: Statement
  private let moveStreams: Statement
  private let moveSeeds: Statement
  private let deleteSeeds: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let tail = try connection.prepare(
      "SELECT seq, leaf FROM _tail WHERE chain = ? AND seq >= ? AND seq < ? ORDER BY seq")
    let blocks = try connection.prepare(
      "SELECT block, count, root FROM _blocks WHERE chain = ? AND block < ? ORDER BY block")
    let packed = try connection.prepare("SELECT 1 FROM _blocks WHERE chain = ? AND block = ?")
    let insert = try connection.prepare(
      "INSERT INTO _seeds(chain, block, seed, salts) VALUES (?, ?, ?, ?)")
    let update = try connection.prepare(
      "UPDATE _seeds SET seed = NULL, salts = ?3 WHERE chain = ?1 AND block = ?2")
    let deleteBlock = try connection.prepare("DELETE FROM _blocks WHERE chain = ? AND block = ?")
    let deleteStreams = try connection.prepare(
      "DELETE FROM _streams WHERE stream = ? AND chain = ? AND block = ?")
    let moveTail = try connection.prepare("UPDATE _tail SET chain = ?2 WHERE chain = ?1")
    let moveBlocks = try connection.prepare("UPDATE _blocks SET chain = ?2 WHERE chain = ?1")
    let moveStreams = try connection.prepare(
      "UPDATE OR REPLACE _streams SET chain = ?2 WHERE chain = ?1")
    let moveSeeds = try connection.prepare(
      "UPDATE OR IGNORE _seeds SET chain = ?2 WHERE chain = ?1")
    let deleteSeeds = try connection.prepare("DELETE FROM _seeds WHERE chain = ?")
    selectTail = tail
    selectBlocks = blocks
    selectPacked = packed
    insertSalts = insert
    updateSalts = update
    self.deleteBlock = deleteBlock
    self.deleteStreams = deleteStreams
    self.moveTail = moveTail
    self.moveBlocks = moveBlocks
    self.moveStreams = moveStreams
    self.moveSeeds = moveSeeds
    self.deleteSeeds = deleteSeeds
  }

  /// The leaves of the events of `chain` that are kept under it in a block.
  func leaves(
    of chain: Chain, block: UInt64, _ log: borrowing EventLog
  ) throws(StoreError) -> KnownLeaves {
    let place = BlockPlace(chain: chain.id, block: block)
    let first = max(place.seqs.lowerBound, chain.start)
    if try isPacked(place) {
      let events = try storedBlock(at: place, log)
      return KnownLeaves(first: first, leaves: events.map(\.leaf))
    }
    let leaves = try StoreError.wrapping { () throws(SQLError) in
      try selectTail.map(chain.id, Int64(first), Int64(place.seqs.upperBound)) { $0.bytes32(1) }
    }
    return KnownLeaves(first: first, leaves: leaves)
  }

  /// Some events of one block, as they are kept.
  func stored(
    _ seqs: Range<UInt64>, of chain: Chain, _ log: borrowing EventLog
  ) throws(StoreError) -> [LogEvent] {
    let place = BlockPlace(chain: chain.id, holding: seqs.lowerBound)
    guard try isPacked(place) else { return try log.tail(seqs, of: chain.id) }
    return try storedBlock(at: place, log).filter { seqs.contains($0.seq) }
  }

  /// The events of a packed block, as they are kept.
  private func storedBlock(
    at place: BlockPlace, _ log: borrowing EventLog
  ) throws(StoreError) -> [LogEvent] {
    let content = try log.reader.block(at: place)
    guard var salts = try log.reader.salts(at: place) else {
      throw StoreError(
        .corrupt, operation: "read block",
        subject: "\(content.author.hex):\(content.first): no salts")
    }
    var events: [LogEvent] = []
    for index in content.entries.indices {
      events.append(content.stored(at: index, leaf: content.leaf(at: index, salts: &salts)))
    }
    return events
  }

  private func isPacked(_ place: BlockPlace) throws(StoreError) -> Bool {
    try StoreError.wrapping { () throws(SQLError) in
      try selectPacked.first(place.chain, Int64(place.block)) { _ in true } ?? false
    }
  }

  /// The tree of the first `seq` events of an attached chain. O(blocks).
  func prefix(
    of chain: Chain, upTo seq: UInt64, _ log: borrowing EventLog
  ) throws(StoreError) -> CompactRange {
    if seq == chain.size { return chain.range }
    var range = CompactRange()
    if let id = chain.parent {
      guard let parent = try log.chains.chain(id) else {
        throw StoreError(
          .corrupt, operation: "read chain", subject: "\(chain.author.hex): no parent")
      }
      if seq <= chain.start { return try prefix(of: parent, upTo: seq, log) }
      range = try prefix(of: parent, upTo: chain.start, log)
    }
    let last = seq / Limits.blockEventCount
    let roots = try StoreError.wrapping { () throws(SQLError) in
      try selectBlocks.map(chain.id, Int64(last)) {
        (block: $0.block(0, of: chain.id).block, count: $0.int(1), root: $0.bytes32(2))
      }
    }
    for row in roots {
      if row.count == Int(Limits.blockEventCount), range.end % Limits.blockEventCount == 0 {
        range.append(subtree: row.root, level: Limits.blockEventCount.trailingZeroBitCount)
      } else {
        for leaf in try leaves(of: chain, block: row.block, log).leaves { range.append(leaf) }
      }
    }
    let rest = try leaves(of: chain, block: last, log)
    for leaf in rest.leaves where range.end < seq { range.append(leaf) }
    guard range.end == seq else {
      throw StoreError(
        .corrupt, operation: "read chain", subject: "\(chain.author.hex):\(range.end)")
    }
    return range
  }

  // MARK: Salts

  /// Keeps the salts of a batch for the chain that holds its events.
  func keepSalts(
    of batch: CheckedBatch, for chain: Int64, _ log: borrowing EventLog
  ) throws(StoreError) {
    let place = BlockPlace(chain: chain, holding: batch.edge.first)
    let block = Int64(place.block)
    let there = try log.reader.salts(at: place)
    try StoreError.wrapping { () throws(SQLError) in
      switch (there, batch.batch.salts) {
      case (nil, .seed(let seed)):
        try insertSalts.run(chain, block, seed, [UInt8]?.none)
      case (nil, .explicit):
        try insertSalts.run(chain, block, Bytes32?.none, batch.merged(into: nil))
      case (.seed(let known, _), .seed(let seed)) where known == seed:
        break
      case (let there?, _):
        try updateSalts.run(chain, block, batch.merged(into: there))
      }
    }
  }

  // MARK: Joining chains

  /// Gives the rows of `next` to `chain`, and packs the block in which they meet if it is whole.
  func move(_ next: Chain, to chain: Chain, _ log: borrowing EventLog) throws(StoreError) {
    let seam = BlockPlace(chain: next.id, holding: next.start)
    let isSplit = next.start % Limits.blockEventCount != 0
    if isSplit, try isPacked(seam) { try unpack(seam, log) }
    try StoreError.wrapping { () throws(SQLError) in
      try moveTail.run(next.id, chain.id)
      try moveBlocks.run(next.id, chain.id)
      try moveStreams.run(next.id, chain.id)
      try moveSeeds.run(next.id, chain.id)
      try deleteSeeds.run(next.id)
    }
    if isSplit, seam.seqs.upperBound <= chain.size {
      try log.pack(
        BlockPlace(chain: chain.id, block: seam.block), of: chain, adding: [])
    }
  }

  /// Makes tail rows of a packed block.
  private func unpack(_ place: BlockPlace, _ log: borrowing EventLog) throws(StoreError) {
    let events = try storedBlock(at: place, log)
    try StoreError.wrapping { () throws(SQLError) in
      try deleteBlock.run(place.chain, Int64(place.block))
      for stream in Set(events.map(\.stream)) {
        try deleteStreams.run(stream.bytes, place.chain, Int64(place.block))
      }
      for event in events { try log.insert(event, into: place.chain) }
    }
  }
}
