// What a projection and a summary are. Larder's own are made by the same protocols as an app's, and
// registered by the same call. SPEC.md, "Projections".

/// A pure fold of a stream's events into rows of tables.
///
/// The rows of a stream depend on the stream's events alone: not on other streams, on the order of
/// arrival, on a clock, a time zone or a file. So they can be made again at any time, on any
/// device.
public protocol Projection: Sendable {
  /// Its name. An app's has the app's name and a slash in front: `water/log`.
  static var name: String { get }
  /// Raised when the rows of the same events change.
  static var version: UInt32 { get }
  /// Its tables. The names of an app's begin with the app's name and an underscore: `water_Log`.
  static var tables: [ProjectionTable] { get }
  /// The kinds it reads: streams that have none of them are not folded.
  static var kinds: [EventKind] { get }
  /// Makes the rows of a stream.
  ///
  /// A row begins with ``ProjectionRows/begin(table:item:)``, and has a value for each column.
  /// - Throws: what makes the whole stream impossible to fold: it then has no rows in this
  ///   projection, and nothing else suffers.
  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) throws(KernelError)
}

extension Projection {
  /// The rows of a stream, in their order.
  package static func rows(of events: StreamEvents) throws(KernelError) -> ProjectionRows {
    var rows = ProjectionRows(
      of: events.stream, in: tables, rowCount: events.readable.count + 1)
    try fold(events, into: &rows)
    rows.finish()
    return rows
  }
}

/// What a summary keeps of the rows that have one key.
public enum SummaryValue: Hashable, Sendable {
  /// How many there are.
  case count(as: String)
  /// The sum of an integer column, where it is known.
  case sum(of: String, as: String)
  /// The largest value of an integer column; NULL if there is none.
  case largest(of: String, as: String)

  /// The summary's column.
  package var column: String {
    switch self {
    case .count(let name), .sum(_, let name), .largest(_, let name): name
    }
  }

  /// The column of the projection's table; nil for a count.
  package var source: String? {
    switch self {
    case .count: nil
    case .sum(let source, _), .largest(let source, _): source
    }
  }
}

/// Sums by key across streams, kept by difference: one row for each combination of keys that rows
/// of a projection's table have.
public protocol Summary: Sendable {
  /// Its table. The name of an app's begins with the app's name and an underscore.
  static var name: String { get }
  /// Raised when the sums of the same rows change.
  static var version: UInt32 { get }
  /// The projection's table it sums up.
  static var table: String { get }
  /// The table's columns that are the key; they may be NULL.
  static var keys: [String] { get }
  /// What is kept for each key; a count is among it.
  static var values: [SummaryValue] { get }
}
