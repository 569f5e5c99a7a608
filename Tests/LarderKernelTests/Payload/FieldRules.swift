// What each field of each kind must be, as SPEC.md, "Kinds", has it, in a form tests can walk
// through.

import LarderKernel

/// A value a field must refuse, and with which code.
struct Refusal {
  let value: CBORValue
  let code: KernelError.Code

  init(_ value: CBORValue, _ code: KernelError.Code) {
    self.value = value
    self.code = code
  }
}

/// One field of a kind.
struct FieldRule {
  let number: UInt64
  /// The types of value it takes; nil for any.
  let types: Set<CBORType>?
  var isRequired = true
  var isNullable = false
  /// Optional, but there as soon as another field with the same word is.
  var group: String?
  let refusals: [Refusal]

  init(_ number: UInt64, _ type: CBORType?, _ refusals: [Refusal]) {
    self.number = number
    types = type.map { [$0] }
    self.refusals = refusals
  }

  var optional: FieldRule {
    var rule = self
    rule.isRequired = false
    return rule
  }

  var nullable: FieldRule {
    var rule = optional
    rule.isNullable = true
    return rule
  }

  func grouped(_ word: String) -> FieldRule {
    var rule = optional
    rule.group = word
    return rule
  }
}

extension FieldRule {
  static func integer(_ number: UInt64, _ range: ClosedRange<Int64>) -> FieldRule {
    var refusals = [Refusal(.unsigned(.max), .outOfRange), Refusal(.negative(.max), .outOfRange)]
    if range.upperBound < .max {
      refusals.append(Refusal(.integer(range.upperBound + 1), .outOfRange))
    }
    if range.lowerBound > .min {
      refusals.append(Refusal(.integer(range.lowerBound - 1), .outOfRange))
    }
    return FieldRule(number, .unsigned, refusals)
  }

  static func text(_ number: UInt64, upTo byteCount: Int = 1024) -> FieldRule {
    FieldRule(number, .text, [tooLong(byteCount)])
  }

  static func longText(_ number: UInt64) -> FieldRule { text(number, upTo: 8192) }

  static func name(_ number: UInt64) -> FieldRule {
    FieldRule(number, .text, [tooLong(1024), Refusal(.text(""), .invalidText)])
  }

  static func bytes(_ number: UInt64, _ byteCount: Int) -> FieldRule {
    FieldRule(
      number, .bytes,
      [0, byteCount - 1, byteCount + 1].map {
        Refusal(.bytes([UInt8](repeating: 1, count: $0)), .outOfRange)
      })
  }

  static func list(_ number: UInt64, of element: CBORValue, upTo count: Int) -> FieldRule {
    let tooMany = Array(repeating: element, count: count + 1)
    return FieldRule(
      number, .array,
      [Refusal(.array(tooMany), .limitExceeded), Refusal(.array([.bool(true)]), .malformed)])
  }

  static var by: FieldRule { text(23).optional }

  static func tags(_ number: UInt64) -> FieldRule { list(number, of: .text("t"), upTo: 32) }

  private static func tooLong(_ byteCount: Int) -> Refusal {
    Refusal(.text(String(repeating: "x", count: byteCount + 1)), .limitExceeded)
  }

  /// Fields 0…3.
  static let moment: [FieldRule] = [
    integer(0, -62_135_596_800_000...253_402_300_799_999),
    FieldRule(1, .text, [Refusal(.text(""), .invalidText), Refusal(.text("a b"), .invalidText)]),
    integer(2, -93_599...93_599),
    integer(3, -719_162...2_932_896),
  ]

  /// Field 4.
  static let mealType = FieldRule(
    4, .text,
    [
      Refusal(.text(""), .invalidText), Refusal(.text("a\u{85}b"), .invalidText),
      Refusal(.text(String(repeating: "é", count: 33)), .invalidText),
    ])

  /// Fields 7 and 8.
  static let quantity: [FieldRule] = [integer(7, 1...1_000_000_000), integer(8, 0...2)]

  /// Fields 9…12.
  static let snapshot: [FieldRule] = [
    integer(9, 0...2),
    integer(10, 1...1_000_000_000).grouped("serving"),
    integer(11, 0...1).grouped("serving"),
    FieldRule(
      12, .map,
      [
        Refusal(.numbers([(1024, 1)]), .outOfRange),
        Refusal(.numbers([(0, 1_000_000_000_001)]), .outOfRange),
        Refusal(.numbers((0..<129).map { ($0, 1) }), .limitExceeded),
        Refusal(.map([CBORValue.Entry(key: .unsigned(0), value: .negative(0))]), .outOfRange),
        Refusal(.map([CBORValue.Entry(key: .unsigned(0), value: .null)]), .malformed),
        Refusal(.map([CBORValue.Entry(key: .text("fat"), value: .unsigned(1))]), .malformed),
      ]),
  ]

  /// Field 13.
  static let product = FieldRule(
    13, .map,
    [
      Refusal(.fields([1: .text("c")]), .missingField),
      Refusal(.fields([0: .text("off")]), .missingField),
      Refusal(.fields([0: .text("off"), 1: .text("c"), 4: .text("x")]), .unknownField),
      Refusal(.fields([0: .text("off"), 1: .text("c"), 3: .unsigned(1 << 63)]), .outOfRange),
      Refusal(.fields([0: .text("off"), 1: .null]), .malformed),
    ]
  ).optional

  /// Field 14.
  static let origin = integer(14, 0...3)

  /// Fields 6…16.
  static let line: [FieldRule] =
    [name(6)] + quantity + snapshot
    + [
      product, origin, integer(15, 0...1000).optional, integer(16, 1...1_000_000_000).optional,
    ]

  /// A picture.
  static func image(_ number: UInt64) -> FieldRule {
    let address = CBORValue.bytes([UInt8](repeating: 7, count: 32))
    func image(_ byteCount: UInt64, _ width: UInt64, _ height: UInt64, _ type: UInt64) -> CBORValue
    {
      .array([address, .unsigned(byteCount), .unsigned(width), .unsigned(height), .unsigned(type)])
    }
    return FieldRule(
      number, .array,
      [
        Refusal(.array([address, .unsigned(1), .unsigned(1), .unsigned(1)]), .malformed),
        Refusal(image(0, 1, 1, 0), .outOfRange), Refusal(image(1 << 40 + 1, 1, 1, 0), .outOfRange),
        Refusal(image(1, 0, 1, 0), .outOfRange), Refusal(image(1, 65_536, 1, 0), .outOfRange),
        Refusal(image(1, 1, 0, 0), .outOfRange), Refusal(image(1, 1, 1, 4), .outOfRange),
      ])
  }
}

extension CBORValue {
  /// A map with numbered fields.
  static func fields(_ fields: [UInt64: CBORValue]) -> CBORValue {
    .map(fields.sorted { $0.key < $1.key }.map { Entry(key: .unsigned($0.key), value: $0.value) })
  }

  /// A map from numbers to numbers.
  static func numbers(_ pairs: [(UInt64, UInt64)]) -> CBORValue {
    .map(pairs.map { Entry(key: .unsigned($0.0), value: .unsigned($0.1)) })
  }
}
