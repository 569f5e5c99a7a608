// The log's tables: appends events to this author's chain, reads a stream's events back. What it is
// given is canonical bytes; what it stores and hashes are those bytes, never encoded again.
//
// Invariant: inside a transaction, `_chains`, `_seeds` and `_events` say the same: a chain of
// `size` events has rows 0…size−1, its frontier and root are those of their leaves.

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
  let id: Int64
  let author: AuthorID
  var range: CompactRange
  var hlc: HLC
  /// The block being filled and its salts.
  var salts: (block: UInt64, values: BlockSalts)?

  var size: UInt64 { range.end }
}

/// The log's statements.
struct EventLog: ~Copyable {
  fileprivate let insertEvent: Statement
  fileprivate let insertSeed: Statement
  fileprivate let selectSeed: Statement
  fileprivate let updateChain: Statement
  fileprivate let updateClock: Statement
  fileprivate let selectOwn: Statement
  fileprivate let selectStream: Statement

  /// The chain this device writes, as the database has it.
  func ownChain() throws(StoreError) -> OwnChain {
    let found = try selectOwn.first { (row) throws(StoreError) -> OwnChain in
      guard let hlc = HLC(rawValue: UInt64(bitPattern: row.int64(4))) else {
        throw StoreError(.corrupt, operation: "read device", subject: "hlc")
      }
      return OwnChain(
        id: row.int64(0), author: AuthorID(row.bytes16(1)),
        range: try Self.range(size: row.int64(2), frontier: row.blob(3)), hlc: hlc, salts: nil)
    }
    guard let found else {
      throw StoreError(.corrupt, operation: "read device", subject: "no chain of its own")
    }
    return found
  }

  private static func range(
    size: Int64, frontier: [UInt8]
  ) throws(StoreError) -> CompactRange {
    do throws(MerkleError) {
      return try CompactRange(
        begin: 0, end: UInt64(bitPattern: size), frontier: frontier.span)
    } catch {
      throw StoreError(
        .corrupt, operation: "read chain", subject: "frontier", underlying: error)
    }
  }

  /// Appends operations to `chain`; the rows are written, the chain's row is not yet.
  ///
  /// All events are hashed before the first is inserted: hashing and inserting by turns would drive
  /// each other's code out of the processor's cache.
  /// - Parameters:
  ///   - now: the physical clock, ms since 1970: where the HLC comes from.
  ///   - seed: draws the 32-byte seed of a block that begins here.
  func append(
    _ operations: [[NewEvent]], to chain: inout OwnChain, now: Int64, seed: () -> Bytes32
  ) throws(StoreError) -> [Event] {
    let count = operations.reduce(0) { $0 + $1.count }
    var events: [Event] = []
    var headers: [[UInt8]] = []
    events.reserveCapacity(count)
    headers.reserveCapacity(count)
    for operation in operations {
      for place in operation.indices {
        let new = operation[place]
        let seq = chain.size
        chain.hlc = chain.hlc.next(now: now)
        var flags: EventFlags = new.isCritical ? .critical : []
        if place > 0 { flags.insert(.continued) }
        let header = EventHeader(
          hlc: chain.hlc, recordedAt: Instant(clamping: now), stream: new.stream, kind: new.kind,
          version: new.version, flags: flags)
        let bytes = header.bytes
        let salt = try salt(at: seq, in: &chain, seed: seed)
        let leaf = MerkleLeaf.hash(header: bytes.span, salt: salt, payload: new.payload.span)
        chain.range.append(leaf)
        headers.append(bytes)
        events.append(
          Event(
            id: EventID(author: chain.author, seq: seq), header: header, payload: new.payload,
            leaf: leaf))
      }
    }
    try StoreError.wrapping { () throws(SQLError) in
      for place in events.indices {
        try insertEvent.run(
          chain.id, Int64(events[place].id.seq), events[place].header.stream.bytes, headers[place],
          events[place].payload)
      }
    }
    return events
  }

  /// The salt of an event of the chain's newest block, whose seed is drawn with its first event.
  private func salt(
    at seq: UInt64, in chain: inout OwnChain, seed: () -> Bytes32
  ) throws(StoreError) -> Bytes16 {
    let block = seq / Limits.blockEventCount
    if chain.salts?.block != block {
      chain.salts = (block, try blockSalts(block, of: chain.id, drawing: seq, seed: seed))
    }
    guard let salt = chain.salts?.values.salt(at: Int(seq % Limits.blockEventCount)) else {
      throw StoreError(.corrupt, operation: "append", subject: "no salts")
    }
    return salt
  }

  private func blockSalts(
    _ block: UInt64, of chain: Int64, drawing seq: UInt64, seed: () -> Bytes32
  ) throws(StoreError) -> BlockSalts {
    if seq % Limits.blockEventCount == 0 {
      let fresh = seed()
      try StoreError.wrapping { () throws(SQLError) in
        try insertSeed.run(chain, Int64(block), fresh)
      }
      return BlockSalts(seed: fresh)
    }
    let stored = try StoreError.wrapping { () throws(SQLError) in
      try selectSeed.first(chain, Int64(block)) { $0.bytes32(0) }
    }
    guard let stored else {
      throw StoreError(.corrupt, operation: "append", subject: "block \(block) has no seed")
    }
    return BlockSalts(seed: stored)
  }

  /// Writes the chain's row and the clock, at the end of a transaction that appended.
  func finish(_ chain: OwnChain) throws(SQLError) {
    try updateChain.run(Int64(chain.size), chain.range.root, chain.range.frontier, chain.id)
    try updateClock.run(Int64(chain.hlc.rawValue))
  }

  /// The events of a stream, in no particular order. Their leaves are zero: only events that share
  /// author and seq need theirs to be put in order, and a chain has one event at each seq.
  func events(of stream: StreamID) throws(StoreError) -> [Event] {
    try selectStream.map(stream.bytes) { (row) throws(StoreError) -> Event in
      let id = EventID(author: AuthorID(row.bytes16(0)), seq: UInt64(bitPattern: row.int64(1)))
      return Event(
        id: id, header: try Self.header(of: row, at: 2, id: id), payload: row.optionalBlob(3),
        leaf: Event.noLeaf)
    }
  }

  /// The header in a column, or the error that names its event.
  static func header(
    of row: borrowing Row, at column: Int, id: EventID
  ) throws(StoreError) -> EventHeader {
    try row.withBlob(column) { (bytes) throws(StoreError) -> EventHeader in
      do throws(KernelError) {
        return try EventHeader(bytes)
      } catch {
        throw StoreError(
          .corrupt, operation: "read event", subject: "\(id)", underlying: error)
      }
    }
  }
}

extension EventLog {
  init(_ connection: borrowing Connection) throws(SQLError) {
    self.init(
      insertEvent: try connection.prepare(
        "INSERT INTO _events(chain, seq, stream, header, payload) VALUES (?, ?, ?, ?, ?)"),
      insertSeed: try connection.prepare(
        "INSERT INTO _seeds(chain, block, seed) VALUES (?, ?, ?)"),
      selectSeed: try connection.prepare("SELECT seed FROM _seeds WHERE chain = ? AND block = ?"),
      updateChain: try connection.prepare(
        "UPDATE _chains SET size = ?, root = ?, frontier = ? WHERE id = ?"),
      updateClock: try connection.prepare("UPDATE _device SET hlc = ?"),
      selectOwn: try connection.prepare(
        """
        SELECT c.id, c.author, c.size, c.frontier, d.hlc
        FROM _device d JOIN _chains c ON c.author = d.author
        """),
      selectStream: try connection.prepare(
        """
        SELECT c.author, e.seq, e.header, e.payload
        FROM _events e JOIN _chains c ON c.id = e.chain
        WHERE e.stream = ? ORDER BY e.chain, e.seq
        """))
  }
}
