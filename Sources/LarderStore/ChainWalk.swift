// A chain's events one after the other, out of packed blocks and tail rows.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Reads chains.
struct ChainWalk: ~Copyable {
  let reader: LogReader
  private let table: ChainTable
  private let selectAll: Statement
  private let selectBlocks: Statement
  private let selectTail: Statement
  private let selectBlocksBack: Statement
  private let selectTailBack: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let reader = try LogReader(connection)
    let table = try ChainTable(connection)
    let all = try connection.prepare(
      "SELECT \(ChainTable.columns) FROM _chains ORDER BY author, start, id")
    let blocks = try connection.prepare(
      "SELECT block FROM _blocks WHERE chain = ? AND block >= ? ORDER BY block")
    let tail = try connection.prepare(
      "SELECT seq, header, payload, leaf FROM _tail WHERE chain = ? AND seq >= ? ORDER BY seq")
    let blocksBack = try connection.prepare(
      "SELECT block FROM _blocks WHERE chain = ? ORDER BY block DESC")
    let tailBack = try connection.prepare(
      "SELECT seq, header, payload, leaf FROM _tail WHERE chain = ? ORDER BY seq DESC")
    self.reader = reader
    self.table = table
    selectAll = all
    selectBlocks = blocks
    selectTail = tail
    selectBlocksBack = blocksBack
    selectTailBack = tailBack
  }

  /// Every chain, by author and start.
  /// - Parameter unreadable: what is done about a row that is not one: author and size.
  func chains(
    unreadable: (AuthorID, Int64, StoreError) throws(StoreError) -> Void = {
      (_, _, error) throws(StoreError) in throw error
    }
  ) throws(StoreError) -> [Chain] {
    var chains: [Chain] = []
    try selectAll.forEach { (row) throws(StoreError) -> Void in
      do throws(StoreError) {
        chains.append(try ChainTable.read(row))
      } catch {
        try unreadable(AuthorID(row.bytes16(1)), row.int64(5), error)
      }
    }
    return chains
  }

  /// The chains of an author, by start.
  func chains(of author: AuthorID) throws(StoreError) -> [Chain] {
    try table.chains(of: author)
  }

  /// Some events of a chain, all of one block.
  func events(of chain: Chain, _ seqs: Range<UInt64>) throws(StoreError) -> [Event] {
    var events: [Event] = []
    _ = try forwards(chain, from: seqs.lowerBound) { event in
      if event.id.seq < seqs.upperBound { events.append(event) }
      return event.id.seq + 1 < seqs.upperBound
    }
    return events
  }

  /// Calls `body` for each event of `chain` from the seq `first` on, until it returns false.
  /// - Returns: whether `body` never returned false.
  func forwards(
    _ chain: Chain, from first: UInt64, _ body: (Event) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let start = first / Limits.blockEventCount
    let isWhole = try selectBlocks.walk(chain.id, Int64(start)) {
      (row) throws(StoreError) -> Bool in
      let place = row.block(0, of: chain.id)
      let content = try reader.block(at: place)
      for index in content.entries.indices where content.first + UInt64(index) >= first {
        guard try body(content.event(at: index)) else { return false }
      }
      return true
    }
    guard isWhole else { return false }
    return try selectTail.walk(chain.id, Int64(first)) { (row) throws(StoreError) -> Bool in
      try body(try Self.event(row, of: chain))
    }
  }

  /// Calls `body` for each event of `chain`, the newest first, until it returns false.
  /// - Returns: whether `body` never returned false.
  func backwards(
    _ chain: Chain, _ body: (Event) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let isWhole = try selectTailBack.walk(chain.id) { (row) throws(StoreError) -> Bool in
      try body(try Self.event(row, of: chain))
    }
    guard isWhole else { return false }
    return try selectBlocksBack.walk(chain.id) { (row) throws(StoreError) -> Bool in
      let place = row.block(0, of: chain.id)
      let content = try reader.block(at: place)
      for index in content.entries.indices.reversed() {
        guard try body(content.event(at: index)) else { return false }
      }
      return true
    }
  }

  private static func event(_ row: borrowing Row, of chain: Chain) throws(StoreError) -> Event {
    let id = EventID(author: chain.author, seq: row.seq(0))
    return Event(
      id: id, header: try LogReader.header(of: row, at: 1, id: id), payload: row.optionalBlob(2),
      leaf: row.bytes32(3))
  }
}
