// The fields of each kind.

import LarderKernel

extension FieldRule {
  /// A whole food line as a value.
  private static let lineValue = CBORValue.fields([
    6: .text("rice"), 7: .unsigned(1000), 8: .unsigned(0), 9: .unsigned(0), 12: .map([]),
    14: .unsigned(2),
  ])

  /// Lines, with or without the item each would change.
  private static func lines(_ number: UInt64, withItem: Bool) -> FieldRule {
    func line(_ change: (inout [UInt64: CBORValue]) -> Void) -> CBORValue {
      var fields: [UInt64: CBORValue] = [
        6: .text("rice"), 7: .unsigned(1000), 8: .unsigned(0), 9: .unsigned(0), 12: .map([]),
        14: .unsigned(2),
      ]
      change(&fields)
      return .array([.fields(fields)])
    }
    var refusals = [
      Refusal(.array(Array(repeating: lineValue, count: 65)), .limitExceeded),
      Refusal(line { $0[17] = .text("note") }, .unknownField),
      Refusal(line { $0[6] = nil }, .missingField), Refusal(line { $0[7] = nil }, .missingField),
      Refusal(line { $0[8] = nil }, .missingField), Refusal(line { $0[9] = nil }, .missingField),
      Refusal(line { $0[12] = nil }, .missingField), Refusal(line { $0[14] = nil }, .missingField),
      Refusal(line { $0[10] = .unsigned(5) }, .missingField),
      Refusal(line { $0[13] = .null }, .malformed),
    ]
    refusals.append(
      withItem
        ? Refusal(line { $0[5] = .bytes([1, 2]) }, .outOfRange)
        : Refusal(line { $0[5] = .bytes([1, 2, 3, 4, 5, 6, 7, 8]) }, .unknownField))
    return FieldRule(number, .array, refusals)
  }

  /// A list of hashes, each above the one before.
  private static let ascendingLeaves = FieldRule(
    0, .array,
    [
      Refusal(
        .array([.bytes([UInt8](repeating: 2, count: 32)), .bytes([UInt8](repeating: 1, count: 32))]
        ),
        .malformed),
      Refusal(
        .array([.bytes([UInt8](repeating: 1, count: 32)), .bytes([UInt8](repeating: 1, count: 32))]
        ),
        .malformed),
      Refusal(.array([.bytes([1])]), .outOfRange),
      Refusal(.array([.unsigned(1)]), .malformed),
    ])

  private static let ascendingTips: FieldRule = {
    func tip(_ author: UInt8, _ size: UInt64) -> CBORValue {
      .array([
        .bytes([UInt8](repeating: author, count: 16)), .unsigned(size),
        .bytes([UInt8](repeating: 0, count: 32)),
      ])
    }
    return FieldRule(
      0, .array,
      [
        Refusal(.array([tip(2, 0), tip(1, 0)]), .malformed),
        Refusal(.array([tip(1, 5), tip(1, 4)]), .malformed),
        Refusal(.array([tip(1, 5), tip(1, 5)]), .malformed),
        Refusal(.array([tip(1, 1 << 63)]), .outOfRange),
        Refusal(.array([.array([.bytes([1]), .unsigned(0)])]), .malformed),
      ])
  }()

  private static let acceptedLines = FieldRule(
    1, .array,
    [
      Refusal(.array([.unsigned(64)]), .outOfRange),
      Refusal(.array([.unsigned(2), .unsigned(1)]), .malformed),
      Refusal(.array([.unsigned(2), .unsigned(2)]), .malformed),
      Refusal(.array((0..<65).map { .unsigned($0) }), .limitExceeded),
    ])

  private static func addresses(_ number: UInt64) -> FieldRule {
    list(number, of: .bytes([UInt8](repeating: 0, count: 32)), upTo: 64)
  }

  /// The fields of `kind` but for `by`, which all have.
  static func fields(of kind: EventKind) -> [FieldRule] {
    let item = bytes(5, 8)
    switch kind {
    case .mealCaptured:
      return moment + [
        mealType, integer(5, 0...5), text(6).optional, longText(7).optional, longText(8).optional,
        text(9).optional, longText(10).optional, tags(11).optional, bytes(12, 16).optional,
      ]
    case .mealChanged:
      return moment.map { $0.grouped("moment") } + [
        mealType.optional, text(6).nullable, longText(7).nullable, longText(8).nullable,
        longText(10).nullable, tags(11).nullable, bytes(13, 32).nullable,
      ]
    case .mealDeleted: return [integer(0, 0...1)]
    case .itemAdded:
      return moment + [mealType, item] + line + [longText(17).optional, bytes(18, 24).optional]
    case .itemChanged:
      return moment.map { $0.grouped("moment") } + [mealType.optional, item, name(6).optional]
        + quantity.map { $0.grouped("quantity") }
        + snapshot.map { $0.group == nil ? $0.grouped("snapshot") : $0 }
        + [product.nullable, origin.optional, longText(17).nullable]
    case .itemRemoved: return [item]
    case .itemRevalued: return [item] + snapshot + [product, origin, text(17).optional]
    case .photoAttached: return [image(0), image(1).optional, integer(2, 0...3)]
    case .photoDetached, .photoReduced: return [bytes(0, 32)]
    case .previewReplaced: return [bytes(0, 32), image(1)]
    case .reanalysed:
      return [
        bytes(0, 16), text(1), text(2), text(3), addresses(4), lines(5, withItem: true),
        integer(6, 0...100), list(7, of: .text("x"), upTo: 256), addresses(8),
      ]
    case .proposalAccepted: return [bytes(0, 16), acceptedLines]
    default: return otherFields(of: kind)
    }
  }

  private static func otherFields(of kind: EventKind) -> [FieldRule] {
    switch kind {
    case .templateSaved:
      [
        name(0), lines(1, withItem: false), mealType.optional, longText(10).optional,
        tags(11).optional,
      ]
    case .productOverridden:
      [text(0), text(1).optional, name(6).optional]
        + snapshot.map { $0.group == nil ? $0.grouped("snapshot") : $0 } + [product]
    case .settingChanged: [text(0), FieldRule(1, nil, [])]
    case .dayStartChanged: [integer(0, -719_162...2_932_896), integer(1, 0...1439)]
    case .dayNoted: [integer(0, -719_162...2_932_896), requiredNullable(longText(1))]
    case .dataSent:
      [text(0), text(1), tags(2), integer(3, 0...Int64.max), bytes(4, 32)]
    case .headsWitnessed: [ascendingTips]
    case .payloadErased: [ascendingLeaves]
    case .softwareChanged: [text(0), text(1)]
    default: []
    }
  }

  private static func requiredNullable(_ rule: FieldRule) -> FieldRule {
    var rule = rule
    rule.isNullable = true
    return rule
  }
}
