// The meal fold: the one function from a stream's events to rows, live and in a rebuild alike.
// Whatever the order of arrival, the same events give the same rows, because they are first put in
// the total order. It never reads another stream, a clock or a file. SPEC.md, "The meal fold".

internal import LarderHash

/// The fold of a meal's stream.
public enum MealFold {
  /// The kinds the fold reads; the others leave its rows alone.
  public static let kinds: [EventKind] = [
    .itemAdded, .mealCaptured, .mealChanged, .mealDeleted, .mealRestored, .itemChanged,
    .itemRemoved, .itemRevalued, .photoAttached, .photoDetached, .photoReduced, .previewReplaced,
    .reanalysed, .proposalAccepted,
  ]

  /// Whether the fold reads the payloads of `kind`: what it cannot read is in the rows' `setAside`.
  package static func reads(_ kind: EventKind) -> Bool {
    // Looked through in order: nearly all events are of the first two kinds.
    kinds.contains(kind)
  }

  /// The rows of a stream.
  /// - Parameters:
  ///   - stream: the stream all `events` belong to.
  ///   - events: its events in any order; one given twice counts once.
  ///   - schema: the kinds and upcasters of this build.
  /// - Complexity: O(n log n) in the events.
  public static func rows(of stream: StreamID, events: [Event], schema: EventSchema) -> MealRows {
    rows(of: StreamEvents(of: stream, events: events, schema: schema))
  }

  /// The rows of a stream.
  public static func rows(of events: StreamEvents) -> MealRows {
    let (state, setAside) = state(of: events)
    return rows(of: events.stream, state: state, setAside: setAside, isClosed: events.isClosed)
  }

  /// The state after all `events`, and what could not be read.
  package static func state(
    of events: StreamEvents
  ) -> (state: MealState, setAside: [SetAside]) {
    var state = MealState(itemCapacity: events.readable.count)
    var setAside: [SetAside] = []
    for event in events.readable {
      guard let payload = event.payload else { continue }
      let header = event.header
      do throws(KernelError) {
        try state.apply(
          header.kind, version: header.version, payload: payload.span, schema: events.schema)
      } catch {
        setAside.append(SetAside(id: event.id, reason: error))
      }
    }
    return (state, setAside)
  }

  private static func rows(
    of stream: StreamID, state: MealState, setAside: [SetAside], isClosed: Bool
  ) -> MealRows {
    let entry = state.life == .alive ? entryRow(of: stream, state: state) : nil
    var logs: [NutritionLogRow] = []
    if state.life != .delete {
      logs.reserveCapacity(state.items.count)
      let common = entry?.occasion
      var isAscending = true
      for place in state.items.indices where !state.items[place].isRemoved {
        guard let facts = state.items[place].facts else { continue }
        if let last = logs.last?.position, last > facts.position { isAscending = false }
        let id = state.items[place].id
        logs.append(logRow(of: stream, item: id, facts: facts, entryOccasion: common))
      }
      if !isAscending { logs.sort { $0.position < $1.position } }
    }
    return MealRows(entry: entry, logs: logs, setAside: setAside, isClosedToWriting: isClosed)
  }

  private static func entryRow(of stream: StreamID, state: MealState) -> MealEntryRow? {
    guard let captured = state.captured, let occasion = state.occasion else { return nil }
    let changes = state.changes
    let cover = state.cover
    let photoPath = cover.map { $0.isReduced ? $0.preview?.path ?? $0.photo.path : $0.photo.path }
    return MealEntryRow(
      stream: stream, occasion: occasion, title: changes.title.applied(to: captured.title),
      source: captured.source, photoPath: photoPath, photoThumbPath: cover?.preview?.path,
      voiceTranscript: changes.voiceTranscript.applied(to: captured.voiceTranscript),
      captureMeta: changes.captureMeta.applied(to: captured.captureMeta),
      note: changes.note.applied(to: captured.note),
      tags: changes.tags.applied(to: captured.tags) ?? [], copiedFrom: captured.copiedFrom,
      captureID: captured.captureID, by: captured.by)
  }

  private static func logRow(
    of stream: StreamID, item: ItemID, facts: ItemState.Facts, entryOccasion: Occasion?
  ) -> NutritionLogRow {
    NutritionLogRow(
      stream: stream, item: item, isGrouped: entryOccasion != nil, position: facts.position,
      occasion: entryOccasion ?? facts.occasion, line: facts.line, note: facts.note, by: facts.by,
      eaten: facts.line.snapshot.eaten(facts.line.quantity))
  }
}

extension MealState {
  /// Applies one readable event; kinds of other folds change nothing.
  fileprivate mutating func apply(
    _ kind: EventKind, version: UInt16, payload: Span<UInt8>, schema: EventSchema
  ) throws(KernelError) {
    func read<Payload: EventPayload>(_ type: Payload.Type) throws(KernelError) -> Payload {
      try schema.decode(type, version: version, payload: payload)
    }
    switch kind {
    case .itemAdded: apply(try read(ItemAdded.self))
    case .mealCaptured:
      let capture = try read(MealCaptured.self)
      if captured == nil { captured = capture }
    case .itemChanged: apply(try read(ItemChanged.self))
    case .mealChanged: apply(try read(MealChanged.self))
    case .itemRemoved: remove(try read(ItemRemoved.self).item)
    case .itemRevalued: apply(try read(ItemRevalued.self))
    case .mealDeleted: apply(try read(MealDeleted.self))
    case .mealRestored:
      _ = try read(MealRestored.self)
      life = .alive
    case .photoAttached: apply(try read(PhotoAttached.self))
    case .photoDetached: detach(try read(PhotoDetached.self).photo)
    case .photoReduced: reduce(try read(PhotoReduced.self).photo)
    case .previewReplaced: apply(try read(PreviewReplaced.self))
    case .reanalysed: apply(try read(Reanalysed.self))
    case .proposalAccepted: apply(try read(ProposalAccepted.self))
    default: return
    }
  }
}
