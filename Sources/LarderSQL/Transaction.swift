// Transactions as synchronous closures: begun before the body, ended after it whatever happens.
//
// Invariant: after `write` or `read` returns or throws, the connection is outside of a transaction,
// and what the body wrote is either committed whole or gone.

/// Proof of being inside a write transaction; a function that writes takes one.
package struct Transaction: ~Copyable {
  init() {}
}

extension Connection {
  /// Runs `body` in a write transaction (`BEGIN IMMEDIATE`) and commits it.
  ///
  /// When this returns the changes are as durable as ``Synchronous`` says. If the body throws, or
  /// the commit fails, everything is rolled back. Transactions do not nest: that traps.
  /// - Throws: `busy` if another writer holds the lock for longer than the connection waits;
  ///   `full`, `ioFailure` and the like from the commit; `rolledBack` if a statement's failure had
  ///   ended the transaction and the body went on; and what the body throws.
  package func write<Result: ~Copyable, Failure: WrapsSQLError>(
    _ body: (borrowing Transaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Failure.wrapping { () throws(SQLError) in try handle.begin(.write) }
    let result: Result
    do throws(Failure) {
      result = try body(Transaction())
    } catch {
      handle.rollback()
      throw error
    }
    try Failure.wrapping { () throws(SQLError) in try handle.commit() }
    return result
  }

  /// Runs `body`, which cannot fail by itself, in a write transaction and commits it.
  package func write<Result: ~Copyable>(
    _ body: (borrowing Transaction) -> Result
  ) throws(SQLError) -> Result {
    try write { (transaction) throws(SQLError) in body(transaction) }
  }

  /// Runs `body` in a read transaction: all its statements see one state of the database, that of
  /// the first read. Transactions do not nest: that traps. So does a statement that writes.
  /// - Throws: what the body throws, and the failures of `BEGIN` and `COMMIT`.
  package func read<Result: ~Copyable, Failure: WrapsSQLError>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Failure.wrapping { () throws(SQLError) in try handle.begin(.read) }
    let result: Result
    do throws(Failure) {
      result = try body()
    } catch {
      handle.rollback()
      throw error
    }
    try Failure.wrapping { () throws(SQLError) in try handle.commit() }
    return result
  }

  /// Runs `body`, which cannot fail by itself, in a read transaction.
  package func read<Result: ~Copyable>(_ body: () -> Result) throws(SQLError) -> Result {
    try read { () throws(SQLError) in body() }
  }

  /// Whether the connection is inside of ``write(_:)`` or ``read(_:)``.
  package var isInTransaction: Bool { handle.transaction != nil }
}
