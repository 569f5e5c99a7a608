// What a wall clock's reading means: one instant, two, or none.
//
// Invariant: the choice among them is made here and nowhere else, so that every entrance reads the
// same words the same way and can say when there was a choice.

/// The offsets from UTC at which a local time occurs, in seconds east.
package enum LocalResolution: Hashable, Sendable {
  /// It occurs once, at this offset.
  case unique(Int32)
  /// It occurs twice, as when clocks go back: first at one offset, then at the other.
  case ambiguous(earlier: Int32, later: Int32)
  /// It does not occur, as when clocks go forward: they skip from one offset to the other.
  case gap(before: Int32, after: Int32)

  /// Whether the local time occurs exactly once.
  package var isUnique: Bool {
    if case .unique = self { return true }
    return false
  }

  /// The offset of the instant that is meant: the earlier of two; behind a gap.
  package var offset: Int32 {
    switch self {
    case .unique(let offset), .ambiguous(let offset, _), .gap(_, let offset): offset
    }
  }

  /// The instant that is meant, in seconds since 1970 UTC: the earlier of two; in a gap, as much
  /// later than the gap's beginning as the reading is, so that it moves forward by the gap.
  /// - Parameter local: the reading that was resolved, as seconds since 1970 at offset 0.
  package func instant(ofLocal local: Int64) -> Int64 {
    switch self {
    case .unique(let offset), .ambiguous(let offset, _), .gap(let offset, _):
      local - Int64(offset)
    }
  }
}
