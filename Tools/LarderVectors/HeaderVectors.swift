// Headers: good ones, and each value that is refused.

import LarderHash
import LarderKernel

enum HeaderVectors {
  static func all() throws -> [Vector] {
    try accepted() + refused.map(refuse)
  }

  private static func accepted() throws -> [Vector] {
    let stream = StreamID(.pattern(0x10))
    let noon = try constant(Instant(milliseconds: 1_777_723_200_123), "recordedAt")
    let first = try constant(Instant(milliseconds: Limits.instantMinimum), "recordedAt")
    let last = try constant(Instant(milliseconds: Limits.instantMaximum), "recordedAt")
    let app = try constant(EventKind("example.water/WaterDrunk"), "kind")
    let longest = try constant(EventKind(String(repeating: "k", count: 64)), "kind")
    return [
      try accept(
        "typical", "a capture as a device writes it",
        EventHeader(
          hlc: HLC(milliseconds: 1_777_723_200_123).next(now: 0), recordedAt: noon, stream: stream,
          kind: .mealCaptured, version: 1, flags: [])),
      try accept(
        "least", "the least value of each",
        EventHeader(
          hlc: .zero, recordedAt: first, stream: .control,
          kind: try constant(EventKind("A"), "kind"),
          version: 1, flags: [])),
      try accept(
        "most", "the largest value of each",
        EventHeader(
          hlc: .maximum, recordedAt: last,
          stream: StreamID(Bytes16(high: .max, low: .max)), kind: longest, version: 65_535,
          flags: [.critical, .continued])),
      try accept(
        "app_kind", "a kind of an app's, critical",
        EventHeader(
          hlc: HLC(milliseconds: 1), recordedAt: noon, stream: stream, kind: app, version: 3,
          flags: .critical)),
    ]
  }

  private static func accept(
    _ name: String, _ description: String, _ header: EventHeader
  ) throws -> Vector {
    let bytes = header.bytes
    guard try EventHeader(bytes.span) == header else { throw VectorError("header/\(name) changed") }
    return Vector(
      "header", name, description,
      [
        "input": .string(bytes.hex),
        "header": .object([
          "format": .number(1), "hlc": .digits(header.hlc.rawValue),
          "recordedAt": .number(header.recordedAt.milliseconds),
          "stream": .string(header.stream.hex), "kind": .string(header.kind.name),
          "version": .number(Int64(header.version)), "flags": .number(Int64(header.flags.rawValue)),
        ]),
      ])
  }

  /// Which of the seven values is another, what it is, and the code it is refused with.
  private static let refused:
    [(name: String, description: String, place: Int, value: CBORValue, error: KernelError.Code)] = [
      ("format_2", "a format of another time", 0, .unsigned(2), .unsupportedVersion),
      ("format_0", "no format is 0", 0, .unsigned(0), .unsupportedVersion),
      ("format_text", "a format that is no number", 0, .text("1"), .malformed),
      ("hlc_beyond", "one more than the clock has", 1, .unsigned(1 << 63), .outOfRange),
      ("hlc_negative", "a clock before its beginning", 1, .negative(0), .outOfRange),
      ("hlc_text", "a clock in words", 1, .text("now"), .malformed),
      ("recorded_at_10000", "the year 10000", 2, .unsigned(253_402_300_800_000), .outOfRange),
      ("recorded_at_0", "the year 0", 2, .negative(62_135_596_800_000), .outOfRange),
      ("recorded_at_huge", "beyond 64 bits with a sign", 2, .unsigned(.max), .outOfRange),
      ("stream_15", "a stream of 15 bytes", 3, .bytes(pattern(0, 15)), .outOfRange),
      ("stream_text", "a stream as text", 3, .text("0123456789abcdef"), .malformed),
      ("kind_empty", "a kind without a name", 4, .text(""), .invalidText),
      ("kind_space", "a space in a name", 4, .text("Meal Captured"), .invalidText),
      ("kind_umlaut", "a letter beyond ASCII", 4, .text("Mahlzeit\u{fc}"), .invalidText),
      ("kind_two_slashes", "two slashes", 4, .text("a/b/c"), .invalidText),
      ("kind_slash_last", "nothing after the slash", 4, .text("a/"), .invalidText),
      ("kind_65", "65 bytes", 4, .text(String(repeating: "k", count: 65)), .invalidText),
      ("kind_bytes", "a kind as bytes", 4, .bytes([0x41]), .malformed),
      ("version_0", "versions begin at 1", 5, .unsigned(0), .outOfRange),
      ("version_65536", "one more than 65535", 5, .unsigned(65_536), .outOfRange),
      ("flags_4", "a flag that has no name", 6, .unsigned(4), .outOfRange),
      ("flags_null", "no flags at all", 6, .null, .malformed),
      ("eight_values", "one value too many", 7, .unsigned(0), .malformed),
      ("six_values", "one value too few", -1, .null, .malformed),
    ]

  private static func refuse(
    _ scenario: (
      name: String, description: String, place: Int, value: CBORValue, error: KernelError.Code
    )
  ) throws -> Vector {
    var items: [CBORValue] = [
      .unsigned(1), .unsigned(116_505_347_719_168), .unsigned(1_777_723_200_123),
      .bytes(pattern(0x10, 16)), .text("MealCaptured"), .unsigned(1), .unsigned(0),
    ]
    switch scenario.place {
    case items.count: items.append(scenario.value)
    case -1: items.removeLast()
    default: items[scenario.place] = scenario.value
    }
    let bytes = try CBORValue.array(items).encode()
    do throws(KernelError) {
      _ = try EventHeader(bytes.span)
    } catch {
      guard error.code == scenario.error else {
        throw VectorError("header/\(scenario.name): \(error)")
      }
      return Vector(
        "header", "refused_" + scenario.name, scenario.description,
        ["input": .string(bytes.hex), "error": .string(error.code.rawValue)])
    }
    throw VectorError("header/\(scenario.name) was accepted")
  }
}
