import Glibc
import LarderSQL
import Testing

@Suite("Checkpoints and copies")
struct UpkeepTests {
  let folder = ScratchFolder()

  private func openWithRows(_ count: Int) throws(SQLError) -> Connection {
    let connection = try folder.open()
    try connection.write { (_) throws(SQLError) in
      try connection.execute("CREATE TABLE IF NOT EXISTS t(a INTEGER PRIMARY KEY, b BLOB) STRICT")
      let insert = try connection.prepare("INSERT INTO t(b) VALUES(?)")
      for _ in 0..<count { try insert.run([UInt8](repeating: 1, count: 3000)) }
    }
    return connection
  }

  private func count(_ connection: borrowing Connection) throws(SQLError) -> Int64? {
    try connection.prepare("SELECT count(*) FROM t").first { $0.int64(0) }
  }

  @Test("nothing moves the WAL but a checkpoint, not even the last close")
  func noAutomaticCheckpoint() throws {
    do {
      let connection = try openWithRows(3000)
      let byteCount = connection.walByteCount
      #expect(byteCount > 3000 * 3000)
      var status = stat()
      // The path is a string that lives for the call; the WAL is looked at, not opened.
      #expect(unsafe stat(folder.file + "-wal", &status) == 0)
      #expect(Int(status.st_size) == byteCount)
    }
    #expect(ScratchFolder.names(in: folder.path).contains("test.sqlite-wal"))
    let connection = try folder.open(.readWrite)
    #expect(try count(connection) == 3000)
    let passive = try connection.checkpoint(.passive)
    #expect(passive.isComplete && passive.walFrameCount > 2000 && !passive.isBlocked)
    #expect(passive.movedFrameCount == passive.walFrameCount)
    let truncate = try connection.checkpoint(.truncate)
    #expect(truncate.isComplete && truncate.walFrameCount == 0)
    let byteCount = connection.walByteCount
    #expect(byteCount == 0)
  }

  @Test("a reader blocks a truncating checkpoint, which says so and is no error")
  func blocked() throws {
    let connection = try openWithRows(10)
    let reader = try folder.open(.readOnly)
    try reader.read { () throws(SQLError) in
      _ = try count(reader)
      try connection.write { (_) throws(SQLError) in
        try connection.execute("DELETE FROM t WHERE a = 1")
      }
      let passive = try connection.checkpoint(.passive)
      #expect(!passive.isComplete && !passive.isBlocked)
      #expect(passive.movedFrameCount < passive.walFrameCount)
      let truncate = try connection.checkpoint(.truncate)
      #expect(truncate.isBlocked && !truncate.isComplete)
    }
    #expect(try connection.checkpoint(.truncate).isComplete)
  }

  @Test("a checkpoint that cuts at once waits for no reader, and waits as before afterwards")
  func atOnce() throws {
    _ = try openWithRows(10)
    let connection = try folder.open(
      .readWrite, settings: folder.settings(busyMillisecondsMax: .max))
    let reader = try folder.open(.readOnly)
    try reader.read { () throws(SQLError) in
      _ = try count(reader)
      let blocked = try connection.checkpoint(.truncateAtOnce)
      #expect(blocked.isBlocked && !blocked.isComplete)
    }
    let waiting = try connection.prepare("PRAGMA busy_timeout").first { $0.int64(0) }
    #expect(waiting == Int64(Int32.max))
    let free = try connection.checkpoint(.truncateAtOnce)
    #expect(free.isComplete && free.walFrameCount == 0)
    #expect(try count(connection) == 10)
  }

  @Test("a copy is one whole file with what is in the WAL")
  func backup() throws {
    let connection = try openWithRows(500)
    let copy = folder.path + "/copy.sqlite"
    var steps: [Connection.BackupProgress] = []
    try connection.backup(to: copy, pagesPerStep: 100) { progress in
      steps.append(progress)
      return true
    }
    #expect(steps.count == 6 && steps.last?.remainingPageCount == 0)
    #expect(steps.first.map { $0.pageCount - $0.remainingPageCount } == 100)
    #expect(!ScratchFolder.names(in: folder.path).contains { $0.hasPrefix("copy.sqlite-") })
    let opened = try Connection(
      path: copy, mode: .readOnly, format: ScratchFolder.format, settings: folder.settings())
    #expect(try count(opened) == 500)
    #expect(try opened.integrityCheck(problemCountMax: 1) == [])
  }

  @Test("a copy holds one state although others write meanwhile")
  func backupOfOneState() throws {
    let connection = try openWithRows(200)
    let other = try folder.open()
    let insert = try other.prepare("INSERT INTO t(b) VALUES(?)")
    let copy = folder.path + "/copy.sqlite"
    var stepCount = 0
    try connection.backup(to: copy, pagesPerStep: 10) { _ in
      stepCount += 1
      let error = failure { () throws(SQLError) in
        try other.write { (_) throws(SQLError) in try insert.run([1]) }
      }
      return error == nil
    }
    #expect(stepCount > 15 && stepCount < 40)
    let opened = try Connection(
      path: copy, mode: .readOnly, format: ScratchFolder.format, settings: folder.settings())
    #expect(try count(opened) == 200)
    #expect(try count(connection) == Int64(200 + stepCount))
  }

  @Test("a copy can be stopped, and never overwrites a file")
  func backupRefuses() throws {
    let connection = try openWithRows(100)
    let copy = folder.path + "/copy.sqlite"
    let stopped = failure { () throws(SQLError) in
      try connection.backup(to: copy, pagesPerStep: 10) { _ in false }
    }
    #expect(stopped?.code == .interrupted)
    let exists = failure { () throws(SQLError) in
      try connection.backup(to: folder.file, pagesPerStep: 10) { _ in true }
    }
    #expect(exists?.code == .cannotOpen)
    let nowhere = failure { () throws(SQLError) in
      try connection.backup(to: folder.path + "/none/copy", pagesPerStep: 10) { _ in true }
    }
    #expect(nowhere?.code == .cannotOpen)
    #expect(try count(connection) == 100)
    try connection.write { _ in }
  }
}
