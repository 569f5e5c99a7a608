// Flaws of the kinds beside meals and items.

import LarderHash
import LarderKernel

extension PayloadVectors {
  static func moreItemFlaws(of kind: EventKind) -> [PayloadFlaw] {
    switch kind {
    case .itemRemoved:
      [
        .value(5, "item_7", "an item of 7 bytes", .outOfRange, .bytes(pattern(0, 7))),
        .value(5, "item_text", "an item as text", .malformed, .text("17000000")),
      ]
    case .itemRevalued:
      [
        .value(7, "amount", "an amount, which a correction leaves", .unknownField, .unsigned(1)),
        .value(13, "product_null", "what only a change clears", .malformed, .null),
        PayloadFlaw("without_snapshot", "no numbers at all", .missingField) {
          for field in 9...12 as ClosedRange<UInt64> { $0[field] = nil }
        },
      ]
    case .reanalysed:
      [
        .value(0, "analysis", "an analysis of 15 bytes", .outOfRange, .bytes(pattern(0, 15))),
        .value(5, "lines_65", "65 lines", .limitExceeded, lines(Array(repeating: [:], count: 65))),
        .value(5, "line_note", "a line with a note", .unknownField, lines([[17: .text("x")]])),
        .value(5, "line_item", "an item of 2 bytes", .outOfRange, lines([[5: .bytes([1, 2])]])),
        .value(5, "line_null", "a product that is null", .malformed, lines([[13: .null]])),
        .value(6, "score", "more than all", .outOfRange, .unsigned(101)),
        .value(
          7, "issues_257", "257 issues", .limitExceeded,
          .array(Array(repeating: .text(""), count: 257))),
        .value(
          4, "inputs_65", "65 inputs", .limitExceeded,
          .array(Array(repeating: .bytes(pattern(0, 32)), count: 65))),
      ]
    default:
      [
        .value(
          1, "lines_descending", "1 before 0", .malformed, .array([.unsigned(1), .unsigned(0)])),
        .value(1, "lines_twice", "1 twice", .malformed, .array([.unsigned(1), .unsigned(1)])),
        .value(1, "line_64", "a line no proposal has", .outOfRange, .array([.unsigned(64)])),
      ]
    }
  }

  /// Lines with the fields they must have, each with others as given.
  private static func lines(_ changes: [[UInt64: CBORValue]]) -> CBORValue {
    let least: [UInt64: CBORValue] = [
      6: .text("x"), 7: .unsigned(1), 8: .unsigned(0), 9: .unsigned(0), 12: .map([]),
      14: .unsigned(0),
    ]
    return .array(changes.map { .fields(least.merging($0) { _, new in new }) })
  }

  static func photoFlaws(of kind: EventKind) -> [PayloadFlaw] {
    let field: UInt64 = kind == .previewReplaced ? 1 : 0
    guard kind == .photoAttached || kind == .previewReplaced else {
      return [
        .value(0, "photo_31", "an address of 31 bytes", .outOfRange, .bytes(pattern(0, 31))),
        .value(0, "photo_text", "an address as text", .malformed, .text("11")),
      ]
    }
    func image(_ place: Int, _ value: UInt64) -> CBORValue {
      var parts: [UInt64] = [1, 1, 1, 0]
      parts[place] = value
      return .array([.bytes(pattern(0, 32))] + parts.map(CBORValue.unsigned))
    }
    return [
      .value(field, "no_bytes", "a picture of 0 bytes", .outOfRange, image(0, 0)),
      .value(field, "width_0", "a picture without width", .outOfRange, image(1, 0)),
      .value(field, "height_65536", "a picture too high", .outOfRange, image(2, 65_536)),
      .value(field, "media_type", "a type of picture there is not", .outOfRange, image(3, 4)),
      .value(
        field, "four_values", "a picture with a value too few", .malformed,
        .array([.bytes(pattern(0, 32)), .unsigned(1), .unsigned(1), .unsigned(1)])),
      kind == .photoAttached
        ? .value(2, "role", "a role there is not", .outOfRange, .unsigned(4))
        : .value(0, "photo_33", "an address of 33 bytes", .outOfRange, .bytes(pattern(0, 33))),
    ]
  }

  static func otherFlaws(of kind: EventKind) -> [PayloadFlaw] {
    switch kind {
    case .templateSaved:
      [
        .value(0, "name_empty", "a template without a name", .invalidText, .text("")),
        .value(1, "line_item", "a line with an item", .unknownField, lines([[5: .bytes([1])]])),
        .value(
          1, "line_without_name", "a line without a food", .missingField,
          .array([.fields([7: .unsigned(1)])])),
        .value(4, "slot_empty", "a slot without a name", .invalidText, .text("")),
      ]
    case .templateDeleted: [.value(0, "name", "what only a save says", .unknownField, .text("x"))]
    case .productOverridden:
      [
        .value(6, "name_empty", "an empty name", .invalidText, .text("")),
        .value(13, "choice_null", "a choice that is null, not absent", .malformed, .null),
        PayloadFlaw("without_basis", "numbers of nothing", .missingField) { $0[9] = nil },
      ]
    case .settingChanged:
      [
        .value(0, "name_bytes", "a name as bytes", .malformed, .bytes([1])),
        .value(
          0, "name_1025", "a name of 1025 bytes", .limitExceeded,
          .text(String(repeating: "x", count: 1025))),
      ]
    case .dayStartChanged:
      [
        .value(1, "minute_1440", "the minute after the last", .outOfRange, .unsigned(1440)),
        .value(0, "day", "the day before the first", .outOfRange, .negative(719_162)),
        .value(0, "day_text", "a day as text", .malformed, .text("2026-05-02")),
      ]
    case .dayNoted:
      [
        .value(
          1, "note_8193", "a note of 8193 bytes", .limitExceeded,
          .text(String(repeating: "x", count: 8193)))
      ]
    default: controlFlaws(of: kind)
    }
  }

  private static func controlFlaws(of kind: EventKind) -> [PayloadFlaw] {
    func tip(_ author: UInt8, _ size: UInt64) -> CBORValue {
      .array([.bytes(pattern(author, 16)), .unsigned(size), .bytes(pattern(0, 32))])
    }
    let hash = CBORValue.bytes(pattern(1, 32))
    switch kind {
    case .dataSent:
      return [
        .value(3, "byte_count", "2^63 bytes", .outOfRange, .unsigned(1 << 63)),
        .value(
          2, "inputs_33", "33 inputs", .limitExceeded,
          .array(Array(repeating: .text(""), count: 33))),
        .value(4, "digest_16", "a digest of 16 bytes", .outOfRange, .bytes(pattern(0, 16))),
      ]
    case .headsWitnessed:
      return [
        .value(
          0, "tips_descending", "author 2 before 1", .malformed, .array([tip(2, 0), tip(1, 0)])),
        .value(0, "tips_twice", "one tip twice", .malformed, .array([tip(1, 5), tip(1, 5)])),
        .value(0, "size", "2^63 events", .outOfRange, .array([tip(1, 1 << 63)])),
        .value(
          0, "tip_of_two", "a tip without its root", .malformed,
          .array([.array([.bytes(pattern(1, 16)), .unsigned(1)])])),
      ]
    case .payloadErased:
      return [
        .value(
          0, "leaves_descending", "2 before 1", .malformed, .array([.bytes(pattern(2, 32)), hash])),
        .value(0, "leaves_twice", "one leaf twice", .malformed, .array([hash, hash])),
        .value(0, "leaf_31", "a leaf of 31 bytes", .outOfRange, .array([.bytes(pattern(0, 31))])),
      ]
    default:
      return [.value(1, "version_number", "a version that is no text", .malformed, .unsigned(1))]
    }
  }
}
