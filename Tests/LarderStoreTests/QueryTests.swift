import Foundation
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Queries")
struct QueryTests {
  private func answer(
    _ sample: SampleStore, _ sql: String, _ arguments: [SQLValue] = [],
    isStopped: @escaping () -> Bool = { false }
  ) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try StoreQuery(at: sample.paths, waitMilliseconds: 1000).run(
      sql, arguments, isStopped: isStopped, columns: { _ in }
    ) {
      rows.append($0)
      return true
    }
    return rows
  }

  private func filled() throws -> (SampleStore, Store) {
    let sample = SampleStore()
    sample.schema = .water
    let store = try sample.create()
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    return (sample, store)
  }

  // [QUERY-1]
  @Test(
    "everything but reading promised tables is refused, and nothing changes",
    arguments: [
      "INSERT INTO MealEntries(id) VALUES ('x')", "UPDATE MealEntries SET title = 'x'",
      "DELETE FROM NutritionLogs", "REPLACE INTO MealEntries(id) VALUES ('x')",
      "WITH x AS (SELECT 1) DELETE FROM MealEntries", "CREATE TABLE t(x)",
      "CREATE TEMP TABLE t(x)", "CREATE VIEW v AS SELECT 1", "DROP TABLE MealEntries",
      "ALTER TABLE MealEntries RENAME TO x", "PRAGMA user_version", "PRAGMA user_version = 7",
      "PRAGMA writable_schema = 1", "ATTACH ':memory:' AS other", "DETACH main", "VACUUM",
      "VACUUM INTO '/tmp/x'", "REINDEX", "ANALYZE", "BEGIN", "COMMIT", "SAVEPOINT a",
      "EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT * FROM MealEntries",
      "SELECT * FROM _tail", "SELECT * FROM \"_TAIL\"", "SELECT * FROM main._device",
      "SELECT * FROM sqlite_schema", "SELECT * FROM sqlite_master",
      "SELECT * FROM pragma_table_info('MealEntries')", "SELECT * FROM dbstat",
      "SELECT * FROM sqlite_dbpage", "SELECT (SELECT payload FROM _tail LIMIT 1)",
      "SELECT e.id FROM MealEntries e JOIN _tail t ON 1",
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM _tail)",
      "WITH t AS (SELECT * FROM _tail) SELECT * FROM t", "SELECT random()", "SELECT randomblob(9)",
      "SELECT load_extension('x')", "SELECT readfile('/etc/passwd')", "SELECT zeroblob(1000000000)",
      "SELECT sqlite_version()", "SELECT fts5('x')", "SELECT * FROM generate_series(1, 2)",
      "SELECT 1; DELETE FROM MealEntries", "SELECT 1; SELECT 2", "", "   ", "-- nothing", ";",
      "SELECT \u{0} 1", "SELECT", "SELECT nothing FROM MealEntries", "SELECT \"text\"",
      "SELECT ?", "SELECT 1 FROM nowhere",
    ])
  func refused(sql: String) throws {
    let (sample, _) = try filled()
    let before = try sample.contents()
    let error = #expect(throws: StoreError.self) { try answer(sample, sql) }
    #expect(error?.code == .refused, "\(String(describing: error))")
    #expect(error?.subject.isEmpty == false)
    #expect(try sample.contents() == before)
  }

  // [QUERY-1]
  @Test(
    "reading promised tables and views is let through, in all ways SQL has",
    arguments: [
      "SELECT count(*) FROM NutritionLogs", "select COUNT(*) from nutritionlogs /* all */ ; -- x",
      "SELECT count(*) FROM Diary", "SELECT items FROM DaySums", "SELECT items FROM WeekSums",
      "WITH n AS (SELECT * FROM NutritionLogs) SELECT count(*) FROM n",
      "SELECT count(*) OVER () FROM NutritionLogs LIMIT 1",
      "SELECT count(*) FROM NutritionLogs WHERE mealEntryId IN (SELECT id FROM MealEntries)",
      "SELECT 3 FROM MealEntries UNION SELECT 3 FROM NutritionLogs", "VALUES (3)",
      "SELECT sum(value) FROM json_each('[1,2]')", "SELECT uses + 2 FROM RecentFoods LIMIT 1",
      "SELECT count(*) FROM NutritionLogs WHERE date(day, '+1 day') > '2026-05-02'",
      "SELECT length('\u{e9}\u{1f35e}x') AS \"g\u{e9}teau\"",
      "SELECT count(*) + 3 FROM water_Log",
    ])
  func allowed(sql: String) throws {
    let (sample, _) = try filled()
    #expect(try answer(sample, sql) == [[.integer(3)]])
  }

  // [QUERY-2]
  @Test("values of every kind go in and come out")
  func values() throws {
    let (sample, _) = try filled()
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(1.5), .text("a\u{0}b'\""), .text(""),
      .blob([0, 255]), .blob([]),
    ]
    #expect(try answer(sample, "SELECT ?, ?, ?, ?, ?, ?, ?, ?", values) == [values])
    let few = #expect(throws: StoreError.self) { try answer(sample, "SELECT ?, ?", [.null]) }
    #expect(few?.code == .refused)
    // Columns that are not promised have no value.
    #expect(
      try answer(sample, "SELECT _key, uses FROM RecentFoods LIMIT 1") == [[.null, .integer(1)]])
  }

  // [QUERY-3]
  @Test("a query without an end is stopped, and one too large fails", arguments: [0, 1])
  func stopped(kind: Int) throws {
    let (sample, store) = try filled()
    if kind == 0 {
      var questions = 0
      let error = #expect(throws: StoreError.self) {
        try answer(
          sample,
          "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(x) FROM n",
          isStopped: {
            questions += 1
            return questions > 20
          })
      }
      #expect(error?.code == .interrupted)
    } else {
      let error = #expect(throws: StoreError.self) {
        try answer(sample, "SELECT replace(printf('%.1000000c', 'x'), 'x', printf('%.99c', 'x'))")
      }
      #expect(error != nil)
    }
    _ = try sample.append(try sample.meal(sample.stream(2)), to: store)
    #expect(try answer(sample, "SELECT count(*) FROM MealEntries") == [[.integer(2)]])
  }

  // [QUERY-3]
  @Test("a query reads one state while others write, and holds nobody up")
  func besideWriting() throws {
    let (sample, store) = try filled()
    var counts: [Int64] = []
    try StoreQuery(at: sample.paths, waitMilliseconds: 1000).run(
      "SELECT (SELECT count(*) FROM MealEntries) FROM NutritionLogs", [],
      isStopped: { false }, columns: { _ in }
    ) { values in
      if case .integer(let count) = values[0] { counts.append(count) }
      _ = try sample.append(
        try sample.meal(sample.stream(UInt64(10 + counts.count))), to: store)
      return counts.count < 50
    }
    #expect(counts == [1, 1, 1])
    #expect(try answer(sample, "SELECT count(*) FROM MealEntries") == [[.integer(4)]])
  }

  // [QUERY-4]
  @Test("every promised column of Larder's is described, and what is described is there")
  func described() throws {
    let (sample, _) = try filled()
    let tables = try sample.reader().tables()
    #expect(tables.contains { $0.name == "water_Log" && $0.about.isEmpty })
    let ours = tables.filter { !$0.name.contains("_") }
    #expect(ours.map(\.name).sorted() == TableGuide.tables.keys.sorted())
    for table in ours {
      #expect(!table.columns.isEmpty)
      for column in table.columns {
        #expect(!column.about.isEmpty, "\(table.name).\(column.name)")
        #expect(!column.name.hasPrefix("_"))
      }
    }
    // SPEC.md names every table and every column that is no nutrient's.
    let root = String(#filePath.dropLast("Tests/LarderStoreTests/QueryTests.swift".count))
    let spec = try String(contentsOfFile: root + "SPEC.md", encoding: .utf8)
    let section = try #require(spec.split(separator: "### 7.3 Tables of the diary").last)
    let text = String(try #require(section.components(separatedBy: "### 7.4").first))
    for table in ours {
      #expect(text.contains(table.name), "\(table.name)")
      for column in table.columns where !column.name.hasSuffix("Known") {
        let isNutrient = MealProjection.nutrients.contains { $0.columnName == column.name }
        #expect(isNutrient || text.contains(column.name), "\(table.name).\(column.name)")
      }
    }
  }
}
