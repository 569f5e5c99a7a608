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
  private let selectOwn: Statement
  private let selectStrayChains: Statement
  private let selectNamed: Statement
  private let selectDevice: Statement
  private let selectStraySeeds: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let walk = try ChainWalk(connection)
    let blocks = try connection.prepare(
      """
      SELECT block, first, count, root, marks, byteCount, data FROM _blocks
      WHERE chain = ? AND block >= ? ORDER BY block
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
    let own = try connection.prepare("SELECT author FROM _incarnations")
    let strays = try connection.prepare(
      """
      SELECT chain FROM (SELECT chain FROM _blocks UNION SELECT chain FROM _edges
        UNION SELECT chain FROM _seeds UNION SELECT chain FROM _tail)
      WHERE chain NOT IN (SELECT id FROM _chains) ORDER BY chain
      """)
    let named = try connection.prepare(
      """
      SELECT author FROM _incarnations UNION SELECT author FROM _authors
      UNION SELECT author FROM _device ORDER BY 1
      """)
    let device = try connection.prepare("SELECT author FROM _device")
    let seeds = try connection.prepare(
      """
      SELECT c.author, s.block FROM _seeds s JOIN _chains c ON c.id = s.chain
      WHERE s.block < c.start / 512 OR s.block > (c.size - 1) / 512 OR c.size = c.start
        OR (s.seed IS NULL) = (s.salts IS NULL) ORDER BY 1, 2
      """)
    self.walk = walk
    selectBlocks = blocks
    selectTail = tail
    selectEdges = edges
    selectKeys = keys
    selectStreams = streams
    selectOwn = own
    selectStrayChains = strays
    selectNamed = named
    selectDevice = device
    selectStraySeeds = seeds
  }

  /// Checks everything that `point` has not behind it, which is moved along.
  /// - Parameters:
  ///   - keeping: called with each point from which a later run can go on.
  ///   - goesOn: called now and then with what is known so far; false stops.
  /// - Returns: whether it was not stopped.
  func run(
    _ point: inout VerificationPoint, keeping: (VerificationPoint) -> Void,
    goesOn: (VerificationReport) -> Bool
  ) throws(StoreError) -> Bool {
    guard case .log(let known, let knownIndex) = point.place else { return true }
    var report = point.report
    var unreadable: [String] = []
    let chains = try walk.chains { (author, size, _) throws(StoreError) in
      unreadable.append("\(author.hex):\(size)")
    }
    if known == nil { for subject in unreadable { report.note("chainUnreadable", subject) } }
    let keys = try publicKeys()
    let own = try ownAuthors()
    var prefixes: [Int64: CompactRange] = [:]
    var index = knownIndex
    let first = chains.firstIndex { $0.id == known?.chain } ?? chains.startIndex
    for chain in chains[first...] {
      var check = ChainCheck(
        chain, prefix: prefixes.removeValue(forKey: chain.id),
        edges: try edges(of: chain, isNoting: chain.id != known?.chain, &report),
        key: keys[chain.author], isOwn: own.contains(chain.author),
        children: chains.filter { $0.parent == chain.id })
      if let known, chain.id == known.chain {
        check.resume(known)
      } else {
        check.begin(&report)
      }
      do throws(StoreError) {
        let start = chain.id == known?.chain ? known?.nextBlock : nil
        let isWhole = try checkBlocks(from: start, &check, &index, &report) {
          (check, block, index, report) in
          // What a branch needs of the chain it leaves is not kept.
          if prefixes.isEmpty, check.prefixes.isEmpty {
            check.settle(&report)
            point.report = report
            point.place = .log(check.progress(nextBlock: block + 1), index)
            keeping(point)
          }
          return goesOn(report)
        }
        guard isWhole else { return false }
        try checkTail(&check, &report)
      } catch {
        guard error.code == .corrupt else { throw error }
        check.stop(&report)
      }
      check.finish(&report)
      prefixes.merge(check.prefixes) { first, _ in first }
      report.chainCount += 1
    }
    try checkStrays(keys, own, &report)
    try checkIndex(index, &report)
    point.report = report
    point.place = .rows(RowProgress())
    return goesOn(report)
  }

  /// The authors this device has been.
  private func ownAuthors() throws(StoreError) -> Set<AuthorID> {
    var authors: Set<AuthorID> = []
    try StoreError.wrapping { () throws(SQLError) in
      _ = try selectOwn.forEach { authors.insert(AuthorID($0.bytes16(0))) }
    }
    return authors
  }

  /// Notes what belongs to a chain or an author that has no row.
  private func checkStrays(
    _ keys: [AuthorID: AuthorPublicKey], _ own: Set<AuthorID>, _ report: inout VerificationReport
  ) throws(StoreError) {
    try StoreError.wrapping { () throws(SQLError) in
      _ = try selectStrayChains.forEach { report.note("chainMissing", "chain \($0.int64(0))") }
      _ = try selectStraySeeds.forEach {
        report.note("seedStray", "\(AuthorID($0.bytes16(0)).hex), block \($0.int64(1))")
      }
      _ = try selectNamed.forEach {
        let author = AuthorID($0.bytes16(0))
        if keys[author] == nil { report.note("missingKey", author.hex) }
      }
      _ = try selectDevice.forEach {
        let author = AuthorID($0.bytes16(0))
        if !own.contains(author) { report.note("incarnationMissing", author.hex) }
      }
    }
  }

  private func publicKeys() throws(StoreError) -> [AuthorID: AuthorPublicKey] {
    var keys: [AuthorID: AuthorPublicKey] = [:]
    _ = try StoreError.wrapping { () throws(SQLError) in
      try selectKeys.forEach {
        guard let author = Bytes16($0.blob(0)), let bytes = Bytes32($0.blob(1)) else { return }
        let key = AuthorPublicKey(bytes)
        if key.authorID == author { keys[AuthorID(author)] = key }
      }
    }
    return keys
  }

  /// The edges of a chain. What is none is noted, unless that was done before.
  private func edges(
    of chain: Chain, isNoting: Bool, _ report: inout VerificationReport
  ) throws(StoreError) -> [SignedEdge] {
    var edges: [SignedEdge] = []
    try selectEdges.forEach(chain.id) { (row) throws(StoreError) -> Void in
      if row.validSeq(0) != nil, row.validSeq(1) != nil {
        edges.append(EdgeTable.read(row, author: chain.author))
      } else if isNoting {
        report.edgeCount += 1
        report.note("edgeInvalid", "\(chain.author.hex):\(row.int64(0))")
      }
    }
    return edges
  }

  private func checkBlocks(
    from start: Int64?, _ check: inout ChainCheck, _ index: inout StreamIndexSum,
    _ report: inout VerificationReport,
    _ goesOn: (inout ChainCheck, Int64, StreamIndexSum, inout VerificationReport) -> Bool
  ) throws(StoreError) -> Bool {
    let id = check.chain.id
    return try selectBlocks.walk(id, start ?? Int64.min) { (row) throws(StoreError) -> Bool in
      guard let block = row.validSeq(0), let first = row.validEventSeq(1),
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
      return goesOn(&check, Int64(block), index, &report)
    }
  }

  private func checkTail(
    _ check: inout ChainCheck, _ report: inout VerificationReport
  ) throws(StoreError) {
    var salts: (place: BlockPlace, values: ChainSalts?)?
    let id = check.chain.id
    try selectTail.forEach(id) { (row) throws(StoreError) -> Void in
      guard let seq = row.validEventSeq(0) else { throw Self.damaged(check.chain) }
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
struct StreamIndexSum: Hashable, Sendable {
  var count = 0
  var sum = Bytes16.zero

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
