// Fuzzes the reading of head records and key files: what is accepted is written back the same, a
// record of another slot is never made worse by a damaged one, and nothing traps. Checksums are put
// right first where the input asks for it, or nothing would get behind them.

import LarderCrypto
import LarderHash
import LarderKernel
import LarderStore

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

/// The first byte chooses: bit 0 a key file, bit 1 right checksums.
private func check(_ input: [UInt8]) {
  guard let selector = input.first else { return }
  let bytes = Array(input[1...])
  let isSealed = selector & 2 != 0
  if selector & 1 != 0 {
    checkKeys(isSealed ? sealed(bytes) : bytes)
  } else {
    checkHead(isSealed ? sealedSlots(bytes) : bytes)
  }
}

private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  bytes + BLAKE2b.hash128(bytes).bytes
}

/// The bytes with the right checksum at the end of each whole slot.
private func sealedSlots(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var rest = bytes[...]
  while rest.count >= HeadRecord.slotByteCount {
    result += sealed(Array(rest.prefix(HeadRecord.slotByteCount - 16)))
    rest = rest.dropFirst(HeadRecord.slotByteCount)
  }
  return result + rest
}

private func checkHead(_ bytes: [UInt8]) {
  // The author that the first slot names, so that most slots are of the right one.
  let named = bytes.count >= 40 ? Bytes16(Array(bytes[24..<40])) : nil
  let author = AuthorID(named ?? .zero)
  guard let reading = try? HeadRecord.read(bytes.span, of: author, subject: "input"),
    case .found(let stored) = reading
  else { return }
  precondition(stored.record.author == author, "a record of another author was accepted")
  let start = stored.slot * HeadRecord.slotByteCount
  let slot = Array(bytes[start..<(start + HeadRecord.slotByteCount)])
  precondition(
    stored.record.slot(counter: stored.counter) == slot, "an accepted slot has another encoding")
  #if PLANTED_BUG
    precondition(stored.record.place.path.utf8.count < 20, "the planted bug")
  #endif
  let alone = try? HeadRecord.read(slot.span, of: author, subject: "input")
  guard case .found(let again) = alone else { preconditionFailure("a slot alone is refused") }
  precondition(again.record == stored.record, "the other slot changed a record")
}

private func checkKeys(_ bytes: [UInt8]) {
  guard let keys = try? DeviceKeys(bytes.span, subject: "input") else { return }
  precondition((1...DeviceKeys.countMaximum).contains(keys.count), "a number of keys that is none")
  keys.withFileBytes { precondition($0 == bytes, "an accepted key file has another encoding") }
  precondition(keys.key(of: AuthorID(keys.newest.publicKey.authorID)) != nil, "a key is not found")
}
