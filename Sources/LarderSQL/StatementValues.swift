// The values of one run of a statement, bound in the order of its parameters.
//
// Invariant: what is bound lies in the statement's arena, so it stays until the run is over.

import CSQLite
package import LarderHash

/// Takes the values of one run, the first for the first parameter, and so on.
@safe
@usableFromInline
package struct StatementValues: ~Copyable {
  // Both belong to the statement that made this value, which lives longer: it is lent to a closure,
  // and a closure that gives back another one, which it must have from a second statement, is
  // stopped before the first statement goes on (`belong`).
  private let statement: OpaquePointer
  private let state: UnsafeMutablePointer<StatementState>
  /// How many parameters have a value.
  private(set) var count: Int32 = 0
  /// The first result code of binding that is not the caller's mistake.
  private(set) var failure: Int32 = SQLITE_OK

  init(_ statement: OpaquePointer, _ state: UnsafeMutablePointer<StatementState>) {
    unsafe self.statement = unsafe statement
    unsafe self.state = unsafe state
  }

  /// Whether these are the values of that statement.
  func belong(to other: OpaquePointer) -> Bool {
    unsafe statement == other
  }

  /// Binds a value of any type that can be bound.
  @inlinable
  package mutating func bind(_ value: some SQLBindable) {
    value.bind(to: &self)
  }

  /// Binds an integer.
  @usableFromInline
  package mutating func bind(_ value: Int64) {
    count += 1
    note(unsafe sqlite3_bind_int64(statement, count, value))
  }

  /// Binds `NULL`: what a parameter has that nothing was bound to since the last run.
  @usableFromInline
  package mutating func bindNull() {
    count += 1
  }

  /// Binds a text. It may hold NUL.
  @usableFromInline
  package mutating func bind(_ text: String) {
    bind(text: text.utf8Span.span)
  }

  /// Binds a text given as UTF-8. It may hold NUL.
  @usableFromInline
  package mutating func bind(text: Span<UInt8>) {
    count += 1
    // The arena keeps the bytes until the run is over; nil says that SQLite need not copy them.
    let result = unsafe text.withUnsafeBytes { bytes in
      let place = unsafe state.pointee.arena.copy(bytes)
      return unsafe sqlite3_bind_text64(
        statement, count, place.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
        UInt8(SQLITE_UTF8))
    }
    note(result)
  }

  /// Binds a blob, which may be empty.
  @usableFromInline
  package mutating func bind(blob: Span<UInt8>) {
    count += 1
    // As for text.
    let result = unsafe blob.withUnsafeBytes { bytes in
      let place = unsafe state.pointee.arena.copy(bytes)
      return unsafe sqlite3_bind_blob64(statement, count, place, UInt64(bytes.count), nil)
    }
    note(result)
  }

  /// Binds a blob of sixteen bytes.
  package mutating func bind(_ value: Bytes16) {
    var words = (value.high.bigEndian, value.low.bigEndian)
    unsafe withUnsafeBytes(of: &words) { unsafe bind(blob: $0.bindMemory(to: UInt8.self).span) }
  }

  /// Binds a blob of thirty-two bytes.
  package mutating func bind(_ value: Bytes32) {
    var words = (
      value.front.high.bigEndian, value.front.low.bigEndian,
      value.back.high.bigEndian, value.back.low.bigEndian
    )
    unsafe withUnsafeBytes(of: &words) { unsafe bind(blob: $0.bindMemory(to: UInt8.self).span) }
  }

  private mutating func note(_ result: Int32) {
    guard result != SQLITE_OK else { return }
    precondition(result & 0xff != SQLITE_RANGE, "more values than parameters")
    precondition(result & 0xff != SQLITE_MISUSE, "a value was bound to a running statement")
    if failure == SQLITE_OK { failure = result }
  }
}

/// A type whose values can be bound to a parameter.
@usableFromInline
package protocol SQLBindable {
  /// Binds this value to the next parameter.
  func bind(to values: inout StatementValues)
}

extension Int64: SQLBindable {
  /// Binds an integer.
  @inlinable
  package func bind(to values: inout StatementValues) { values.bind(self) }
}

extension Int: SQLBindable {
  /// Binds an integer.
  @inlinable
  package func bind(to values: inout StatementValues) { values.bind(Int64(self)) }
}

extension Int32: SQLBindable {
  /// Binds an integer.
  @inlinable
  package func bind(to values: inout StatementValues) { values.bind(Int64(self)) }
}

extension Bool: SQLBindable {
  /// Binds 1 for true, 0 for false.
  @inlinable
  package func bind(to values: inout StatementValues) { values.bind(Int64(self ? 1 : 0)) }
}

extension String: SQLBindable {
  /// Binds a text.
  @inlinable
  package func bind(to values: inout StatementValues) { values.bind(self) }
}

extension [UInt8]: SQLBindable {
  /// Binds a blob.
  @inlinable
  package func bind(to values: inout StatementValues) { values.bind(blob: span) }
}

extension Bytes16: SQLBindable {
  /// Binds a blob of sixteen bytes.
  package func bind(to values: inout StatementValues) { values.bind(self) }
}

extension Bytes32: SQLBindable {
  /// Binds a blob of thirty-two bytes.
  package func bind(to values: inout StatementValues) { values.bind(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  /// Binds the value, or `NULL` for nil.
  @inlinable
  package func bind(to values: inout StatementValues) {
    if let self { self.bind(to: &values) } else { values.bindNull() }
  }
}
