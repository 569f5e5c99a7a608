// Fuzzes what people type: amounts, foods, numbers, times, days, slots, references, codes. Nothing
// traps, and what is accepted is within its limits.

import LarderCapture
import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(String(decoding: input, as: UTF8.self))
  return 0
}

private let today = CivilDay(daysSince1970: 20_575) ?? .minimum

private func check(_ text: String) {
  if let amount = try? TypedAmount.read(text) {
    precondition((1...Limits.amountMaximum).contains(amount.value), "an amount beyond its limits")
    #if PLANTED_BUG
      precondition(amount.unit != .milligram, "the planted bug")
    #endif
  }
  _ = try? TypedFood(reading: text, today: today)
  if let numbers = try? TypedNumbers(reading: text), let amount = try? Quantity(60_000, .milligram)
  {
    _ = try? numbers.snapshot(for: amount)
  }
  _ = try? TypedDay.read(text, today: today)
  if let range = try? TypedDayRange(reading: text, today: today) {
    precondition(range.first <= range.last, "a range that ends before it begins")
  }
  _ = try? TypedSlot.read(text)
  _ = try? TypedReference(reading: text, today: today)
  if let code = try? ProductCode(text), let again = try? ProductCode(code.canonical) {
    precondition(code == again, "a code's canonical form is another code")
  }
}
