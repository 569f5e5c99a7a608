// Recomputing the log: every leaf, block, tree, edge and index entry, compared with what is
// written. SPEC.md, "Verifying". Changes nothing.
//
// Invariant: a finding names author and seqs; one that concerns a run of seqs names the run.

internal import LarderCrypto
internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Checks all chains of a store.
struct LogCheck: ~Copyable {
  private let walk: ChainWalk
  private let selectBlocks: Statement
  private let selectTail: Statement
  private let selectEdges: Statement
  private let selectKeys: Statement
  private let selectStreams: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let walk = try ChainWalk(connection)
    let blocks = try connection.prepare(
      """
      SELECT block, first, count, root, marks, byteCount, data FROM _blocks
      WHERE chain = ? ORDER BY block
      """)
    let tail = try connection.prepare(
      """
      SELECT seq, stream, header, payload, commitment, leaf FROM _tail
      WHERE chain = ? ORDER BY seq
      """)
    let edges = try connection.prepare(
      "SELECT \(EdgeTable.columns) FROM _edges WHERE chain = ? ORDER BY first, count")
    let keys = try connection.prepare("SELECT author, publicKey FROM _authors")
    let streams = try connection.prepare("SELECT stream, chain, block FROM _streams")
    self.walk = walk
    selectBlocks = blocks
    selectTail = tail
    selectEdges = edges
    selectKeys = keys
    selectStreams = streams
  }

  /// Checks everything.
  /// - Parameter goesOn: called now and then with the number of events so far; false stops.
  /// - Returns: whether it was not stopped.
  func run(
    _ report: inout VerificationReport, goesOn: (Int) -> Bool
  ) throws(StoreError) -> Bool {
    var unreadable: [String] = []
    let chains = try walk.chains { (author, size, _) throws(StoreError) in
      unreadable.append("\(author.hex):\(size)")
    }
    for subject in unreadable { report.note("chainUnreadable", subject) }
    let keys = try publicKeys()
    var prefixes: [Int64: CompactRange] = [:]
    var index = StreamIndexSum()
    for chain in chains {
      var check = ChainCheck(
        chain, prefix: prefixes[chain.id], edges: try edges(of: chain),
        children: chains.filter { $0.parent == chain.id })
      check.begin(&report)
      do throws(StoreError) {
        guard try checkBlocks(&check, &index, &report, goesOn) else { return false }
        try checkTail(&check, &report)
      } catch {
        guard error.code == .corrupt else { throw error }
        check.stop(&report)
      }
      check.finish(&report, key: keys[chain.author])
      prefixes.merge(check.prefixes) { first, _ in first }
      report.chainCount += 1
    }
    try checkIndex(index, &report)
    return goesOn(report.eventCount)
  }

  private func publicKeys() throws(StoreError) -> [AuthorID: AuthorPublicKey] {
    var keys: [AuthorID: AuthorPublicKey] = [:]
    _ = try StoreError.wrapping { () throws(SQLError) in
      try selectKeys.forEach {
        keys[AuthorID($0.bytes16(0))] = AuthorPublicKey($0.bytes32(1))
      }
    }
    return keys
  }

  private func edges(of chain: Chain) throws(StoreError) -> [SignedEdge] {
    try StoreError.wrapping { () throws(SQLError) in
      try selectEdges.map(chain.id) { EdgeTable.read($0, author: chain.author) }
    }
  }

  private func checkBlocks(
    _ check: inout ChainCheck, _ index: inout StreamIndexSum, _ report: inout VerificationReport,
    _ goesOn: (Int) -> Bool
  ) throws(StoreError) -> Bool {
    let id = check.chain.id
    return try selectBlocks.walk(id) { (row) throws(StoreError) -> Bool in
      guard let block = row.validSeq(0), let first = row.validSeq(1),
        first / Limits.blockEventCount == block
      else { throw Self.damaged(check.chain) }
      let place = BlockPlace(chain: id, block: block)
      let root = row.bytes32(3)
      let count = row.int(2)
      check.skip(to: first, &report)
      do throws(StoreError) {
        let content = try row.withBlob(6) { (data) throws(StoreError) -> BlockContent in
          try BlockContent(
            author: check.chain.author, first: first, count: count, byteCount: row.int(5),
            data: data)
        }
        var salts = try walk.reader.salts(at: place)
        check.take(content, salts: &salts, marks: row.blob(4), root: root, &report)
        index.add(content, at: place)
        report.blockCount += 1
      } catch {
        guard error.code == .corrupt else { throw error }
        check.skipUnreadable(count: count, root: root, &report)
      }
      return goesOn(report.eventCount)
    }
  }

  private func checkTail(
    _ check: inout ChainCheck, _ report: inout VerificationReport
  ) throws(StoreError) {
    var salts: (place: BlockPlace, values: ChainSalts?)?
    let id = check.chain.id
    try selectTail.forEach(id) { (row) throws(StoreError) -> Void in
      guard let seq = row.validSeq(0) else { throw Self.damaged(check.chain) }
      check.skip(to: seq, &report)
      let place = BlockPlace(chain: id, holding: seq)
      if salts?.place != place { salts = (place, try walk.reader.salts(at: place)) }
      let salt = salts?.values?.salt(at: Int(seq % Limits.blockEventCount))
      check.take(row, salt: salt, &report)
    }
  }

  private static func damaged(_ chain: Chain) -> StoreError {
    StoreError(.corrupt, operation: "read log", subject: chain.author.hex)
  }

  /// Compares the stream index with what the blocks hold.
  private func checkIndex(
    _ sum: StreamIndexSum, _ report: inout VerificationReport
  ) throws(StoreError) {
    var found = StreamIndexSum()
    _ = try StoreError.wrapping { () throws(SQLError) in
      try selectStreams.forEach {
        found.add(
          StreamID($0.bytes16(0)),
          at: BlockPlace(chain: $0.int64(1), block: UInt64(bitPattern: $0.int64(2))))
      }
    }
    if found != sum {
      report.note("streamIndexMismatch", "\(found.count) entries, \(sum.count) belong to blocks")
    }
  }
}

/// A fingerprint of entries of the stream index, whatever their order.
struct StreamIndexSum: Equatable {
  private(set) var count = 0
  private var sum = Bytes16.zero

  /// Adds the entries of a block.
  mutating func add(_ content: BlockContent, at place: BlockPlace) {
    for stream in Set(content.streams) { add(stream, at: place) }
  }

  /// Adds an entry.
  mutating func add(_ stream: StreamID, at place: BlockPlace) {
    count += 1
    // A multiplication with an odd number loses nothing, and no two blocks have the same.
    let factor = ((UInt64(bitPattern: place.chain) << 40) ^ place.block) << 1 | 1
    let term = Bytes16(
      high: (stream.bytes.high ^ stream.bytes.low) &* factor,
      low: (stream.bytes.low &+ factor) &* 0x9e37_79b9_7f4a_7c15)
    sum = sum &+ term
  }
}
