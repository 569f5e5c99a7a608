import LarderSQL
import Testing

@Suite("Transactions")
struct TransactionTests {
  let folder = ScratchFolder()

  private func openWithTable(
    _ settings: Connection.Settings? = nil
  ) throws(SQLError) -> Connection {
    let connection = try folder.open(settings: settings)
    try connection.execute("CREATE TABLE IF NOT EXISTS t(a INTEGER PRIMARY KEY, b BLOB) STRICT")
    return connection
  }

  private func count(_ connection: borrowing Connection) throws(SQLError) -> Int64? {
    try connection.prepare("SELECT count(*) FROM t").first { $0.int64(0) }
  }

  @Test("what the body wrote is there when it returns, also for others")
  func commits() throws {
    let connection = try openWithTable()
    let insert = try connection.prepare("INSERT INTO t(a) VALUES(?)")
    let result = try connection.write { (_) throws(SQLError) -> Int in
      try insert.run(1)
      return 42
    }
    #expect(result == 42)
    #expect(try count(connection) == 1)
    #expect(try count(try folder.open(.readOnly)) == 1)
    let isInTransaction = connection.isInTransaction
    #expect(!isInTransaction)
  }

  @Test("a body that throws leaves nothing behind, and the connection is as good as before")
  func rollsBack() throws {
    let connection = try openWithTable()
    let insert = try connection.prepare("INSERT INTO t(a) VALUES(?)")
    #expect(throws: LayerError.refused) {
      try connection.write { (_) throws(LayerError) in
        try LayerError.wrapping { () throws(SQLError) in try insert.run(1) }
        throw LayerError.refused
      }
    }
    #expect(try count(connection) == 0)
    try connection.write { (_) throws(SQLError) in try insert.run(1) }
    #expect(try count(connection) == 1)
  }

  @Test("a second writer is told busy after its wait, with nothing changed")
  func busy() throws {
    let first = try openWithTable()
    let second = try folder.open(settings: folder.settings(busyMillisecondsMax: 20))
    try first.write { (_) throws(SQLError) in
      let error = failure { () throws(SQLError) in try second.write { _ in } }
      #expect(error?.code == .busy && error?.operation == "BEGIN IMMEDIATE")
      #expect(failure { () throws(SQLError) in try second.read {} } == nil)
    }
    try second.write { _ in }
  }

  @Test("an error of the layer above carries the failure of begin and commit")
  func layerError() throws {
    let first = try openWithTable()
    let second = try folder.open()
    _ = try first.write { (_) throws(SQLError) in
      #expect(throws: LayerError.sql(.busy)) {
        try second.write { (_) throws(LayerError) -> Void in throw LayerError.refused }
      }
    }
  }

  @Test("a read transaction sees one state while others write")
  func readsOneState() throws {
    let writer = try openWithTable()
    let reader = try folder.open(.readOnly)
    try reader.read { () throws(SQLError) in
      #expect(try count(reader) == 0)
      try writer.write { (_) throws(SQLError) in
        try writer.execute("INSERT INTO t(a) VALUES(1)")
      }
      #expect(try count(reader) == 0)
    }
    #expect(try count(reader) == 1)
    #expect(throws: LayerError.refused) {
      try reader.read { () throws(LayerError) in throw LayerError.refused }
    }
    #expect(try count(reader) == 1)
  }

  @Test("a full file fails in the statement or the commit, and everything is rolled back")
  func full() throws {
    let connection = try openWithTable()
    try connection.execute("PRAGMA max_page_count = 20")
    let insert = try connection.prepare("INSERT INTO t(b) VALUES(?)")
    let block = [UInt8](repeating: 7, count: 10_000)
    let error = failure { () throws(SQLError) in
      try connection.write { (_) throws(SQLError) in
        for _ in 0..<50 { try insert.run(block) }
      }
    }
    #expect(error?.code == .full)
    #expect(try count(connection) == 0)
    try connection.write { (_) throws(SQLError) in try insert.run([1]) }
    #expect(try count(connection) == 1)
  }

  @Test("going on after SQLite rolled back commits nothing")
  func goesOnAfterRollback() throws {
    let connection = try openWithTable()
    let insert = try connection.prepare("INSERT INTO t(a) VALUES(?)")
    let endless = try connection.prepare(
      """
      INSERT INTO t(a) WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT 9)
        SELECT i FROM n WHERE CASE i WHEN 15 THEN json('{') ELSE 1 END RETURNING a
      """)
    // An error inside a statement undoes the statement alone.
    try connection.write { (_) throws(SQLError) in
      try insert.run(1)
      let error = failure { () throws(SQLError) in try endless.run() }
      #expect(error?.code == .refused)
      try insert.run(2)
    }
    #expect(try count(connection) == 2)
    // An interrupt of a write undoes the transaction, whatever the body makes of it.
    let interrupter = connection.interrupter
    let error = failure { () throws(SQLError) in
      try connection.write { (_) throws(SQLError) in
        try insert.run(3)
        let rows = try connection.prepare("SELECT a FROM t")
        let error = failure { () throws(SQLError) in
          try rows.forEach { (_) throws(SQLError) in
            interrupter.interrupt()
            try insert.run(4)
          }
        }
        #expect(error?.code == .interrupted)
        let later = failure { () throws(SQLError) in try insert.run(5) }
        #expect(later?.code == .rolledBack)
        let script = failure { () throws(SQLError) in
          try connection.execute("INSERT INTO t(a) VALUES(6)")
        }
        #expect(script?.code == .rolledBack)
      }
    }
    #expect(error?.code == .rolledBack)
    #expect(try connection.prepare("SELECT a FROM t").map { $0.int64(0) } == [1, 2])
    try connection.write { (_) throws(SQLError) in try insert.run(7) }
    #expect(try count(connection) == 3)
  }

  @Test("a deferred foreign key fails the commit, and everything is rolled back")
  func commitFails() throws {
    let connection = try folder.open()
    try connection.execute(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE c(id INTEGER PRIMARY KEY,
        p INTEGER REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED) STRICT
      """)
    let insert = try connection.prepare("INSERT INTO c VALUES(?, ?)")
    let error = failure { () throws(SQLError) in
      try connection.write { (_) throws(SQLError) in try insert.run(1, 99) }
    }
    #expect(error?.code == .constraint && error?.operation == "COMMIT")
    #expect(try connection.prepare("SELECT id FROM c").first { $0.int64(0) } == nil)
    try connection.write { (_) throws(SQLError) in
      try insert.run(1, 99)
      try connection.execute("INSERT INTO p VALUES(99)")
    }
    #expect(try connection.prepare("SELECT id FROM c").first { $0.int64(0) } == 1)
  }

  @Test("a transaction in a transaction is a programmer error")
  func nested() async {
    await #expect(processExitsWith: .failure) {
      let folder = ScratchFolder()
      let connection = try folder.open()
      try connection.write { (_) throws(SQLError) in try connection.read {} }
    }
  }

  @Test("writing outside of a write transaction is a programmer error")
  func unprotectedWrite() async {
    await #expect(processExitsWith: .failure) {
      let folder = ScratchFolder()
      let connection = try folder.open()
      try connection.execute("CREATE TABLE t(a INTEGER) STRICT")
      let insert = try connection.prepare("INSERT INTO t VALUES(1)")
      try connection.read { () throws(SQLError) in try insert.run() }
    }
  }
}
