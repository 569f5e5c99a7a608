// Fuzzes the gzip decoder: any bytes end in plain bytes, the same ones whatever pieces they come in,
// or in a typed error, and no call gives out more than it was allowed.

import LarderGzip

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  let whole = decoded(input, piece: max(1, input.count), limit: 4096)
  let pieces = decoded(input, piece: 3, limit: 7)
  // A fault behind plain bytes that still wait for room shows as an early end.
  precondition((whole.code == nil) == (pieces.code == nil), "pieces end otherwise than the whole")
  precondition(whole.code != nil || whole.plain == pieces.plain, "pieces say something else")
  #if PLANTED_BUG
    precondition(whole.plain.isEmpty, "the planted bug")
  #endif
  return 0
}

/// The plain bytes, up to a megabyte of them, and the code of the error that ended them.
private func decoded(
  _ input: [UInt8], piece: Int, limit: Int
) -> (plain: [UInt8], code: GzipError.Code?) {
  var plain: [UInt8] = []
  do throws(GzipError) {
    var decoder = try GzipDecoder()
    for start in stride(from: 0, to: input.count, by: piece) {
      let part = Array(input[start..<min(start + piece, input.count)])
      var offset = 0
      while offset < part.count {
        let before = plain.count
        offset = try decoder.decode(part.span, from: offset, into: &plain, limit: limit)
        precondition(plain.count - before <= limit, "more bytes than allowed")
        if plain.count > 1 << 20 { return ([], .outOfMemory) }
      }
    }
    try decoder.finish()
    return (plain, nil)
  } catch {
    return (plain, error.code)
  }
}
