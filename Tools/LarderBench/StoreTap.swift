// Looks into a store's tables from outside, as any SQLite reader may: how the rows stand after each
// transaction, so that the floor can write the same ones.

import LarderHash
import LarderKernel
import LarderSQL
import LarderStore

/// The columns of a table, whose type is strict.
struct TableShape {
  enum ColumnType: String {
    case integer = "INTEGER"
    case text = "TEXT"
    case blob = "BLOB"
  }

  let columns: [ColumnType]
}

/// A connection that reads a store's rows whole.
struct StoreTap: ~Copyable {
  private let connection: Connection
  private let shapes: (entries: TableShape, logs: TableShape, streams: TableShape)
  private let selectEntry: Statement
  private let selectLogs: Statement
  private let selectStream: Statement
  private let selectDigest: Statement

  init(_ paths: StorePaths) throws {
    let connection = try Connection(
      path: paths.database, mode: .readOnly, format: StoreTables.format,
      settings: Connection.Settings(
        synchronous: .full, temporaryFolder: paths.temporary, cacheByteCount: 1 << 20,
        busyMillisecondsMax: 1000, valueByteCountMax: 1 << 20))
    let shapes = (
      try Self.shape(of: "MealEntries", connection),
      try Self.shape(of: "NutritionLogs", connection),
      try Self.shape(of: "_folded_meals", connection)
    )
    let entry = try connection.prepare("SELECT * FROM MealEntries WHERE id = ?")
    let logs = try connection.prepare(
      "SELECT * FROM NutritionLogs WHERE id >= ? AND id < ? ORDER BY position")
    let stream = try connection.prepare("SELECT * FROM _folded_meals WHERE stream = ?")
    let digest = try connection.prepare(
      "SELECT digest FROM _projections WHERE name = 'meals' AND state = 'live'")
    self.shapes = shapes
    selectEntry = entry
    selectLogs = logs
    selectStream = stream
    selectDigest = digest
    self.connection = connection
  }

  private static func shape(
    of table: String, _ connection: borrowing Connection
  ) throws -> TableShape {
    let types = try connection.prepare("SELECT type FROM pragma_table_info(?) ORDER BY cid")
      .map(table) { TableShape.ColumnType(rawValue: $0.text(0)) }
    return TableShape(columns: types.compactMap(\.self))
  }

  /// How many events the one chain has.
  func eventCount() throws -> Int {
    try connection.prepare("SELECT sum(size) FROM _chains").first { $0.int(0) } ?? 0
  }

  /// The projection's digest.
  func digest() throws -> Bytes16 {
    try selectDigest.first { $0.bytes16(0) } ?? .zero
  }

  /// Which rows a stream has.
  struct Rows {
    var entry: String?
    var logs: Set<String> = []
    var isKnown = false
  }

  /// Which rows a stream has.
  func rows(of stream: StreamID) throws -> Rows {
    let id = stream.hex
    return Rows(
      entry: try selectEntry.first(id) { $0.text(0) },
      logs: Set(try selectLogs.map(id, id + "g") { $0.text(0) }),
      isKnown: try selectStream.first(stream.bytes) { _ in true } ?? false)
  }

  /// Appends what brings a stream's rows from `old` to what they are now.
  func dump(_ stream: StreamID, from old: Rows, into chunk: inout DumpChunk) throws {
    let id = stream.hex
    let new = try rows(of: stream)
    try selectEntry.forEach(id) {
      chunk.append(old.entry == nil ? .insertEntry : .updateEntry, $0, of: shapes.entries)
    }
    try selectLogs.forEach(id, id + "g") {
      let isThere = old.logs.contains($0.text(0))
      chunk.append(isThere ? .updateLog : .insertLog, $0, of: shapes.logs)
    }
    for log in old.logs.subtracting(new.logs).sorted() { chunk.append(.deleteLog, id: log) }
    if let entry = old.entry, new.entry == nil { chunk.append(.deleteEntry, id: entry) }
    try selectStream.forEach(stream.bytes) {
      chunk.append(old.isKnown ? .updateStream : .insertStream, $0, of: shapes.streams)
    }
  }

  /// All streams that have or had rows, in order.
  func streamsInOrder() throws -> [StreamID] {
    try connection.prepare("SELECT stream FROM _folded_meals ORDER BY stream").map {
      StreamID($0.bytes16(0))
    }
  }

  /// Up to `count` days that have rows, spread over all of them.
  func days(_ count: Int) throws -> [String] {
    let all = try connection.prepare("SELECT DISTINCT day FROM NutritionLogs ORDER BY day").map {
      $0.text(0)
    }
    let step = max(1, all.count / count)
    return stride(from: 0, to: all.count, by: step).map { all[$0] }
  }
}
