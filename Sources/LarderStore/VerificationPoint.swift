// How far a verification has come, so that one that was stopped can go on. SPEC.md, "Verifying".
//
// Invariant: what is read back is what was written, or nothing: the bytes have a checksum, and one
// encoding. A point says nothing about a store whose log or rows have changed since.

internal import LarderHash
internal import LarderKernel

/// Where a verification stands, with everything it needs to go on.
package struct VerificationPoint: Hashable, Sendable {
  /// The most bytes an encoded point has.
  package static let byteCountMax = 1 << 20

  /// A fingerprint of the state of the store that is verified.
  let snapshot: Bytes16
  /// How many events there are to read, about.
  let total: Int
  /// What was found before this point.
  var report = VerificationReport()
  /// What comes next.
  var place = Place.log(nil, StreamIndexSum())

  /// Which part comes next.
  enum Place: Hashable, Sendable {
    /// The log, from its beginning or in the middle of a chain; the index entries of the blocks
    /// before.
    case log(ChainProgress?, StreamIndexSum)
    /// The rows, the whole log being checked.
    case rows(RowProgress)
  }

  /// How much is done of how much.
  package var progress: WorkProgress { Self.progress(report, total: total) }

  static func progress(_ report: VerificationReport, total: Int) -> WorkProgress {
    WorkProgress(done: report.eventCount + report.foldedCount, total: 2 * total)
  }
}

/// How far a chain has been checked.
struct ChainProgress: Hashable, Sendable {
  /// The chain's local number.
  let chain: Int64
  /// The number of the block that comes next.
  let nextBlock: Int64
  /// The tree of the events so far.
  let range: CompactRange
  /// Whether events before its end are missing.
  let isBroken: Bool
}

/// How far the rows have been compared.
struct RowProgress: Hashable, Sendable {
  /// The last stream that was compared.
  var stream: StreamID?
  /// Whether a stream could not be read, so that rows may be left over.
  var isUnreadable = false
}

// MARK: - Bytes

extension VerificationPoint {
  /// The checksum, then CBOR `[2, snapshot, total, report, place]`.
  package var bytes: [UInt8] {
    var writer = CBORWriter(reserving: 512)
    writer.beginArray(count: 5)
    writer.append(unsigned: 2)
    writer.append(snapshot)
    writer.append(integer: Int64(total))
    report.append(to: &writer)
    place.append(to: &writer)
    return BLAKE2b.hash128(writer.bytes).bytes + writer.bytes
  }

  /// The point that was written as `bytes`; nil if it was none, or of another version.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count > Bytes16.byteCount, bytes.count <= Self.byteCountMax,
      let checksum = Bytes16(bytes.extracting(0..<Bytes16.byteCount))
    else { return nil }
    let body = bytes.extracting(Bytes16.byteCount..<bytes.count)
    guard BLAKE2b.hash128(body) == checksum else { return nil }
    var reader = CBORReader()
    do throws(CBORError) {
      try reader.expectArray(count: 5, in: body)
      guard try reader.unsigned(in: body) == 2 else { return nil }
      snapshot = try reader.bytes16(in: body)
      total = try reader.count(in: body)
      report = try VerificationReport(&reader, in: body)
      place = try Place(&reader, in: body)
      try reader.finish(in: body)
    } catch {
      return nil
    }
  }
}

extension VerificationReport {
  /// CBOR `[events, chains, blocks, edges, streams, changedStreams, rows, unfolded, folded,
  /// [[projection, digest], …], [[code, subject], …]]`.
  fileprivate func append(to writer: inout CBORWriter) {
    writer.beginArray(count: 11)
    let counts = [
      eventCount, chainCount, blockCount, edgeCount, streamCount, changedStreamCount, rowCount,
      unfoldedCount, foldedCount,
    ]
    for count in counts { writer.append(integer: Int64(count)) }
    writer.beginArray(count: digests.count)
    for (name, digest) in digests.sorted(by: { $0.key < $1.key }) {
      writer.beginArray(count: 2)
      writer.append(text: name)
      writer.append(digest)
    }
    writer.beginArray(count: problems.count)
    for problem in problems {
      writer.beginArray(count: 2)
      writer.append(text: problem.code)
      writer.append(text: problem.subject)
    }
  }

  fileprivate init(_ reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    self.init()
    try reader.expectArray(count: 11, in: bytes)
    eventCount = try reader.count(in: bytes)
    chainCount = try reader.count(in: bytes)
    blockCount = try reader.count(in: bytes)
    edgeCount = try reader.count(in: bytes)
    streamCount = try reader.count(in: bytes)
    changedStreamCount = try reader.count(in: bytes)
    rowCount = try reader.count(in: bytes)
    unfoldedCount = try reader.count(in: bytes)
    foldedCount = try reader.count(in: bytes)
    for _ in 0..<(try reader.arrayCount(in: bytes)) {
      try reader.expectArray(count: 2, in: bytes)
      let name = try reader.text(in: bytes)
      digests[name] = try reader.bytes16(in: bytes)
    }
    let start = reader.offset
    let problemCount = try reader.arrayCount(in: bytes)
    guard problemCount <= Self.problemCountMax else {
      throw CBORError(code: .outOfRange, offset: start)
    }
    for _ in 0..<problemCount {
      try reader.expectArray(count: 2, in: bytes)
      let code = try reader.text(in: bytes)
      problems.append(IntegrityProblem(code: code, subject: try reader.text(in: bytes)))
    }
  }
}

extension VerificationPoint.Place {
  /// CBOR `[0, entries, sum]` or `[0, entries, sum, chain, nextBlock, begin, end, frontier,
  /// isBroken]` for the log, `[1, stream or null, isUnreadable]` for the rows.
  fileprivate func append(to writer: inout CBORWriter) {
    switch self {
    case .log(let chain, let index):
      writer.beginArray(count: chain == nil ? 3 : 9)
      writer.append(unsigned: 0)
      writer.append(integer: Int64(index.count))
      writer.append(index.sum)
      guard let chain else { return }
      writer.append(integer: chain.chain)
      writer.append(integer: chain.nextBlock)
      writer.append(unsigned: chain.range.begin)
      writer.append(unsigned: chain.range.end)
      writer.append(bytes: chain.range.frontier)
      writer.append(bool: chain.isBroken)
    case .rows(let progress):
      writer.beginArray(count: 3)
      writer.append(unsigned: 1)
      if let stream = progress.stream {
        writer.append(stream.bytes)
      } else {
        writer.appendNull()
      }
      writer.append(bool: progress.isUnreadable)
    }
  }

  fileprivate init(_ reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    let start = reader.offset
    let count = try reader.arrayCount(in: bytes)
    switch (try reader.unsigned(in: bytes), count) {
    case (0, 3), (0, 9):
      let entryCount = try reader.count(in: bytes)
      let index = StreamIndexSum(count: entryCount, sum: try reader.bytes16(in: bytes))
      self = .log(count == 3 ? nil : try ChainProgress(&reader, in: bytes), index)
    case (1, 3):
      let isNull = try reader.peek(in: bytes) == .null
      if isNull { _ = try reader.null(in: bytes) }
      let stream = isNull ? nil : StreamID(try reader.bytes16(in: bytes))
      self = .rows(RowProgress(stream: stream, isUnreadable: try reader.bool(in: bytes)))
    default:
      throw CBORError(code: .outOfRange, offset: start)
    }
  }
}

extension ChainProgress {
  fileprivate init(_ reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    chain = try reader.integer(in: bytes)
    nextBlock = Int64(try reader.count(in: bytes))
    let begin = try reader.unsigned(in: bytes)
    let end = try reader.unsigned(in: bytes)
    let start = reader.offset
    let frontier = try reader.byteString(in: bytes)
    do throws(MerkleError) {
      range = try CompactRange(begin: begin, end: end, frontier: bytes.extracting(frontier))
    } catch {
      throw CBORError(code: .outOfRange, offset: start)
    }
    isBroken = try reader.bool(in: bytes)
  }
}

extension CBORReader {
  /// A count below 2^48, so that sums of some stay numbers.
  fileprivate mutating func count(in bytes: Span<UInt8>) throws(CBORError) -> Int {
    let start = offset
    let number = try unsigned(in: bytes)
    guard number < 1 << 48 else { throw CBORError(code: .outOfRange, offset: start) }
    return Int(number)
  }

  fileprivate mutating func expectArray(
    count: Int, in bytes: Span<UInt8>
  ) throws(CBORError) {
    let start = offset
    guard try arrayCount(in: bytes) == count else {
      throw CBORError(code: .outOfRange, offset: start)
    }
  }
}
