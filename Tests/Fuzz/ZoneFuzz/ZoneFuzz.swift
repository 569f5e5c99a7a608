// Fuzzes the reading of time zone files: whatever is accepted answers every question, and its
// answers agree with each other.

import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

private func check(_ input: [UInt8]) {
  // Not all of a file matters to its rules, so that they cannot be written back: they are asked.
  guard let rules = try? TimeZoneRules(input.span) else {
    checkName(input)
    return
  }
  #if PLANTED_BUG
    precondition(rules.offset(atUTC: 0) == 0, "the planted bug")
  #endif
  var instants: [Int64] = [.min, .max, 0, -1 << 59, 1 << 59]
  // Every aligned and unaligned word of the file, among them its transitions.
  for offset in stride(from: 0, to: input.count - 8, by: max(1, input.count / 64)) {
    let word = input[offset..<(offset + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    instants += [Int64(bitPattern: word), Int64(bitPattern: word) >> 28]
  }
  for year in 0..<12 as Range<Int64> { instants.append(1_700_000_000 + year * 2_629_746) }
  for instant in instants { check(rules, at: instant) }
}

private func check(_ rules: TimeZoneRules, at instant: Int64) {
  let offset = rules.offset(atUTC: instant)
  precondition((-89_999...93_599).contains(offset), "an offset that no clock shows")
  let resolution = rules.offsets(atLocal: instant)
  guard (-1 << 58...1 << 58).contains(instant) else { return }
  let meant = resolution.instant(ofLocal: instant)
  switch resolution {
  case .unique(let only):
    precondition(rules.offset(atUTC: meant) == only, "a time that is not shown")
  case .ambiguous(let earlier, let later):
    precondition(earlier > later, "the first of two times is the later one")
    precondition(rules.offset(atUTC: meant) == earlier, "a time that is not shown")
    precondition(rules.offset(atUTC: instant - Int64(later)) == later, "a time that is not shown")
  case .gap(let before, let after):
    precondition(before < after, "a jump back skips nothing")
    precondition(rules.offset(atUTC: instant - Int64(before)) != before, "a time that is shown")
    precondition(rules.offset(atUTC: instant - Int64(after)) != after, "a time that is shown")
  }
  // The other way: the reading of a real instant is never skipped.
  if case .gap = rules.offsets(atLocal: instant + Int64(offset)) {
    preconditionFailure("a time that was shown was skipped")
  }
}

private func checkName(_ input: [UInt8]) {
  guard let name = ZoneName(String(decoding: input, as: UTF8.self)) else { return }
  precondition(!name.rawValue.contains(".") && !name.rawValue.hasPrefix("/"), "a name leads away")
}
