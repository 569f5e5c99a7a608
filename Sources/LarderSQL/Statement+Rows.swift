// Reading rows: a closure for each, so that no pointer into SQLite's memory gets away.

extension Statement {
  /// Calls `body` for each row until it returns false.
  ///
  /// A column that does not hold what `body` read from it ends the walk after that call.
  /// - Returns: whether the last row was reached.
  /// - Throws: what `body` throws; `corrupt`, `busy`, `ioFailure`, `interrupted`, `rolledBack`.
  @inlinable
  @discardableResult
  package func walk<each Value: SQLBindable, Failure: WrapsSQLError>(
    _ value: repeat each Value, row body: (borrowing Row) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    try Failure.wrapping { () throws(SQLError) in
      var values = try begin()
      repeat (each value).bind(to: &values)
      try finishBinding(values)
    }
    var isAtEnd = false
    while true {
      guard try Failure.wrapping({ () throws(SQLError) in try step() }) else {
        isAtEnd = true
        break
      }
      let goesOn: Bool
      do throws(Failure) {
        goesOn = try body(row)
      } catch {
        abandon()
        throw error
      }
      try Failure.wrapping { () throws(SQLError) in try checkRow() }
      guard goesOn else { break }
    }
    try Failure.wrapping { () throws(SQLError) in try finish() }
    return isAtEnd
  }

  /// Calls `body` for each row.
  /// - Returns: how many rows there were.
  /// - Throws: as ``walk(_:row:)``.
  @inlinable
  @discardableResult
  package func forEach<each Value: SQLBindable, Failure: WrapsSQLError>(
    _ value: repeat each Value, row body: (borrowing Row) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var count = 0
    try walk(repeat each value) { (row) throws(Failure) -> Bool in
      try body(row)
      count += 1
      return true
    }
    return count
  }

  /// What `body` makes of the first row, nil if there is none.
  /// - Throws: as ``walk(_:row:)``.
  @inlinable
  package func first<each Value: SQLBindable, Result, Failure: WrapsSQLError>(
    _ value: repeat each Value, row body: (borrowing Row) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var result: Result?
    try walk(repeat each value) { (row) throws(Failure) -> Bool in
      result = try body(row)
      return false
    }
    return result
  }

  /// What `body` makes of each row, in their order.
  /// - Throws: as ``walk(_:row:)``.
  @inlinable
  package func map<each Value: SQLBindable, Result, Failure: WrapsSQLError>(
    _ value: repeat each Value, row body: (borrowing Row) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    try walk(repeat each value) { (row) throws(Failure) -> Bool in
      results.append(try body(row))
      return true
    }
    return results
  }

  // MARK: The same with a body that cannot fail by itself

  /// Calls `body` for each row until it returns false.
  @inlinable
  @discardableResult
  package func walk<each Value: SQLBindable>(
    _ value: repeat each Value, row body: (borrowing Row) -> Bool
  ) throws(SQLError) -> Bool {
    try walk(repeat each value) { (row) throws(SQLError) -> Bool in body(row) }
  }

  /// Calls `body` for each row, and returns how many there were.
  @inlinable
  @discardableResult
  package func forEach<each Value: SQLBindable>(
    _ value: repeat each Value, row body: (borrowing Row) -> Void
  ) throws(SQLError) -> Int {
    try forEach(repeat each value) { (row) throws(SQLError) -> Void in body(row) }
  }

  /// What `body` makes of the first row, nil if there is none.
  @inlinable
  package func first<each Value: SQLBindable, Result>(
    _ value: repeat each Value, row body: (borrowing Row) -> Result
  ) throws(SQLError) -> Result? {
    try first(repeat each value) { (row) throws(SQLError) -> Result in body(row) }
  }

  /// What `body` makes of each row, in their order.
  @inlinable
  package func map<each Value: SQLBindable, Result>(
    _ value: repeat each Value, row body: (borrowing Row) -> Result
  ) throws(SQLError) -> [Result] {
    try map(repeat each value) { (row) throws(SQLError) -> Result in body(row) }
  }
}
