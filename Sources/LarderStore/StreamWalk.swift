// All streams of the log one after the other, with their events: one scan in the order of the
// indexes, and each packed block unpacked seldom, because streams that began together lie together.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Reads the events of many streams.
struct StreamWalk: ~Copyable {
  /// Packed blocks kept at hand: some 100 KiB each.
  private static let cachedBlockCount = 48

  private let reader: LogReader
  private let selectPlaces: Statement

  init(_ connection: borrowing Connection) throws(SQLError) {
    let reader = try LogReader(connection)
    // Tail rows have no block.
    let places = try connection.prepare(
      """
      SELECT stream, chain, block FROM _streams WHERE stream > ?1
      UNION ALL SELECT stream, 0, NULL FROM _tail WHERE stream > ?1 ORDER BY 1
      """)
    self.reader = reader
    selectPlaces = places
  }

  /// Calls `body` for each stream after `cursor`, in their order, with its events, until it returns
  /// false. Their leaves are as in `LogReader.events(of:)`.
  /// - Parameter unreadable: what is done about a stream of which a block or event cannot be read.
  /// - Returns: whether `body` never returned false.
  /// - Throws: what `body` and `unreadable` throw; `corrupt`, `ioFailure`.
  func run(
    after cursor: StreamID?,
    unreadable: (StoreError) throws(StoreError) -> Void = { (error) throws(StoreError) in
      throw error
    }, _ body: (StreamID, [Event]) throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    let forked = try reader.forkedAuthors()
    var cache = BlockCache(limit: Self.cachedBlockCount)
    var current: StreamID?
    var places: [BlockPlace] = []
    var hasTail = false
    func finish(_ stream: StreamID) throws(StoreError) -> Bool {
      var events: [Event] = []
      do throws(StoreError) {
        if hasTail { events = try reader.tailEvents(of: stream) }
        for place in places {
          try reader.collect(stream, at: place, forked: forked, cache: &cache, into: &events)
        }
      } catch {
        guard error.code == .corrupt else { throw error }
        try unreadable(error)
        return true
      }
      return try body(stream, events)
    }
    // No bytes at all are less than any stream's.
    let isAtEnd = try selectPlaces.walk(cursor?.bytes.bytes ?? []) {
      (row) throws(StoreError) -> Bool in
      let next = StreamID(row.bytes16(0))
      if let last = current, last != next {
        guard try finish(last) else { return false }
        places.removeAll(keepingCapacity: true)
        hasTail = false
      }
      current = next
      if row.isNull(2) {
        hasTail = true
      } else {
        places.append(row.block(2, of: row.int64(1)))
      }
      return true
    }
    guard isAtEnd, let current else { return isAtEnd }
    return try finish(current)
  }
}
