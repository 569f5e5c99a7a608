// The rows a fold makes of a stream, as canonical bytes: what is bound to the statements that write
// them, what they are compared with, and what the digest is the hash of. One encoding for all
// three. SPEC.md, "Digests".
//
// Invariants: rows stand in the order of their tables, then of their items; each has as many values
// as its table has columns.

public import LarderHash

/// Takes the rows of a stream from a fold.
public struct ProjectionRows: Sendable {
  /// Where a row's bytes are.
  package struct Row: Hashable, Sendable {
    /// The place of its table in the projection.
    package let table: Int
    /// The item, if it belongs to one.
    package let item: ItemID?
    /// Its CBOR: an array of the table's place and the values of all columns.
    package var bytes: Range<Int>

    /// The row whose CBOR, an array of the table's place and the columns' values, is in `bytes`.
    package init(table: Int, item: ItemID?, bytes: Range<Int>) {
      self.table = table
      self.item = item
      self.bytes = bytes
    }

    /// By table; the row without an item comes before those with one.
    fileprivate static func precedes(_ left: Row, _ right: Row) -> Bool {
      left.order < right.order
    }

    private var order: (Int, Int, UInt64) {
      (table, item == nil ? 0 : 1, item?.rawValue ?? 0)
    }
  }

  /// The stream all rows belong to.
  public let stream: StreamID
  /// Events the fold could not read, and why.
  public internal(set) var setAside: [SetAside] = []
  /// The rows, in their order once `finish` was called.
  package private(set) var rows: [Row] = []
  private var writer: CBORWriter
  private let columnCounts: [Int]
  /// Values the last row still wants.
  private var wantedCount = 0
  private var isOrdered = true
  private let digits: InlineArray<48, UInt8>

  /// No rows of `stream` in `tables`, with room for `rowCount` before memory is wanted.
  package init(of stream: StreamID, in tables: [ProjectionTable], rowCount: Int) {
    self.stream = stream
    columnCounts = tables.map(\.columns.count)
    writer = CBORWriter(reserving: 320 * rowCount)
    rows.reserveCapacity(rowCount)
    var digits = InlineArray<48, UInt8>(repeating: 0)
    Self.write(stream.bytes.high, to: &digits, at: 0)
    Self.write(stream.bytes.low, to: &digits, at: 16)
    self.digits = digits
  }

  private static func write(
    _ word: UInt64, to digits: inout InlineArray<48, UInt8>, at offset: Int
  ) {
    for place in 0..<16 {
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * place)) & 15
      digits[offset + place] = digit < 10 ? 0x30 + digit : 0x57 + digit
    }
  }

  /// Begins a row of the projection's `table`th table; the values of its columns behind `id` are
  /// appended next, each once and in their order.
  /// - Parameter item: what the row belongs to; nil for the one row that is the stream's own.
  public mutating func begin(table: Int, item: ItemID? = nil) {
    endRow()
    let row = Row(table: table, item: item, bytes: writer.bytes.count..<writer.bytes.count)
    if let last = rows.last, !Row.precedes(last, row) { isOrdered = false }
    rows.append(row)
    wantedCount = columnCounts[table]
    writer.beginArray(count: wantedCount + 2)
    writer.append(unsigned: UInt64(table))
    if let item {
      var all = digits
      Self.write(item.rawValue, to: &all, at: 32)
      writer.append(utf8: all.span)
    } else {
      writer.append(utf8: digits.span.extracting(0..<32))
    }
  }

  private mutating func endRow() {
    guard let last = rows.indices.last else { return }
    precondition(wantedCount == 0, "a row has one value for each column of its table")
    rows[last].bytes = rows[last].bytes.lowerBound..<writer.bytes.count
  }

  // MARK: Values

  /// Appends a whole number.
  public mutating func append(_ value: Int64) {
    wantedCount -= 1
    writer.append(integer: value)
  }

  /// Appends a text.
  public mutating func append(_ value: String) {
    wantedCount -= 1
    writer.append(text: value)
  }

  /// Appends bytes.
  public mutating func append(_ value: [UInt8]) {
    wantedCount -= 1
    writer.append(bytes: value)
  }

  /// Appends NULL.
  public mutating func appendNull() {
    wantedCount -= 1
    writer.appendNull()
  }

  /// Appends a whole number, or NULL for nil.
  public mutating func append(_ value: Int64?) {
    if let value { append(value) } else { appendNull() }
  }

  /// Appends a text, or NULL for nil.
  public mutating func append(_ value: String?) {
    if let value { append(value) } else { appendNull() }
  }

  // MARK: What they are

  /// Ends the last row and puts all in their order.
  package mutating func finish() {
    endRow()
    if isOrdered { return }
    let all = rows.sorted(by: Row.precedes)
    for place in all.indices.dropFirst() {
      precondition(Row.precedes(all[place - 1], all[place]), "a fold gave one row twice")
    }
    var sorted = CBORWriter(reserving: writer.bytes.count)
    rows = all.map { row in
      let start = sorted.bytes.count
      sorted.append(encoded: writer.bytes.span.extracting(row.bytes))
      return Row(table: row.table, item: row.item, bytes: start..<sorted.bytes.count)
    }
    writer = sorted
    isOrdered = true
  }

  /// All rows one after the other.
  package var encoded: [UInt8] { writer.bytes }

  /// BLAKE2b-128 of the rows; zero where there are none.
  public var digest: Bytes16 {
    rows.isEmpty ? .zero : BLAKE2b.hash128(writer.bytes)
  }
}

extension ProjectionRows {
  /// A row's `id`.
  package func id(of row: Row) -> String {
    guard let item = row.item else { return stream.hex }
    return String(hex: [stream.bytes.high, stream.bytes.low, item.rawValue])
  }
}

extension ProjectionRows.Row {
  /// A value of a row; that of a text or blob is where it lies in the bytes of the rows.
  package enum Value {
    case null
    case integer(Int64)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  /// Calls `body` with the value of each column, `id` first.
  /// - Parameters:
  ///   - bytes: the bytes of all rows, as ``ProjectionRows/encoded`` gives them.
  ///   - count: how many columns are wanted; nil for all.
  package func forEachValue(
    in bytes: Span<UInt8>, first count: Int? = nil, _ body: (Value) -> Void
  ) {
    var left = count ?? .max
    var offset = self.bytes.lowerBound
    do throws(CBORError) {
      // The array and the table's place.
      for _ in 0..<2 { offset = try CBORHead(in: bytes, at: offset).end }
      while left > 0, offset < self.bytes.upperBound {
        left -= 1
        let head = try CBORHead(in: bytes, at: offset)
        switch head.type {
        case .null:
          body(.null)
          offset = head.end
        case .unsigned, .negative:
          // Written from 64 bits, so it fits.
          let number = Int64(bitPattern: head.argument)
          body(.integer(head.type == .unsigned ? number : ~number))
          offset = head.end
        default:
          let content = try head.content(in: bytes, at: offset)
          body(head.type == .text ? .text(content) : .blob(content))
          offset = content.upperBound
        }
      }
    } catch {
      preconditionFailure("these are not the bytes of the row's rows")
    }
  }
}
