// What can be wrong with a payload of each kind, beyond what can be wrong with any.

import LarderHash
import LarderKernel

/// A change that makes a payload with every field one that is refused.
struct PayloadFlaw: Sendable {
  let name: String
  let description: String
  let error: KernelError.Code
  let change: @Sendable (inout [UInt64: CBORValue]) -> Void

  init(
    _ name: String, _ description: String, _ error: KernelError.Code,
    _ change: @escaping @Sendable (inout [UInt64: CBORValue]) -> Void
  ) {
    self.name = name
    self.description = description
    self.error = error
    self.change = change
  }

  /// The fields of a payload by number.
  static func fields(of payload: some EventPayload) throws -> [UInt64: CBORValue] {
    guard case .map(let entries) = try CBORValue.decode(payload.bytes.span) else { return [:] }
    var fields: [UInt64: CBORValue] = [:]
    for entry in entries {
      if case .unsigned(let number) = entry.key { fields[number] = entry.value }
    }
    return fields
  }

  /// A flaw of one field's value.
  static func value(
    _ field: UInt64, _ name: String, _ description: String, _ error: KernelError.Code,
    _ value: CBORValue
  ) -> PayloadFlaw {
    PayloadFlaw(name, description, error) { $0[field] = value }
  }
}

extension PayloadVectors {
  /// The particular flaws of `kind`.
  static func flaws(of kind: EventKind) -> [PayloadFlaw] {
    switch kind {
    case .mealCaptured: timeFlaws + captureFlaws
    case .mealChanged:
      [
        PayloadFlaw("half_moment", "a new instant without its zone", .missingField) {
          $0[1] = nil
        },
        .value(4, "slot_null", "a slot that cannot be cleared", .malformed, .null),
        .value(11, "tags_33", "33 tags", .limitExceeded, tags(33)),
        .value(13, "cover_short", "an address of 31 bytes", .outOfRange, .bytes(pattern(0, 31))),
      ]
    case .mealDeleted:
      [
        .value(0, "items_2", "neither keep nor delete", .outOfRange, .unsigned(2)),
        .value(0, "items_true", "a truth value", .malformed, .bool(true)),
      ]
    case .mealRestored:
      [.value(0, "items", "what only a deletion says", .unknownField, .unsigned(0))]
    case .itemAdded: itemFlaws + lineFlaws
    case .itemChanged:
      [
        PayloadFlaw("without_unit", "an amount without its unit", .missingField) { $0[8] = nil },
        PayloadFlaw("without_nutrients", "a basis without numbers", .missingField) {
          $0[12] = nil
        },
        PayloadFlaw("half_serving", "a serving without its unit", .missingField) {
          $0[11] = nil
        },
        .value(6, "name_null", "a name that cannot be cleared", .malformed, .null),
        .value(15, "confidence", "what a person's change has not", .unknownField, .unsigned(1)),
      ]
    case .itemRemoved, .itemRevalued, .reanalysed, .proposalAccepted: moreItemFlaws(of: kind)
    case .photoAttached, .photoDetached, .photoReduced, .previewReplaced: photoFlaws(of: kind)
    default: otherFlaws(of: kind)
    }
  }

  private static func tags(_ count: Int) -> CBORValue {
    .array(Array(repeating: .text("t"), count: count))
  }

  private static let timeFlaws: [PayloadFlaw] = [
    .value(
      0, "instant_10000", "the year 10000", .outOfRange, .unsigned(253_402_300_800_000)),
    .value(1, "zone_dots", "a zone that would leave its folder", .invalidText, .text("../etc")),
    .value(1, "zone_empty", "a zone without a name", .invalidText, .text("")),
    .value(1, "zone_slashes", "nothing between slashes", .invalidText, .text("Europe//Berlin")),
    .value(
      1, "zone_65", "a zone of 65 bytes", .invalidText, .text(String(repeating: "Z", count: 65))),
    .value(2, "offset", "26 hours from UTC", .outOfRange, .unsigned(93_600)),
    .value(3, "day", "the day after the last", .outOfRange, .unsigned(2_932_897)),
    .value(4, "slot_empty", "a slot without a name", .invalidText, .text("")),
    .value(4, "slot_control", "a line feed in a slot", .invalidText, .text("lunch\n")),
    .value(
      4, "slot_66", "a slot of 66 bytes", .invalidText,
      .text(String(repeating: "\u{e9}", count: 33))),
  ]

  private static let captureFlaws: [PayloadFlaw] = [
    .value(5, "source", "an entrance there is not", .outOfRange, .unsigned(6)),
    .value(6, "title_null", "a title that is null, not absent", .malformed, .null),
    .value(
      6, "title_1025", "a title of 1025 bytes", .limitExceeded,
      .text(String(repeating: "x", count: 1025))),
    .value(
      8, "meta_8193", "a captureMeta of 8193 bytes", .limitExceeded,
      .text(String(repeating: "x", count: 8193))),
    .value(11, "tags_33", "33 tags", .limitExceeded, tags(33)),
    .value(11, "tag_number", "a tag that is no text", .malformed, .array([.unsigned(1)])),
    .value(12, "copied_from", "a stream of 15 bytes", .outOfRange, .bytes(pattern(0, 15))),
  ]

  private static let itemFlaws: [PayloadFlaw] = [
    .value(5, "item_9", "an item of 9 bytes", .outOfRange, .bytes(pattern(0, 9))),
    .value(18, "copied_from", "a reference of 23 bytes", .outOfRange, .bytes(pattern(0, 23))),
    .value(
      17, "note_8193", "a note of 8193 bytes", .limitExceeded,
      .text(String(repeating: "x", count: 8193))),
  ]

  private static let lineFlaws: [PayloadFlaw] = [
    .value(6, "name_empty", "a food without a name", .invalidText, .text("")),
    .value(7, "amount_0", "nothing eaten", .outOfRange, .unsigned(0)),
    .value(7, "amount_negative", "less than nothing eaten", .outOfRange, .negative(4)),
    .value(7, "amount_huge", "more than a tonne", .outOfRange, .unsigned(1_000_000_001)),
    PayloadFlaw("without_unit", "an amount without its unit", .missingField) { $0[8] = nil },
    .value(8, "unit", "a unit there is not", .outOfRange, .unsigned(3)),
    PayloadFlaw("without_basis", "numbers of nothing", .missingField) { $0[9] = nil },
    PayloadFlaw("half_serving", "a serving without its unit", .missingField) { $0[11] = nil },
    .value(11, "serving_in_servings", "a serving in servings", .outOfRange, .unsigned(2)),
    .value(12, "nutrient_1024", "a nutrient's number", .outOfRange, numbers([1024: 1])),
    .value(
      12, "nutrient_huge", "more than 10^12", .outOfRange, numbers([0: 1_000_000_000_001])),
    .value(
      12, "nutrient_negative", "less than nothing", .outOfRange, .fields([0: .negative(0)])),
    .value(12, "nutrient_null", "unknown is absent, not null", .malformed, .fields([0: .null])),
    .value(
      12, "nutrients_129", "129 nutrients", .limitExceeded,
      numbers(Dictionary(uniqueKeysWithValues: (0..<129).map { ($0, 1) }))),
    .value(
      13, "product_code", "a product without a code", .missingField, .fields([0: .text("off")])),
    .value(
      13, "product_field", "a product with more", .unknownField,
      .fields([0: .text("off"), 1: .text("1"), 4: .null])),
    .value(
      13, "product_revision", "a revision beyond 64 bits", .outOfRange,
      .fields([0: .text("off"), 1: .text("1"), 3: .unsigned(1 << 63)])),
    .value(13, "product_null", "what only a change clears", .malformed, .null),
    .value(14, "origin", "an origin there is not", .outOfRange, .unsigned(4)),
    .value(15, "confidence", "more than sure", .outOfRange, .unsigned(1001)),
    .value(16, "served_0", "nothing on the plate", .outOfRange, .unsigned(0)),
  ]

  private static func numbers(_ pairs: [UInt64: UInt64]) -> CBORValue {
    .fields(pairs.mapValues(CBORValue.unsigned))
  }
}
