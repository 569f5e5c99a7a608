// A value of a query: what a parameter takes and a column gives.

/// A value as SQLite has it.
public enum SQLValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// A whole number of 64 bits.
  case integer(Int64)
  /// A floating-point number: Larder's tables have none, sums and averages may give some.
  case real(Double)
  /// A text in UTF-8; it may hold NUL.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}
