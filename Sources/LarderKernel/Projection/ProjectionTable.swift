// The shape of a projection's table: what SQL makes it and what a row's values are. One list of
// columns serves the table's definition, the rows a fold gives and whoever describes the table.

/// A table of a projection. Its first column is always `id`, the primary key: the stream's 32
/// lower-case hexadecimal digits, and behind them 16 of the item where a row belongs to one. So no
/// stream can write another one's rows.
public struct ProjectionTable: Hashable, Sendable {
  /// What a column holds.
  public enum ValueType: String, Hashable, Sendable {
    /// A whole number of 64 bits.
    case integer = "INTEGER"
    /// A text in UTF-8.
    case text = "TEXT"
    /// Bytes.
    case blob = "BLOB"
  }

  /// A column behind `id`.
  public struct Column: Hashable, Sendable {
    /// Its name: letters and digits.
    public let name: String
    /// What it holds.
    public let type: ValueType
    /// Whether it may be NULL.
    public let isOptional: Bool
    /// The table of the same projection whose `id` it names; NULL once that row is gone.
    public let target: String?

    /// A column that always has a value.
    public static func required(_ name: String, _ type: ValueType) -> Column {
      Column(name: name, type: type, isOptional: false, target: nil)
    }

    /// A column that may be NULL.
    public static func optional(_ name: String, _ type: ValueType) -> Column {
      Column(name: name, type: type, isOptional: true, target: nil)
    }

    /// A column with the `id` of a row of `table`, which stands before this one in the projection.
    public static func reference(_ name: String, to table: String) -> Column {
      Column(name: name, type: .text, isOptional: true, target: table)
    }
  }

  /// Its name: letters, digits, and underscores where an app's table has its app's name in front.
  public let name: String
  /// The columns behind `id`, in their order.
  public let columns: [Column]
  /// The columns of each index, the first one first.
  public let indexes: [[String]]

  /// A table with these columns behind `id`.
  public init(_ name: String, columns: [Column], indexes: [[String]] = []) {
    self.name = name
    self.columns = columns
    self.indexes = indexes
  }

  /// Names of all columns, `id` first.
  package var columnNames: [String] { ["id"] + columns.map(\.name) }
}
