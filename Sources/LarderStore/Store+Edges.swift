// Signing what this device wrote, and giving it out. SPEC.md, "Edges", "Batches".
//
// Invariant: no append waits for a signature: full blocks are signed by a step of their own, the
// rest when it is to leave the device.

internal import LarderCrypto
internal import LarderHash
package import LarderKernel
internal import LarderSQL

extension Store {
  /// Blocks signed in one transaction: well under 100 ms of the lock.
  private static let signedBlockCount = 256

  /// Signs the full blocks of this device's chains that are not signed yet; a step after the
  /// answer. Chains whose key is no longer here are left as they are.
  /// - Returns: how many edges were signed.
  /// - Throws: `busy`, `full`, `corrupt`, `ioFailure`, `keyMissing`.
  @discardableResult
  package func signFullBlocks() throws(StoreError) -> Int {
    var signedCount = 0
    for author in try ownAuthors() {
      guard let key = try DeviceKeyFile.key(of: author, in: paths.deviceKey) else { continue }
      for chain in try statements.log.chains.chains(of: author) where chain.isAttached {
        while true {
          let count = try writing { () throws(StoreError) in try signBlocks(of: chain, key: key) }
          signedCount += count
          if count < Self.signedBlockCount { break }
        }
      }
    }
    hasUnsignedBlock = false
    return signedCount
  }

  /// The authors this device has been.
  func ownAuthors() throws(StoreError) -> [AuthorID] {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT author FROM _incarnations ORDER BY number").map {
        AuthorID($0.bytes16(0))
      }
    }
  }

  private static func unsignable(_ chain: Chain, at seq: UInt64) -> StoreError {
    StoreError(.corrupt, operation: "sign block", subject: "\(chain.author.hex):\(seq)")
  }

  private func signBlocks(
    of chain: Chain, key: borrowing AuthorSecretKey
  ) throws(StoreError) -> Int {
    let unsigned = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        """
        SELECT b.first, b.count, b.root FROM _blocks b
        LEFT JOIN _edges e ON e.chain = b.chain AND e.first = b.first AND e.count = b.count
        WHERE b.chain = ? AND e.chain IS NULL ORDER BY b.block LIMIT ?
        """
      ).map(chain.id, Self.signedBlockCount) {
        (first: $0.seq(0), count: $0.int(1), root: $0.bytes32(2))
      }
    }
    if unsigned.isEmpty { return 0 }
    let tree = try StoreError.wrapping { () throws(SQLError) in try ChainTree(connection) }
    let end = chain.size / Limits.blockEventCount * Limits.blockEventCount
    // Nothing is signed that is not what was appended.
    guard
      try tree.prefix(of: chain, upTo: end, statements.log)
        == statements.log.packedRange(of: chain, upTo: end)
    else { throw Self.unsignable(chain, at: end) }
    var range = CompactRange()
    for block in unsigned {
      let place = BlockPlace(chain: chain.id, holding: block.first)
      guard block.count > 0, place.seqs.contains(block.first + UInt64(block.count) - 1),
        block.count < Int(Limits.blockEventCount) || block.first == place.seqs.lowerBound
      else { throw Self.unsignable(chain, at: block.first) }
      if range.end != block.first {
        range = try tree.prefix(of: chain, upTo: block.first, statements.log)
      }
      let before = range.root
      if block.count == Int(Limits.blockEventCount) {
        range.append(subtree: block.root, level: Limits.blockEventCount.trailingZeroBitCount)
      } else {
        range = try tree.prefix(of: chain, upTo: block.first + UInt64(block.count), statements.log)
      }
      let edge = Edge(
        author: chain.author, first: block.first, count: UInt64(block.count), rootBefore: before,
        rootAfter: range.root, leavesRoot: block.root)
      let signed = key.sign(edge)
      try StoreError.wrapping { () throws(SQLError) in
        try statements.edges.insert(signed, of: chain.id)
      }
    }
    return unsigned.count
  }

  /// What the current author wrote from the seq `first` on, signed: a batch for each block.
  /// - Throws: `busy`, `full`, `corrupt`, `ioFailure`, `keyMissing`.
  package func ownBatches(from first: UInt64) throws(StoreError) -> [Batch] {
    try synchronizeHeadBeforeLeaving()
    return try batches(of: try statements.log.ownChain().chain, from: first)
  }

  /// What is here of a chain of this device, signed: a batch for each block.
  func batches(of chain: Chain, from first: UInt64 = 0) throws(StoreError) -> [Batch] {
    var batches: [Batch] = []
    var seq = max(first, chain.start)
    while seq < chain.size {
      let end = min(chain.size, (seq / Limits.blockEventCount + 1) * Limits.blockEventCount)
      batches.append(try batch(seq..<end, of: chain))
      seq = end
    }
    return batches
  }

  /// Some of what the current author wrote, in one block, signed. The edge is kept.
  /// - Throws: as ``ownBatches(from:)``.
  package func ownBatch(_ seqs: Range<UInt64>) throws(StoreError) -> Batch {
    try batch(seqs, of: try statements.log.ownChain().chain)
  }

  private func batch(_ seqs: Range<UInt64>, of chain: Chain) throws(StoreError) -> Batch {
    try writing { () throws(StoreError) in
      guard let key = try DeviceKeyFile.key(of: chain.author, in: paths.deviceKey) else {
        throw StoreError(.keyMissing, operation: "sign edge", subject: chain.author.hex)
      }
      let tree = try StoreError.wrapping { () throws(SQLError) in try ChainTree(connection) }
      return try batch(seqs, of: chain, key: key, tree)
    }
  }

  /// The batch of some seqs of one block, with an edge that is kept too.
  private func batch(
    _ seqs: Range<UInt64>, of chain: Chain, key: borrowing AuthorSecretKey,
    _ tree: borrowing ChainTree
  ) throws(StoreError) -> Batch {
    let events = try tree.stored(seqs, of: chain, statements.log)
    var range = try tree.prefix(of: chain, upTo: seqs.lowerBound, statements.log)
    let before = range.root
    var sequence = CBORWriter()
    for event in events {
      range.append(event.leaf)
      sequence.append(
        header: event.header.span, payload: event.payload, commitment: event.commitment)
    }
    let signed = key.sign(
      Edge(
        author: chain.author, first: seqs.lowerBound, count: UInt64(seqs.count),
        rootBefore: before, rootAfter: range.root,
        leavesRoot: MerkleTree.root(of: events.map(\.leaf))))
    try StoreError.wrapping { () throws(SQLError) in
      try statements.edges.insert(signed, of: chain.id)
    }
    let salts: Batch.Salts
    switch try statements.log.reader.salts(
      at: BlockPlace(chain: chain.id, holding: seqs.lowerBound))
    {
    case .seed(let seed, _): salts = .seed(seed)
    case .explicit(let bytes):
      var known = ChainSalts.explicit(bytes)
      salts = .explicit(
        events.map { event in
          event.payload == nil
            ? nil : known.salt(at: Int(event.seq % Limits.blockEventCount))
        })
    case nil:
      throw StoreError(
        .corrupt, operation: "read block", subject: "\(chain.author.hex):\(seqs.lowerBound)")
    }
    return Batch(publicKey: key.publicKey.bytes, edge: signed, salts: salts, events: sequence.bytes)
  }
}
