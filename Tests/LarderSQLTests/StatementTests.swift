import LarderHash
import LarderSQL
import Testing

@Suite("Statement")
struct StatementTests {
  let folder = ScratchFolder()

  /// Stores a value in a column of any type and reads it back.
  private func roundTrip<Value>(
    _ bind: (inout StatementValues) -> Void, _ read: (borrowing Row) -> Value
  ) throws(SQLError) -> Value? {
    let connection = try folder.open()
    try connection.execute("CREATE TABLE IF NOT EXISTS v(x ANY) STRICT; DELETE FROM v")
    try connection.write { (_) throws(SQLError) in
      try connection.prepare("INSERT INTO v VALUES(?)").run(bind)
    }
    return try connection.prepare("SELECT x, typeof(x), length(x) FROM v").first(row: read)
  }

  private func roundTrip<Value: SQLBindable, Result>(
    _ value: Value, _ read: (borrowing Row) -> Result
  ) throws(SQLError) -> Result? {
    try roundTrip({ $0.bind(value) }, read)
  }

  @Test("integers keep all 64 bits", arguments: [Int64.min, -1, 0, 1, .max])
  func integers(value: Int64) throws {
    #expect(try roundTrip(value) { $0.int64(0) } == value)
    #expect(try roundTrip(Int(value)) { $0.int(0) } == Int(value))
    #expect(try roundTrip(Optional(value)) { $0.optionalInt64(0) } == value)
    #expect(try roundTrip(Int32(truncatingIfNeeded: value)) { $0.optionalInt(0) } != .some(nil))
  }

  @Test("a flag is 1 or 0", arguments: [true, false])
  func flags(value: Bool) throws {
    #expect(try roundTrip(value) { $0.bool(0) } == value)
    #expect(try roundTrip(value) { $0.int64(0) } == (value ? 1 : 0))
  }

  @Test(
    "text keeps every byte",
    arguments: [("", 1), ("a", 1), ("a\0b", 1), ("\0", 1), ("Käse 🧀", 1), ("long ", 20_000)])
  func texts(part: String, count: Int) throws {
    let value = String(repeating: part, count: count)
    #expect(try roundTrip(value) { $0.text(0) } == value)
    #expect(try roundTrip(Optional(value)) { $0.optionalText(0) } == value)
    #expect(try roundTrip(value) { $0.text(1) } == "text")
    let byteCount = try roundTrip({ $0.bind(text: Array(value.utf8).span) }) { row in
      row.withText(0) { $0.count }
    }
    #expect(byteCount == value.utf8.count)
  }

  @Test("blobs keep every byte", arguments: [0, 1, 255, 256, 257, 65_536, 3_000_000])
  func blobs(count: Int) throws {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    #expect(try roundTrip(value) { $0.blob(0) } == value)
    #expect(try roundTrip({ $0.bind(blob: value.span) }) { $0.optionalBlob(0) } == value)
    #expect(try roundTrip(value) { $0.text(1) } == "blob")
    let last = try roundTrip(value) { row in row.withBlob(0) { $0.isEmpty ? nil : $0[$0.count - 1] }
    }
    #expect(last == .some(value.last))
  }

  @Test("fixed bytes are blobs in their order")
  func fixedBytes() throws {
    let half = Bytes16(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
    let whole = Bytes32(front: half, back: Bytes16(high: .max, low: 1))
    #expect(try roundTrip(half) { $0.bytes16(0) } == half)
    #expect(try roundTrip(half) { $0.blob(0) } == half.bytes)
    #expect(try roundTrip(Optional(half)) { $0.optionalBytes16(0) } == half)
    #expect(try roundTrip(whole) { $0.bytes32(0) } == whole)
    #expect(try roundTrip(whole) { $0.blob(0) } == whole.bytes)
    #expect(try roundTrip(Optional(whole)) { $0.optionalBytes32(0) } == whole)
  }

  @Test("NULL is nil, and neither an empty text nor an empty blob is NULL")
  func null() throws {
    #expect(try roundTrip({ $0.bindNull() }) { $0.isNull(0) } == true)
    #expect(try roundTrip(Int64?.none) { $0.optionalInt64(0) } == .some(nil))
    #expect(try roundTrip(String?.none) { $0.optionalText(0) } == .some(nil))
    #expect(try roundTrip([UInt8]?.none) { $0.optionalBlob(0) } == .some(nil))
    #expect(try roundTrip(Bytes16?.none) { $0.optionalBytes16(0) } == .some(nil))
    #expect(try roundTrip(Bytes32?.none) { $0.optionalBytes32(0) } == .some(nil))
    #expect(try roundTrip("") { $0.isNull(0) } == false)
    #expect(try roundTrip([UInt8]()) { $0.isNull(0) } == false)
  }

  @Test("many texts of one row grow the memory they are kept in without moving any")
  func growingRow() throws {
    let connection = try folder.open()
    try connection.execute(
      "CREATE TABLE w(a TEXT, b TEXT, c TEXT, d TEXT, e TEXT, f BLOB) STRICT")
    let insert = try connection.prepare("INSERT INTO w VALUES(?, ?, ?, ?, ?, ?)")
    let select = try connection.prepare("SELECT * FROM w ORDER BY rowid DESC LIMIT 1")
    for factor in [1, 100, 2, 20_000, 1] {
      let texts = ["a", "b", "c", "d", "e"].map { String(repeating: $0, count: 50 * factor) }
      let blob = [UInt8](repeating: 9, count: 60 * factor)
      try connection.write { (_) throws(SQLError) in
        try insert.run(texts[0], texts[1], texts[2], texts[3], texts[4], blob)
      }
      let stored = try select.first { row in ((0..<5).map { row.text($0) }, row.blob(5)) }
      #expect(stored?.0 == texts && stored?.1 == blob)
    }
  }

  @Test("a statement is good again after a step that failed")
  func reuseAfterFailure() throws {
    let connection = try folder.open()
    try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT NOT NULL) STRICT")
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
    try connection.write { (_) throws(SQLError) in
      try insert.run(1, "one")
      let twice = failure { () throws(SQLError) in try insert.run(1, "secret") }
      #expect(twice?.code == .constraint && twice?.resultCode == 1555)
      #expect(twice?.message == "UNIQUE constraint failed: t.a")
      #expect(twice?.operation == "INSERT INTO t VALUES(?, ?)")
      let none = failure { () throws(SQLError) in try insert.run(2, String?.none) }
      #expect(none?.code == .constraint)
      let wrong = failure { () throws(SQLError) in try insert.run("secret", "x") }
      #expect(wrong?.code == .constraint && wrong.map { !"\($0)".contains("secret") } == true)
      try insert.run(2, "two")
    }
    let rows = try connection.prepare("SELECT b FROM t ORDER BY a").map { $0.text(0) }
    #expect(rows == ["one", "two"])
  }

  @Test("no bound value gets into an error")
  func errorsHoldNoValues() throws {
    let connection = try folder.open()
    try connection.execute("CREATE VIRTUAL TABLE f USING fts5(x)")
    let search = try connection.prepare("SELECT x FROM f WHERE f MATCH ?")
    let json = try connection.prepare("SELECT json_extract('{}', ?)")
    for error in [
      failure { () throws(SQLError) in try search.forEach("\"secret") { _ in } },
      failure { () throws(SQLError) in try search.forEach("secret: *") { _ in } },
      failure { () throws(SQLError) in try json.forEach("secret") { _ in } },
    ] {
      let error = try #require(error)
      #expect(error.code == .refused && !"\(error)".contains("secret"))
    }
  }

  @Test("a value beyond the limit is refused and the statement is good again")
  func tooBig() throws {
    let connection = try folder.open(settings: folder.settings(valueByteCountMax: 1000))
    try connection.execute("CREATE TABLE t(a TEXT, b BLOB) STRICT")
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
    try connection.write { (_) throws(SQLError) in
      let long = String(repeating: "x", count: 1001)
      let text = failure { () throws(SQLError) in try insert.run(long, [UInt8]()) }
      #expect(text?.code == .tooBig)
      let blob = failure { () throws(SQLError) in
        try insert.run("", [UInt8](repeating: 0, count: 1001))
      }
      #expect(blob?.code == .tooBig)
      try insert.run("x", [1])
    }
    #expect(try connection.prepare("SELECT a FROM t").map { $0.text(0) } == ["x"])
  }

  @Test("SQL that does not fit the schema is refused")
  func refused() throws {
    let connection = try folder.open()
    let error = failure { () throws(SQLError) in try connection.prepare("SELECT a FROM absent") }
    #expect(error?.code == .refused)
    #expect(error?.message == "no such table: absent")
    #expect(error?.operation == "SELECT a FROM absent")
    let script = failure { () throws(SQLError) in try connection.execute("CREATE nonsense") }
    #expect(script?.code == .refused)
  }

  @Test("a prepared statement survives a change of the schema")
  func schemaChange() throws {
    let connection = try folder.open()
    try connection.execute("CREATE TABLE t(a INTEGER) STRICT; INSERT INTO t VALUES(1)")
    let select = try connection.prepare("SELECT * FROM t")
    #expect(try select.map { $0.columnCount } == [1])
    try connection.execute("ALTER TABLE t ADD COLUMN b INTEGER")
    #expect(try select.map { $0.columnCount } == [2])
  }

  @Test("too few values are a programmer error")
  func tooFewValues() async {
    await #expect(processExitsWith: .failure) {
      let connection = try ScratchFolder().open()
      try connection.prepare("SELECT ?, ?").forEach(1) { _ in }
    }
  }

  @Test("too many values are a programmer error")
  func tooManyValues() async {
    await #expect(processExitsWith: .failure) {
      let connection = try ScratchFolder().open()
      try connection.prepare("SELECT ?").forEach(1, 2) { _ in }
    }
  }

  @Test("exchanging the values of two statements is a programmer error")
  func exchangedValues() async {
    await #expect(processExitsWith: .failure) {
      let connection = try ScratchFolder().open()
      let outer = try connection.prepare("SELECT ?")
      let inner = try connection.prepare("SELECT ?")
      try outer.run { outerValues in
        _ = failure { () throws(SQLError) in
          try inner.run { innerValues in
            innerValues.bind(1)
            outerValues.bind(2)
            swap(&innerValues, &outerValues)
          }
        }
      }
    }
  }

  @Test("two statements in one text are a programmer error")
  func twoStatements() async {
    await #expect(processExitsWith: .failure) {
      let connection = try ScratchFolder().open()
      _ = try connection.prepare("SELECT 1; SELECT 2")
    }
  }

  @Test("running a statement inside its own rows is a programmer error")
  func reentrant() async {
    await #expect(processExitsWith: .failure) {
      let connection = try ScratchFolder().open()
      let select = try connection.prepare("SELECT 1")
      try select.forEach { (_) throws(SQLError) in try select.forEach { _ in } }
    }
  }
}

@Suite("Rows")
struct RowTests {
  let folder = ScratchFolder()

  private func openWithNumbers(_ count: Int) throws(SQLError) -> Connection {
    let connection = try folder.open()
    try connection.write { (_) throws(SQLError) in
      try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b ANY) STRICT")
      let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
      for number in 0..<count { try insert.run(number, number) }
    }
    return connection
  }

  @Test("every row is seen once, in order")
  func forEach() throws {
    let connection = try openWithNumbers(5)
    let select = try connection.prepare("SELECT a FROM t WHERE a >= ? ORDER BY a")
    var seen: [Int] = []
    let count = try select.forEach(2) { seen.append($0.int(0)) }
    #expect(seen == [2, 3, 4] && count == 3)
    #expect(try select.forEach(9) { _ in } == 0)
    #expect(try select.map(3) { $0.int(0) } == [3, 4])
  }

  @Test("a walk ends when its body says so")
  func walk() throws {
    let connection = try openWithNumbers(5)
    let select = try connection.prepare("SELECT a FROM t ORDER BY a")
    var sum = 0
    let isAtEnd = try select.walk { row in
      sum += row.int(0)
      return sum < 3
    }
    #expect(!isAtEnd && sum == 3)
    #expect(try select.walk { _ in true })
  }

  @Test("the first row, or nil")
  func first() throws {
    let connection = try openWithNumbers(5)
    let select = try connection.prepare("SELECT b FROM t WHERE a = ?")
    #expect(try select.first(4) { $0.int(0) } == 4)
    #expect(try select.first(5) { $0.int(0) } == nil)
  }

  @Test("a body's own error ends the walk, and the statement is good again")
  func bodyThrows() throws {
    let connection = try openWithNumbers(5)
    let select = try connection.prepare("SELECT a FROM t")
    var count = 0
    #expect(throws: LayerError.refused) {
      try select.forEach { (_) throws(LayerError) in
        count += 1
        if count == 2 { throw LayerError.refused }
      }
    }
    #expect(count == 2)
    #expect(try select.forEach { _ in } == 5)
  }

  @Test("statements run inside the rows of others")
  func nested() throws {
    let connection = try openWithNumbers(3)
    let outer = try connection.prepare("SELECT a FROM t ORDER BY a")
    let inner = try connection.prepare("SELECT sum(a) FROM t WHERE a <= ?")
    let sums = try outer.map { (row) throws(SQLError) in
      try inner.first(row.int64(0)) { $0.int(0) } ?? -1
    }
    #expect(sums == [0, 1, 3])
  }

  @Test("rows that a statement returns while writing are seen")
  func returning() throws {
    let connection = try openWithNumbers(3)
    let numbers = try connection.write { (_) throws(SQLError) in
      try connection.prepare("DELETE FROM t WHERE a > ? RETURNING a").map(0) { $0.int(0) }
    }
    #expect(numbers.sorted() == [1, 2])
  }

  @Test("a column of another type is told as damage", arguments: 0..<8)
  func mismatch(reader: Int) throws {
    let connection = try openWithNumbers(0)
    let insert = try connection.prepare("INSERT INTO t VALUES(1, ?)")
    try connection.write { (_) throws(SQLError) in
      switch reader {
      case 0, 1: try insert.run("a text")
      case 2, 3: try insert.run(7)
      case 4: try insert.run([1, 2, 3])
      case 5: try insert.run([UInt8](repeating: 0, count: 31))
      case 6: try insert.run(Int64?.none)
      default: try insert.run { $0.bind(text: ([0x61, 0xff] as [UInt8]).span) }
      }
    }
    let select = try connection.prepare("SELECT b FROM t")
    let error = failure { () throws(SQLError) in
      try select.forEach { row in
        switch reader {
        case 0: #expect(row.int64(0) == 0)
        case 1: #expect(row.optionalBlob(0) == [])
        case 2: #expect(row.text(0) == "")
        case 3: #expect(row.withText(0) { $0.count } == 0)
        case 4: #expect(row.bytes16(0) == .zero)
        case 5: #expect(row.bytes32(0).front == .zero)
        case 6: #expect(row.int64(0) == 0)
        default: #expect(row.text(0) == "")
        }
      }
    }
    #expect(error?.code == .corrupt && error?.operation == "SELECT b FROM t")
    #expect(error?.message.hasPrefix("column 0 does not hold ") == true)
    #expect(try select.forEach { _ in } == 1)
  }

  @Test("a reader refuses a number it cannot use")
  func reject() throws {
    let connection = try openWithNumbers(3)
    let error = failure { () throws(SQLError) in
      try connection.prepare("SELECT a FROM t").map { row in
        let number = row.int(0)
        if number > 1 { row.reject(0, "0 or 1") }
        return number
      }
    }
    #expect(error?.code == .corrupt && error?.message == "column 0 does not hold 0 or 1")
  }

  @Test("a column that is not there is a programmer error")
  func noSuchColumn() async {
    await #expect(processExitsWith: .failure) {
      let connection = try ScratchFolder().open()
      try connection.prepare("SELECT 1").forEach { _ = $0.int64(1) }
    }
  }
}
