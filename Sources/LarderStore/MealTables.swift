// Writes the rows of the meal projection, live or beside the live ones: one path for both.
// A stream's rows are changed by difference: what is new or changed is upserted, what is no longer
// there is deleted, and nothing is ever replaced by deletion and insertion.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

struct MealTables: ~Copyable {
  fileprivate let upsertEntry: Statement
  fileprivate let deleteEntry: Statement
  fileprivate let upsertLog: Statement
  fileprivate let selectLogs: Statement
  fileprivate let deleteLog: Statement
  fileprivate let upsertStream: Statement
  fileprivate let deleteStream: Statement
  fileprivate let selectStream: Statement
  fileprivate let upsertUnfolded: Statement
  fileprivate let deleteUnfolded: Statement

  /// What the tables know of a stream: its digest and whether it is closed; nil if nothing.
  func known(_ stream: StreamID) throws(SQLError) -> (digest: Bytes16, isClosed: Bool)? {
    try selectStream.first(stream.bytes) { ($0.bytes16(0), $0.bool(1)) }
  }

  /// Makes the tables hold `rows` for `stream`.
  /// - Parameter old: the digest the tables had for the stream; nil where they knew nothing of it.
  /// - Returns: the stream's new digest.
  func write(
    _ rows: MealRows, of stream: StreamID, old: Bytes16?
  ) throws(SQLError) -> Bytes16 {
    let digest = rows.digest
    if digest != old {
      if let entry = rows.entry { try upsertEntry.run { entry.put(into: &$0) } }
      if old != nil { try deleteLogs(of: stream, except: rows.logs) }
      for place in rows.logs.indices { try upsertLog.run { rows.logs[place].put(into: &$0) } }
      if rows.entry == nil, old != nil { try deleteEntry.run(stream.hex) }
    }
    try upsertStream.run(stream.bytes, digest, rows.isClosedToWriting)
    return digest
  }

  /// Notes the events of `stream` that no fold could read; earlier notes about it go.
  func note(
    _ unfolded: [(id: EventID, header: EventHeader, reason: String)], of stream: StreamID
  ) throws(SQLError) {
    try deleteUnfolded.run(stream.bytes)
    for event in unfolded {
      try upsertUnfolded.run(
        stream.bytes, event.id.author.bytes, Int64(event.id.seq), event.header.kind.name,
        Int64(event.header.version), event.reason)
    }
  }

  private func deleteLogs(
    of stream: StreamID, except rows: [NutritionLogRow]
  ) throws(SQLError) {
    let first = stream.hex
    // Hexadecimal digits end before "g", so this range is the identifiers that begin with the
    // stream.
    let gone = try selectLogs.map(first, first + "g") { $0.text(0) }
    let kept = Set(rows.map(\.id))
    for id in gone where !kept.contains(id) { try deleteLog.run(id) }
  }

  private static func upsert(_ table: SQL.Identifier, _ columns: [MealColumns.Column]) -> SQL {
    let names = columns.map(\.name).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let sets = columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }.joined(
      separator: ", ")
    let list = SQL(trusted: "(\(names)) VALUES (\(places)) ON CONFLICT (id) DO UPDATE SET \(sets)")
    return "INSERT INTO \(table)\(list)"
  }
}

extension MealTables {
  init(_ connection: borrowing Connection, _ meal: StoreTables.Meal) throws(SQLError) {
    self.init(
      upsertEntry: try connection.prepare(Self.upsert(meal.entries, MealColumns.entries)),
      deleteEntry: try connection.prepare("DELETE FROM \(meal.entries) WHERE id = ?"),
      upsertLog: try connection.prepare(Self.upsert(meal.logs, MealColumns.logs)),
      selectLogs: try connection.prepare(
        "SELECT id FROM \(meal.logs) WHERE id >= ? AND id < ? ORDER BY id"),
      deleteLog: try connection.prepare("DELETE FROM \(meal.logs) WHERE id = ?"),
      upsertStream: try connection.prepare(
        """
        INSERT INTO \(meal.streams)(stream, digest, isClosed) VALUES (?, ?, ?)
        ON CONFLICT (stream) DO UPDATE SET digest = excluded.digest, isClosed = excluded.isClosed
        """),
      deleteStream: try connection.prepare("DELETE FROM \(meal.streams) WHERE stream = ?"),
      selectStream: try connection.prepare(
        "SELECT digest, isClosed FROM \(meal.streams) WHERE stream = ?"),
      upsertUnfolded: try connection.prepare(
        """
        INSERT INTO _unfolded(stream, author, seq, kind, version, reason) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (stream, author, seq) DO UPDATE SET reason = excluded.reason
        """),
      deleteUnfolded: try connection.prepare("DELETE FROM _unfolded WHERE stream = ?"))
  }
}
