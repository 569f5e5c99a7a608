// Gzip (RFC 1952) to plain bytes, in pieces: the caller feeds what it has and takes what fits.
//
// Invariants: at most `limit` bytes are appended a call, whatever the compression ratio, so memory
// is bounded by what the caller asks for; members that follow one another read as one stream, as
// gzip(1) reads them; zero padding after a member is allowed, anything else there is corrupt.
// Knows nothing of files, lines or what the bytes mean.

import CZlib

/// A streaming gzip decoder.
@safe
public struct GzipDecoder: ~Copyable {
  // zlib keeps a pointer back to the stream, so it may never move: it lives on the heap, owned by
  // this value alone from `init` to `deinit`.
  private let stream: UnsafeMutablePointer<z_stream>
  private var place = Place.betweenMembers(isFirst: true)
  private var consumedTotal: UInt64 = 0

  private enum Place {
    case betweenMembers(isFirst: Bool)
    case inMember
    case inPadding
  }

  /// Whether bytes that begin with `prefix` are gzip.
  public static func isGzip(_ prefix: Span<UInt8>) -> Bool {
    prefix.count >= 2 && prefix[0] == 0x1f && prefix[1] == 0x8b
  }

  /// A decoder at the beginning of a stream.
  /// - Throws: `outOfMemory`.
  public init() throws(GzipError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe larder_inflate_init_gzip(stream) == Z_OK else {
      unsafe stream.deallocate()
      throw GzipError(.outOfMemory, operation: "begin gzip", at: 0)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Takes bytes of `input` from `offset` on and appends at most `limit` plain bytes to `output`.
  /// Call again from the returned place until it equals `input.count`, then feed what follows.
  /// - Returns: the offset of the first byte of `input` not taken yet.
  /// - Throws: `corrupt`, `outOfMemory`.
  public mutating func decode(
    _ input: Span<UInt8>, from offset: Int, into output: inout [UInt8], limit: Int
  ) throws(GzipError) -> Int {
    precondition(limit > 0, "a decoder that may append nothing would never end")
    precondition(offset >= 0 && offset <= input.count, "offset outside the input")
    var next = offset
    let end = output.count + limit
    while next < input.count && output.count < end {
      switch place {
      case .betweenMembers(let isFirst):
        if input[next] == 0 && !isFirst {
          place = .inPadding
        } else {
          try beginMember(isFirst: isFirst)
        }
      case .inPadding:
        guard input[next] == 0 else { throw failure(.corrupt) }
        next += 1
        consumedTotal += 1
      case .inMember:
        let taken = try inflateOnce(input, from: next, into: &output, room: end - output.count)
        next += taken
        consumedTotal += UInt64(taken)
      }
    }
    return next
  }

  /// States that no input follows.
  /// - Throws: `truncated` inside a member or where there was none at all.
  public func finish() throws(GzipError) {
    switch place {
    case .betweenMembers(isFirst: false), .inPadding: return
    case .betweenMembers(isFirst: true), .inMember: throw failure(.truncated)
    }
  }

  private mutating func beginMember(isFirst: Bool) throws(GzipError) {
    if !isFirst, unsafe inflateReset(stream) != Z_OK { throw failure(.corrupt) }
    place = .inMember
  }

  /// One call of inflate. Both pointers live only inside their closures. Inflate can hold plain
  /// bytes back when the room is full, but never at the end of a member: the eight bytes of its
  /// trailer are taken after the last plain byte is out, and it reads at most four ahead.
  private mutating func inflateOnce(
    _ input: Span<UInt8>, from offset: Int, into output: inout [UInt8], room: Int
  ) throws(GzipError) -> Int {
    let pieceCount = min(input.count - offset, Int(Int32.max))
    let roomCount = min(room, Self.pieceByteCount)
    let before = output.count
    output.append(contentsOf: repeatElement(0, count: roomCount))
    let stream = unsafe self.stream
    let code = unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        // zlib only reads through next_in; its type lacks the const.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
          mutating: source.baseAddress.map { unsafe $0 + offset })
        unsafe stream.pointee.avail_in = UInt32(pieceCount)
        unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + before }
        unsafe stream.pointee.avail_out = UInt32(roomCount)
        return unsafe inflate(stream, Z_NO_FLUSH)
      }
    }
    output.removeLast(Int(unsafe stream.pointee.avail_out))
    let taken = pieceCount - Int(unsafe stream.pointee.avail_in)
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: place = .betweenMembers(isFirst: false)
    case Z_MEM_ERROR: throw failure(.outOfMemory)
    default: throw failure(.corrupt)
    }
    return taken
  }

  private func failure(_ code: GzipError.Code) -> GzipError {
    GzipError(code, operation: "read gzip", at: consumedTotal)
  }

  /// The most inflate is given room for at once, in bytes.
  private static let pieceByteCount = 256 * 1024
}
