// What a likeness is worth.

/// How well a product fits the words that were said or typed.
public enum MatchQuality: String, Sendable, CaseIterable, Comparable {
  /// Likeness below 0.55.
  case weak
  /// From 0.55.
  case partial
  /// From 0.78.
  case strong
  /// From 0.95.
  case exact

  /// The quality of a likeness from 0 to 1.
  public init(similarity: Double) {
    self =
      switch similarity {
      case 0.95...: .exact
      case 0.78...: .strong
      case 0.55...: .partial
      default: .weak
      }
  }

  /// Worse before better.
  public static func < (left: MatchQuality, right: MatchQuality) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .weak: 0
    case .partial: 1
    case .strong: 2
    case .exact: 3
    }
  }
}
