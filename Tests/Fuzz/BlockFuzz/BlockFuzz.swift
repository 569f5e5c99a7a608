// Fuzzes the unpacking of blocks: LZ4 and the event sequence in it. What is unpacked has the stated
// size, what is read is written back the same, and nothing traps or takes more than its limit.

import LarderCompression
import LarderHash
import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

/// The first byte chooses: bit 0 a sequence that is not compressed; the second is how many events
/// there are, the next two how many bytes.
private func check(_ input: [UInt8]) {
  guard input.count >= 4 else { return }
  let rest = Array(input[4...])
  if input[0] & 1 != 0 { return checkSequence(rest, count: Int(input[1])) }
  let byteCount = Int(input[2]) << 8 | Int(input[3])
  if let plain = try? LZ4.decompress(rest.span, byteCount: byteCount, limit: 1 << 15) {
    precondition(plain.count == byteCount && byteCount <= 1 << 15, "another size than was stated")
    checkSequence(plain, count: Int(input[1]))
  }
  let packed = LZ4.compress(rest.span)
  let back = try? LZ4.decompress(packed.span, byteCount: rest.count, limit: rest.count)
  precondition(back == rest, "what was compressed does not come back")
}

private func checkSequence(_ bytes: [UInt8], count: Int) {
  guard var reader = try? EventSequenceReader(count: count) else { return }
  var again = CBORWriter()
  do {
    while let entry = try reader.next(in: bytes.span) {
      #if PLANTED_BUG
        precondition(entry.header.count != 3, "the planted bug")
      #endif
      let header = Array(bytes[entry.header])
      switch entry.body {
      case .payload(let place):
        let payload = Array(bytes[place])
        again.append(eventHeader: header.span, payload: payload.span)
      case .erased(let commitment):
        again.append(eventHeader: header.span, commitment: commitment)
      }
    }
  } catch {
    return
  }
  precondition(again.bytes == bytes, "an accepted sequence has another encoding")
}
