// `larder history`: where every number of a meal came from, and what changed it.

import Larder
import LarderCapture

/// Shows the events behind a meal or an item.
enum HistoryCommand {
  /// The events, oldest first, each with what it says.
  static func run(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let (history, reference) = try await DiaryCommands.resolve(invocation, access)
    let stream = reference.stream
    let events = try await access.storing { () async throws(StoreError) in
      try await history.events(of: stream)
    }
    let device = try await access.storing { () async throws(StoreError) in
      try await history.device()
    }
    let field = invocation.value(.field)
    if let field { try check(field) }
    let rows = try await access.storing { () async throws(StoreError) in
      try await history.rows(of: stream)
    }
    let names = Dictionary(
      rows.logs.map { ($0.item, $0.line.name) }, uniquingKeysWith: { first, _ in first })
    let notices = MealText.notices(catalogs: rows.logs.map { $0.line.product?.catalog })
    let entries = events.compactMap { event -> HistoryEntry? in
      HistoryEntry(event, schema: history.schema.events).narrowed(to: reference.item, field: field)
    }
    guard !entries.isEmpty else {
      throw CommandError(
        .notFound, "nothing is recorded about this",
        hint: "`larder history REF` without --field shows everything", exit: .notFound)
    }
    let deviceName: @Sendable (AuthorID) -> String = { author in
      author == device.author ? device.name : String(author.hex.prefix(8))
    }
    return Answer(
      elements: { entries.map { $0.json(deviceName: deviceName, itemNames: names) } },
      elementNotices: notices,
      result: {
        .object(of: [
          ("meal", .string(stream.hex)), ("ref", .string(ReferenceResolver.shown(stream))),
          ("item", reference.item.map { .string($0.hex) }),
          ("events", .array(entries.map { $0.json(deviceName: deviceName, itemNames: names) })),
          ("notices", notices.isEmpty ? nil : .array(notices.map(JSONValue.string))),
        ])
      },
      lines: { _ in
        entries.flatMap { $0.lines(deviceName: deviceName, itemNames: names) }
          + notices.map { StyledText($0, .dim) }
      })
  }

  /// Fields of events that are no nutrients.
  private static let fields = [
    "time", "day", "meal", "title", "note", "tags", "source", "name", "amount", "basis", "serving",
    "product", "origin", "confidence", "items", "photo", "copied_from",
  ]

  private static func check(_ field: String) throws(CommandError) {
    let word = field.lowercased()
    if fields.contains(word) || NutrientWords.nutrient(named: word) != nil { return }
    let near = Spelling.nearest(to: word, among: fields) ?? NutrientWords.nearest(to: word)
    throw CommandError.usage(
      .invalidArgument, "--field \(CommandError.quoted(field)): there is no such field",
      hint: (near.map { "did you mean \($0)? " } ?? "")
        + "fields are \(fields.joined(separator: ", ")), and nutrients such as energy or fat")
  }
}
