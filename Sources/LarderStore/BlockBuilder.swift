// Makes a packed block of events. SPEC.md, "Blocks".

internal import LarderCompression
internal import LarderHash
internal import LarderKernel

/// An event on its way into the log: the bytes that are stored and hashed.
struct LogEvent: Sendable {
  let seq: UInt64
  let stream: StreamID
  let header: [UInt8]
  /// nil once it is erased; then there is a commitment.
  let payload: [UInt8]?
  let commitment: Bytes32?
  let leaf: Bytes32
}

extension CBORWriter {
  /// Appends an event as it is kept: with its payload, or once that is erased its commitment.
  mutating func append(header: Span<UInt8>, payload: [UInt8]?, commitment: Bytes32?) {
    if let payload {
      append(eventHeader: header, payload: payload.span)
    } else {
      append(eventHeader: header, commitment: commitment ?? Event.noLeaf)
    }
  }
}

/// Gathers the events of a block, in their order.
struct BlockBuilder {
  /// Bytes of an event's leaf that are kept with the block, so that what was changed in it is found
  /// by its seq.
  static let markByteCount = 4

  let first: UInt64
  private(set) var leaves: [Bytes32] = []
  private(set) var marks: [UInt8] = []
  private var streams: Set<StreamID> = []
  private var sequence: CBORWriter

  /// A block whose first event has the seq `first`.
  init(first: UInt64) {
    self.first = first
    leaves.reserveCapacity(Int(Limits.blockEventCount))
    sequence = CBORWriter(reserving: 96 << 10)
  }

  var count: Int { leaves.count }
  /// The root of the tree of these leaves alone.
  var root: Bytes32 { MerkleTree.root(of: leaves) }
  /// How many bytes the event sequence has.
  var byteCount: Int { sequence.bytes.count }
  /// The event sequence, compressed.
  var data: [UInt8] { LZ4.compress(sequence.bytes.span) }
  /// Every stream that has an event in here, ascending.
  var sortedStreams: [StreamID] { streams.sorted() }

  /// Adds the next event.
  mutating func add(_ event: LogEvent) {
    add(
      stream: event.stream, header: event.header.span, payload: event.payload,
      commitment: event.commitment, leaf: event.leaf)
  }

  /// Adds the next event.
  mutating func add(
    stream: StreamID, header: Span<UInt8>, payload: [UInt8]?, commitment: Bytes32?, leaf: Bytes32
  ) {
    sequence.append(header: header, payload: payload, commitment: commitment)
    let mark = Self.mark(of: leaf)
    for shift in stride(from: 24, through: 0, by: -8) {
      marks.append(UInt8(truncatingIfNeeded: mark >> UInt32(shift)))
    }
    leaves.append(leaf)
    streams.insert(stream)
  }

  /// What is kept of a leaf: its first four bytes.
  static func mark(of leaf: Bytes32) -> UInt32 {
    UInt32(truncatingIfNeeded: leaf.front.high >> 32)
  }

  /// What was kept of the leaf at `index`; nil if nothing was.
  static func mark(at index: Int, in marks: [UInt8]) -> UInt32? {
    let place = index * markByteCount
    guard place + markByteCount <= marks.count else { return nil }
    return marks[place..<(place + markByteCount)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
