import LarderSQL
import Testing

@Suite("SQL")
struct SQLTests {
  @Test("a literal is taken as it is")
  func literal() {
    let sql: SQL = "SELECT 'ä' FROM t"
    #expect(sql.text == "SELECT 'ä' FROM t")
  }

  @Test("identifiers are quoted, numbers are digits, SQL is taken over")
  func interpolation() {
    let table: SQL.Identifier = "MealEntries"
    let columns: SQL = "id, size"
    let sql: SQL = "SELECT \(columns) FROM \(table.suffixed("_new")) LIMIT \(Int64.min)"
    #expect(
      sql.text == "SELECT id, size FROM \"MealEntries_new\" LIMIT -9223372036854775808")
    #expect(SQL(trusted: "SELECT 1").text == "SELECT 1")
  }

  @Test(
    "other text is no identifier",
    arguments: ["", "1a", "a b", "a\"", "ä", "a;", "a\0", String(repeating: "a", count: 65)])
  func refused(name: String) {
    #expect(SQL.Identifier(name) == nil)
  }

  @Test("letters, digits and underscores make an identifier", arguments: ["a", "_1", "Zz9_"])
  func accepted(name: String) {
    #expect(SQL.Identifier(name)?.name == name)
  }
}

@Suite("SQLError")
struct SQLErrorTests {
  @Test("says code, operation, message, number and file")
  func description() {
    let error = SQLError(
      code: .full, operation: "COMMIT", resultCode: 13, message: "disk full", path: "/a.sqlite")
    #expect("\(error)" == "full: COMMIT: disk full (SQLite 13, /a.sqlite)")
    #expect(error == SQLError(sql: error))
    #expect(error.code != .busy)
  }

  @Test("is wrapped in the error of the layer above")
  func wrapping() {
    let error = SQLError(code: .busy, operation: "", resultCode: 5, message: "", path: "")
    #expect(throws: LayerError.sql(.busy)) {
      try LayerError.wrapping { () throws(SQLError) -> Int in throw error }
    }
  }
}
