// `larder rebuild` and `larder verify`: the tables and the events against each other.

import Larder
import LarderHash
import LarderStore

/// The verbs that keep the store sound.
enum UpkeepCommands {
  /// Names of what can be rebuilt: both tables come from one projection.
  private static let tables = ["MealEntries", "NutritionLogs"]

  // MARK: rebuild

  /// Makes the tables again from the events.
  static func rebuild(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    for name in invocation.arguments where !tables.contains(name) {
      throw CommandError(
        .notFound, "there is no table \(CommandError.quoted(name))",
        hint: "tables are \(tables.joined(separator: " and ")); both are made together",
        exit: .notFound)
    }
    let history = try await access.history()
    let isDryRun = invocation.has(.dryRun)
    let line = access.progress("rebuild", isDryRun ? "events" : "meals")
    defer { line.finish() }
    let report = try await access.storing { () async throws(StoreError) in
      let progress: @Sendable (WorkProgress) -> Bool = {
        line.update(done: Int64($0.done), total: Int64($0.total))
        return !access.context.isInterrupted()
      }
      if isDryRun { return try await history.compareWithFold(progress: progress) }
      return try await history.rebuild(progress: progress)
    }
    var warnings: [Warning] = []
    if report.hasLeftovers {
      warnings.append(
        Warning(
          code: "old_tables_left",
          message: "the new tables are in place; the old, damaged ones could not be removed yet"))
    }
    var answer = Answer(
      warnings: warnings,
      result: {
        .object(of: [
          ("is_dry_run", .bool(isDryRun)), ("tables", .array(tables.map(JSONValue.string))),
          ("meals", .integer(Int64(report.streamCount))),
          ("changed_meals", .integer(Int64(report.changedStreamCount))),
          ("entries", .integer(Int64(report.entryCount))),
          ("logs", .integer(Int64(report.logCount))),
          ("digest_before", .string(report.digestBefore.hex)),
          ("digest_after", .string(report.digestAfter.hex)),
        ])
      },
      lines: { _ in
        let verb = isDryRun ? "would rebuild" : "rebuilt"
        let change =
          report.changedStreamCount == 0
          ? "nothing differs" : "\(report.changedStreamCount) meals differ"
        return [
          StyledText(
            "\(verb) \(tables.joined(separator: " and ")): \(report.entryCount) meals, "
              + "\(report.logCount) items"),
          StyledText("\(change); digest \(report.digestAfter.hex)"),
        ]
      })
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  // MARK: verify

  /// Checks every event and table.
  static func verify(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let history = try await access.history()
    let line = access.progress("verify", "events")
    defer { line.finish() }
    let isContinuing = invocation.has(.continue)
    let report = try await access.storing { () async throws(StoreError) in
      try await history.verify(continuing: isContinuing) { progress in
        line.update(done: Int64(progress.done), total: Int64(progress.total))
        return !access.context.isInterrupted()
      }
    }
    var warnings: [Warning] = []
    if isContinuing, !report.isContinued {
      warnings.append(
        Warning(
          code: "verified_anew",
          message: "there is nothing to go on from, or the diary has changed since: "
            + "all of it was checked"))
    }
    if report.unfoldedCount > 0 {
      warnings.append(
        Warning(
          code: "unfolded_events",
          message: "\(report.unfoldedCount) events are kept but not understood by this version"))
    }
    return Answer(
      exit: report.problems.isEmpty ? .done : .integrity, warnings: warnings,
      result: {
        let problems = report.problems.map { problem -> JSONValue in
          ["code": .string(problem.code), "subject": .string(problem.subject)]
        }
        return .object(of: [
          ("is_continued", .bool(report.isContinued)),
          ("events", .integer(Int64(report.eventCount))),
          ("chains", .integer(Int64(report.chainCount))),
          ("meals", .integer(Int64(report.streamCount))),
          ("rows", .integer(Int64(report.rowCount))), ("digest", .string(report.digest.hex)),
          ("problems", .array(problems)),
        ])
      },
      lines: { _ in
        var lines = [
          StyledText(
            "\(report.eventCount) events of \(report.chainCount) "
              + (report.chainCount == 1 ? "author" : "authors") + ", \(report.rowCount) rows")
        ]
        for problem in report.problems {
          lines.append(StyledText("\(problem.code): ", .red) + StyledText(problem.subject))
        }
        lines.append(
          report.problems.isEmpty
            ? StyledText("all sound", .green) + StyledText("; digest \(report.digest.hex)")
            : StyledText(
              "\(report.problems.count) \(report.problems.count == 1 ? "problem" : "problems")",
              .red))
        return lines
      })
  }
}
