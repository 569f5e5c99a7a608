// Writes the rows of the meal projection, live or beside the live ones: one path for both.
// A stream's rows are changed by difference: what is new is inserted, what was there is updated,
// what is no longer there is deleted, and nothing is ever replaced by deletion and insertion.
//
// A statement that may either insert or update (UPSERT) is not used: SQLite keeps a journal of its
// own for each of its runs, which costs more than the row.
//
// Invariant: rows of a stream are there only if the stream is known. A row that is there all the
// same was put there by somebody else; inserting then fails as `constraint`.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

struct MealTables: ~Copyable {
  fileprivate let insertEntry: Statement
  fileprivate let updateEntry: Statement
  fileprivate let selectEntry: Statement
  fileprivate let deleteEntry: Statement
  fileprivate let insertLog: Statement
  fileprivate let updateLog: Statement
  fileprivate let selectLogs: Statement
  fileprivate let deleteLog: Statement
  fileprivate let insertStream: Statement
  fileprivate let updateStream: Statement
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
    guard let old else {
      if let entry = rows.entry { try insertEntry.run { entry.put(into: &$0) } }
      for place in rows.logs.indices { try insertLog.run { rows.logs[place].put(into: &$0) } }
      try insertStream.run(stream.bytes, digest, rows.isClosedToWriting)
      return digest
    }
    if digest != old { try change(rows, of: stream) }
    try updateStream.run(digest, rows.isClosedToWriting, stream.bytes)
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

  /// Changes the rows of a stream the tables know. An entry comes before the logs that refer to it,
  /// and goes after them.
  private func change(_ rows: MealRows, of stream: StreamID) throws(SQLError) {
    let id = stream.hex
    let hadEntry = try selectEntry.first(id) { _ in true } ?? false
    if let entry = rows.entry {
      if hadEntry {
        try updateEntry.run { entry.put(into: &$0) }
      } else {
        try insertEntry.run { entry.put(into: &$0) }
      }
    }
    // Hexadecimal digits end before "g", so this range is the identifiers that begin with the
    // stream.
    var gone = Set(try selectLogs.map(id, id + "g") { $0.text(0) })
    for log in rows.logs {
      if gone.remove(log.id) == nil {
        try insertLog.run { log.put(into: &$0) }
      } else {
        try updateLog.run { log.put(into: &$0) }
      }
    }
    for id in gone.sorted() { try deleteLog.run(id) }
    if rows.entry == nil, hadEntry { try deleteEntry.run(id) }
  }

  private static func insert(_ table: SQL.Identifier, _ columns: [MealColumns.Column]) -> SQL {
    let names = columns.map(\.name).joined(separator: ", ")
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(table)\(SQL(trusted: "(\(names)) VALUES (\(places))"))"
  }

  /// The same values in the same order as the insertion; the first finds the row.
  private static func update(_ table: SQL.Identifier, _ columns: [MealColumns.Column]) -> SQL {
    let sets = columns.enumerated().dropFirst().map { "\($0.element.name) = ?\($0.offset + 1)" }
    let key = SQL(trusted: "\(columns[0].name) = ?1")
    return "UPDATE \(table) SET \(SQL(trusted: sets.joined(separator: ", "))) WHERE \(key)"
  }
}

extension MealTables {
  init(_ connection: borrowing Connection, _ meal: StoreTables.Meal) throws(SQLError) {
    self.init(
      insertEntry: try connection.prepare(Self.insert(meal.entries, MealColumns.entries)),
      updateEntry: try connection.prepare(Self.update(meal.entries, MealColumns.entries)),
      selectEntry: try connection.prepare("SELECT 1 FROM \(meal.entries) WHERE id = ?"),
      deleteEntry: try connection.prepare("DELETE FROM \(meal.entries) WHERE id = ?"),
      insertLog: try connection.prepare(Self.insert(meal.logs, MealColumns.logs)),
      updateLog: try connection.prepare(Self.update(meal.logs, MealColumns.logs)),
      selectLogs: try connection.prepare(
        "SELECT id FROM \(meal.logs) WHERE id >= ? AND id < ? ORDER BY id"),
      deleteLog: try connection.prepare("DELETE FROM \(meal.logs) WHERE id = ?"),
      insertStream: try connection.prepare(
        "INSERT INTO \(meal.streams)(stream, digest, isClosed) VALUES (?, ?, ?)"),
      updateStream: try connection.prepare(
        "UPDATE \(meal.streams) SET digest = ?, isClosed = ? WHERE stream = ?"),
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
