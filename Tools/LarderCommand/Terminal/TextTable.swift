// Rows in columns. Given a width it fits: flexible columns give way first, by wrapping or by an
// ellipsis; where that is not enough, each row flows, every cell with its heading. Without a width,
// as in a pipe, nothing is cut.

/// A table of styled cells.
struct TextTable: Sendable {
  /// How a column is laid out.
  struct Column: Sendable {
    /// What happens to a cell that is wider than its column.
    enum Overflow: Sendable {
      /// The column never gives way.
      case keep
      /// The cell ends in an ellipsis.
      case truncate
      /// The cell continues on further lines.
      case wrap
    }

    /// The heading, empty for none.
    let heading: String
    /// Whether cells stand at the right edge, as numbers do.
    let isRightAligned: Bool
    /// What happens to wide cells.
    let overflow: Overflow

    /// A column.
    init(_ heading: String, isRightAligned: Bool = false, overflow: Overflow = .keep) {
      self.heading = heading
      self.isRightAligned = isRightAligned
      self.overflow = overflow
    }
  }

  /// A flexible column gives way down to this many columns.
  static let flexibleWidthMinimum = 8

  /// The columns, left to right.
  let columns: [Column]
  /// The rows, each with one cell per column.
  private(set) var rows: [[StyledText]] = []
  /// Columns of space before the first cell.
  let indent: Int

  /// An empty table.
  init(_ columns: [Column], indent: Int = 0) {
    self.columns = columns
    self.indent = indent
  }

  /// Adds a row.
  mutating func append(_ cells: [StyledText]) {
    precondition(cells.count == columns.count, "a row has one cell per column")
    rows.append(cells)
  }

  /// The lines, headings first unless all are empty. With a width no line is wider.
  func lines(width: Int?) -> [StyledText] {
    let hasHeadings = columns.contains { !$0.heading.isEmpty }
    let headings = columns.map { StyledText($0.heading, .dim) }
    let all = hasHeadings ? [headings] + rows : rows
    let widths = fittedWidths(of: all, width: width)
    if let width, lineWidth(widths) > width {
      return rows.flatMap { flowingLines(of: $0, headings: headings, width: width) }
    }
    return all.flatMap { lines(of: $0, widths: widths) }
  }

  private static let gap = 2

  private func fittedWidths(of rows: [[StyledText]], width: Int?) -> [Int] {
    var widths = columns.indices.map { column in
      rows.reduce(0) { max($0, $1[column].width) }
    }
    guard let width else { return widths }
    var excess = lineWidth(widths) - width
    // The widest flexible column gives way column by column, so that they end up alike.
    while excess > 0 {
      let flexible = columns.indices.filter {
        columns[$0].overflow != .keep && widths[$0] > Self.flexibleWidthMinimum
      }
      guard let widest = flexible.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func lineWidth(_ widths: [Int]) -> Int {
    indent + Self.gap * max(0, columns.count - 1) + widths.reduce(0, +)
  }

  /// The cells that are not empty one after the other, as many on a line as fit.
  private func flowingLines(
    of row: [StyledText], headings: [StyledText], width: Int
  ) -> [StyledText] {
    let gap = StyledText(String(repeating: " ", count: Self.gap))
    var line = StyledText(String(repeating: " ", count: indent))
    var result: [StyledText] = []
    var isFirst = true
    for (heading, cell) in zip(headings, row) where !cell.isEmpty {
      let piece = heading.isEmpty ? cell : heading + StyledText(" ") + cell
      if !isFirst, line.width + Self.gap + piece.width > width {
        result += line.wrapped(to: width)
        line = StyledText(String(repeating: " ", count: indent + Self.gap)) + piece
      } else {
        line += isFirst ? piece : gap + piece
      }
      isFirst = false
    }
    return result + line.wrapped(to: width)
  }

  private func lines(of row: [StyledText], widths: [Int]) -> [StyledText] {
    let cells = columns.indices.map { column in
      cellLines(row[column], width: widths[column], overflow: columns[column].overflow)
    }
    let height = cells.reduce(1) { max($0, $1.count) }
    return (0..<height).map { line in
      var result = StyledText(String(repeating: " ", count: indent))
      for column in columns.indices {
        let cell = line < cells[column].count ? cells[column][line] : StyledText("")
        let padding = StyledText(String(repeating: " ", count: widths[column] - cell.width))
        let isLast = column == columns.indices.last
        if columns[column].isRightAligned {
          result += padding + cell
        } else {
          result += isLast ? cell : cell + padding
        }
        if !isLast { result += StyledText(String(repeating: " ", count: Self.gap)) }
      }
      return result.trimmingTrailingSpaces()
    }
  }

  private func cellLines(
    _ cell: StyledText, width: Int, overflow: Column.Overflow
  ) -> [StyledText] {
    guard cell.width > width else { return [cell] }
    switch overflow {
    case .keep: return [cell]
    case .truncate: return [cell.truncated(to: width)]
    case .wrap: return cell.wrapped(to: width)
    }
  }
}
