// Reading with SQL: the promised tables, and nothing else.

internal import Dispatch
internal import Synchronization

/// A row of a query.
public struct SQLRow: Hashable, Sendable {
  /// The names of the columns, in their order.
  public let columns: [String]
  /// The values, one for each column.
  public let values: [SQLValue]

  /// The value of the first column of that name; nil if there is none.
  public subscript(column: String) -> SQLValue? {
    columns.firstIndex(of: column).map { values[$0] }
  }

  /// The whole number in a column; nil where it holds something else.
  public func integer(_ column: String) -> Int64? {
    guard case .integer(let number) = self[column] else { return nil }
    return number
  }

  /// The text in a column; nil where it holds something else.
  public func text(_ column: String) -> String? {
    guard case .text(let text) = self[column] else { return nil }
    return text
  }
}

extension MealHistory {
  /// The promised tables and views, with what their columns hold.
  public func tables() throws(StoreError) -> [TableDescription] { try reader.tables() }

  /// What `map` makes of each row of a query.
  ///
  /// The query reads one state of the database through a connection of its own, on a thread of its
  /// own: writing and other reading go on. It ends with the task that waits for it.
  /// - Parameters:
  ///   - sql: one SELECT of promised tables and views, those an app has registered among them.
  ///   - arguments: a value for each parameter of the SQL.
  ///   - map: called with each row, in their order.
  /// - Throws: `StoreError`: `refused` for anything else than such a SELECT, saying what was
  ///   refused; `interrupted`, `busy`, `corrupt`, `ioFailure`. What `map` throws.
  public nonisolated func rows<Value: Sendable>(
    _ sql: String, _ arguments: [SQLValue] = [],
    map: @escaping @Sendable (SQLRow) throws -> Value
  ) async throws -> [Value] {
    let (paths, wait) = (location.paths, waitMilliseconds)
    let isStopped = StopFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "larder.query").async {
          continuation.resume(
            with: Result {
              var names: [String] = []
              var result: [Value] = []
              try StoreQuery(at: paths, waitMilliseconds: wait).run(
                sql, arguments, isStopped: { isStopped.isSet }, columns: { names = $0 }
              ) { values in
                result.append(try map(SQLRow(columns: names, values: values)))
                return true
              }
              return result
            })
        }
      }
    } onCancel: {
      isStopped.set()
    }
  }
}

/// Says once that something is to stop.
private final class StopFlag: Sendable {
  private let flag = Mutex(false)
  var isSet: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
}
