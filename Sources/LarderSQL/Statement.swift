// One compiled statement, prepared once and run many times.
//
// Invariant: between two calls it is reset and has no values. A run binds every parameter, steps,
// and resets, in one function that owns the memory of the values; rows are seen inside a closure,
// because their bytes die at the next step.

import CSQLite

/// A compiled statement, finalised in `deinit`. Keep it as a property beside its connection.
@safe
@usableFromInline
package struct Statement: ~Copyable {
  // Prepared in `init`, finalised in `deinit`; `connection` keeps its database open.
  private let pointer: OpaquePointer
  private let connection: ConnectionHandle
  // Allocated in `init`, freed in `deinit`. Behind a pointer so that statements which are
  // properties of one value can run inside each other's rows.
  private let state: UnsafeMutablePointer<StatementState>
  private let parameterCount: Int32
  private let needsTransaction: Bool
  private let sql: SQL

  /// - Parameter isSetting: whether it changes the connection or the journal instead of rows.
  init(
    _ sql: SQL, on connection: ConnectionHandle, isSetting: Bool = false
  ) throws(SQLError) {
    let pointer = try unsafe connection.prepare(sql)
    unsafe self.pointer = unsafe pointer
    self.connection = connection
    self.sql = sql
    parameterCount = unsafe sqlite3_bind_parameter_count(pointer)
    needsTransaction = unsafe sqlite3_stmt_readonly(pointer) == 0 && !isSetting
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: StatementState())
  }

  deinit {
    // Its result repeats the failure of the last run, which was thrown.
    unsafe sqlite3_finalize(pointer)
    unsafe state.pointee.arena.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Runs the statement with one value for each parameter, ignoring rows.
  /// - Throws: `constraint`, `full`, `tooBig`, `busy`, `corrupt`, `ioFailure`, `interrupted`,
  ///   `rolledBack`.
  @inlinable
  package func run<each Value: SQLBindable>(_ value: repeat each Value) throws(SQLError) {
    var values = try begin()
    repeat (each value).bind(to: &values)
    try finishRun(values)
  }

  /// Runs the statement with the values `bind` binds, one for each parameter, ignoring rows. For
  /// bytes that lie in a span.
  @inlinable
  package func run(_ bind: (inout StatementValues) -> Void) throws(SQLError) {
    var values = try begin()
    bind(&values)
    try finishRun(values)
  }

  // MARK: The parts of a run

  /// Begins a run: the statement takes values.
  @usableFromInline
  func begin() throws(SQLError) -> StatementValues {
    precondition(unsafe !state.pointee.isRunning, "a statement was run inside its own rows")
    precondition(
      !needsTransaction || connection.transaction == .write, "writing needs a write transaction")
    if connection.wasRolledBack { throw connection.rolledBackError(sql.text) }
    unsafe state.pointee.isRunning = true
    return unsafe StatementValues(pointer, state)
  }

  /// Ends the binding of values; ends the run too if that fails.
  @usableFromInline
  func finishBinding(_ values: borrowing StatementValues) throws(SQLError) {
    precondition(unsafe values.belong(to: pointer), "the values of two statements were exchanged")
    precondition(values.count == parameterCount, "not every parameter has a value")
    guard values.failure == SQLITE_OK else {
      let error = connection.stepError(values.failure, sql.text)
      abandon()
      throw error
    }
  }

  @usableFromInline
  func finishRun(_ values: borrowing StatementValues) throws(SQLError) {
    try finishBinding(values)
    while try step() {}
    try finish()
  }

  /// Goes to the next row, false if there is none. A failure ends the run.
  @usableFromInline
  func step() throws(SQLError) -> Bool {
    let result = unsafe sqlite3_step(pointer)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    let error = connection.stepError(result, sql.text)
    abandon()
    throw error
  }

  /// The row the statement stands on.
  @usableFromInline
  var row: Row { unsafe Row(pointer, state) }

  /// Throws if a column of the row was not what the reader asked for; that ends the run.
  @usableFromInline
  func checkRow() throws(SQLError) {
    guard let mismatch = unsafe state.pointee.mismatch else { return }
    abandon()
    throw SQLError(
      code: .corrupt, operation: sql.text, resultCode: SQLITE_MISMATCH,
      message: mismatch.message, path: connection.path)
  }

  /// Ends a run that went well.
  @usableFromInline
  func finish() throws(SQLError) {
    let result = abandon()
    guard result == SQLITE_OK else { throw connection.stepError(result, sql.text) }
  }

  /// Ends a run, and says what `sqlite3_reset` said: the failure of the last step, if it failed.
  @usableFromInline
  @discardableResult
  func abandon() -> Int32 {
    let result = unsafe sqlite3_reset(pointer)
    // Only after this may the arena forget the bytes. It cannot fail.
    unsafe sqlite3_clear_bindings(pointer)
    unsafe state.pointee.arena.reset()
    unsafe state.pointee.mismatch = nil
    unsafe state.pointee.isRunning = false
    return result
  }
}

/// The part of a statement that changes.
@unsafe
struct StatementState {
  var isRunning = false
  var mismatch: ColumnMismatch?
  var arena = unsafe BindingArena()
}
