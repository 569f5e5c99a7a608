// What can go wrong in SQLite, as one value.
//
// Invariant: holds SQL text (which is static), numbers and SQLite's own words, never a bound value
// or the content of a row. Knows nothing of what the tables mean.

import CSQLite

/// A failure of SQLite, typed by what the caller can do about it.
public struct SQLError: Error, Hashable, Sendable {
  /// What kind of failure it was; this is what callers act on.
  public let code: Code
  /// The SQL or the call that failed. Never holds values.
  public let operation: String
  /// SQLite's extended result code, or its primary code where there is none.
  public let resultCode: Int32
  /// SQLite's own message, without bound values.
  public let message: String
  /// The database file.
  public let path: String

  /// Makes an error that SQLite did not report itself.
  package init(
    code: Code, operation: String, resultCode: Int32, message: String, path: String
  ) {
    self.code = code
    self.operation = operation
    self.resultCode = resultCode
    self.message = message
    self.path = path
  }

  /// The kinds of failure. The set may grow.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The constant's own name.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// Another connection holds a lock and the wait is over. Try again later.
    public static let busy = Code("busy")
    /// The same connection is in the way, for example a table that is being read is dropped.
    public static let locked = Code("locked")
    /// The disk, the quota or the file's page limit is used up. Nothing was changed.
    public static let full = Code("full")
    /// The file's structure is damaged, or a column holds what was never stored in it.
    public static let corrupt = Code("corrupt")
    /// The file is not an SQLite database.
    public static let notADatabase = Code("notADatabase")
    /// The file or the connection cannot be written.
    public static let readOnly = Code("readOnly")
    /// The file cannot be opened or made.
    public static let cannotOpen = Code("cannotOpen")
    /// A constraint of a table refused the row.
    public static let constraint = Code("constraint")
    /// The operating system failed to read, write or sync.
    public static let ioFailure = Code("ioFailure")
    /// A value or a row is larger than the connection's limit.
    public static let tooBig = Code("tooBig")
    /// The work was stopped from another thread, or by a progress closure.
    public static let interrupted = Code("interrupted")
    /// The schema kept changing while a statement was being prepared.
    public static let schemaChanged = Code("schemaChanged")
    /// Memory ran out.
    public static let outOfMemory = Code("outOfMemory")
    /// The file belongs to another program.
    public static let wrongApplication = Code("wrongApplication")
    /// The file was written by a newer version of this program.
    public static let newerVersion = Code("newerVersion")
    /// The transaction had been rolled back by an earlier failure; nothing of it was kept.
    public static let rolledBack = Code("rolledBack")
    /// The SQL does not fit the schema of the file, or a function in it failed.
    public static let refused = Code("refused")
    /// SQLite was called in a way it forbids.
    public static let misuse = Code("misuse")
    /// A result code this version has no name for.
    public static let other = Code("other")
  }
}

extension SQLError: CustomStringConvertible {
  /// One line: the code, the operation, SQLite's message and number, and the file.
  public var description: String {
    "\(code): \(operation): \(message) (SQLite \(resultCode), \(path))"
  }
}

/// An error that can carry an ``SQLError``: what bodies of transactions and rows may throw.
@usableFromInline
package protocol WrapsSQLError: Error {
  /// The error that stands for `error` one layer up.
  init(sql error: SQLError)
}

extension WrapsSQLError {
  /// Runs `body` and throws its failure as this type.
  @inlinable
  package static func wrapping<Result: ~Copyable>(
    _ body: () throws(SQLError) -> Result
  ) throws(Self) -> Result {
    do {
      return try body()
    } catch {
      throw Self(sql: error)
    }
  }
}

extension SQLError: WrapsSQLError {
  /// The error itself.
  @inlinable
  package init(sql error: SQLError) {
    self = error
  }
}

extension SQLError.Code {
  /// The code for an extended result code of SQLite.
  init(result: Int32, ranOutOfSpace: Bool) {
    // An I/O failure for want of memory (SQLITE_IOERR_NOMEM) is told apart by its extended code.
    let isOutOfMemory = result == SQLITE_NOMEM || result == SQLITE_IOERR | (12 << 8)
    let named = isOutOfMemory ? .outOfMemory : Self.named[result & 0xff] ?? .other
    let isFull = ranOutOfSpace && (named == .ioFailure || named == .cannotOpen)
    self = isFull ? .full : named
  }

  private static let named: [Int32: SQLError.Code] = [
    SQLITE_ERROR: .refused, SQLITE_PERM: .readOnly, SQLITE_ABORT: .rolledBack, SQLITE_BUSY: .busy,
    SQLITE_LOCKED: .locked, SQLITE_READONLY: .readOnly, SQLITE_INTERRUPT: .interrupted,
    SQLITE_IOERR: .ioFailure, SQLITE_CORRUPT: .corrupt, SQLITE_FULL: .full,
    SQLITE_CANTOPEN: .cannotOpen, SQLITE_PROTOCOL: .busy, SQLITE_SCHEMA: .schemaChanged,
    SQLITE_TOOBIG: .tooBig, SQLITE_CONSTRAINT: .constraint, SQLITE_MISMATCH: .constraint,
    SQLITE_MISUSE: .misuse, SQLITE_NOLFS: .ioFailure, SQLITE_AUTH: .refused,
    SQLITE_RANGE: .misuse, SQLITE_NOTADB: .notADatabase,
  ]
}
