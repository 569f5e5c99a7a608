// The rules of one time zone: which offset from UTC its clocks show at an instant, and which
// instants a wall clock's reading can mean.
//
// Invariants: transitions rise strictly; offsets lie within −89,999…93,599 s; from the last
// transition on the yearly rule holds, where there is one. A pure function of a file's bytes: knows
// no folder, no zone name, no current time. The diary never asks it: days are recorded, not
// computed.

/// The rules of a time zone, from a file of the IANA database.
package struct TimeZoneRules: Hashable, Sendable {
  /// The offset before the first transition.
  let initialOffset: Int32
  /// When an offset begins, in seconds since 1970 UTC.
  let transitions: [Int64]
  /// The offset that begins at the transition of the same index.
  let offsets: [Int32]
  /// What holds from the last transition on; nil where the last offset stays.
  let yearly: YearlyRule?

  /// The greatest distance from 1970, in seconds, at which answers differ: times beyond it, 18
  /// thousand million years away, are taken for it.
  private static let horizon: Int64 = 1 << 59
  /// What no offset reaches, east and west.
  private static let eastBound: Int64 = 93_600
  private static let westBound: Int64 = 90_000

  /// The offset from UTC in seconds east at `seconds` since 1970 UTC. O(log transitions).
  package func offset(atUTC seconds: Int64) -> Int32 {
    let seconds = min(max(seconds, -Self.horizon), Self.horizon)
    guard let last = transitions.last, seconds < last else {
      return yearly?.offset(atUTC: seconds) ?? offsets.last ?? initialOffset
    }
    let index = firstTransition(after: seconds)
    return index == 0 ? initialOffset : offsets[index - 1]
  }

  /// The offsets at which clocks show `local`, given as seconds since 1970 at offset 0.
  package func offsets(atLocal local: Int64) -> LocalResolution {
    let local = min(max(local, -Self.horizon + Self.eastBound), Self.horizon - Self.westBound)
    let window = (local - Self.eastBound)...(local + Self.westBound)
    var begin = window.lowerBound
    var offset = self.offset(atUTC: begin)
    var found: (first: Int32, last: Int32)?
    var gap: (before: Int32, after: Int32)?
    for end in changes(within: window) + [window.upperBound] {
      let instant = local - Int64(offset)
      if instant >= begin && instant < end {
        found = (found?.first ?? offset, offset)
      }
      let next = self.offset(atUTC: end)
      if gap == nil && end + Int64(offset) <= local && local < end + Int64(next) {
        gap = (offset, next)
      }
      (begin, offset) = (end, next)
    }
    if let found {
      return found.first == found.last
        ? .unique(found.first) : .ambiguous(earlier: found.first, later: found.last)
    }
    // Clocks run on but for jumps, so a reading that they never show lies in a jump forward.
    return .gap(before: gap?.before ?? offset, after: gap?.after ?? offset)
  }

  /// The instants in `window` at which the offset can change, rising; some may repeat.
  private func changes(within window: ClosedRange<Int64>) -> [Int64] {
    var changes: [Int64] = []
    var index = firstTransition(after: window.lowerBound)
    while index < transitions.count && transitions[index] <= window.upperBound {
      changes.append(transitions[index])
      index += 1
    }
    if let yearly, index == transitions.count {
      let floor = max(transitions.last ?? window.lowerBound, window.lowerBound)
      changes += yearly.changes(around: window)
        .filter { $0 > floor && $0 < window.upperBound }.sorted()
    }
    return changes
  }

  /// The index of the first transition later than `seconds`.
  private func firstTransition(after seconds: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
