// Which bytes are an item of the encoding, and which are refused, where and why.

import LarderHash
import LarderKernel

enum CBORVectors {
  static func all() throws -> [Vector] {
    try accepted.map(accept) + refused.map(refuse)
  }

  /// What is accepted, as diagnostic notation shows it.
  private static let accepted: [(name: String, description: String, input: String)] = [
    ("zero", "the smallest number", "00"),
    ("one_byte_numbers_end", "23 is the last number in the head", "17"),
    ("two_bytes_begin", "24 is the first with a byte of its own", "1818"),
    ("two_bytes_end", "255", "18ff"),
    ("three_bytes_begin", "256", "190100"),
    ("three_bytes_end", "65535", "19ffff"),
    ("five_bytes_begin", "65536", "1a00010000"),
    ("five_bytes_end", "4294967295", "1affffffff"),
    ("nine_bytes_begin", "4294967296", "1b0000000100000000"),
    ("largest", "the largest number, RFC 8949 appendix A", "1bffffffffffffffff"),
    ("minus_one", "the largest negative number", "20"),
    ("minus_1000", "RFC 8949 appendix A", "3903e7"),
    ("least", "the least number, RFC 8949 appendix A", "3bffffffffffffffff"),
    ("no_bytes", "a byte string without bytes", "40"),
    ("bytes", "RFC 8949 appendix A", "4401020304"),
    ("bytes_24", "a length with a byte of its own", "5818" + String(repeating: "ab", count: 24)),
    ("no_text", "a text without characters", "60"),
    ("text", "RFC 8949 appendix A", "6449455446"),
    ("text_quote", "RFC 8949 appendix A", "62225c"),
    ("text_umlaut", "RFC 8949 appendix A", "62c3bc"),
    ("text_beyond_bmp", "RFC 8949 appendix A", "64f0908591"),
    ("text_decomposed", "text is not normalised", "6365cc81"),
    ("text_nul", "NUL is a character", "6100"),
    ("text_steering", "a mark that would turn the line around", "63e280ae"),
    ("false", "RFC 8949 appendix A", "f4"),
    ("true", "RFC 8949 appendix A", "f5"),
    ("null", "RFC 8949 appendix A", "f6"),
    ("no_array", "an array without items", "80"),
    ("array_nested", "RFC 8949 appendix A", "8301820203820405"),
    (
      "array_25", "RFC 8949 appendix A",
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
    ),
    ("no_map", "a map without entries", "a0"),
    ("map", "RFC 8949 appendix A", "a201020304"),
    ("map_mixed", "RFC 8949 appendix A", "a26161016162820203"),
    (
      "map_key_order", "keys in bytewise order of their encodings, RFC 8949 section 4.2.1",
      "a80a001864012002617a036261610481186405812006f407"
    ),
    ("deepest", "16 arrays in one another", String(repeating: "81", count: 15) + "80"),
  ]

  private static let refused:
    [(name: String, description: String, input: String, error: CBORError.Code, offset: Int)] = [
      ("empty", "no item at all", "", .truncated, 0),
      ("truncated_head", "a head without its number", "19ff", .truncated, 0),
      ("truncated_bytes", "fewer bytes than the length says", "430102", .truncated, 0),
      ("truncated_text", "fewer bytes than the length says", "6261", .truncated, 0),
      ("truncated_array", "fewer items than the count says", "8301820203", .truncated, 5),
      ("promised_array", "a count that the bytes left cannot hold", "8201", .truncated, 0),
      ("promised_map", "a pair is at least two bytes", "a20102", .truncated, 0),
      ("promised_length", "a length near the largest number", "5bffffffffffffffff", .truncated, 0),
      ("non_minimal_uint8", "23 in two bytes", "1817", .nonMinimal, 0),
      ("non_minimal_uint16", "255 in three bytes", "1900ff", .nonMinimal, 0),
      ("non_minimal_uint32", "65535 in five bytes", "1a0000ffff", .nonMinimal, 0),
      ("non_minimal_uint64", "4294967295 in nine bytes", "1b00000000ffffffff", .nonMinimal, 0),
      ("non_minimal_negative", "-1 in two bytes", "3800", .nonMinimal, 0),
      ("non_minimal_length", "a length of 1 in two bytes", "580100", .nonMinimal, 0),
      ("non_minimal_text", "a length of 1 in two bytes", "780161", .nonMinimal, 0),
      ("non_minimal_array", "a count of 1 in two bytes", "980100", .nonMinimal, 0),
      ("non_minimal_map", "a count of 1 in two bytes", "b8010000", .nonMinimal, 0),
      ("indefinite_bytes", "a byte string in pieces", "5f4100ff", .indefiniteLength, 0),
      ("indefinite_text", "a text in pieces", "7f6161ff", .indefiniteLength, 0),
      ("indefinite_array", "an array without a count", "9f01ff", .indefiniteLength, 0),
      ("indefinite_map", "a map without a count", "bf0101ff", .indefiniteLength, 0),
      ("break", "an end of nothing", "ff", .indefiniteLength, 0),
      ("reserved_28", "additional information 28", "1c", .reservedAdditionalInformation, 0),
      ("reserved_30_text", "additional information 30", "7e", .reservedAdditionalInformation, 0),
      ("reserved_31_number", "a number without a width", "1f", .reservedAdditionalInformation, 0),
      ("reserved_simple", "additional information 29", "fd", .reservedAdditionalInformation, 0),
      ("float_half", "1.5 in three bytes", "f93e00", .floatingPoint, 0),
      ("float_single", "100000.0", "fa47c35000", .floatingPoint, 0),
      ("float_double", "1.1", "fb3ff199999999999a", .floatingPoint, 0),
      ("float_nan", "not a number", "f97e00", .floatingPoint, 0),
      ("tag_time", "a tagged number", "c11a514b67b0", .tag, 0),
      ("tag_bignum", "a number beyond 64 bits", "c249010000000000000000", .tag, 0),
      ("undefined", "no value", "f7", .unsupportedSimple, 0),
      ("simple_16", "an unassigned simple value", "f0", .unsupportedSimple, 0),
      ("simple_255", "a simple value in two bytes", "f8ff", .unsupportedSimple, 0),
      ("unsorted", "2 before 1", "a202000100", .unsorted, 3),
      ("unsorted_types", "a text before a number", "a26161000000", .unsorted, 4),
      (
        "unsorted_text", "texts sort by length first, as their encodings do", "a262616100616200",
        .unsorted, 5
      ),
      ("unsorted_negative", "-1 before 10", "a220000a00", .unsorted, 3),
      ("duplicate_key", "1 twice", "a201000100", .duplicateKey, 3),
      ("duplicate_key_apart", "1 twice, with another between", "a3010002000100", .unsorted, 5),
      ("utf8_continuation", "a byte that only follows others", "6180", .invalidUTF8, 0),
      ("utf8_overlong", "NUL in two bytes", "62c080", .invalidUTF8, 0),
      ("utf8_surrogate", "half of a pair", "63eda080", .invalidUTF8, 0),
      ("utf8_beyond", "above U+10FFFF", "64f4908080", .invalidUTF8, 0),
      ("utf8_cut", "the first byte of two", "61c3", .invalidUTF8, 0),
      ("trailing", "an item and a byte", "0000", .trailingBytes, 1),
      (
        "too_deep", "17 arrays in one another", String(repeating: "81", count: 16) + "80", .tooDeep,
        16
      ),
      (
        "too_deep_map", "a map in 16 arrays", String(repeating: "81", count: 16) + "a0", .tooDeep,
        16
      ),
    ]

  private static func accept(
    _ scenario: (name: String, description: String, input: String)
  ) throws -> Vector {
    let bytes = try constant([UInt8](hex: scenario.input), scenario.name)
    let value = try CBORValue.decode(bytes.span)
    guard try value.encode() == bytes else { throw VectorError("cbor/\(scenario.name) changed") }
    return Vector(
      "cbor", scenario.name, scenario.description,
      ["input": .string(scenario.input), "diagnostic": .string(value.diagnosticNotation)])
  }

  private static func refuse(
    _ scenario: (
      name: String, description: String, input: String, error: CBORError.Code, offset: Int
    )
  ) throws -> Vector {
    let bytes = try constant([UInt8](hex: scenario.input), scenario.name)
    let expected = CBORError(code: scenario.error, offset: scenario.offset)
    do throws(CBORError) {
      _ = try CBORValue.decode(bytes.span)
    } catch {
      guard error == expected else {
        throw VectorError("cbor/\(scenario.name): \(error), expected \(expected)")
      }
      return Vector(
        "cbor", "refused_" + scenario.name, scenario.description,
        [
          "input": .string(scenario.input), "error": .string("\(error.code)"),
          "offset": .number(Int64(error.offset)),
        ])
    }
    throw VectorError("cbor/\(scenario.name) was accepted")
  }
}
