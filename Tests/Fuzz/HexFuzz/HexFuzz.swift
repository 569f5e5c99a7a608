// Fuzzes the reading of hexadecimal text: what is accepted says the same when written again, and
// nothing traps.

import LarderHash

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(String(decoding: input, as: UTF8.self))
  return 0
}

private func check(_ text: String) {
  guard let bytes = [UInt8](hex: text) else { return }
  precondition(bytes.hex == text.lowercased(), "hexadecimal text changed on its way through")
  if let value = Bytes16(hex: text) {
    precondition(value.bytes == bytes, "two readers of hexadecimal text disagree")
  }
  #if PLANTED_BUG
    precondition(bytes.count < 2 || bytes[0] != 0xBA, "the planted bug")
  #endif
}
