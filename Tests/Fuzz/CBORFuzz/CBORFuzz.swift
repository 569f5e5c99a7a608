// Fuzzes the reading of CBOR: what is accepted has one encoding, the one it came in, and the
// readers that build values and those that do not agree on what that is.

import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

private func check(_ input: [UInt8]) {
  let value = try? CBORValue.decode(input.span)
  var reader = CBORReader()
  let isSkipped = (try? reader.skip(in: input.span)) != nil
  let isWhole = isSkipped && (try? reader.finish(in: input.span)) != nil
  precondition(isWhole == (value != nil), "skipping and decoding disagree")
  readEverything(input)
  guard let value else { return }
  precondition((try? value.encode()) == input, "an accepted item has another encoding")
  precondition(!value.diagnosticNotation.isEmpty, "an item without a notation")
  #if PLANTED_BUG
    precondition(input.count < 3 || input[0] != 0x82, "the planted bug")
  #endif
}

/// Reads item after item, each by what its first byte says it is, into every kind of value.
private func readEverything(_ input: [UInt8]) {
  var reader = CBORReader()
  var previousKey: UInt64?
  while let type = try? reader.peek(in: input.span) {
    let before = reader.offset
    switch type {
    case .unsigned:
      if let key = try? reader.key(in: input.span, after: previousKey) {
        previousKey = key
      } else {
        _ = try? reader.unsigned(in: input.span)
      }
    case .negative: _ = try? reader.integer(in: input.span)
    case .bytes:
      if (try? reader.bytes16(in: input.span)) == nil
        && (try? reader.bytes32(in: input.span)) == nil
      {
        _ = try? reader.byteString(in: input.span)
      }
    case .text: _ = try? reader.text(in: input.span, maximumByteCount: 64)
    case .array: _ = try? reader.arrayCount(in: input.span)
    case .map: _ = try? reader.mapCount(in: input.span)
    case .bool: _ = try? reader.bool(in: input.span)
    case .null: _ = try? reader.null(in: input.span)
    }
    precondition(reader.offset <= input.count, "read beyond the end")
    if reader.offset == before { return }
  }
}
