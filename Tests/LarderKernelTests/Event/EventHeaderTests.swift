import LarderHash
import LarderKernel
import Testing

@Suite("EventHeader")
struct EventHeaderTests {
  private func header(
    kind: String = "MealCaptured", version: UInt16 = 1, flags: EventFlags = [.continued]
  ) throws -> EventHeader {
    EventHeader(
      hlc: HLC(milliseconds: 1_777_700_000_000),
      recordedAt: try #require(Instant(milliseconds: -1)),
      stream: StreamID(Bytes16(high: 1, low: 2)), kind: try #require(EventKind(kind)),
      version: version, flags: flags)
  }

  /// The seven items, one of them changed.
  private func items(_ place: Int, _ value: CBORValue) throws -> [UInt8] {
    var items: [CBORValue] = [
      .unsigned(1), .unsigned(5), .negative(0), .bytes([UInt8](repeating: 3, count: 16)),
      .text("MealCaptured"), .unsigned(1), .unsigned(0),
    ]
    items[place] = value
    return try CBORValue.array(items).encode()
  }

  // [EVT-1]
  @Test("a header is the canonical array of its seven values")
  func layout() throws {
    let expected =
      "87011b019de72d5100000020" + "5000000000000000010000000000000002"
      + "6c4d65616c4361707475726564" + "0102"
    let header = try header()
    #expect(header.bytes.hex == expected)
    #expect(try EventHeader(header.bytes.span) == header)
  }

  // [EVT-1]
  @Test("what is written is read back, over seeded headers")
  func roundTrip() throws {
    var samples = Samples(seed: 3)
    for _ in 0..<2000 {
      let kind = samples.pick(EventSchema.standard.kinds)
      let header = EventHeader(
        hlc: try #require(HLC(rawValue: samples.generator.next() >> UInt64(1 + samples.below(63)))),
        recordedAt: try #require(
          Instant(milliseconds: samples.number(Limits.instantMinimum, Limits.instantMaximum))),
        stream: samples.stream(), kind: kind, version: UInt16(samples.number(1, 65_535)),
        flags: EventFlags(rawValue: UInt8(samples.below(4))))
      let bytes = header.bytes
      #expect(try EventHeader(bytes.span) == header)
      #expect(bytes.count <= Limits.headerByteCountMaximum)
    }
  }

  // [EVT-2] [EVT-3] [EVT-4]
  @Test(
    "a value the format forbids is refused by its code",
    arguments: [
      (1, CBORValue.unsigned(1 << 63), "outOfRange"), (1, .negative(0), "outOfRange"),
      (1, .text("5"), "malformed"), (2, .unsigned(253_402_300_800_000), "outOfRange"),
      (2, .negative(62_135_596_800_000), "outOfRange"), (2, .unsigned(.max), "outOfRange"),
      (3, .bytes([1, 2, 3]), "outOfRange"), (3, .text("0123456789abcdef"), "malformed"),
      (4, .text(""), "invalidText"), (4, .text("Meal Captured"), "invalidText"),
      (4, .text("a/b/c"), "invalidText"), (4, .text("/a"), "invalidText"),
      (4, .text("a/"), "invalidText"), (4, .text("Mahlzeit\u{e9}"), "invalidText"),
      (4, .text(String(repeating: "k", count: 65)), "invalidText"), (4, .bytes([65]), "malformed"),
      (5, .unsigned(0), "outOfRange"), (5, .unsigned(65_536), "outOfRange"),
      (5, .null, "malformed"), (6, .unsigned(4), "outOfRange"), (6, .negative(0), "outOfRange"),
      (6, .bool(true), "malformed"), (0, .text("1"), "malformed"),
    ])
  func refusals(_ place: Int, _ value: CBORValue, _ code: String) throws {
    let bytes = try items(place, value)
    let error = #expect(throws: KernelError.self) { try EventHeader(bytes.span) }
    #expect(error?.code.rawValue == code)
    #expect(error?.operation == "decode header")
  }

  // [EVT-5]
  @Test("another format is refused before anything else of it is read")
  func formats() throws {
    let rest = [UInt8](repeating: 0xff, count: 6)
    for bytes in [[0x81, 0x02], [0x82, 0x18, 0x2a, 0xff], [0x87, 0x00] + rest] as [[UInt8]] {
      let error = #expect(throws: KernelError.self) { try EventHeader(bytes.span) }
      #expect(error?.code == .unsupportedVersion)
    }
  }

  // [EVT-1] [EVT-6]
  @Test("more or fewer than seven values, anything after them, or too many bytes are refused")
  func shape() throws {
    let good = try header().bytes
    for bytes in [[], [0x80], [0x81, 0x01], good + [0x00], [0xa1, 0x01, 0x01]] as [[UInt8]] {
      let error = #expect(throws: KernelError.self) { try EventHeader(bytes.span) }
      #expect(error?.code == .malformed)
    }
    let long = [UInt8](repeating: 0x87, count: 257)
    let error = #expect(throws: KernelError.self) { try EventHeader(long.span) }
    #expect(error?.code == .limitExceeded)
  }

  // [CBOR-1]
  @Test("any change of a byte is refused or is itself canonical; no truncation passes")
  func mutations() throws {
    let bytes = try header(kind: "example.water/WaterDrunk").bytes
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(throws: KernelError.self) { try EventHeader(cut.span) }
    }
    for place in bytes.indices {
      for value in 0...255 as ClosedRange<UInt8> {
        var mutated = bytes
        mutated[place] = value
        let again = try? EventHeader(mutated.span)
        if let again { #expect(again.bytes == mutated) }
      }
    }
  }
}

@Suite("EventKind")
struct EventKindTests {
  // [EVT-4]
  @Test("names with a slash are an app's, the others are Larder's")
  func names() throws {
    #expect(try !#require(EventKind("MealCaptured")).belongsToApp)
    #expect(try #require(EventKind("example.water/WaterDrunk")).belongsToApp)
    #expect(EventKind(String(repeating: "k", count: 64)) != nil)
    for kind in EventSchema.standard.kinds {
      #expect(!kind.belongsToApp)
      #expect(EventKind(kind.name) == kind)
    }
  }

  @Test("kinds sort by the bytes of their names")
  func order() throws {
    let names = ["A", "AB", "B", "a", "a.b/c"]
    let kinds = names.compactMap { EventKind($0) }
    #expect(kinds.reversed().sorted().map(\.name) == names)
  }
}
