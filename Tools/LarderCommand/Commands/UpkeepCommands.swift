// `larder verify`: the tables and the events against each other.

import Larder
import LarderHash
import LarderStore

/// The verbs that keep the store sound.
enum UpkeepCommands {
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
    return Answer(
      exit: report.problems.isEmpty ? .done : .integrity,
      warnings: warnings(report, isContinuing: isContinuing),
      result: { document(report) },
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

  private static func warnings(
    _ report: VerificationReport, isContinuing: Bool
  ) -> [Warning] {
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
    for other in report.others {
      warnings.append(
        Warning(
          code: "projection_version",
          message: "the tables of \(other.name) are of "
            + (other.isNewer ? "a newer version" : "an older version")
            + " and were not compared"))
    }
    return warnings
  }

  private static func document(_ report: VerificationReport) -> JSONValue {
    let problems = report.problems.map { problem -> JSONValue in
      ["code": .string(problem.code), "subject": .string(problem.subject)]
    }
    return .object(of: [
      ("is_continued", .bool(report.isContinued)),
      ("events", .integer(Int64(report.eventCount))),
      ("chains", .integer(Int64(report.chainCount))),
      ("meals", .integer(Int64(report.streamCount))),
      ("rows", .integer(Int64(report.rowCount))), ("digest", .string(report.digest.hex)),
      (
        "projections",
        .array(
          report.digests.sorted { $0.key < $1.key }.map { name, digest in
            .object(of: [("name", .string(name)), ("digest", .string(digest.hex))])
          })
      ),
      ("problems", .array(problems)),
    ])
  }
}
