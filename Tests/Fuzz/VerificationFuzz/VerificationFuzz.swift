// Fuzzes the reading of stopped verifications: what is accepted is written back the same, and
// nothing traps. The checksum is put right first where the input asks for it.

import LarderHash
import LarderStore

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

/// The first byte chooses: bit 0 a right checksum.
private func check(_ input: [UInt8]) {
  guard let selector = input.first else { return }
  let rest = Array(input[1...])
  let bytes = selector & 1 != 0 ? BLAKE2b.hash128(rest).bytes + rest : rest
  guard let point = VerificationPoint(bytes.span) else { return }
  precondition(point.bytes == bytes, "an accepted point has another encoding")
  #if PLANTED_BUG
    precondition(point.progress.total != 2400, "the planted bug")
  #endif
  precondition(point.progress.total >= 0 && point.progress.done >= 0, "a count that is none")
}
