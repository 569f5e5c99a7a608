// Which known word a person probably meant. The distance counts a transposition of neighbours as
// one slip, as typing makes it. Knows no vocabulary of its own.

/// Distances between words, and the nearest of a list.
package enum Spelling {
  /// Words longer than this, in characters, are not compared: the cost is quadratic.
  static let comparedCountMaximum = 64

  /// The fewest insertions, deletions, substitutions and swaps of neighbours that turn `word` into
  /// `other`, no place edited twice (optimal string alignment); nil where that is more than
  /// `limit`. O(n·m) for words whose lengths differ by no more than `limit`, else O(n + m).
  package static func distance(_ word: String, _ other: String, atMost limit: Int) -> Int? {
    // Among ASCII a byte is a letter, and finding letters costs more than all the rest.
    guard word.utf8.allSatisfy({ $0 < 0x80 }), other.utf8.allSatisfy({ $0 < 0x80 }) else {
      return distance(from: word, to: other, atMost: limit)
    }
    return distance(from: word.utf8, to: other.utf8, atMost: limit)
  }

  private static func distance<Letters: Collection>(
    from word: Letters, to other: Letters, atMost limit: Int
  ) -> Int? where Letters.Element: Equatable {
    guard abs(word.count - other.count) <= limit else { return nil }
    let source = Array(word)
    let target = Array(other)
    var beforePrevious = [Int](repeating: 0, count: target.count + 1)
    var previous = Array(0...target.count)
    var current = beforePrevious
    for row in source.indices {
      current[0] = row + 1
      for column in target.indices {
        let substitution = previous[column] + (source[row] == target[column] ? 0 : 1)
        var best = min(previous[column + 1] + 1, current[column] + 1, substitution)
        let isSwap =
          row > 0 && column > 0 && source[row] == target[column - 1]
          && source[row - 1] == target[column]
        if isSwap { best = min(best, beforePrevious[column - 1] + 1) }
        current[column + 1] = best
      }
      swap(&beforePrevious, &previous)
      swap(&previous, &current)
    }
    return previous[target.count] <= limit ? previous[target.count] : nil
  }

  /// The candidate nearest to `word`, ignoring case, or nil where none is near enough to have been
  /// meant: one slip in words up to four characters, two up to seven, three beyond. A candidate
  /// that `word` begins counts as one slip. The first of equals wins.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let asked = word.lowercased()
    let count = asked.count
    guard count > 0, count <= comparedCountMaximum else { return nil }
    let limit = slipsAllowed(count)
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let known = candidate.lowercased()
      var found = distance(asked, known, atMost: limit)
      if found != 0, count >= 2, known.hasPrefix(asked) { found = 1 }
      if let found, found < best?.distance ?? .max { best = (candidate, found) }
    }
    return best?.word
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
