import LarderHash
import LarderKernel
import Testing

@Suite("CBORValue")
struct CBORValueTests {
  @Test("accepts the examples of RFC 8949 within the subset and prints them as it does")
  func examples() throws {
    for vector in CBORVectors.accepted {
      let bytes = try #require([UInt8](hex: vector.hex))
      let value = try Self.decode(bytes)
      #expect(value.diagnosticNotation == vector.notation)
      #expect(try value.encode().hex == vector.hex)
    }
  }

  @Test("refuses the other examples, and every other broken rule, by code and place")
  func refusals() throws {
    for vector in CBORVectors.refusedExamples + CBORVectors.refused {
      let bytes = try #require([UInt8](hex: vector.hex))
      let expected = CBORError(code: vector.code, offset: vector.offset)
      #expect(refusal(of: bytes) == expected, "\(vector.hex)")
    }
  }

  @Test("accepts what lies just inside each rule")
  func edges() throws {
    for hex in CBORVectors.edges {
      let bytes = try #require([UInt8](hex: hex))
      let value = try Self.decode(bytes)
      #expect(try value.encode() == bytes, "\(hex)")
    }
  }

  @Test("refuses every accepted vector cut short at any length")
  func truncation() throws {
    for hex in CBORVectors.accepted.map(\.hex) + CBORVectors.edges {
      let bytes = try #require([UInt8](hex: hex))
      for count in 0..<bytes.count {
        #expect(refusal(of: Array(bytes[..<count])) != nil, "\(hex) cut to \(count)")
      }
    }
  }

  @Test("never traps on a changed byte, and what it still accepts is canonical")
  func mutation() throws {
    for hex in CBORVectors.accepted.map(\.hex) + CBORVectors.edges where hex.utf8.count < 120 {
      let bytes = try #require([UInt8](hex: hex))
      for index in bytes.indices {
        for replacement in UInt8.min...UInt8.max {
          var changed = bytes
          changed[index] = replacement
          guard let value = try? Self.decode(changed) else { continue }
          let encoded = try value.encode()
          if encoded != changed { Issue.record("accepted \(changed.hex)") }
        }
      }
    }
  }

  @Test("random bytes never trap, and what is accepted is canonical")
  func noise() throws {
    var random = SplitMix64(seed: 0x1a7d_0001)
    var acceptedCount = 0
    for _ in 0..<50_000 {
      // Small initial bytes are favoured, so that some inputs get far.
      let bytes = random.bytes(1 + random.below(12)).map { $0 % 5 == 0 ? $0 : $0 & 0xe7 & 0xa3 }
      guard let value = try? Self.decode(bytes) else { continue }
      acceptedCount += 1
      #expect(try value.encode() == bytes)
    }
    #expect(acceptedCount > 1_000)
  }

  @Test("encodes random values to bytes that decode to the same values")
  func roundTrip() throws {
    var random = SplitMix64(seed: 0x1a7d_0002)
    for _ in 0..<3_000 {
      let value = Self.value(&random, depth: 0)
      let bytes = try value.encode()
      let decoded = try Self.decode(bytes)
      #expect(try decoded.encode() == bytes)
      // Maps were made in any order: after sorting, the values themselves are equal.
      #expect(decoded == Self.sorted(value))
    }
  }

  @Test("sorts keys by their encodings and refuses to write one twice")
  func maps() throws {
    let keys: [CBORValue] = [
      .null, .text("b"), .text("aa"), .integer(-1), .unsigned(100), .bytes([]), .unsigned(9),
    ]
    let map = CBORValue.map(keys.map { .init(key: $0, value: .bool(true)) })
    let decoded = try Self.decode(map.encode())
    #expect(
      decoded.diagnosticNotation
        == #"{9: true, 100: true, -1: true, h'': true, "b": true, "aa": true, null: true}"#)
    let twice = CBORValue.map([
      .init(key: .text("a"), value: .null), .init(key: .text("a"), value: .bool(false)),
    ])
    #expect(throws: CBORError(code: .duplicateKey, offset: 4)) { try twice.encode() }
  }

  @Test("refuses to write deeper than it reads")
  func depth() throws {
    var value = CBORValue.unsigned(7)
    for _ in 0..<CBORLimits.depthMax { value = .array([value]) }
    #expect(try Self.decode(value.encode()) == value)
    let deep = value
    #expect(throws: CBORError(code: .tooDeep, offset: 16)) { try CBORValue.array([deep]).encode() }
    let key = CBORValue.map([.init(key: deep, value: .null)])
    #expect(throws: CBORError.self) { try key.encode() }
  }

  @Test("prints controls and directional marks as escapes")
  func terminalSafety() {
    let text = CBORValue.text("a\u{0}\u{1b}[2J\n\t\u{7f}\u{9b}\u{202e}\u{2028}\u{e9}\u{1f35e}")
    #expect(
      text.diagnosticNotation
        == "\"a\\u0000\\u001b[2J\\n\\t\\u007f\\u009b\\u202e\\u2028\u{e9}\u{1f35e}\"")
  }

  private static func decode(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
    try CBORValue.decode(bytes.span)
  }

  private func refusal(of bytes: [UInt8]) -> CBORError? {
    do throws(CBORError) {
      _ = try Self.decode(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// A value of any shape within the limits.
  private static func value(_ random: inout SplitMix64, depth: Int) -> CBORValue {
    let number = random.next() >> UInt64(random.below(64))
    switch random.below(depth < 4 ? 8 : 6) {
    case 0: return .unsigned(number)
    case 1: return .negative(number)
    case 2: return .bytes(random.bytes(random.below(40)))
    case 3: return .text(text(&random))
    case 4: return .bool(random.below(2) == 0)
    case 5: return .null
    case 6:
      return .array((0..<random.below(6)).map { _ in value(&random, depth: depth + 1) })
    default:
      var entries: [CBORValue.Entry] = []
      var seen: Set<[UInt8]> = []
      for _ in 0..<random.below(8) {
        let key = value(&random, depth: depth + 1)
        guard let encoded = try? key.encode(), seen.insert(encoded).inserted else { continue }
        entries.append(.init(key: key, value: value(&random, depth: depth + 1)))
      }
      return .map(entries)
    }
  }

  private static func text(_ random: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<random.below(30) {
      let limits: [UInt64] = [0x80, 0x800, 0x1_0000, 0x11_0000]
      let value = UInt32(random.next() % limits[random.below(4)])
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The same value with the entries of all maps in canonical order.
  private static func sorted(_ value: CBORValue) -> CBORValue {
    switch value {
    case .array(let items): return .array(items.map(sorted))
    case .map(let entries):
      let order = entries.map { (key: (try? $0.key.encode()) ?? [], entry: $0) }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
      return .map(order.map { .init(key: sorted($0.entry.key), value: sorted($0.entry.value)) })
    default: return value
    }
  }
}
