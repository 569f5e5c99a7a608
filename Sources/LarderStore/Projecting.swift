// From a stream's events to its rows in the tables: the one way, live and in a rebuild.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

enum Projecting {
  /// Whether an event can concern the meal projection: not one of a control stream, nor of a kind
  /// known to be about something else. Unknown kinds can.
  static func isFolded(_ header: EventHeader) -> Bool {
    if header.stream == .control { return false }
    switch header.kind {
    case .itemAdded, .mealCaptured: return true  // Nearly all there are.
    case .templateSaved, .templateDeleted, .productOverridden, .settingChanged, .dayStartChanged,
      .dayNoted:
      return false
    default: return true
    }
  }

  /// Those of `events` that can concern the meal projection, by stream, in the order of the
  /// streams' first ones.
  static func byStream(_ events: [Event]) -> [(stream: StreamID, events: [Event])] {
    var result: [(stream: StreamID, events: [Event])] = []
    var places: [StreamID: Int] = [:]
    for event in events where isFolded(event.header) {
      let stream = event.header.stream
      // Events of an operation stand together, so most follow one of their own stream.
      if let last = result.last?.stream, last == stream {
        result[result.count - 1].events.append(event)
      } else if let place = places[stream] {
        result[place].events.append(event)
      } else {
        places[stream] = result.count
        result.append((stream, [event]))
      }
    }
    return result
  }

  /// Makes `tables` hold the rows of `stream`, and notes the events that no fold could read.
  /// - Parameters:
  ///   - added: those of `events` that are being appended: one the fold cannot read is refused.
  ///   - old: the digest `tables` had for the stream; nil where they knew nothing of it.
  /// - Returns: the stream's digest now.
  /// - Throws: `invalidEvent` for an added event no reader would accept.
  static func fold(
    _ events: [Event], of stream: StreamID, added: [Event], schema: EventSchema,
    into tables: borrowing MealTables, old: Bytes16?
  ) throws(StoreError) -> Bytes16 {
    let rows = MealFold.rows(of: stream, events: events, schema: schema)
    for aside in rows.setAside where added.contains(where: { $0.id == aside.id }) {
      throw StoreError(kernel: aside.reason, subject: stream.hex)
    }
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
    var result: [(id: EventID, header: EventHeader, reason: String)] = []
    for event in events {
      let reason: String? =
        switch schema.readability(of: event.header.kind, version: event.header.version) {
        case .readable: rows.setAside.first { $0.id == event.id }?.reason.description
        case .unknownKind: "unknownKind"
        case .newerVersion: "newerVersion"
        }
      if let reason { result.append((event.id, event.header, reason)) }
    }
    return result
  }
}
