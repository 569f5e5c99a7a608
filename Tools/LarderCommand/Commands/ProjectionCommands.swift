// `larder projection list|use|drop`: which tables there are, and the old ones that were kept.

import Larder
import LarderHash
import LarderStore

/// The verbs about projections.
enum ProjectionCommands {
  static func list(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let history = try await access.history()
    let states = try await access.storing { () async throws(StoreError) in
      try await history.projections()
    }
    return Answer(
      result: { .object(of: [("projections", .array(states.map(document)))]) },
      lines: { _ in states.map(line) })
  }

  static func use(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let (name, version) = try reference(invocation.arguments[0])
    let history = try await access.history()
    let line = access.progress("projection use", "streams")
    defer { line.finish() }
    let state = try await finding(name, access) { () async throws(StoreError) in
      try await history.takeBack(name, version: version) {
        line.update(done: Int64($0.done), total: Int64($0.total))
        return !access.context.isInterrupted()
      }
    }
    var answer = Answer(
      result: { document(state) },
      lines: { _ in
        [StyledText("\(state.name) version \(state.version) is used again")]
      })
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  static func drop(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let (name, version) = try reference(invocation.arguments[0])
    let history = try await access.history()
    if !invocation.has(.dryRun) {
      try await finding(name, access) { () async throws(StoreError) in
        try await history.dropProjection(name, version: version)
      }
    }
    let verb = invocation.has(.dryRun) ? "would drop" : "dropped"
    var answer = Answer(
      result: {
        .object(of: [
          ("name", .string(name)), ("is_dry_run", .bool(invocation.has(.dryRun))),
        ])
      },
      lines: { _ in
        [
          StyledText(
            "\(verb) \(name)\(version.map { "@\($0)" } ?? ""); the events are as they were")
        ]
      })
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  /// `NAME`, `NAME@old` or `NAME@VERSION`.
  private static func reference(
    _ word: String
  ) throws(CommandError) -> (name: String, version: Int64?) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return (word, nil) }
    if parts[1] == "old" { return (String(parts[0]), nil) }
    guard let version = Int64(parts[1]), version > 0 else {
      throw CommandError.usage(
        .invalidArgument, "\(CommandError.quoted(word)) names no version",
        hint: "NAME@old, or NAME@2 as `larder projection list` shows it")
    }
    return (String(parts[0]), version)
  }

  private static func finding<Value: Sendable>(
    _ name: String, _ access: StoreAccess, _ step: () async throws(StoreError) -> Value
  ) async throws(CommandError) -> Value {
    do throws(StoreError) {
      return try await step()
    } catch {
      switch error.code {
      case .notFound where error.operation != "open store":
        throw CommandError(
          .notFound, "no such tables are kept: \(CommandError.quoted(error.subject))",
          hint: "`larder projection list` shows what there is; `larder rebuild --keep` keeps some",
          exit: .notFound)
      case .unsupportedVersion:
        throw CommandError(
          .newerFormat, "this version of Larder does not have the fold: \(error.subject)",
          hint: "use the version of Larder that made those tables", exit: .notEntitled)
      default: throw CommandError(error, store: access.configuration.store)
      }
    }
  }

  private static func document(_ state: ProjectionState) -> JSONValue {
    .object(of: [
      ("name", .string(state.name)), ("version", .integer(state.version)),
      ("state", .string(state.state)), ("digest", .string(state.digest.hex)),
      ("tables", .array(state.tables.map(JSONValue.string))),
      ("is_current", .bool(state.isOurs)),
    ])
  }

  private static func line(_ state: ProjectionState) -> StyledText {
    let words =
      switch state.state {
      case "live": state.isOurs ? "in use" : "in use, of another version of Larder or an app"
      case "building": "being made"
      default: state.isOurs ? "kept, can be taken back" : "kept, of another version of Larder"
      }
    return StyledText("\(state.name)@\(state.version)", .bold)
      + StyledText("  \(words)  ")
      + StyledText("\(state.tables.joined(separator: ", "))  \(state.digest.hex)", .dim)
  }
}
