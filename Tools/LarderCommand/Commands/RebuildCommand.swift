// `larder rebuild`: makes tables again from the events, or says what that would change.

import Larder
import LarderHash
import LarderStore

/// The verb that makes tables again.
enum RebuildCommand {
  /// So many days are shown to people.
  private static let shownDayCount = 20

  static func run(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let names = try names(invocation.arguments)
    let expected = try expected(invocation, names)
    let history = try await access.history()
    if invocation.has(.dryRun) {
      return try await dryRun(history, names ?? all, expected, access)
    }
    let line = access.progress("rebuild", "streams")
    defer { line.finish() }
    let report = try await access.storing { () async throws(StoreError) in
      try await history.rebuild(
        names, isKept: invocation.has(.keep), expecting: expected
      ) {
        line.update(done: Int64($0.done), total: Int64($0.total))
        return !access.context.isInterrupted()
      }
    }
    var warnings: [Warning] = []
    if report.hasLeftovers {
      warnings.append(
        Warning(
          code: "old_tables_left",
          message: "the new tables are in place; the old, damaged ones could not be removed yet"))
    }
    var answer = Answer(
      warnings: warnings, result: { document(report, isDryRun: false, [], []) },
      lines: { _ in lines(report, verb: "rebuilt") })
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  // MARK: What is asked

  private static var all: [String] { Schema.standard.projections.map { $0.name } }

  /// The projections that names of projections or of tables stand for; nil for all.
  private static func names(_ words: [String]) throws(CommandError) -> [String]? {
    if words.isEmpty { return nil }
    var result: [String] = []
    for word in words {
      let found = Schema.standard.projections.first { projection in
        projection.name == word || projection.tables.contains { $0.name == word }
      }
      guard let found else {
        let tables = Schema.standard.projections.flatMap { $0.tables }.map(\.name)
        throw CommandError(
          .notFound, "there is no table \(CommandError.quoted(word))",
          hint: "tables are \(tables.joined(separator: ", "))", exit: .notFound)
      }
      if !result.contains(found.name) { result.append(found.name) }
    }
    return result
  }

  private static func expected(
    _ invocation: Invocation, _ names: [String]?
  ) throws(CommandError) -> Bytes16? {
    guard let digits = invocation.value(.expect) else { return nil }
    guard let digest = Bytes16(hexDigits: digits.utf8Span.span) else {
      throw CommandError.usage(
        .invalidArgument, "\(CommandError.quoted(digits)) is no digest",
        hint: "a digest has 32 hexadecimal digits, as `larder rebuild` prints it")
    }
    guard names?.count == 1 else {
      throw CommandError.usage(
        .invalidArgument, "--expect is about one projection",
        hint: "`larder rebuild meals --expect DIGEST`")
    }
    return digest
  }

  // MARK: Dry run

  private static func dryRun(
    _ history: MealHistory, _ names: [String], _ expected: Bytes16?, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let line = access.progress("rebuild", "events")
    defer { line.finish() }
    var (report, differences) = try await access.storing { () async throws(StoreError) in
      try await history.compareWithFold {
        line.update(done: Int64($0.done), total: Int64($0.total))
        return !access.context.isInterrupted()
      }
    }
    report.projections.removeAll { !names.contains($0.name) }
    let wanted = Set(report.projections.flatMap(\.rowCounts).map(\.name))
    let tables = differences.tables.values.filter { wanted.contains($0.name) }.sorted {
      $0.name < $1.name
    }
    var days: [MovedDay] = []
    for day in wanted.contains("NutritionLogs") ? differences.movedDays : [] {
      guard let date = CivilDay(day.day) else { continue }
      let totals = try await access.storing { () async throws(StoreError) in
        try await history.day(date).totals
      }
      days.append(MovedDay(day, totals))
    }
    if let expected, let found = report.projections.first, found.digestAfter != expected {
      throw unexpected(found.digestAfter.hex)
    }
    return Answer(
      result: { document(report, isDryRun: true, tables, days) },
      lines: { _ in
        lines(report, verb: "would rebuild") + tables.map(text)
          + days.prefix(shownDayCount).map(\.text)
          + (days.count > shownDayCount
            ? [StyledText("and \(days.count - shownDayCount) more days: --json has all")] : [])
      })
  }

  /// The error of a digest that is not what was expected.
  static func unexpected(_ digest: String) -> CommandError {
    CommandError(
      .damaged, "the tables would have the digest \(digest), not the one expected",
      hint: "`larder rebuild --dry-run` shows what differs; nothing was changed", exit: .integrity)
  }

  /// A day whose sums would move.
  private struct MovedDay: Sendable {
    let day: String
    let nutrients: [(figure: NutrientFigure, before: Int64, after: Int64)]

    init(_ day: RowDifferences.Day, _ totals: DiaryTotals) {
      self.day = day.day
      nutrients = Nutrient.allCases.sorted().compactMap { nutrient in
        guard let change = day.changes[nutrient.columnName] else { return nil }
        let before = totals[nutrient] ?? 0
        let after = before &+ (change.after &- change.before)
        return (NutrientFigure(nutrient: nutrient), before, after)
      }
    }

    var text: StyledText {
      let main = nutrients.first { $0.figure.nutrient == .energy } ?? nutrients.first
      guard let main else { return StyledText(day) }
      let rest = nutrients.count == 1 ? "" : " and \(nutrients.count - 1) other nutrients"
      return StyledText("  \(day)  \(main.figure.label) ")
        + StyledText("\(main.figure.text(main.before)) → \(main.figure.text(main.after))", .bold)
        + StyledText(rest, .dim)
    }
  }

  private static func text(_ table: RowDifferences.Table) -> StyledText {
    let columns = table.columns.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      "\($0.key) \($0.value)"
    }
    return StyledText("  \(table.name): ", .bold)
      + StyledText(
        "\(table.addedCount) added, \(table.removedCount) removed, \(table.changedCount) changed"
          + (columns.isEmpty ? "" : " (\(columns.joined(separator: ", ")))"))
  }

  // MARK: Answers

  private static func document(
    _ report: RebuildReport, isDryRun: Bool, _ tables: [RowDifferences.Table], _ days: [MovedDay]
  ) -> JSONValue {
    let meals = report[MealProjection.name]
    let all = report.projections.flatMap(\.rowCounts)
    return .object(of: [
      ("is_dry_run", .bool(isDryRun)), ("tables", .array(all.map { .string($0.name) })),
      ("meals", .integer(Int64(report.streamCount))),
      ("changed_meals", .integer(Int64(report.changedStreamCount))),
      ("entries", .integer(Int64(report.rowCount(of: "MealEntries")))),
      ("logs", .integer(Int64(report.rowCount(of: "NutritionLogs")))),
      ("digest_before", .string(meals.digestBefore.hex)),
      ("digest_after", .string(meals.digestAfter.hex)),
      ("projections", .array(report.projections.map(document))),
      ("differences", .array(tables.map(document))), ("days", .array(days.map(document))),
    ])
  }

  private static func document(_ projection: RebuildReport.Projection) -> JSONValue {
    .object(of: [
      ("name", .string(projection.name)),
      (
        "tables",
        .array(
          projection.rowCounts.map {
            .object(of: [
              ("name", .string($0.name)), ("rows", .integer(Int64($0.rowCount))),
            ])
          })
      ),
      ("digest_before", .string(projection.digestBefore.hex)),
      ("digest_after", .string(projection.digestAfter.hex)),
    ])
  }

  private static func document(_ table: RowDifferences.Table) -> JSONValue {
    .object(of: [
      ("table", .string(table.name)), ("added", .integer(Int64(table.addedCount))),
      ("removed", .integer(Int64(table.removedCount))),
      ("changed", .integer(Int64(table.changedCount))),
      (
        "columns",
        .object(
          of: table.columns.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
      ),
    ])
  }

  private static func document(_ day: MovedDay) -> JSONValue {
    .object(of: [
      ("day", .string(day.day)),
      (
        "nutrients",
        .object(
          of: day.nutrients.map { nutrient in
            (
              nutrient.figure.key,
              .object(of: [
                ("before", .decimal(nutrient.figure.exact(nutrient.before))),
                ("after", .decimal(nutrient.figure.exact(nutrient.after))),
              ])
            )
          })
      ),
    ])
  }

  private static func lines(_ report: RebuildReport, verb: String) -> [StyledText] {
    let all = report.projections.flatMap(\.rowCounts)
    let filled = all.filter { $0.rowCount > 0 }
    let rows = (filled.isEmpty ? all : filled).map { "\($0.name) \($0.rowCount)" }
    let change =
      report.changedStreamCount == 0
      ? "the digests agree" : "\(counted(report.changedStreamCount)) differ"
    let digests = report.projections.filter { $0.digestAfter != .zero }.map {
      "; digest of \($0.name) \($0.digestAfter.hex)"
    }
    return [
      StyledText("\(verb) \(rows.joined(separator: ", "))"),
      StyledText(change + digests.joined()),
    ]
  }

  private static func counted(_ count: Int) -> String {
    count == 1 ? "the rows of 1 stream" : "the rows of \(count) streams"
  }
}
