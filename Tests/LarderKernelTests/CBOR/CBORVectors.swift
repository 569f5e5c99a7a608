// The examples of RFC 8949 appendix A, sorted into what our subset accepts and what it refuses, and
// one input for each other way to be refused.

import LarderKernel

enum CBORVectors {
  struct Accepted: Sendable {
    let hex: String
    let notation: String
  }

  struct Refused: Sendable {
    let hex: String
    let code: CBORError.Code
    let offset: Int
  }

  /// Appendix A: integers, strings, arrays, maps and the three simple values.
  static let accepted: [Accepted] = #"""
    00 0
    01 1
    0a 10
    17 23
    1818 24
    1819 25
    1864 100
    1903e8 1000
    1a000f4240 1000000
    1b000000e8d4a51000 1000000000000
    1bffffffffffffffff 18446744073709551615
    3bffffffffffffffff -18446744073709551616
    20 -1
    29 -10
    3863 -100
    3903e7 -1000
    f4 false
    f5 true
    f6 null
    40 h''
    4401020304 h'01020304'
    60 ""
    6161 "a"
    6449455446 "IETF"
    62225c "\"\\"
    62c3bc "\#u{fc}"
    63e6b0b4 "\#u{6c34}"
    64f0908591 "\#u{10151}"
    80 []
    83010203 [1, 2, 3]
    8301820203820405 [1, [2, 3], [4, 5]]
    98190102030405060708090a0b0c0d0e0f101112131415161718181819 \#
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]
    a0 {}
    a201020304 {1: 2, 3: 4}
    a26161016162820203 {"a": 1, "b": [2, 3]}
    826161a161626163 ["a", {"b": "c"}]
    a56161614161626142616361436164614461656145 {"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"}
    """#
    .split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return Accepted(hex: String(parts[0]), notation: String(parts[1]))
    }

  /// Appendix A: everything else.
  static let refusedExamples: [Refused] =
    refused(
      .floatingPoint,
      """
      f90000 f98000 f93c00 fb3ff199999999999a f93e00 f97bff fa47c35000 fa7f7fffff
      fb7e37e43c8800759c f90001 f90400 f9c400 fbc010666666666666 f97c00 f97e00 f9fc00 fa7f800000
      fa7fc00000 faff800000 fb7ff0000000000000 fb7ff8000000000000 fbfff0000000000000
      """)
    + refused(.unsupportedSimple, "f7 f0 f8ff")
    + refused(
      .tag,
      """
      c249010000000000000000 c349010000000000000000 c074323031332d30332d32315432303a30343a30305a
      c11a514b67b0 c1fb41d452d9ec200000 d74401020304 d818456449455446
      d82076687474703a2f2f7777772e6578616d706c652e636f6d
      """)
    + refused(
      .indefiniteLength,
      """
      5f42010243030405ff 7f657374726561646d696e67ff 9fff 9f018202039f0405ffff 9f01820203820405ff
      83018202039f0405ff@5 83019f0203ff820405@2
      9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff bf61610161629f0203ffff
      826161bf61626163ff@3 bf6346756ef563416d7421ff
      """)

  /// One or more inputs for every rule that appendix A does not break.
  static let refused: [Refused] =
    // Heads longer than needed, in every major type that has an argument.
    refused(
      .nonMinimal,
      """
      1800 1817 190017 1900ff 1a0000ffff 1b00000000ffffffff 3817 3900ff 580161 780161 79000161
      980101 b8010101 a1180002@1 9a0000ffff
      """)
    // Additional informations 28 to 30, and 31 where no length is.
    + refused(.reservedAdditionalInformation, "1c 3d 5e 7c 9d be dc fe 1f 3f")
    + refused(.indefiniteLength, "ff 81ff@1")
    // Simple values, in either form.
    + refused(.unsupportedSimple, "e0 f3 f814 f818 81f7@1")
    // Map keys: order of the encodings, not of the values; whole encodings; every nesting.
    + refused(
      .unsorted,
      """
      a202010102@3 a220010002@3 a2616101190100f5@4 a262616101616202@5 a2810101800002@4
      a101a202010102@5 a1a20201010203@4
      """)
    + refused(
      .duplicateKey,
      "a201010102@3 a2616101616102@4 a2810201810202@4 a2a001a002@3 a2f401f402@3 81a201010102@4")
    // Text that is not UTF-8: stray, missing and overlong continuations, surrogates, too large.
    + refused(
      .invalidUTF8, "6180 61c3 62c328 62c080 63e08080 63eda080 64f4908080 61ff 8261616180@3")
    // Ends before it should, or promises more than there is.
    + refused(
      .truncated,
      """
      18 1900 1a000000 1b00000000000000 41 62c3 81 8201 a101 a2010203 9bffffffffffffffff
      bbffffffffffffffff 5bffffffffffffffff 7b7fffffffffffffff bb80000000000000000101 9a00010000
      8118@1 820041@2
      """)
    + [Refused(hex: "", code: .truncated, offset: 0)]
    // Goes on after its end.
    + refused(.trailingBytes, "0000@1 8000@1 f6f6@1 6161ff@2 a0c0@1")
    + tooDeep

  /// One array, or map, or key, too deep.
  private static let tooDeep: [Refused] = [
    Refused(hex: String(repeating: "81", count: 16) + "80", code: .tooDeep, offset: 16),
    Refused(hex: String(repeating: "81", count: 17) + "00", code: .tooDeep, offset: 16),
    Refused(hex: String(repeating: "a100", count: 17) + "00", code: .tooDeep, offset: 32),
    Refused(
      hex: String(repeating: "a1", count: 16) + "a0" + zeros(16), code: .tooDeep, offset: 16),
  ]

  /// A list of inputs refused with one code, each followed by `@` and the place if that is not 0.
  private static func refused(_ code: CBORError.Code, _ inputs: String) -> [Refused] {
    inputs.split { $0 == " " || $0 == "\n" }.map { input in
      let parts = input.split(separator: "@")
      let offset = parts.count > 1 ? Int(parts[1]) ?? -1 : 0
      return Refused(hex: String(parts[0]), code: code, offset: offset)
    }
  }

  /// Accepted beyond appendix A: the edges of every rule.
  static let edges: [String] = [
    "1818", "190100", "1a00010000", "1b0000000100000000", "3818", "390100", "5818" + zeros(24),
    "7818" + zeros(24), "9818" + zeros(24), "590100" + zeros(256),
    // The deepest nesting, of arrays, of maps by value and of maps by key.
    String(repeating: "81", count: 15) + "80", String(repeating: "81", count: 16) + "00",
    String(repeating: "a100", count: 16) + "00",
    String(repeating: "a1", count: 16) + "00" + zeros(16),
    // Keys of every type in the order of their encodings.
    "a8" + "0000" + "186400" + "2000" + "4000" + "6000" + "8000" + "a000" + "f600",
    "a3" + "6000" + "617a00" + "62616100",
    // The ends of the Unicode ranges, and NUL.
    "6100", "617f", "62c280", "62dfbf", "63e0a080", "63ed9fbf", "63ee8080", "63efbfbf",
    "64f0908080", "64f48fbfbf",
  ]

  private static func zeros(_ count: Int) -> String {
    String(repeating: "00", count: count)
  }
}
