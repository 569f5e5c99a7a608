// A meal's stream while a vector is written: events as two devices would make them.

import LarderHash
import LarderKernel

/// The events of one meal.
struct FoldStream {
  let stream: StreamID
  private(set) var events: [Event] = []
  /// The salt of each leaf.
  private(set) var salts: [Bytes32: Bytes16] = [:]
  private var clock: HLC
  private var seqs: [AuthorID: UInt64] = [:]

  /// A device.
  static let phone = AuthorID(publicKey: .pattern(1))
  /// Another.
  static let tablet = AuthorID(publicKey: .pattern(2))

  init(stream: StreamID = StreamID(milliseconds: 1_777_723_200_123, random: .pattern(0x30))) {
    self.stream = stream
    clock = HLC(milliseconds: 1_777_723_200_123)
  }

  /// Adds an event that has seen all before it.
  mutating func add(
    _ payload: some EventPayload, by author: AuthorID = FoldStream.phone, flags: EventFlags = []
  ) throws {
    try add(
      type(of: payload).kind, try payload.checkedBytes(), by: author, flags: flags)
  }

  /// Adds an event of any kind, version and bytes; `sameClock` gives it the reading of the last.
  mutating func add(
    _ kind: EventKind, _ payload: [UInt8], by author: AuthorID = FoldStream.phone,
    version: UInt16 = 1, flags: EventFlags = [], sameClock: Bool = false
  ) throws {
    if !sameClock { clock = clock.next(now: 0) }
    let seq = seqs[author, default: 0]
    seqs[author] = seq + 1
    let header = EventHeader(
      hlc: clock, recordedAt: try constant(Instant(milliseconds: 1_777_723_200_123), "recordedAt"),
      stream: stream, kind: kind, version: version, flags: flags)
    var block = BlockSalts(seed: author == Self.phone ? .pattern(3) : .pattern(4))
    let salt = block.salt(at: Int(seq))
    let bytes = header.bytes
    let leaf = MerkleLeaf.hash(header: bytes.span, salt: salt, payload: payload.span)
    salts[leaf] = salt
    let id = EventID(author: author, seq: seq)
    events.append(Event(id: id, header: header, payload: payload, leaf: leaf))
  }

  /// Destroys the payload of an event; with `keepingCopy` a copy that still has it stays beside it.
  mutating func erase(_ place: Int, keepingCopy: Bool = false) {
    let event = events[place]
    let erased = Event(id: event.id, header: event.header, payload: nil, leaf: event.leaf)
    if keepingCopy { events.append(erased) } else { events[place] = erased }
  }

  /// Delivers the last event again.
  mutating func repeatLast() {
    if let last = events.last { events.append(last) }
  }

  /// Takes the events of another writer of the same chain up as well.
  mutating func join(_ other: FoldStream) {
    for event in other.events where !events.contains(event) { events.append(event) }
    salts.merge(other.salts) { salt, _ in salt }
  }
}
