// Reading the log: a stream's events out of tail rows and packed blocks, a block, a chain's row.
// Writer and reader use the same statements here.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// The log's reading statements.
struct LogReader: ~Copyable {
  private let selectTail: Statement
  private let selectPlaces: Statement
  private let selectBlock: Statement
  private let selectForked: Statement
  private let selectSalts: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let tail = try connection.prepare(
      """
      SELECT c.author, t.seq, t.header, t.payload, t.leaf
      FROM _tail t JOIN _chains c ON c.id = t.chain WHERE t.stream = ?
      """)
    let places = try connection.prepare("SELECT chain, block FROM _streams WHERE stream = ?")
    let block = try connection.prepare(
      """
      SELECT c.author, b.first, b.count, b.byteCount, b.data
      FROM _blocks b JOIN _chains c ON c.id = b.chain WHERE b.chain = ? AND b.block = ?
      """)
    let forked = try connection.prepare(
      "SELECT author FROM _chains GROUP BY author HAVING count(*) > 1")
    let salts = try connection.prepare(
      "SELECT seed, salts FROM _seeds WHERE chain = ? AND block = ?")
    selectTail = tail
    selectPlaces = places
    selectBlock = block
    selectForked = forked
    selectSalts = salts
  }

  /// The events of a stream, in no particular order. Their leaves are there where an author has
  /// several chains, and may be zero elsewhere: there no two events share author and seq.
  func events(of stream: StreamID) throws(StoreError) -> [Event] {
    var cache = BlockCache(limit: 0)
    return try events(of: stream, cache: &cache)
  }

  /// As ``events(of:)``, with the blocks that were read last at hand.
  func events(of stream: StreamID, cache: inout BlockCache) throws(StoreError) -> [Event] {
    var events = try tailEvents(of: stream)
    let places = try StoreError.wrapping { () throws(SQLError) in
      try selectPlaces.map(stream.bytes) {
        $0.block(1, of: $0.int64(0))
      }
    }
    if places.isEmpty { return events }
    let forked = try forkedAuthors()
    for place in places {
      try collect(stream, at: place, forked: forked, cache: &cache, into: &events)
    }
    return events
  }

  /// The events of a stream that are tail rows.
  func tailEvents(of stream: StreamID) throws(StoreError) -> [Event] {
    try selectTail.map(stream.bytes) { (row) throws(StoreError) -> Event in
      let id = EventID(author: AuthorID(row.bytes16(0)), seq: row.seq(1))
      return Event(
        id: id, header: try Self.header(of: row, at: 2, id: id), payload: row.optionalBlob(3),
        leaf: row.bytes32(4))
    }
  }

  /// Adds the events of `stream` that are in the block at `place`.
  func collect(
    _ stream: StreamID, at place: BlockPlace, forked: Set<AuthorID>, cache: inout BlockCache,
    into events: inout [Event]
  ) throws(StoreError) {
    let content = try cache.content(at: place) { () throws(StoreError) in
      try block(at: place)
    }
    var salts: ChainSalts?
    if forked.contains(content.author) { salts = try self.salts(at: place) }
    var next = content.place(of: stream, from: 0)
    while let index = next {
      next = content.place(of: stream, from: index + 1)
      var leaf = Event.noLeaf
      if var known = salts {
        leaf = content.leaf(at: index, salts: &known) ?? leaf
        salts = known
      }
      events.append(content.event(at: index, leaf: leaf))
    }
  }

  /// The authors of which there is more than one chain.
  func forkedAuthors() throws(StoreError) -> Set<AuthorID> {
    let authors = try StoreError.wrapping { () throws(SQLError) in
      try selectForked.map { AuthorID($0.bytes16(0)) }
    }
    return Set(authors)
  }

  /// The packed block at `place`.
  /// - Throws: `corrupt` if it is not there or not whole; `ioFailure`.
  func block(at place: BlockPlace) throws(StoreError) -> BlockContent {
    let found = try selectBlock.first(place.chain, Int64(place.block)) {
      (row) throws(StoreError) -> BlockContent in
      let author = AuthorID(row.bytes16(0))
      let first = row.seq(1)
      let count = row.int(2)
      let byteCount = row.int(3)
      return try row.withBlob(4) { (data) throws(StoreError) -> BlockContent in
        try BlockContent(
          author: author, first: first, count: count, byteCount: byteCount, data: data)
      }
    }
    guard let found else {
      throw StoreError(
        .corrupt, operation: "read block", subject: "chain \(place.chain) block \(place.block)")
    }
    return found
  }

  /// The salts of a block; nil if there are none.
  func salts(at place: BlockPlace) throws(StoreError) -> ChainSalts? {
    let found = try StoreError.wrapping { () throws(SQLError) in
      try selectSalts.first(place.chain, Int64(place.block)) { row -> ChainSalts in
        if row.isNull(0) { return .explicit(row.blob(1)) }
        return ChainSalts(seed: row.bytes32(0))
      }
    }
    return found
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
