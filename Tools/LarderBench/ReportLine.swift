// A line of the report: a measurement of Larder, the same of the floor where it does that, and the
// budget.

/// How a number is shown.
enum Unit: String, Encodable {
  case eventsPerSecond = "events/s"
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "µs"
  case bytes
  case mebibytes = "MiB"

  /// The number in words, three digits or more.
  func text(_ value: Double) -> String {
    switch self {
    case .eventsPerSecond: "\(decimal(value / 1000, places: 1)) k/s"
    case .bytes: "\(decimal(value, places: 0)) B"
    case .seconds: "\(decimal(value, places: 2)) s"
    case .milliseconds: "\(decimal(value, places: 2)) ms"
    case .microseconds: "\(decimal(value, places: 0)) µs"
    case .mebibytes: "\(decimal(value, places: 1)) MiB"
    }
  }
}

/// A number with so many decimal places.
func decimal(_ value: Double, places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let whole = Int64((value * scale).rounded())
  guard places > 0 else { return String(whole) }
  let digits = String(abs(whole))
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  return (whole < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
}

/// What a measurement may be.
enum Budget: Encodable {
  /// At most so many times the floor.
  case ratio(Double)
  /// At most this, in the line's unit.
  case most(Double)
}

/// A line of the report.
struct ReportLine: Encodable {
  let what: String
  let unit: Unit
  /// The middle of the runs.
  let larder: Double
  /// The middle of the runs; nil where the floor does nothing of the kind.
  var floor: Double?
  /// Larder's time over the floor's: the middle of the pairs.
  var ratio: Double?
  /// The same of processor time, which other programs on the machine disturb less.
  var processorRatio: Double?
  var budget: Budget?

  /// Whether the budget is kept; nil if there is none.
  var isKept: Bool? {
    switch budget {
    case .ratio(let most): ratio.map { $0 <= most }
    case .most(let most): larder <= most
    case nil: nil
    }
  }

  /// The cells of the table.
  var cells: [String] {
    let limit =
      switch budget {
      case .ratio(let most): "≤ \(decimal(most, places: 1))×"
      case .most(let most): "≤ \(unit.text(most))"
      case nil: ""
      }
    return [
      what, unit.text(larder), floor.map(unit.text) ?? "–", Self.times(ratio),
      Self.times(processorRatio), limit, isKept.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  private static func times(_ ratio: Double?) -> String {
    ratio.map { "\(decimal($0, places: 2))×" } ?? "–"
  }
}
