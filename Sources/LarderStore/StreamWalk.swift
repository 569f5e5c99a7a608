// All streams of the log one after the other, with their events: one scan in the order of an index,
// where a look-up for each stream would begin anew every time.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Reads the events of many streams.
struct StreamWalk: ~Copyable {
  private let selectChains: Statement
  private let selectEvents: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let chains = try connection.prepare("SELECT id, author FROM _chains")
    let events = try connection.prepare(
      """
      SELECT stream, chain, seq, header, payload FROM _events WHERE stream > ? ORDER BY stream
      """)
    selectChains = chains
    selectEvents = events
  }

  /// Calls `body` for each stream after `cursor`, in their order, with those of its events that can
  /// concern the meal projection, until it returns false. Their leaves are zero, as in
  /// `EventLog.events(of:)`.
  /// - Returns: whether `body` never returned false.
  /// - Throws: what `body` throws; `corrupt`, `ioFailure`.
  func run(
    after cursor: StreamID?, _ body: (StreamID, [Event]) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let authors = try authors()
    var stream: StreamID?
    var events: [Event] = []
    // No bytes at all are less than any stream's.
    let isAtEnd = try selectEvents.walk(cursor?.bytes.bytes ?? []) {
      (row) throws(StoreError) -> Bool in
      let next = StreamID(row.bytes16(0))
      if let last = stream, last != next {
        guard try body(last, events) else { return false }
        events.removeAll(keepingCapacity: true)
      }
      stream = next
      // An event of no chain is of no author, and cannot be put in order.
      guard let author = authors[row.int64(1)] else { return true }
      let id = EventID(author: author, seq: UInt64(bitPattern: row.int64(2)))
      let header = try EventLog.header(of: row, at: 3, id: id)
      if Projecting.isFolded(header) {
        events.append(
          Event(id: id, header: header, payload: row.optionalBlob(4), leaf: Event.noLeaf))
      }
      return true
    }
    guard isAtEnd, let stream else { return isAtEnd }
    return try body(stream, events)
  }

  private func authors() throws(StoreError) -> [Int64: AuthorID] {
    var result: [Int64: AuthorID] = [:]
    try StoreError.wrapping { () throws(SQLError) in
      _ = try selectChains.forEach { result[$0.int64(0)] = AuthorID($0.bytes16(1)) }
    }
    return result
  }
}
