// The row a statement stands on, by column number from 0.
//
// Invariant: lent to a closure and never kept, for its bytes die at the next step.
//
// A column of another type than asked for (a damaged file, for our tables are STRICT) reads as 0 or
// empty and is remembered; the statement then throws `corrupt` when the closure returns. So readers
// need no `try` for each column, and must not trust a number more than they trust any number of the
// file.

import CSQLite
package import LarderHash

/// A row, only valid inside the closure it is given to.
@safe
@usableFromInline
package struct Row: ~Copyable {
  // The statement that made this value stands on the row as long as the closure runs: it cannot
  // step, because it is running.
  private let statement: OpaquePointer
  private let state: UnsafeMutablePointer<StatementState>
  /// How many columns the row has.
  package let columnCount: Int

  init(_ statement: OpaquePointer, _ state: UnsafeMutablePointer<StatementState>) {
    unsafe self.statement = unsafe statement
    unsafe self.state = unsafe state
    columnCount = Int(unsafe sqlite3_data_count(statement))
  }

  /// Whether the column is `NULL`.
  package func isNull(_ column: Int) -> Bool {
    type(column) == SQLITE_NULL
  }

  // MARK: Integers

  /// The integer in the column.
  package func int64(_ column: Int) -> Int64 {
    guard holds(SQLITE_INTEGER, column) else { return 0 }
    return unsafe sqlite3_column_int64(statement, Int32(column))
  }

  /// The integer in the column, nil for `NULL`.
  package func optionalInt64(_ column: Int) -> Int64? {
    switch type(column) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return unsafe sqlite3_column_int64(statement, Int32(column))
    default: return int64(column)
    }
  }

  /// The integer in the column.
  package func int(_ column: Int) -> Int {
    Int(int64(column))
  }

  /// The integer in the column, nil for `NULL`.
  package func optionalInt(_ column: Int) -> Int? {
    isNull(column) ? nil : int(column)
  }

  /// Whether the integer in the column is not 0.
  package func bool(_ column: Int) -> Bool {
    int64(column) != 0
  }

  // MARK: Text

  /// The text in the column, which must be UTF-8.
  package func text(_ column: Int) -> String {
    guard holds(SQLITE_TEXT, column) else { return "" }
    // The bytes live until the next step or conversion, and are copied here.
    let bytes = unsafe bytes(column, isText: true).span
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      reject(column, "text that is UTF-8")
      return ""
    }
  }

  /// The text in the column, nil for `NULL`.
  package func optionalText(_ column: Int) -> String? {
    isNull(column) ? nil : text(column)
  }

  /// Gives the UTF-8 of the text in the column to `body`, unchecked and without copying.
  package func withText<Result: ~Copyable, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard holds(SQLITE_TEXT, column) else { return try body(Span()) }
    // The bytes live until the next step or conversion; `body` can do neither, and keep no span.
    return try body(unsafe bytes(column, isText: true).span)
  }

  // MARK: Blobs

  /// Gives the blob in the column to `body` without copying.
  package func withBlob<Result: ~Copyable, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard holds(SQLITE_BLOB, column) else { return try body(Span()) }
    // As for text.
    return try body(unsafe bytes(column, isText: false).span)
  }

  /// The blob in the column.
  package func blob(_ column: Int) -> [UInt8] {
    guard holds(SQLITE_BLOB, column) else { return [] }
    return unsafe Array(bytes(column, isText: false))
  }

  /// The blob in the column, nil for `NULL`.
  package func optionalBlob(_ column: Int) -> [UInt8]? {
    isNull(column) ? nil : blob(column)
  }

  /// The blob of sixteen bytes in the column.
  package func bytes16(_ column: Int) -> Bytes16 {
    withBlob(column) { bytes in
      guard let value = Bytes16(bytes) else {
        reject(column, "a blob of 16 bytes")
        return .zero
      }
      return value
    }
  }

  /// The blob of sixteen bytes in the column, nil for `NULL`.
  package func optionalBytes16(_ column: Int) -> Bytes16? {
    isNull(column) ? nil : bytes16(column)
  }

  /// The blob of thirty-two bytes in the column.
  package func bytes32(_ column: Int) -> Bytes32 {
    withBlob(column) { bytes in
      guard let value = Bytes32(bytes) else {
        reject(column, "a blob of 32 bytes")
        return Bytes32(front: .zero, back: .zero)
      }
      return value
    }
  }

  /// The blob of thirty-two bytes in the column, nil for `NULL`.
  package func optionalBytes32(_ column: Int) -> Bytes32? {
    isNull(column) ? nil : bytes32(column)
  }

  // MARK: Mismatches

  /// Remembers that the column holds something the reader cannot use, as a reader does that finds a
  /// number out of range. The statement throws `corrupt` when the closure returns.
  /// - Parameter expected: what should have been there.
  package func reject(_ column: Int, _ expected: StaticString) {
    if unsafe state.pointee.mismatch == nil {
      unsafe state.pointee.mismatch = ColumnMismatch(column: column, expected: expected)
    }
  }

  private func type(_ column: Int) -> Int32 {
    precondition(column >= 0 && column < columnCount, "the row has no such column")
    return unsafe sqlite3_column_type(statement, Int32(column))
  }

  private func holds(_ expected: Int32, _ column: Int) -> Bool {
    if type(column) == expected { return true }
    switch expected {
    case SQLITE_INTEGER: reject(column, "an integer")
    case SQLITE_TEXT: reject(column, "a text")
    default: reject(column, "a blob")
    }
    return false
  }

  /// The bytes of a text or blob, valid until the next step. SQLite gives nil for an empty blob.
  private func bytes(_ column: Int, isText: Bool) -> UnsafeBufferPointer<UInt8> {
    let index = Int32(column)
    // The count is asked after the pointer, as SQLite wants it.
    let start =
      isText
      ? unsafe sqlite3_column_text(statement, index)
      : unsafe sqlite3_column_blob(statement, index)?.assumingMemoryBound(to: UInt8.self)
    return unsafe UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, index)))
  }
}

/// A column that does not hold what its reader asked for.
struct ColumnMismatch {
  let column: Int
  let expected: StaticString

  var message: String { "column \(column) does not hold \(expected)" }
}
