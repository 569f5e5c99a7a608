// A packed block, unpacked: its events in their order, and the salts its leaves are made with.
// SPEC.md, "Blocks".
//
// Invariant: what is in here was read whole: every header decodes, every count fits.

internal import LarderCompression
internal import LarderHash
internal import LarderKernel

/// Where a block is.
struct BlockPlace: Hashable, Sendable {
  /// The chain's local number.
  let chain: Int64
  /// The block: seqs [512 · block, 512 · block + 511].
  let block: UInt64

  init(chain: Int64, block: UInt64) {
    self.chain = chain
    self.block = block
  }

  /// The block an event is in.
  init(chain: Int64, holding seq: UInt64) {
    self.init(chain: chain, block: seq / Limits.blockEventCount)
  }

  /// The seqs of a whole block.
  var seqs: Range<UInt64> {
    (block * Limits.blockEventCount)..<((block + 1) * Limits.blockEventCount)
  }
}

/// The events of a packed block.
struct BlockContent: Sendable {
  /// An event in `bytes`.
  struct Entry: Sendable {
    let header: EventHeader
    let place: EventSequenceReader.Entry
  }

  let author: AuthorID
  /// The seq of the first event; blocks of a branch begin within.
  let first: UInt64
  /// The event sequence.
  let bytes: [UInt8]
  let entries: [Entry]
  /// The stream of each event, by itself: what a block is searched for.
  let streams: [StreamID]

  /// The seqs.
  var seqs: Range<UInt64> { first..<(first + UInt64(entries.count)) }

  /// The index of the first event of a stream from `start` on. What is done for all 512 events
  /// whenever one stream is read: nothing but comparing.
  func place(of stream: StreamID, from start: Int) -> Int? {
    streams[start...].firstIndex(of: stream)
  }

  /// The block whose row has these values.
  /// - Throws: `corrupt`, naming author and seqs, for anything but a whole block.
  init(
    author: AuthorID, first: UInt64, count: Int, byteCount: Int, data: Span<UInt8>
  ) throws(StoreError) {
    self.author = author
    self.first = first
    let subject = "\(author.hex):\(first), \(count) events"
    let bytes: [UInt8]
    do throws(LZ4Error) {
      bytes = try LZ4.decompress(
        data, byteCount: byteCount, limit: Limits.sequenceByteCountMaximum)
    } catch {
      throw StoreError(.corrupt, operation: "unpack block", subject: subject, underlying: error)
    }
    self.bytes = bytes
    do throws(KernelError) {
      entries = try Self.entries(bytes.span, count: count)
      streams = entries.map(\.header.stream)
    } catch {
      throw StoreError(.corrupt, operation: "read block", subject: subject, underlying: error)
    }
  }

  private static func entries(
    _ bytes: Span<UInt8>, count: Int
  ) throws(KernelError) -> [Entry] {
    var reader = try EventSequenceReader(count: count)
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    while let place = try reader.next(in: bytes) {
      let header = try EventHeader(bytes.extracting(place.header))
      entries.append(Entry(header: header, place: place))
    }
    return entries
  }

  /// The event at `index`, with `leaf`.
  func event(at index: Int, leaf: Bytes32 = Event.noLeaf) -> Event {
    let entry = entries[index]
    return Event(
      id: EventID(author: author, seq: first + UInt64(index)), header: entry.header,
      payload: entry.place.body.payload(in: bytes), leaf: leaf)
  }

  /// The event at `index` as it is kept.
  func stored(at index: Int, leaf: Bytes32?) -> LogEvent {
    let entry = entries[index]
    return LogEvent(
      seq: first + UInt64(index), stream: entry.header.stream,
      header: Array(bytes[entry.place.header]), payload: entry.place.body.payload(in: bytes),
      commitment: entry.place.body.commitment, leaf: leaf ?? Event.noLeaf)
  }

  /// The leaf of the event at `index`; nil without its salt.
  func leaf(at index: Int, salts: inout ChainSalts) -> Bytes32? {
    let place = entries[index].place
    let header = bytes.span.extracting(place.header)
    switch place.body {
    case .erased(let commitment):
      return MerkleLeaf.hash(header: header, commitment: commitment)
    case .payload(let payload):
      let position = Int((first + UInt64(index)) % Limits.blockEventCount)
      guard let salt = salts.salt(at: position) else { return nil }
      return MerkleLeaf.hash(
        header: header, salt: salt, payload: bytes.span.extracting(payload))
    }
  }
}

/// The salts of a block: out of its seed, or one by one.
enum ChainSalts: Sendable {
  case seed(Bytes32, BlockSalts)
  /// 512 salts of 16 bytes; zeros where there is none.
  case explicit([UInt8])

  init(seed: Bytes32) { self = .seed(seed, BlockSalts(seed: seed)) }

  /// The salt of the block's event `index`, 0…511; nil where there is none.
  mutating func salt(at index: Int) -> Bytes16? {
    switch self {
    case .seed(let seed, var salts):
      let salt = salts.salt(at: index)
      self = .seed(seed, salts)
      return salt
    case .explicit(let bytes):
      let start = index * Bytes16.byteCount
      guard start + Bytes16.byteCount <= bytes.count else { return nil }
      let salt = Bytes16(bytes.span.extracting(start..<(start + Bytes16.byteCount)))
      return salt == .zero ? nil : salt
    }
  }
}

/// The blocks read last, so that a walk through many streams unpacks each once.
struct BlockCache {
  private var contents: [BlockPlace: BlockContent] = [:]
  private var order: [BlockPlace] = []
  private let limit: Int

  /// Keeps up to `limit` blocks.
  init(limit: Int) { self.limit = limit }

  /// The block at `place`, made by `make` if it is not here.
  mutating func content(
    at place: BlockPlace, _ make: () throws(StoreError) -> BlockContent
  ) throws(StoreError) -> BlockContent {
    if let content = contents[place] { return content }
    let content = try make()
    if limit == 0 { return content }
    if order.count == limit { contents[order.removeFirst()] = nil }
    contents[place] = content
    order.append(place)
    return content
  }
}
