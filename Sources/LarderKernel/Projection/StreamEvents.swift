// A stream's events as every fold sees them: in the total order, each once, erased ones left out,
// and those that this build cannot read named beside them. SPEC.md, "Projections".

/// The events of one stream, for folds.
public struct StreamEvents: Sendable {
  /// An event no fold of this build can read.
  package struct Unreadable: Sendable {
    package let id: EventID
    package let header: EventHeader
    /// `unknownKind` or `newerVersion`.
    package let reason: String
  }

  /// An event a fold reads.
  public struct Element: Sendable {
    /// Who wrote it, and which of theirs it is.
    public let id: EventID
    /// Its kind.
    public let kind: EventKind
    private let version: UInt16
    private let payload: [UInt8]
    private let schema: EventSchema

    fileprivate init(_ event: Event, _ payload: [UInt8], _ schema: EventSchema) {
      id = event.id
      kind = event.header.kind
      version = event.header.version
      self.payload = payload
      self.schema = schema
    }

    /// The payload, lifted where it is of an older version.
    /// - Throws: what reading it throws.
    public func decode<Payload: EventPayload>(
      _ type: Payload.Type
    ) throws(KernelError) -> Payload {
      try schema.decode(type, version: version, payload: payload.span)
    }
  }

  /// The stream.
  public let stream: StreamID
  /// The kinds of this build.
  package let schema: EventSchema
  /// Those that can be read.
  package let readable: [Event]
  /// Those that cannot.
  package let unreadable: [Unreadable]
  /// Whether a critical one cannot be read: then local writes to the stream are refused.
  package let isClosed: Bool

  /// The events of `stream`, given in any order; one given twice counts once.
  /// - Complexity: O(n log n), O(n) where they are in order.
  public init(of stream: StreamID, events: [Event], schema: EventSchema) {
    self.stream = stream
    self.schema = schema
    var unreadable: [Unreadable] = []
    var isClosed = false
    let ordered = Self.ordered(events)
    func isReadable(_ event: Event) -> Bool {
      let header = event.header
      switch schema.readability(of: header.kind, version: header.version) {
      case .readable: return event.payload != nil
      case .unknownKind:
        unreadable.append(Unreadable(id: event.id, header: header, reason: "unknownKind"))
      case .newerVersion:
        unreadable.append(Unreadable(id: event.id, header: header, reason: "newerVersion"))
      }
      if header.flags.contains(.critical), event.payload != nil { isClosed = true }
      return false
    }
    let areAll = ordered.allSatisfy {
      $0.payload != nil
        && schema.readability(of: $0.header.kind, version: $0.header.version) == .readable
    }
    readable = areAll ? ordered : ordered.filter(isReadable)
    self.unreadable = unreadable
    self.isClosed = isClosed
  }

  /// The events in the total order, each once. Of two copies of one event, the erased one counts.
  private static func ordered(_ events: [Event]) -> [Event] {
    let places = events.indices.dropFirst()
    if places.allSatisfy({ Event.precedes(events[$0 - 1], events[$0]) }) { return events }
    let sorted = events.sorted { left, right in
      if Event.precedes(left, right) { return true }
      return left.payload == nil && right.payload != nil && !Event.precedes(right, left)
    }
    var result: [Event] = []
    result.reserveCapacity(sorted.count)
    for event in sorted {
      if let last = result.last, !Event.precedes(last, event) { continue }
      result.append(event)
    }
    return result
  }

  /// Calls `body` for each event in the total order. One that `body` cannot read is set aside in
  /// `rows` with its reason, and the rest goes on.
  public func forEach(
    settingAsideIn rows: inout ProjectionRows, _ body: (Element) throws(KernelError) -> Void
  ) {
    for event in readable {
      guard let payload = event.payload else { continue }
      do throws(KernelError) {
        try body(Element(event, payload, schema))
      } catch {
        rows.setAside.append(SetAside(id: event.id, reason: error))
      }
    }
  }
}
