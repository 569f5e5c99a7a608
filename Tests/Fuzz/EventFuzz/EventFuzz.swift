// Fuzzes the reading of headers and payloads, and the fold over what was read: what is accepted is
// written back the same, nothing traps, and the fold gives the same rows whatever the order.

import LarderHash
import LarderKernel

/// What libFuzzer calls with each input; the bytes are valid during the call only.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ byteCount: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: byteCount))
  check(input)
  return 0
}

/// The first byte chooses: 255 a header, 254 a stream of events, else the payload of a kind.
private func check(_ input: [UInt8]) {
  guard let selector = input.first else { return }
  let rest = Array(input[1...])
  switch selector {
  case 255: checkHeader(rest)
  case 254: checkFold(rest)
  default: checkPayload(rest, readers[Int(selector) % readers.count])
  }
}

private func checkHeader(_ input: [UInt8]) {
  guard let header = try? EventHeader(input.span) else { return }
  precondition(header.bytes == input, "an accepted header has another encoding")
  #if PLANTED_BUG
    precondition(header.flags.isEmpty, "the planted bug")
  #endif
}

private func checkPayload(_ input: [UInt8], _ type: any EventPayload.Type) {
  func check<Payload: EventPayload>(_ type: Payload.Type) {
    guard let payload = try? Payload(input.span) else { return }
    precondition(payload.bytes == input, "an accepted payload has another encoding")
    let accepts =
      (try? EventSchema.standard.check(
        kind: Payload.kind, version: Payload.version, payload: input)) != nil
    precondition(accepts, "the catalogue and the type disagree")
  }
  check(type)
}

private let readers: [any EventPayload.Type] = [
  MealCaptured.self, MealChanged.self, MealDeleted.self, MealRestored.self, ItemAdded.self,
  ItemChanged.self, ItemRemoved.self, ItemRevalued.self, PhotoAttached.self, PhotoDetached.self,
  PhotoReduced.self, PreviewReplaced.self, Reanalysed.self, ProposalAccepted.self,
  TemplateSaved.self, TemplateDeleted.self, ProductOverridden.self, SettingChanged.self,
  DayStartChanged.self, DayNoted.self, DataSent.self, HeadsWitnessed.self, PayloadErased.self,
  SoftwareChanged.self,
]

/// Events: a byte for the kind, a byte for the clock, two for the length, then the payload.
private func checkFold(_ input: [UInt8]) {
  let stream = StreamID(milliseconds: 1, random: Bytes16(high: 1, low: 1))
  var events: [Event] = []
  var place = 0
  while place + 4 <= input.count, events.count < 64 {
    let kind = readers[Int(input[place]) % readers.count].kind
    let length = Int(input[place + 2]) << 8 | Int(input[place + 3])
    let payload = Array(input[(place + 4)..<min(input.count, place + 4 + length)])
    let header = EventHeader(
      hlc: HLC(milliseconds: Int64(input[place + 1])), recordedAt: Instant(clamping: 0),
      stream: stream, kind: kind, version: 1, flags: [])
    events.append(
      Event(
        id: EventID(author: AuthorID(.zero), seq: UInt64(events.count)), header: header,
        payload: payload, leaf: Event.noLeaf))
    place += 4 + length
  }
  let rows = MealFold.rows(of: stream, events: events, schema: .standard)
  let reversed = MealFold.rows(of: stream, events: events.reversed(), schema: .standard)
  precondition(rows.digest == reversed.digest, "the order of arrival changed the rows")
  precondition(rows.setAside.count <= events.count, "more set aside than there was")
}
