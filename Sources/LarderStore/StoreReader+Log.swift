// The log as it is: every event of every chain, in the total order of what is here, and what has
// come since.

internal import LarderHash
package import LarderKernel
internal import LarderSQL

/// How far somebody has read the log. Values are of one store and one process.
package struct LogPosition: Hashable, Sendable {
  /// A chain, whatever its local number.
  fileprivate struct Run: Hashable, Sendable {
    let author: AuthorID
    let start: UInt64
  }

  /// One past the last seq that was read, of each chain.
  fileprivate var ends: [Run: UInt64] = [:]

  /// Nothing was read.
  package init() {}
}

extension StoreReader {
  /// Calls `body` with the events after `position`, on one state of the database, in the total
  /// order among themselves, until it returns false.
  ///
  /// Memory: one block of each chain.
  /// - Returns: the position behind the last event that was given.
  /// - Throws: `corrupt`, `ioFailure`; what `body` throws.
  package func events(
    after position: LogPosition, _ body: (Event) throws(StoreError) -> Bool
  ) throws(StoreError) -> LogPosition {
    try connection.read { () throws(StoreError) in
      let walk = try StoreError.wrapping { () throws(SQLError) in try ChainWalk(connection) }
      var position = position
      var sources: [EventSource] = []
      for chain in try walk.chains() {
        let run = LogPosition.Run(author: chain.author, start: chain.start)
        var source = EventSource(
          chain, run: run, next: position.ends[run] ?? chain.start,
          skipped: position.joined(by: chain))
        try source.fill(walk)
        if source.first != nil { sources.append(source) }
      }
      while let place = Self.earliest(sources) {
        guard let event = sources[place].first else { break }
        guard try body(event) else { return position }
        try sources[place].advance(walk)
        position.ends[sources[place].run] = sources[place].next
        if sources[place].first == nil { sources.remove(at: place) }
      }
      return position
    }
  }

  private static func earliest(_ sources: [EventSource]) -> Int? {
    var found: Int?
    for place in sources.indices {
      guard let event = sources[place].first else { continue }
      if let known = found, let best = sources[known].first, Event.precedes(best, event) {
        continue
      }
      found = place
    }
    return found
  }
}

extension LogPosition {
  /// What was read of chains that `chain` has taken in since: their seqs.
  fileprivate func joined(by chain: Chain) -> [Range<UInt64>] {
    ends.compactMap { run, end in
      run.author == chain.author && run.start > chain.start && run.start < end
        ? run.start..<end
        : nil
    }
  }
}

/// The events of one chain that are still to be given.
private struct EventSource {
  let chain: Chain
  let run: LogPosition.Run
  /// The seq behind the events that were given.
  private(set) var next: UInt64
  private let skipped: [Range<UInt64>]
  private var events: ArraySlice<Event> = []

  init(_ chain: Chain, run: LogPosition.Run, next: UInt64, skipped: [Range<UInt64>]) {
    self.chain = chain
    self.run = run
    self.next = next
    // A branch has events of the same seqs as its parent; only what has no chain of its own now
    // was taken in.
    self.skipped = chain.parent == nil ? skipped : []
  }

  var first: Event? { events.first }

  mutating func advance(_ walk: borrowing ChainWalk) throws(StoreError) {
    if let event = events.popFirst() { next = event.id.seq + 1 }
    if events.isEmpty { try fill(walk) }
  }

  /// Reads the rest of the block in which `next` lies.
  mutating func fill(_ walk: borrowing ChainWalk) throws(StoreError) {
    while events.isEmpty, next < chain.size {
      let end = min(chain.size, (next / Limits.blockEventCount + 1) * Limits.blockEventCount)
      let part = try walk.events(of: chain, next..<end)
      let wanted = part.filter { event in !skipped.contains { $0.contains(event.id.seq) } }
      events = wanted[...]
      if wanted.isEmpty { next = end }
    }
  }
}
