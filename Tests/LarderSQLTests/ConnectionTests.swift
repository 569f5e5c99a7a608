import Glibc
import LarderSQL
import Testing

@Suite("Connection")
struct ConnectionTests {
  let folder = ScratchFolder()

  private func number(_ connection: borrowing Connection, _ sql: SQL) throws(SQLError) -> Int64? {
    try connection.prepare(sql).first { $0.int64(0) }
  }

  @Test("a new file gets the id, the version and a WAL")
  func makesAFile() throws {
    do {
      let connection = try folder.open(.create)
      let (version, pageByteCount) = (connection.version, connection.pageByteCount)
      let (isReadOnly, path) = (connection.isReadOnly, connection.path)
      #expect(version == 3 && pageByteCount == 4096 && !isReadOnly && path == folder.file)
      #expect(try number(connection, "PRAGMA application_id") == 0x4c61_7264)
      #expect(try number(connection, "PRAGMA user_version") == 3)
      #expect(ScratchFolder.names(in: folder.path).contains("test.sqlite-wal"))
    }
    for mode in [Connection.Mode.create, .readWrite, .readOnly] {
      let version = try folder.open(mode).version
      #expect(version == 3)
    }
  }

  @Test("many that make the same file at once all get it, and write one after the other")
  func madeAtOnce() async throws {
    let (file, format) = (folder.file, ScratchFolder.format)
    let settings = folder.settings(busyMillisecondsMax: 20_000)
    let failures = await withTaskGroup(of: SQLError?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          failure { () throws(SQLError) in
            let connection = try Connection(
              path: file, mode: .create, format: format, settings: settings)
            try connection.write { (_) throws(SQLError) in
              try connection.execute("CREATE TABLE IF NOT EXISTS t(a INTEGER) STRICT")
              try connection.prepare("INSERT INTO t VALUES(1)").run()
            }
          }
        }
      }
      return await group.reduce(into: [SQLError]()) { all, one in
        if let one { all.append(one) }
      }
    }
    #expect(failures == [])
    #expect(try number(try folder.open(.readOnly), "SELECT count(*) FROM t") == 8)
  }

  @Test("every connection has its settings")
  func settings() throws {
    let connection = try folder.open()
    #expect(try number(connection, "PRAGMA foreign_keys") == 1)
    #expect(try number(connection, "PRAGMA synchronous") == 1)
    #expect(try number(connection, "PRAGMA secure_delete") == 2)
    #expect(try number(connection, "PRAGMA trusted_schema") == 0)
    #expect(try number(connection, "PRAGMA cell_size_check") == 1)
    #expect(try number(connection, "PRAGMA cache_size") == -1024)
    #expect(try number(connection, "PRAGMA auto_vacuum") == 0)
    try connection.setSynchronous(.full)
    #expect(try number(connection, "PRAGMA synchronous") == 2)
    // Strings in double quotes are names, so a misspelt column is an error.
    #expect(failure { () throws(SQLError) in try connection.prepare("SELECT \"x\"") } != nil)
  }

  @Test("the page size of the format is that of the new file")
  func pageSize() throws {
    let connection = try Connection(
      path: folder.file, mode: .create,
      format: .init(applicationID: 1, version: 1, pageByteCount: 8192), settings: folder.settings())
    let pageByteCount = connection.pageByteCount
    #expect(pageByteCount == 8192)
  }

  @Test("only create makes a file")
  func missing() {
    #expect(failure { () throws(SQLError) in try folder.open(.readWrite) }?.code == .cannotOpen)
    #expect(failure { () throws(SQLError) in try folder.open(.readOnly) }?.code == .cannotOpen)
    #expect(ScratchFolder.names(in: folder.path) == ["tmp"])
  }

  @Test("a path that is empty or holds NUL, and a folder, cannot be opened")
  func badPaths() {
    for path in ["", "/tmp/a\0b", folder.path, folder.path + "/none/x"] {
      let error = failure { () throws(SQLError) in
        try Connection(
          path: path, mode: .create, format: ScratchFolder.format, settings: folder.settings())
      }
      #expect(error?.code == .cannotOpen)
    }
  }

  @Test("another program's file is refused and not changed", arguments: [77, 0])
  func foreign(id: Int32) throws {
    do {
      let other = try Connection(
        path: folder.file, mode: .create, format: .init(applicationID: 77, version: 1),
        settings: folder.settings())
      try other.execute("PRAGMA application_id = \(id); PRAGMA user_version = 0; CREATE TABLE t(a)")
      try other.execute("PRAGMA journal_mode = DELETE")
    }
    let error = failure { () throws(SQLError) in try folder.open(.create) }
    #expect(error?.code == .wrongApplication && error?.path == folder.file)
    #expect(ScratchFolder.names(in: folder.path).sorted() == ["test.sqlite", "tmp"])
  }

  @Test("an empty file is ours only when it may be made")
  func empty() throws {
    ScratchFolder.overwrite(folder.file, at: 0, with: [])
    let error = failure { () throws(SQLError) in try folder.open(.readWrite) }
    #expect(error?.code == .wrongApplication)
    #expect(failure { () throws(SQLError) in try folder.open(.create) } == nil)
  }

  @Test("a file of a newer version is refused, one of an older is told")
  func versions() throws {
    do {
      let connection = try folder.open()
      try connection.write { (transaction) throws(SQLError) in
        try connection.setVersion(4, in: transaction)
      }
    }
    #expect(failure { () throws(SQLError) in try folder.open(.create) }?.code == .newerVersion)
    #expect(failure { () throws(SQLError) in try folder.open(.readOnly) }?.code == .newerVersion)
    let newer = try Connection(
      path: folder.file, mode: .readWrite,
      format: .init(applicationID: ScratchFolder.format.applicationID, version: 5),
      settings: folder.settings())
    let version = newer.version
    #expect(version == 4)
  }

  @Test("a file that is ours and has no version is damaged")
  func noVersion() throws {
    do {
      let connection = try folder.open()
      try connection.write { (transaction) throws(SQLError) in
        try connection.setVersion(0, in: transaction)
      }
    }
    for mode in [Connection.Mode.create, .readWrite, .readOnly] {
      #expect(failure { () throws(SQLError) in try folder.open(mode) }?.code == .corrupt)
    }
  }

  @Test("a file that is no database is refused")
  func notADatabase() {
    ScratchFolder.overwrite(folder.file, at: 0, with: Array("not a database at all\n".utf8))
    ScratchFolder.overwrite(folder.file, at: 4095, with: [0])
    #expect(failure { () throws(SQLError) in try folder.open() }?.code == .notADatabase)
  }

  @Test("a damaged file is told at the latest when the damage is read")
  func damaged() throws {
    do {
      let connection = try folder.open()
      try connection.write { (_) throws(SQLError) in
        try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT) STRICT")
        let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
        for row in 0..<2000 { try insert.run(row, "some text that takes room") }
      }
      #expect(try connection.checkpoint(.truncate).isComplete)
    }
    // The header of the table's first page: its type becomes one that does not exist.
    ScratchFolder.overwrite(folder.file, at: 4096, with: [0xff, 0xff, 0xff, 0xff])
    let connection = try folder.open(.readOnly)
    let error = failure { () throws(SQLError) in
      try connection.prepare("SELECT * FROM t").forEach { _ = $0.int64(0) }
    }
    #expect(error?.code == .corrupt)
    #expect(try connection.quickCheck(problemCountMax: 10).isEmpty == false)
    #expect(try connection.integrityCheck(problemCountMax: 1).count == 1)
  }

  @Test("a sound file passes both checks")
  func sound() throws {
    let connection = try folder.open()
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT UNIQUE) STRICT")
    #expect(try connection.quickCheck(problemCountMax: 10) == [])
    #expect(try connection.integrityCheck(problemCountMax: 10) == [])
  }

  @Test("a read-only connection reads and does not write")
  func readOnly() throws {
    let writer = try folder.open()
    try writer.execute("CREATE TABLE t(a INTEGER) STRICT")
    let reader = try folder.open(.readOnly)
    let isReadOnly = reader.isReadOnly
    #expect(isReadOnly)
    #expect(try number(reader, "SELECT count(*) FROM t") == 0)
    let insert = try reader.prepare("INSERT INTO t VALUES(1)")
    let error = failure { () throws(SQLError) in
      try reader.write { (_) throws(SQLError) in try insert.run() }
    }
    #expect(error?.code == .readOnly)
    #expect(try number(reader, "SELECT count(*) FROM t") == 0)
  }

  @Test("the data version tells of others' commits and not of our own")
  func dataVersion() throws {
    let mine = try folder.open()
    let other = try folder.open()
    let first = try mine.dataVersion()
    try mine.execute("CREATE TABLE t(a INTEGER) STRICT")
    #expect(try mine.dataVersion() == first)
    try other.execute("INSERT INTO t VALUES(1)")
    let second = try mine.dataVersion()
    #expect(second != first)
    #expect(try mine.dataVersion() == second)
  }

  @Test("changes and the last rowid are those of the last statement")
  func changes() throws {
    let connection = try folder.open()
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER) STRICT")
    try connection.write { (_) throws(SQLError) in
      let insert = try connection.prepare("INSERT INTO t VALUES(?, 0)")
      for row in 1...5 { try insert.run(row) }
      let (inserted, rowID) = (connection.changes, connection.lastInsertedRowID)
      #expect(inserted == 1 && rowID == 5)
      try connection.prepare("UPDATE t SET b = 1 WHERE a > 2").run()
      let updated = connection.changes
      #expect(updated == 3)
    }
  }

  @Test("a statement keeps its database open when the connection is gone")
  func orderOfClosing() throws {
    func orphan() throws(SQLError) -> Statement {
      let connection = try folder.open()
      try connection.execute("CREATE TABLE t(a INTEGER) STRICT; INSERT INTO t VALUES(7)")
      return try connection.prepare("SELECT a FROM t")
    }
    let statement = try orphan()
    #expect(try statement.first { $0.int64(0) } == 7)
  }

  @Test("an interrupt stops what runs, not what comes later, and nothing once it is closed")
  func interrupt() throws {
    let interrupter: Interrupter
    do {
      let connection = try folder.open()
      interrupter = connection.interrupter
      interrupter.interrupt()
      let count = try connection.prepare(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
        SELECT i FROM n
        """
      )
      let error = failure { () throws(SQLError) in
        try count.forEach { if $0.int64(0) == 10 { interrupter.interrupt() } }
      }
      #expect(error?.code == .interrupted)
      #expect(try count.forEach { _ in } == 100_000)
    }
    interrupter.interrupt()
  }

  @Test("large sorts use the connection's temporary folder, and leave nothing in it")
  func temporaryFolder() throws {
    func sort(in temporaryFolder: String) -> SQLError? {
      failure { () throws(SQLError) in
        let connection = try folder.open(
          settings: folder.settings(cacheByteCount: 64 * 1024, temporaryFolder: temporaryFolder))
        try connection.execute(
          """
          CREATE TABLE IF NOT EXISTS t(a TEXT) STRICT;
          INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000)
            SELECT hex(randomblob(50)) FROM n;
          CREATE INDEX IF NOT EXISTS byA ON t(a);
          DROP INDEX byA
          """)
        try connection.execute("VACUUM")
      }
    }
    #expect(sort(in: folder.path + "/none")?.code == .cannotOpen)
    #expect(sort(in: folder.temporaryFolder) == nil)
    #expect(ScratchFolder.names(in: folder.temporaryFolder) == [])
  }

  @Test("a temporary folder whose path is too long is refused")
  func longTemporaryFolder() {
    let long = "/" + String(repeating: "x", count: 600)
    let error = failure { () throws(SQLError) in
      try folder.open(settings: folder.settings(temporaryFolder: long))
    }
    #expect(error?.code == .cannotOpen)
  }

  @Test("tables are renamed into place without acting on foreign keys")
  func swap() throws {
    let connection = try folder.open()
    try connection.execute(
      """
      CREATE TABLE parent(id TEXT PRIMARY KEY) STRICT;
      CREATE TABLE child(id INTEGER PRIMARY KEY,
        parent TEXT REFERENCES parent(id) ON DELETE SET NULL) STRICT;
      CREATE VIRTUAL TABLE words USING fts5(word);
      INSERT INTO parent VALUES('a'); INSERT INTO child VALUES(1, 'a');
      CREATE TABLE parent_new(id TEXT PRIMARY KEY) STRICT;
      CREATE TABLE child_new(id INTEGER PRIMARY KEY,
        parent TEXT REFERENCES parent_new(id) ON DELETE SET NULL) STRICT;
      CREATE VIRTUAL TABLE words_new USING fts5(word);
      INSERT INTO parent_new VALUES('b'); INSERT INTO child_new VALUES(2, 'b');
      INSERT INTO words_new VALUES('apple')
      """)
    try connection.withoutForeignKeys { () throws(SQLError) in
      try connection.write { (_) throws(SQLError) in
        for table: SQL.Identifier in ["child", "parent", "words"] {
          try connection.execute("ALTER TABLE \(table) RENAME TO \(table.suffixed("_old"))")
        }
        for table: SQL.Identifier in ["parent", "child", "words"] {
          try connection.execute("ALTER TABLE \(table.suffixed("_new")) RENAME TO \(table)")
        }
      }
    }
    #expect(try number(connection, "PRAGMA foreign_keys") == 1)
    #expect(try connection.prepare("SELECT parent FROM child").map { $0.text(0) } == ["b"])
    #expect(try connection.prepare("SELECT parent FROM child_old").map { $0.text(0) } == ["a"])
    let found = try connection.prepare("SELECT word FROM words WHERE words MATCH ?")
    #expect(try found.map("apple") { $0.text(0) } == ["apple"])
    try connection.write { (_) throws(SQLError) in
      try connection.execute("DELETE FROM parent")
    }
    #expect(try connection.prepare("SELECT parent FROM child").first { $0.isNull(0) } == true)
  }

  @Test("foreign keys come back when the body fails")
  func withoutForeignKeysFails() throws {
    let connection = try folder.open()
    #expect(throws: LayerError.refused) {
      try connection.withoutForeignKeys { () throws(LayerError) in throw .refused }
    }
    #expect(try number(connection, "PRAGMA foreign_keys") == 1)
  }
}
