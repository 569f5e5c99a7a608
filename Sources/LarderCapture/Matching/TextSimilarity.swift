// How alike two names are: Jaro–Winkler for spelling, Jaccard for words.
//
// Pure and symmetric in what it promises, and only for ranking: no number from here is stored in an
// event, so floating point is in its place.

/// Measures of likeness between folded texts, 0 for nothing in common to 1 for equal.
public enum TextSimilarity {
  /// The greater of Jaro–Winkler and its mean with the words' Jaccard index, so that words in
  /// another order cost little and one common beginning is not enough.
  public static func combined(_ left: String, _ right: String) -> Double {
    let spelling = jaroWinkler(left, right)
    return max(spelling, 0.5 * spelling + 0.5 * jaccard(left, right))
  }

  /// Jaro's measure with Winkler's bonus of a tenth for each equal scalar at the beginning, up to
  /// four (W. E. Winkler, "String comparator metrics and enhanced decision rules in the
  /// Fellegi-Sunter model of record linkage", 1990). O(product of the lengths).
  public static func jaroWinkler(_ left: String, _ right: String) -> Double {
    let left = Array(left.unicodeScalars)
    let right = Array(right.unicodeScalars)
    let similarity = jaro(left, right)
    let common = zip(left, right).prefix { $0 == $1 }.prefix(4).count
    return similarity + Double(common) * 0.1 * (1 - similarity)
  }

  /// Whether two words are one: equal, one the other's plural in s, or one a slip of the other: of
  /// five scalars or more, with one of them wrong, missing, too many, or changed with the next. A
  /// word of which only the beginning was typed is another word.
  static func isSameWord(_ left: String, _ right: String) -> Bool {
    let (short, long) = left.utf8.count < right.utf8.count ? (left, right) : (right, left)
    if long.hasPrefix(short) { return long == short || long == short + "s" }
    return isSlip(Array(short.unicodeScalars), Array(long.unicodeScalars))
  }

  /// Whether one insertion, deletion, substitution or transposition makes one of the other.
  private static func isSlip(_ short: [Unicode.Scalar], _ long: [Unicode.Scalar]) -> Bool {
    guard short.count >= 5, long.count - short.count <= 1 else { return false }
    let same = zip(short, long).prefix { $0 == $1 }.count
    let (shortRest, longRest) = (short[same...], long[same...])
    if long.count > short.count { return shortRest.elementsEqual(longRest.dropFirst()) }
    if shortRest.dropFirst().elementsEqual(longRest.dropFirst()) { return true }
    guard shortRest.count >= 2 else { return false }
    let (at, next) = (same, same + 1)
    return short[at] == long[next] && short[next] == long[at]
      && short[(next + 1)...].elementsEqual(long[(next + 1)...])
  }

  /// The share of words both have among all words either has; words are separated by spaces.
  public static func jaccard(_ left: String, _ right: String) -> Double {
    let left = Set(left.split(separator: " "))
    let right = Set(right.split(separator: " "))
    let all = left.union(right).count
    return all == 0 ? 1 : Double(left.intersection(right).count) / Double(all)
  }

  /// Jaro's measure: the mean of the shares of matching scalars and of those not transposed.
  private static func jaro(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Double {
    guard !left.isEmpty, !right.isEmpty else { return left.count == right.count ? 1 : 0 }
    let reach = max(max(left.count, right.count) / 2 - 1, 0)
    var isTaken = [Bool](repeating: false, count: right.count)
    var leftMatches: [Unicode.Scalar] = []
    for (index, scalar) in left.enumerated() {
      let first = max(0, index - reach)
      let end = min(right.count, index + reach + 1)
      guard first < end,
        let place = (first..<end).first(where: { !isTaken[$0] && right[$0] == scalar })
      else { continue }
      isTaken[place] = true
      leftMatches.append(scalar)
    }
    guard !leftMatches.isEmpty else { return 0 }
    let rightMatches = right.indices.filter { isTaken[$0] }.map { right[$0] }
    let displaced = zip(leftMatches, rightMatches).count { $0 != $1 }
    let matches = Double(leftMatches.count)
    return
      (matches / Double(left.count) + matches / Double(right.count)
      + (matches - Double(displaced / 2)) / matches) / 3
  }
}
