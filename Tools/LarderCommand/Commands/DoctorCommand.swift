// `larder doctor`: what is the matter with a diary, in a person's words, and mending it.

import Larder
import LarderStore

/// Explains and mends.
enum DoctorCommand {
  /// Looks at everything; with `--fix` mends what can be mended.
  static func run(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let history = try await access.history()
    let line = access.progress("doctor", "events")
    defer { line.finish() }
    let progress: @Sendable (WorkProgress) -> Bool = {
      line.update(done: Int64($0.done), total: Int64($0.total))
      return true
    }
    let findings = try await access.storing { () async throws(StoreError) in
      try await history.examine(progress: progress)
    }
    let mendable = findings.filter(\.isMendable)
    var left = findings
    if invocation.has(.fix), !mendable.isEmpty {
      left = try await access.storing { () async throws(StoreError) in
        try await history.mend(mendable, progress: progress)
        return try await history.examine(progress: progress)
      }
    }
    let mended = findings.filter { !left.contains($0) }
    let isFixing = invocation.has(.fix)
    var answer = Answer(
      exit: left.contains(where: \.isProblem) ? .integrity : .done,
      result: {
        .object(of: [
          ("is_sound", .bool(!left.contains(where: \.isProblem))),
          ("findings", .array(left.map(json))),
          ("mended", isFixing ? .array(mended.map(json)) : nil),
        ])
      },
      lines: { _ in
        mended.map { StyledText("mended: ", .green) + StyledText(Advice($0).text) }
          + left.flatMap { lines($0, isFixing: isFixing) }
          + [
            left.contains(where: \.isProblem)
              ? StyledText("the diary needs help", .red)
              : StyledText("the diary is well", .green)
          ]
      })
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  private static func lines(_ finding: ExaminationFinding, isFixing: Bool) -> [StyledText] {
    let advice = Advice(finding)
    var lines = [
      (finding.isProblem ? StyledText("problem: ", .red) : StyledText("note: ", .yellow))
        + StyledText(advice.text)
    ]
    if let hint = advice.hint { lines.append(StyledText("  \(hint)", .dim)) }
    if finding.isMendable, !isFixing {
      lines.append(StyledText("  `larder doctor --fix` mends it", .dim))
    }
    return lines
  }

  private static func json(_ finding: ExaminationFinding) -> JSONValue {
    let advice = Advice(finding)
    return .object(of: [
      ("code", .string(advice.code)), ("is_problem", .bool(finding.isProblem)),
      ("is_mendable", .bool(finding.isMendable)), ("message", .string(advice.text)),
      ("hint", advice.hint.map(JSONValue.string)),
    ])
  }
}

/// What is said of a finding.
struct Advice {
  /// What scripts act on.
  let code: String
  /// One sentence without a full stop.
  let text: String
  /// What to do about it.
  let hint: String?

  init(_ finding: ExaminationFinding) {
    (code, text) = Self.words(finding.kind)
    hint = Self.hint(finding)
  }

  private static func words(_ kind: ExaminationFinding.Kind) -> (code: String, text: String) {
    switch kind {
    case .keyMissing(let what):
      ("key_missing", "the key of this diary, device.key, cannot be used: \(what)")
    case .moved(let from):
      ("moved", "the diary was moved here from \(CommandError.quotedPath(from))")
    case .willRenew(let reason):
      (
        "will_renew",
        "\(DeviceCommands.why(reason.rawValue)): what you log next is written in a new life of "
          + "this device"
      )
    case .renewed(let reason, let since):
      (
        "renewed",
        "this device began a new life at \(Instant(clamping: since).rfc3339(utcOffset: .zero))"
          + (reason.map { ": \(DeviceCommands.why($0.rawValue))" } ?? "")
      )
    case .stateUnusable(let code):
      ("state_unusable", "the record outside the diary cannot be kept: \(code)")
    case .stateFleeting(let isContainer):
      (
        "state_fleeting",
        "the record outside the diary lies where nothing lasts"
          + (isContainer ? ", in a container" : "")
      )
    case .parted(let author, let seq):
      (
        "parted", "\(author.hex.prefix(8)) wrote two histories from event \(seq) on; both are kept"
      )
    case .gap(let author, let seq):
      ("gap", "events of \(author.hex.prefix(8)) before \(seq) have not arrived yet")
    case .unfolded(let kind, let count):
      (
        "unfolded",
        "\(counted(count, "event")) of the kind \(kind) kept but not understood"
      )
    case .projectionVersion(let other):
      ("projection_version", version(other))
    case .rebuildUnfinished: ("rebuild_unfinished", "a rebuild was interrupted")
    case .clockAhead(let milliseconds):
      (
        "clock_ahead",
        "events were recorded by a clock that was \(milliseconds / 86_400_000) days ahead of this "
          + "one"
      )
    case .unsigned(let blocks):
      ("unsigned", "\(counted(blocks, "block")) of the log not signed yet")
    case .longLog(let byteCount):
      ("long_log", "\(byteCount >> 20) MiB wait to be moved into the database")
    case .open(let path): ("open_file", "others may read \(CommandError.quotedPath(path))")
    case .unwritable(let path):
      ("unwritable", "\(CommandError.quotedPath(path)) may not be written: nothing can be logged")
    case .leftover(let path): ("leftover", "\(CommandError.quotedPath(path)) was left behind")
    case .integrity(let problem): ("integrity", "\(problem.code): \(problem.subject)")
    }
  }

  private static func version(_ other: VerificationReport.OtherVersion) -> String {
    "the tables of \(other.name) are of version \(other.version), "
      + (other.isNewer ? "which is newer than this Larder" : "which is older than this Larder's")
  }

  private static func counted(_ count: Int, _ name: String) -> String {
    count == 1 ? "1 \(name)" : "\(count) \(name)s"
  }

  private static func hint(_ finding: ExaminationFinding) -> String? {
    switch finding.kind {
    case .keyMissing: "put the folder's own device.key back; reading works without it"
    case .willRenew(.ahead):
      "what was logged after that copy was made is not in it; if the newer folder is still "
        + "somewhere, keep it: they can be put together"
    case .willRenew: "both copies are whole, and can be put together later"
    case .renewed: "`larder device list` shows its lives"
    case .stateUnusable:
      "without it a copy of the diary is not noticed; LARDER_STATE or --state names a folder"
    case .stateFleeting(let isContainer):
      isContainer
        ? "mount a volume for it and name that in LARDER_STATE; else each container is a new life"
        : "name a folder on a disk in LARDER_STATE; else each restart is a new life"
    case .parted: "a copy of that device was used at the same time"
    case .clockAhead:
      "look at the clocks of your devices; what you change from now on counts as later all the same"
    case .gap: "they come with the next exchange"
    case .unfolded: "a newer version of Larder may understand them"
    case .projectionVersion(let other):
      other.isNewer
        ? "reading works; update Larder to write"
        : "the first thing that is logged makes them again, or `larder rebuild` now"
    case .integrity(let problem):
      switch problem.code {
      case "rowMismatch", "digestMismatch", "summaryMismatch":
        finding.isMendable
          ? "the tables can be made again from the events"
          : "the tables are left alone: the events are not sound, they may be the last good copy"
      case "viewMissing": "it can be made again"
      case "indexMissing": "it only makes reading faster; it can be made again"
      case "schemaChanged":
        "Larder did not put it there and does not heed it; `DROP` it in a `sqlite3` shell"
      case "streamIndexMismatch": "the index can be made again from the blocks"
      default:
        "the rest of the diary can be read; put a backup back, or get the events from another "
          + "device"
      }
    case .unwritable: "look at its owner and mode, and at how the disk is mounted"
    case .moved, .rebuildUnfinished, .unsigned, .longLog, .open, .leftover: nil
    }
  }
}
