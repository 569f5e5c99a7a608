// `larder events`: the log as it is, once or as it grows.

import Larder
import LarderCapture
import LarderStore
import Synchronization

/// Shows the events of the log.
enum EventsCommand {
  /// How often the log is looked at for new events, in nanoseconds.
  private static let followInterval: UInt64 = 100_000_000

  /// The events in their total order; with `--follow` also those that come, as they come.
  static func run(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let isFollowing = invocation.has(.follow)
    if isFollowing, invocation.form == .document {
      throw CommandError.usage(
        .invalidArgument, "--follow has no end, so that no single document can hold it",
        hint: "larder events --follow --jsonl")
    }
    let history = try await access.history()
    let others = try await access.storing { () async throws(StoreError) in
      try await history.unfoldedKinds()
    }
    let filter = try Filter(invocation, access, schema: history.schema.events, others: others)
    let names = try await names(history, access)
    let isVerbose = invocation.has(.verbose)
    let show: @Sendable (Event, Answer.Writing) -> Bool = { event, write in
      guard filter.takes(event) else { return true }
      let entry = HistoryEntry(event, schema: history.schema.events)
      return write(
        { json(entry, deviceName: names) },
        { lines(entry, deviceName: names, isVerbose: isVerbose) })
    }
    if invocation.form == .document {
      return try await document(history, access, filter: filter, names: names)
    }
    let output = access.context.output
    var answer = Answer(elements: { [] }, result: { .null }, lines: { _ in [] })
    answer.stream = { write async throws(CommandError) in
      var position = LogPosition()
      repeat {
        position = try await access.storing { () async throws(StoreError) in
          guard try await history.hasChanged() else { return position }
          return try await history.events(after: position) { show($0, write) }
        }
        output.flush()
        if isFollowing { try? await Task.sleep(nanoseconds: followInterval) }
      } while isFollowing && !output.hasFailed
    }
    return answer
  }

  private static func document(
    _ history: MealHistory, _ access: StoreAccess, filter: Filter,
    names: @escaping @Sendable (AuthorID) -> String
  ) async throws(CommandError) -> Answer {
    let gathered = Gathered()
    _ = try await access.storing { () async throws(StoreError) in
      try await history.events(after: LogPosition()) { event in
        if filter.takes(event) {
          gathered.add(json(HistoryEntry(event, schema: history.schema.events), deviceName: names))
        }
        return true
      }
    }
    let elements = gathered.elements
    return Answer(
      result: { .object(of: [("events", .array(elements))]) }, lines: { _ in [] })
  }

  /// This device's name for each author it has been, some digits for the others.
  private static func names(
    _ history: MealHistory, _ access: StoreAccess
  ) async throws(CommandError) -> @Sendable (AuthorID) -> String {
    let (name, own) = try await access.storing { () async throws(StoreError) in
      (try await history.device().name, try await history.incarnations().map(\.author))
    }
    return { author in
      guard let place = own.firstIndex(of: author) else { return String(author.hex.prefix(8)) }
      return place == 0 ? name : "\(name) (\(place + 1))"
    }
  }

  // MARK: Showing

  private static func json(
    _ entry: HistoryEntry, deviceName: (AuthorID) -> String
  ) -> JSONValue {
    let header = entry.event.header
    var pairs: [(String, JSONValue?)] = [
      ("author", .string(entry.event.id.author.hex)),
      ("seq", .integer(Int64(entry.event.id.seq))),
      ("stream", .string(header.stream.hex)),
      ("is_critical", header.flags.contains(.critical) ? true : nil),
    ]
    if case .object(let members) = entry.json(deviceName: deviceName, itemNames: [:]) {
      pairs = members.map { ($0.key, $0.value) } + pairs
    }
    return .object(of: pairs)
  }

  private static func lines(
    _ entry: HistoryEntry, deviceName: (AuthorID) -> String, isVerbose: Bool
  ) -> [StyledText] {
    let header = entry.event.header
    let stream =
      header.stream == .control ? "control" : ReferenceResolver.shown(header.stream)
    var lines = entry.lines(deviceName: deviceName, itemNames: [:])
    if let first = lines.first { lines[0] = first + StyledText("  \(stream)", .dim) }
    return isVerbose ? lines : Array(lines.prefix(1))
  }
}

/// Which events were asked for.
private struct Filter: Sendable {
  let since: Instant?
  let kinds: Set<EventKind>

  init(
    _ invocation: Invocation, _ access: StoreAccess, schema: EventSchema, others: [String]
  ) throws(CommandError) {
    since =
      invocation.value(.since) == nil ? nil : try access.arguments().since(of: invocation)
    var kinds: Set<EventKind> = []
    let known = schema.kinds.map(\.name) + others
    for text in invocation.values(.kind) {
      let match = known.first { $0.lowercased() == text.lowercased() }
      guard let kind = EventKind(match ?? text), match != nil || text.contains("/") else {
        let near = Spelling.nearest(to: text, among: known)
        throw CommandError.usage(
          .invalidArgument, "--kind \(CommandError.quoted(text)): there is no such kind",
          hint: near.map { "did you mean \($0)?" } ?? "kinds are \(known.joined(separator: ", "))")
      }
      kinds.insert(kind)
    }
    self.kinds = kinds
  }

  func takes(_ event: Event) -> Bool {
    if !kinds.isEmpty, !kinds.contains(event.header.kind) { return false }
    guard let since else { return true }
    // The time that is shown; the clock that orders events may run ahead of it.
    return event.header.recordedAt >= since
  }
}

/// Elements gathered by a closure that may run elsewhere.
private final class Gathered: Sendable {
  private let state = Mutex<[JSONValue]>([])

  func add(_ element: JSONValue) { state.withLock { $0.append(element) } }

  var elements: [JSONValue] { state.withLock { $0 } }
}
