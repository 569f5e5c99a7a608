// Reads a store through a connection that cannot write: the diary, a meal, the events behind it.

internal import LarderFiles
package import LarderKernel
internal import LarderSQL

/// Reads a store. Not thread-safe: whoever owns it is alone with it.
package final class StoreReader {
  package let paths: StorePaths
  package let schema: Schema
  let connection: Connection
  fileprivate let statements: Statements
  private var knownVersion: Int64?
  /// Prepared once its table is there.
  private var dayStartsQuery: DayStartsQuery?

  /// Opens the store in `paths` for reading.
  /// - Throws: `notFound`, `unsupportedVersion`, `corrupt`, `denied`, `ioFailure`.
  package init(
    at paths: StorePaths, schema: Schema, waitMilliseconds: Int
  ) throws(StoreError) {
    let there = try StoreError.filing { () throws(FileError) in
      try Files.identity(of: paths.database)
    }
    guard there != nil else {
      throw StoreError(.notFound, operation: "open store", subject: paths.folder)
    }
    let connection = try Store.connect(
      paths, mode: .readOnly, waitMilliseconds: waitMilliseconds)
    let statements = try StoreError.wrapping { () throws(SQLError) in try Statements(connection) }
    self.paths = paths
    self.schema = schema
    self.statements = statements
    self.connection = connection
  }

  fileprivate struct Statements: ~Copyable {
    let dayStartsTable: Statement
    let dayEntries: Statement
    let dayLogs: Statement
    let entry: Statement
    let entryLogs: Statement
    let log: LogReader
    let device: Statement
  }

  /// The device that writes this store.
  package struct Device: Hashable, Sendable {
    /// Its author.
    package let author: AuthorID
    /// Its name, as people call it.
    package let name: String
  }

  /// The device that writes this store.
  package func device() throws(StoreError) -> Device {
    let found = try StoreError.wrapping { () throws(SQLError) in
      try statements.device.first {
        Device(author: AuthorID($0.bytes16(0)), name: $0.text(1))
      }
    }
    guard let found else {
      throw StoreError(.corrupt, operation: "read device", subject: "no device")
    }
    return found
  }

  /// A life of this device as an author.
  package struct Life: Hashable, Sendable {
    /// The author.
    package let author: AuthorID
    /// When it began, in milliseconds since 1970, as the device's clock said.
    package let since: Int64
    /// Why it began; nil for the first.
    package let reason: String?
    /// How many of its events are here.
    package let eventCount: UInt64
  }

  /// A run of an author's events that is here.
  package struct Head: Hashable, Sendable {
    /// The author.
    package let author: AuthorID
    /// The first seq.
    package let start: UInt64
    /// One past the last.
    package let size: UInt64
  }

  /// The runs of every author, branches too, by author and start.
  package func heads() throws(StoreError) -> [Head] {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        "SELECT author, start, size FROM _chains ORDER BY author, start, id"
      ).map {
        Head(
          author: AuthorID($0.bytes16(0)), start: $0.seq(1),
          size: $0.seq(2))
      }
    }
  }

  /// Another device's author.
  package struct Other: Hashable, Sendable {
    /// The author.
    package let author: AuthorID
    /// How many of its events are here.
    package let eventCount: UInt64
    /// Into how many histories its own has parted, as far as they are here; 1 if into none.
    package let branchCount: Int
  }

  /// The authors whose events are here and who are not this device.
  package func others() throws(StoreError) -> [Other] {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        """
        SELECT author, sum(size - start), 1 + sum(parent IS NOT NULL) FROM _chains
        WHERE author NOT IN (SELECT author FROM _incarnations) GROUP BY author ORDER BY author
        """
      ).map {
        Other(
          author: AuthorID($0.bytes16(0)), eventCount: $0.seq(1),
          branchCount: $0.int(2))
      }
    }
  }

  /// The authors this device has been, the first one first.
  package func incarnations() throws(StoreError) -> [Life] {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        """
        SELECT i.author, i.since, i.reason,
          (SELECT sum(size - start) FROM _chains c WHERE c.author = i.author)
        FROM _incarnations i ORDER BY i.number
        """
      ).map {
        Life(
          author: AuthorID($0.bytes16(0)), since: $0.int64(1), reason: $0.optionalText(2),
          eventCount: $0.seq(3))
      }
    }
  }

  /// A day of the diary: what was eaten on it, from its start to the next day's.
  package func day(_ day: CivilDay) throws(StoreError) -> DiaryDay {
    try reading { () throws(StoreError) in
      let policy = try dayStarts()
      var entries: [DiaryEntry] = []
      var logs: [DiaryLog] = []
      for civil in policy.civilDays(of: day) {
        let text = civil.description
        entries += try statements.dayEntries.map(text) { (row) throws(StoreError) in
          try DiaryEntry(row)
        }
        logs += try statements.dayLogs.map(text) { (row) throws(StoreError) in
          try DiaryLog(row)
        }
      }
      func isOfDay(_ moment: Moment) -> Bool {
        policy.diaryDay(of: moment.day, minute: moment.minuteOfDay) == day
      }
      return DiaryDay(
        day: day, entries: entries.filter { isOfDay($0.occasion.moment) },
        logs: logs.filter { isOfDay($0.occasion.moment) })
    }
  }

  /// When days begin.
  package func dayStarts() throws(StoreError) -> DayStartPolicy {
    try StoreError.wrapping { () throws(SQLError) in
      if dayStartsQuery == nil {
        // Tables of an earlier build have no such table.
        let isThere = try statements.dayStartsTable.first { _ in true } ?? false
        guard isThere else { return DayStartPolicy() }
        dayStartsQuery = DayStartsQuery(
          statement: try connection.prepare(
            "SELECT fromDay, startMinute FROM DayStarts ORDER BY fromDay, id"))
      }
      guard let dayStartsQuery else { return DayStartPolicy() }
      let starts = try dayStartsQuery.statement.map { row in
        row.withText(0) { CivilDay(utf8: $0) }.map {
          DayStartPolicy.Start(fromDay: $0, minute: row.int(1))
        }
      }
      return DayStartPolicy(starts.compactMap(\.self))
    }
  }

  /// The meal of a stream, deleted ones without their entry; nil if the stream has no rows.
  package func meal(_ stream: StreamID) throws(StoreError) -> DiaryMeal? {
    try reading { () throws(StoreError) in
      let entry = try statements.entry.first(stream.hex) { (row) throws(StoreError) in
        try DiaryEntry(row)
      }
      let logs = try statements.entryLogs.map(stream.hex, stream.hex + "g") {
        (row) throws(StoreError) in try DiaryLog(row)
      }
      return entry == nil && logs.isEmpty ? nil : DiaryMeal(entry: entry, logs: logs)
    }
  }

  /// The events of a stream in the total order.
  package func events(of stream: StreamID) throws(StoreError) -> [Event] {
    let events = try reading { () throws(StoreError) in
      try statements.log.events(of: stream)
    }
    return events.sorted(by: Event.precedes)
  }

  /// Whether the database was changed since this was asked last; true the first time.
  package func hasChanged() throws(StoreError) -> Bool {
    let version = try dataVersion()
    defer { knownVersion = version }
    return version != knownVersion
  }

  /// A number that is another one after anybody has written, by whatever connection but this one.
  package func dataVersion() throws(StoreError) -> Int64 {
    try StoreError.wrapping { () throws(SQLError) in try connection.dataVersion() }
  }

  /// Runs `body` on one state of the database.
  private func reading<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try connection.read(body)
  }
}

/// The statement that reads when days begin.
private final class DayStartsQuery {
  let statement: Statement
  init(statement: consuming Statement) { self.statement = statement }
}

extension StoreReader.Statements {
  fileprivate init(_ connection: borrowing Connection) throws(SQLError) {
    let entries = DiaryEntry.columns
    let logs = DiaryLog.columns
    self.init(
      dayStartsTable: try connection.prepare(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'DayStarts'"),
      dayEntries: try connection.prepare(
        "SELECT \(entries) FROM MealEntries WHERE day = ? ORDER BY consumedAt, id"),
      dayLogs: try connection.prepare(
        "SELECT \(logs) FROM NutritionLogs WHERE day = ? ORDER BY consumedAt, id"),
      entry: try connection.prepare("SELECT \(entries) FROM MealEntries WHERE id = ?"),
      entryLogs: try connection.prepare(
        "SELECT \(logs) FROM NutritionLogs WHERE id >= ? AND id < ? ORDER BY position, id"),
      log: try LogReader(connection),
      device: try connection.prepare("SELECT author, name FROM _device"))
  }
}
