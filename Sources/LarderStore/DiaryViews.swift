// The views of the diary: its days, which begin when the person says, and their sums. A view reads
// tables of several projections, so it is no projection: it is made again whenever tables are
// renamed. SPEC.md, "Days".

internal import LarderKernel
internal import LarderSQL

enum DiaryViews {
  /// The views, one that reads another behind it, each with its SQL.
  static let all: [(name: SQL.Identifier, sql: SQL)] = [
    ("Diary", diary), ("DaySums", sums("DaySums", "day", "diaryDay")),
    // Monday of the week: the first Monday from six days before on.
    ("WeekSums", sums("WeekSums", "week", "date(diaryDay, '-6 days', 'weekday 1')")),
  ]

  /// What they read.
  static let tables: [SQL.Identifier] = ["MealEntries", "NutritionLogs", "DayStarts"]

  /// As `DayStartPolicy` decides: a log of a minute before the civil day's start belongs to the day
  /// before.
  private static let diary: SQL = """
    CREATE VIEW Diary AS SELECT
      CASE WHEN l.minute < ifnull((SELECT startMinute FROM DayStarts
          WHERE fromDay <= l.day ORDER BY fromDay DESC, id DESC LIMIT 1), 0)
        THEN date(l.day, '-1 day') ELSE l.day END AS diaryDay,
      e.title AS mealTitle, l.*
    FROM NutritionLogs l LEFT JOIN MealEntries e ON e.id = l.mealEntryId
    """

  private static func sums(_ name: SQL.Identifier, _ column: SQL, _ key: SQL) -> SQL {
    let sums = MealProjection.nutrients.map { nutrient in
      let name = nutrient.columnName
      return ",\n  sum(\(name)) AS \(name),\n  count(\(name)) AS \(name)Known"
    }
    return """
      CREATE VIEW \(name) AS SELECT
        \(key) AS \(column), count(*) AS items\(SQL(trusted: sums.joined()))
      FROM Diary GROUP BY 1
      """
  }

  /// Takes the views away: tables cannot be renamed below them.
  static func drop(_ connection: borrowing Connection) throws(SQLError) {
    for view in all.reversed() { try connection.execute("DROP VIEW IF EXISTS \(view.name)") }
  }

  /// Makes the views, if all they read is there.
  static func create(_ connection: borrowing Connection) throws(SQLError) {
    let isThere = try connection.prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    for table in tables {
      guard try isThere.first(table.name, row: { _ in true }) == true else { return }
    }
    for view in all { try connection.execute(view.sql) }
  }
}
