// Writing the log's tables: appends events to this author's chain, or to any. What it is given is
// canonical bytes; what it stores and hashes are those bytes, never encoded again.
//
// Invariant: at the end of a transaction a chain has each seq from its start to its size once, in a
// packed block where all the block's events are there, else as tail rows; its frontier and root are
// those of their leaves.

internal import LarderHash
package import LarderKernel
internal import LarderSQL

/// An event that is about to be appended.
package struct NewEvent: Hashable, Sendable {
  /// The stream.
  package let stream: StreamID
  /// The kind.
  package let kind: EventKind
  /// The payload's version.
  package let version: UInt16
  /// The payload's canonical bytes.
  package let payload: [UInt8]
  /// Whether readers that do not know the kind must not write to the stream.
  package let isCritical: Bool

  /// An event of `stream`.
  ///
  /// A payload is read once before it is kept, and refused if no reader would accept it: that of a
  /// kind the meal fold reads when it is folded, in the transaction that appends it; any other
  /// here.
  /// - Throws: `invalidEvent` for a payload no reader would accept.
  package init<Payload: EventPayload>(
    _ payload: Payload, in stream: StreamID, isCritical: Bool = false
  ) throws(StoreError) {
    if MealFold.reads(Payload.kind), stream != .control {
      self.payload = payload.bytes
    } else {
      do throws(KernelError) {
        self.payload = try payload.checkedBytes()
      } catch {
        throw StoreError(kernel: error, subject: stream.hex)
      }
    }
    self.stream = stream
    kind = Payload.kind
    version = Payload.version
    self.isCritical = isCritical
  }
}

/// What the writer knows of its own chain between transactions.
struct OwnChain {
  var chain: Chain
  var hlc: HLC
  /// The block being filled and its salts.
  var salts: (block: UInt64, values: BlockSalts)?
  /// Tips of other chains that no event of this author has witnessed yet.
  var unwitnessed: [HeadsWitnessed.Tip]
  /// Why this author must not be written on, where that was noticed while receiving.
  var renewal: Incarnation.Reason?

  var author: AuthorID { chain.author }
}

/// The log's writing statements.
struct EventLog: ~Copyable {
  let reader: LogReader
  let chains: ChainTable
  private let insertTail: Statement
  private let selectTail: Statement
  private let deleteTail: Statement
  private let insertBlock: Statement
  private let insertStream: Statement
  private let insertSeed: Statement
  private let updateClock: Statement
  private let selectOwn: Statement
  private let selectUnwitnessed: Statement
  private let witness: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let reader = try LogReader(connection)
    let chains = try ChainTable(connection)
    let insertTail = try connection.prepare(
      """
      INSERT INTO _tail(chain, seq, stream, header, payload, commitment, leaf)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    let selectTail = try connection.prepare(
      """
      SELECT stream, header, payload, commitment, leaf FROM _tail
      WHERE chain = ? AND seq >= ? AND seq < ? ORDER BY seq
      """)
    let deleteTail = try connection.prepare(
      "DELETE FROM _tail WHERE chain = ? AND seq >= ? AND seq < ?")
    let insertBlock = try connection.prepare(
      """
      INSERT INTO _blocks(chain, block, first, count, root, marks, byteCount, data)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let insertStream = try connection.prepare(
      "INSERT OR IGNORE INTO _streams(stream, chain, block) VALUES (?, ?, ?)")
    let insertSeed = try connection.prepare(
      "INSERT INTO _seeds(chain, block, seed) VALUES (?, ?, ?)")
    let updateClock = try connection.prepare("UPDATE _device SET hlc = ?")
    let selectOwn = try connection.prepare(
      """
      SELECT c.id, d.hlc, d.renewal FROM _device d JOIN _chains c ON c.author = d.author
      WHERE c.start = 0 ORDER BY c.id LIMIT 1
      """)
    let selectUnwitnessed = try connection.prepare(
      "SELECT author, size, root FROM _chains WHERE isWitnessed = 0 AND id <> ? AND size > 0")
    let witness = try connection.prepare(
      "UPDATE _chains SET isWitnessed = 1 WHERE isWitnessed = 0 AND id <> ?")
    self.reader = reader
    self.chains = chains
    self.insertTail = insertTail
    self.selectTail = selectTail
    self.deleteTail = deleteTail
    self.insertBlock = insertBlock
    self.insertStream = insertStream
    self.insertSeed = insertSeed
    self.updateClock = updateClock
    self.selectOwn = selectOwn
    self.selectUnwitnessed = selectUnwitnessed
    self.witness = witness
  }

  // MARK: The own chain

  /// The chain this device writes, as the database has it.
  func ownChain() throws(StoreError) -> OwnChain {
    let found = try StoreError.wrapping { () throws(SQLError) in
      try selectOwn.first {
        (id: $0.int64(0), hlc: $0.int64(1), renewal: $0.optionalText(2))
      }
    }
    guard let found, let chain = try chains.chain(found.id) else {
      throw StoreError(.corrupt, operation: "read device", subject: "no chain of its own")
    }
    guard let hlc = HLC(rawValue: UInt64(bitPattern: found.hlc)) else {
      throw StoreError(.corrupt, operation: "read device", subject: "hlc")
    }
    let tips = try StoreError.wrapping { () throws(SQLError) in
      try selectUnwitnessed.map(chain.id) {
        HeadsWitnessed.Tip(
          author: AuthorID($0.bytes16(0)), size: $0.seq(1),
          root: $0.bytes32(2))
      }
    }
    return OwnChain(
      chain: chain, hlc: hlc, salts: nil, unwitnessed: tips,
      renewal: found.renewal.map { Incarnation.Reason(rawValue: $0) ?? .ahead })
  }

  /// Appends operations to `own`; the events are written, the chain's row is not yet.
  ///
  /// What this device has seen of others since it last wrote is said first, by events of its
  /// control stream.
  /// - Parameters:
  ///   - now: the physical clock, ms since 1970: where the HLC comes from.
  ///   - seed: draws the 32-byte seed of a block that begins here.
  /// - Returns: the events of `operations`.
  func append(
    _ operations: [[NewEvent]], to own: inout OwnChain, now: Int64, seed: () -> Bytes32
  ) throws(StoreError) -> [Event] {
    let witnesses = try witnessing(&own)
    var events: [Event] = []
    var stored: [LogEvent] = []
    let count = operations.reduce(witnesses.count) { $0 + $1.count }
    events.reserveCapacity(count)
    stored.reserveCapacity(count)
    for operation in witnesses + operations {
      for place in operation.indices {
        let (event, bytes) = try make(
          operation[place], isContinued: place > 0,
          at: own.chain.size + UInt64(events.count), of: &own, now: now, seed: seed)
        events.append(event)
        stored.append(bytes)
      }
    }
    try add(stored, to: &own.chain)
    return Array(events.dropFirst(witnesses.count))
  }

  /// An event of the own chain, and the bytes it is kept as.
  private func make(
    _ new: NewEvent, isContinued: Bool, at seq: UInt64, of own: inout OwnChain, now: Int64,
    seed: () -> Bytes32
  ) throws(StoreError) -> (Event, LogEvent) {
    own.hlc = own.hlc.next(now: now)
    var flags: EventFlags = new.isCritical ? .critical : []
    if isContinued { flags.insert(.continued) }
    let header = EventHeader(
      hlc: own.hlc, recordedAt: Instant(clamping: now), stream: new.stream, kind: new.kind,
      version: new.version, flags: flags)
    let bytes = header.bytes
    let salt = try salt(at: seq, in: &own, seed: seed)
    let leaf = MerkleLeaf.hash(header: bytes.span, salt: salt, payload: new.payload.span)
    let event = Event(
      id: EventID(author: own.author, seq: seq), header: header, payload: new.payload, leaf: leaf)
    let stored = LogEvent(
      seq: seq, stream: new.stream, header: bytes, payload: new.payload, commitment: nil,
      leaf: leaf)
    return (event, stored)
  }

  /// The events that say which tips were seen since the last ones, each an operation of its own.
  private func witnessing(_ own: inout OwnChain) throws(StoreError) -> [[NewEvent]] {
    if own.unwitnessed.isEmpty { return [] }
    // Well below the payload's limit of 327.
    let chunk = 256
    var operations: [[NewEvent]] = []
    for start in stride(from: 0, to: own.unwitnessed.count, by: chunk) {
      let tips = own.unwitnessed[start..<min(start + chunk, own.unwitnessed.count)]
      operations.append([try NewEvent(HeadsWitnessed(tips: Array(tips)), in: .control)])
    }
    let id = own.chain.id
    try StoreError.wrapping { () throws(SQLError) in try witness.run(id) }
    own.unwitnessed = []
    return operations
  }

  /// The salt of an event of the chain's newest block, whose seed is drawn with its first event.
  private func salt(
    at seq: UInt64, in own: inout OwnChain, seed: () -> Bytes32
  ) throws(StoreError) -> Bytes16 {
    let block = seq / Limits.blockEventCount
    let index = Int(seq % Limits.blockEventCount)
    if own.salts?.block != block {
      own.salts = (block, try blockSalts(block, of: own.chain.id, isNew: index == 0, seed: seed))
    }
    guard let salt = own.salts?.values.salt(at: index) else {
      throw StoreError(.corrupt, operation: "append", subject: "no salts")
    }
    return salt
  }

  private func blockSalts(
    _ block: UInt64, of chain: Int64, isNew: Bool, seed: () -> Bytes32
  ) throws(StoreError) -> BlockSalts {
    if isNew {
      let fresh = seed()
      try StoreError.wrapping { () throws(SQLError) in
        try insertSeed.run(chain, Int64(block), fresh)
      }
      return BlockSalts(seed: fresh)
    }
    guard case .seed(_, let salts) = try reader.salts(at: BlockPlace(chain: chain, block: block))
    else {
      throw StoreError(.corrupt, operation: "append", subject: "block \(block) has no seed")
    }
    return salts
  }

  /// Writes the chain's row and the clock, at the end of a transaction that appended.
  func finish(_ own: OwnChain) throws(SQLError) {
    try chains.update(own.chain, isWitnessed: true)
    try updateClock.run(Int64(own.hlc.rawValue))
  }

  /// Recomputes what stands behind the last packed block, so that nothing is built on a log that
  /// is not what was written. At most 511 events.
  /// - Throws: `corrupt`, with the event.
  func checkTail(of chain: Chain) throws(StoreError) {
    let first = chain.size / Limits.blockEventCount * Limits.blockEventCount
    guard chain.parent == nil, chain.isAttached else { return }
    func corrupt(_ seq: UInt64) -> StoreError {
      StoreError(.corrupt, operation: "check log", subject: "\(chain.author.hex):\(seq)")
    }
    var range = try packedRange(of: chain, upTo: first)
    var salts = try reader.salts(at: BlockPlace(chain: chain.id, holding: first))
    for event in try tail(first..<MerkleTree.sizeMax, of: chain.id) {
      if event.seq != range.end || event.seq >= chain.size { throw corrupt(event.seq) }
      let leaf: Bytes32
      if let payload = event.payload {
        guard let salt = salts?.salt(at: Int(event.seq - first)) else { throw corrupt(event.seq) }
        leaf = MerkleLeaf.hash(header: event.header.span, salt: salt, payload: payload.span)
      } else {
        leaf = event.leaf
      }
      if leaf != event.leaf { throw corrupt(event.seq) }
      range.append(leaf)
    }
    if range != chain.range { throw corrupt(range.end) }
  }

  /// The tree of the packed blocks, whose nodes are the first ones of the whole.
  func packedRange(
    of chain: Chain, upTo end: UInt64
  ) throws(StoreError) -> CompactRange {
    let blockCount = (end / Limits.blockEventCount).nonzeroBitCount
    let nodes = chain.range.nodes.prefix(blockCount)
    var frontier: [UInt8] = []
    for node in nodes { node.append(to: &frontier) }
    do throws(MerkleError) {
      return try CompactRange(begin: 0, end: end, frontier: frontier.span)
    } catch {
      throw StoreError(
        .corrupt, operation: "check log", subject: "\(chain.author.hex):\(end)",
        underlying: error)
    }
  }

  // MARK: Any chain

  /// Adds `events`, which follow each other and the chain's last one: to its tail, or packed where
  /// their block is full.
  func add(_ events: [LogEvent], to chain: inout Chain) throws(StoreError) {
    for event in events { chain.range.append(event.leaf) }
    let packedEnd = chain.size / Limits.blockEventCount * Limits.blockEventCount
    var rest = events[...]
    while let first = rest.first {
      let place = BlockPlace(chain: chain.id, holding: first.seq)
      let part = rest.prefix(Int(place.seqs.upperBound - first.seq))
      if place.seqs.upperBound <= packedEnd {
        try pack(place, of: chain, adding: part)
      } else {
        try StoreError.wrapping { () throws(SQLError) in
          for event in part { try insert(event, into: chain.id) }
        }
      }
      rest = rest.dropFirst(part.count)
    }
  }

  /// Inserts a tail row.
  func insert(_ event: LogEvent, into chain: Int64) throws(SQLError) {
    try insertTail.run(
      chain, Int64(event.seq), event.stream.bytes, event.header, event.payload, event.commitment,
      event.leaf)
  }

  /// Enters the streams of a packed block into the index, ascending.
  func index(_ streams: [StreamID], at place: BlockPlace) throws(SQLError) {
    for stream in streams {
      try insertStream.run(stream.bytes, place.chain, Int64(place.block))
    }
  }

  /// Some tail rows of a chain.
  func tail(_ seqs: Range<UInt64>, of chain: Int64) throws(StoreError) -> [LogEvent] {
    var seq = seqs.lowerBound
    return try StoreError.wrapping { () throws(SQLError) in
      try selectTail.map(chain, Int64(seqs.lowerBound), Int64(seqs.upperBound)) { row in
        defer { seq += 1 }
        return LogEvent(
          seq: seq, stream: StreamID(row.bytes16(0)), header: row.blob(1),
          payload: row.optionalBlob(2), commitment: row.optionalBytes32(3), leaf: row.bytes32(4))
      }
    }
  }

  /// Makes one row of a block's tail rows and `added`, all there are of it.
  func pack(
    _ place: BlockPlace, of chain: Chain, adding added: ArraySlice<LogEvent>
  ) throws(StoreError) {
    let first = max(place.seqs.lowerBound, chain.start)
    let tailEnd = added.first?.seq ?? place.seqs.upperBound
    var block = BlockBuilder(first: first)
    try StoreError.wrapping { () throws(SQLError) in
      if first < tailEnd {
        try selectTail.forEach(chain.id, Int64(first), Int64(tailEnd)) { row in
          row.withBlob(1) { header in
            block.add(
              stream: StreamID(row.bytes16(0)), header: header, payload: row.optionalBlob(2),
              commitment: row.optionalBytes32(3), leaf: row.bytes32(4))
          }
        }
        try deleteTail.run(chain.id, Int64(first), Int64(tailEnd))
      }
      for event in added { block.add(event) }
      try insertBlock.run(
        chain.id, Int64(place.block), Int64(first), block.count, block.root, block.marks,
        block.byteCount, block.data)
      try index(block.sortedStreams, at: BlockPlace(chain: chain.id, block: place.block))
    }
    guard block.count == Int(place.seqs.upperBound - first) else {
      throw StoreError(
        .corrupt, operation: "pack block", subject: "\(chain.author.hex):\(first): tail rows")
    }
  }
}
