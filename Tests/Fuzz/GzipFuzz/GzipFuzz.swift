// Fuzzes the reading of gzip streams: whatever the pieces the bytes come in, the outcome is the
// same, and nothing traps or grows without bound.

import LarderGzip

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  let whole = decoded(input, pieceByteCount: max(1, input.count))
  let pieces = decoded(input, pieceByteCount: 1)
  precondition(whole == pieces, "the size of the pieces changed what was read")
  #if PLANTED_BUG
    precondition(input.count < 3 || input[0] != 0x1f || input[1] != 0x8b, "the planted bug")
  #endif
  return 0
}

/// How much was read, a checksum of it, and whether the stream was sound to its end.
private struct Outcome: Equatable {
  var byteCount = 0
  var checksum: UInt64 = 0
  var isSound = false
}

private func decoded(_ input: [UInt8], pieceByteCount: Int) -> Outcome {
  var outcome = Outcome()
  guard var decoder = try? GzipDecoder() else { return outcome }
  var place = 0
  do {
    while place < input.count, outcome.byteCount < 1 << 22 {
      let end = min(input.count, place + pieceByteCount)
      let piece = input.span.extracting(place..<end)
      var offset = 0
      while offset < piece.count, outcome.byteCount < 1 << 22 {
        var plain: [UInt8] = []
        offset = try decoder.decode(piece, from: offset, into: &plain, limit: 4096)
        precondition(plain.count <= 4096, "more came out than was asked for")
        for byte in plain { outcome.checksum = outcome.checksum &* 31 &+ UInt64(byte) }
        outcome.byteCount += plain.count
      }
      place = end
    }
    if place == input.count {
      try decoder.finish()
      outcome.isSound = true
    }
  } catch {
    // How much came out before the fault may differ with the pieces; that there is one may not.
    return Outcome()
  }
  return outcome.byteCount < 1 << 22 ? outcome : Outcome()
}
