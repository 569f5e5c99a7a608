// Which known word a person probably meant. The distance counts a transposition of neighbours as
// one slip, as typing makes it. Knows no vocabulary of its own.

/// Distances between words, and the nearest of a list.
package enum Spelling {
  /// Words longer than this, in characters, are not compared: the cost is quadratic.
  static let comparedCountMaximum = 64

  /// The fewest insertions, deletions, substitutions and swaps of neighbours that turn `word` into
  /// `other`, no place edited twice (optimal string alignment). O(n·m).
  package static func distance(_ word: String, _ other: String) -> Int {
    let source = Array(word)
    let target = Array(other)
    var beforePrevious = [Int](repeating: 0, count: target.count + 1)
    var previous = Array(0...target.count)
    for row in source.indices {
      var current = [row + 1]
      current.reserveCapacity(target.count + 1)
      for column in target.indices {
        let substitution = previous[column] + (source[row] == target[column] ? 0 : 1)
        var best = min(previous[column + 1] + 1, current[column] + 1, substitution)
        let isSwap =
          row > 0 && column > 0 && source[row] == target[column - 1]
          && source[row - 1] == target[column]
        if isSwap { best = min(best, beforePrevious[column - 1] + 1) }
        current.append(best)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[target.count]
  }

  /// The candidate nearest to `word`, ignoring case, or nil where none is near enough to have been
  /// meant: one slip in words up to four characters, two up to seven, three beyond. A candidate
  /// that `word` begins counts as one slip. The first of equals wins.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let asked = word.lowercased()
    guard !asked.isEmpty, asked.count <= comparedCountMaximum else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let known = candidate.lowercased()
      var found = distance(asked, known)
      if asked.count >= 2, known.hasPrefix(asked) { found = min(found, 1) }
      if found < best?.distance ?? .max { best = (candidate, found) }
    }
    guard let best, best.distance <= slipsAllowed(asked.count) else { return nil }
    return best.word
  }

  private static func slipsAllowed(_ count: Int) -> Int {
    switch count {
    case ...2: count == 2 ? 1 : 0
    case ...4: 1
    case ...7: 2
    default: 3
    }
  }
}
