// From a stream's events to its rows in the tables: the one way, live and in a rebuild.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

enum Projecting {
  /// Kinds of Larder's own that are about something else than a meal.
  private static let otherKinds: Set<EventKind> = [
    .templateSaved, .templateDeleted, .productOverridden, .settingChanged, .dayStartChanged,
    .dayNoted,
  ]

  /// Whether an event can concern the meal projection: not one of a control stream, nor of a kind
  /// known to be about something else. Unknown kinds can.
  static func isFolded(_ header: EventHeader) -> Bool {
    header.stream != .control && !otherKinds.contains(header.kind)
  }

  /// Makes `tables` hold the rows of `stream`, and notes the events that no fold could read.
  /// - Parameter old: the digest `tables` had for the stream; nil where they knew nothing of it.
  /// - Returns: the stream's digest now.
  static func fold(
    _ events: [Event], of stream: StreamID, schema: EventSchema, into tables: borrowing MealTables,
    old: Bytes16?
  ) throws(StoreError) -> Bytes16 {
    let rows = MealFold.rows(of: stream, events: events, schema: schema)
    let unfolded = unfolded(events, rows: rows, schema: schema)
    return try StoreError.wrapping { () throws(SQLError) in
      if old != nil || !unfolded.isEmpty { try tables.note(unfolded, of: stream) }
      return try tables.write(rows, of: stream, old: old)
    }
  }

  /// Events of unknown kinds, of newer versions, and with payloads that could not be read.
  static func unfolded(
    _ events: [Event], rows: MealRows, schema: EventSchema
  ) -> [(id: EventID, header: EventHeader, reason: String)] {
    var reasons: [EventID: String] = [:]
    for aside in rows.setAside { reasons[aside.id] = aside.reason.description }
    var result: [(id: EventID, header: EventHeader, reason: String)] = []
    for event in events {
      let reason: String? =
        switch schema.readability(of: event.header.kind, version: event.header.version) {
        case .readable: reasons[event.id]
        case .unknownKind: "unknownKind"
        case .newerVersion: "newerVersion"
        }
      if let reason { result.append((event.id, event.header, reason)) }
    }
    return result
  }
}
