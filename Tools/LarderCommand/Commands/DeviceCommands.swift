// `larder device list`: who writes in this diary.

import Larder
import LarderStore

/// The verbs about devices.
enum DeviceCommands {
  /// This device with the authors it has been, and the other authors whose events are here.
  static func list(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let history = try await access.history()
    let (device, own, others) = try await access.storing { () async throws(StoreError) in
      (try await history.device(), try await history.incarnations(), try await history.others())
    }
    return Answer(
      result: {
        .object(of: [
          ("device", .string(device.name)),
          ("author", .string(device.author.hex)),
          ("incarnations", .array(own.map { json($0, current: device.author) })),
          (
            "others",
            .array(
              others.map { other in
                .object(of: [
                  ("author", .string(other.author.hex)),
                  ("events", .integer(Int64(other.eventCount))),
                  ("branches", .integer(Int64(other.branchCount))),
                ])
              })
          ),
        ])
      },
      lines: { _ in
        var lines = [
          StyledText(device.name, .bold)
            + StyledText("  this device, \(own.count == 1 ? "one life" : "\(own.count) lives")")
        ]
        for life in own {
          let isCurrent = life.author == device.author
          var line = StyledText("  \(life.author.hex.prefix(8))", isCurrent ? .bold : .dim)
          line += StyledText("  \(life.eventCount) events")
          line += StyledText("  since \(since(life))", .dim)
          if let reason = life.reason {
            line += StyledText("  \(why(reason))", .yellow)
          }
          lines.append(line)
        }
        for other in others {
          lines.append(
            StyledText(String(other.author.hex.prefix(8)), .bold)
              + StyledText("  another device, \(other.eventCount) events")
              + StyledText(other.branchCount > 1 ? ", \(other.branchCount) branches" : "", .yellow))
        }
        return lines
      })
  }

  /// Why a life began, in a person's words.
  static func why(_ reason: String) -> String {
    switch reason {
    case "ahead": "an older copy of the diary was put back"
    case "copied": "this is a copy of a diary that is kept elsewhere too"
    case "otherRoot": "a copy of the diary was written elsewhere on this machine"
    case "noRecord": "the diary was copied here, or its record outside was lost"
    case "otherMachine": "the diary was copied from another machine"
    case "damagedRecord": "the record outside the diary was damaged"
    default: reason
    }
  }

  private static func since(_ life: StoreReader.Life) -> String {
    Instant(clamping: life.since).rfc3339(utcOffset: .zero)
  }

  private static func json(
    _ life: StoreReader.Life, current: AuthorID
  ) -> JSONValue {
    .object(of: [
      ("author", .string(life.author.hex)), ("since", .string(since(life))),
      ("events", .integer(Int64(life.eventCount))),
      ("is_current", .bool(life.author == current)),
      ("reason", life.reason.map(JSONValue.string)),
    ])
  }
}
