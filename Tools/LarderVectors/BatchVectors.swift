// Batches: good ones, and each flaw. All have an edge, signed where the flaw is not in that.

import LarderCrypto
import LarderHash
import LarderKernel

enum BatchVectors {
  static func all() throws -> [Vector] {
    try good() + broken() + contradicting() + unsalted() + forged()
  }

  private static let zero = Bytes32(front: .zero, back: .zero)

  private static func good() throws -> [Vector] {
    try [
      holds("seed", "two events at a block's end, with its seed") { _ in },
      holds("erased", "the first is erased, the salts stand one by one") { $0.erased = 0 },
      holds("salts", "salts one by one: something else of the block is erased") {
        $0.areSaltsExplicit = true
      },
      holds("unknown_kind", "a kind nobody knows") {
        $0.headers[0] = try LogVectors.header(0, kind: "MealTagged")
      },
      holds("first", "the first events of a chain") {
        $0.first = 0
        $0.rootBefore = MerkleTree.emptyRoot
        $0.rootAfter = nil
      },
      holds("last", "the last events a chain can have") { $0.first = MerkleTree.sizeMax - 2 },
    ]
  }

  private static func broken() throws -> [Vector] {
    let whole = try BatchDraft().batch().bytes
    let newer: [UInt8] = [whole[0], 2] + whole[2...]
    // The head of the public key becomes that of a tag.
    let tagged = Array(whole[..<2]) + [0xd8] + whole[3...]
    let fewer = [0x84] + whole[1...]
    return try [
      refuses("truncated", "a byte too few", whole.dropLast(), "malformed"),
      refuses("trailing", "a byte too many", whole + [0], "malformed"),
      refuses("format_2", "the next format", newer, "unsupportedVersion"),
      refuses(
        "format_2_unread", "the next format, and what no one can read behind it",
        [0x85, 0x02] + pattern(0xfa, 5),
        "unsupportedVersion"),
      refuses("tag", "a tag in the place of the key", tagged, "malformed"),
      refuses("array_4", "four items, then another", fewer, "malformed"),
      fails("key_31", "a key of 31 bytes", .outOfRange) { $0.key = pattern(0, 31) },
      fails("signature_63", "a signature of 63 bytes", .outOfRange) {
        $0.alterSignature = { $0.dropLast() }
      },
    ]
  }

  private static func contradicting() throws -> [Vector] {
    try [
      fails("two_blocks", "a run over a block's end", .outOfRange) { $0.first = 511 },
      fails("beyond", "the first seq no chain has", .outOfRange) { $0.first = MerkleTree.sizeMax },
      fails("count_0", "a run of no events", .outOfRange) { $0.count = 0 },
      fails("count_513", "a run longer than a block", .outOfRange) { $0.count = 513 },
      fails("count_1", "a run of fewer events than there are", .malformed) { $0.count = 1 },
      fails("count_3", "a run of more events than there are", .malformed) {
        $0.first = 8
        $0.count = 3
      },
      fails("leaves", "another root of the leaves", .outOfRange) { $0.leavesRoot = zero },
      fails("header_257", "a header of 257 bytes", .limitExceeded) {
        $0.headers[0] = pattern(0, 257)
      },
      fails("header_7_items", "a header without its flags", .malformed) {
        $0.headers[0] = [0x86] + $0.headers[0].dropFirst().dropLast()
      },
      fails("header_format_2", "a header of the next format", .unsupportedVersion) {
        $0.headers[0][1] = 2
      },
    ]
  }

  private static func unsalted() throws -> [Vector] {
    try [
      fails("seed", "another seed", .outOfRange) { $0.salts = .seed(zero) },
      fails("seed_erased", "a seed beside an erased event", .outOfRange) {
        $0.erased = 0
        $0.salts = .seed(BatchDraft.seed)
      },
      fails("salt", "no salt for an event that is not erased", .outOfRange) {
        $0.salts = .explicit([nil, nil])
      },
      fails("salt_erased", "a salt for an event that is erased", .outOfRange) {
        $0.erased = 0
        $0.salts = .explicit($0.drawnSalts)
      },
      fails("salt_zero", "a salt of zeros, made good in the leaf", .outOfRange) {
        $0.drawnSalts[0] = .zero
        $0.areSaltsExplicit = true
      },
      fails("salts_1", "fewer salts than events", .malformed) {
        $0.salts = .explicit([$0.drawnSalts[0]])
      },
      fails("salts_3", "more salts than events", .malformed) {
        $0.salts = .explicit($0.drawnSalts + [nil])
      },
    ]
  }

  private static func forged() throws -> [Vector] {
    let order: [UInt8] = [
      0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
      0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ]
    let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
    return try [
      fails("signature", "a signature with another bit", .outOfRange) {
        $0.alterSignature = { [$0[0] ^ 1] + $0.dropFirst() }
      },
      fails("unreduced", "the group's order added to the signature's S", .outOfRange) {
        $0.alterSignature = { $0[..<32] + sum(Array($0[32...]), order) }
      },
      fails("small_order", "a key of order 1, for which R = 1 and S = 0 signs all", .outOfRange) {
        $0.key = neutral
        $0.author = AuthorID(BLAKE2b.hash128(neutral))
        $0.alterSignature = { _ in neutral + [UInt8](repeating: 0, count: 32) }
      },
      fails("author", "an author that is not the key's", .outOfRange) {
        $0.author = AuthorID(.zero)
      },
      fails("key", "another key", .outOfRange) { $0.key = pattern(0, 32) },
      fails("root_before", "a root before that was not signed", .outOfRange) {
        $0.unsignedRootBefore = zero
      },
      fails("root_after", "a root after that was not signed", .outOfRange) {
        $0.unsignedRootAfter = zero
      },
    ]
  }

  /// The sum of two numbers of 32 bytes, the least byte first.
  private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var carry = 0
    return zip(left, right).map { left, right in
      carry += Int(left) + Int(right)
      defer { carry >>= 8 }
      return UInt8(truncatingIfNeeded: carry)
    }
  }

  private static func holds(
    _ name: String, _ description: String, _ change: (inout BatchDraft) throws -> Void
  ) throws -> Vector {
    var draft = try BatchDraft()
    try change(&draft)
    let batch = try draft.batch()
    let checked = try batch.check()
    let edge = checked.edge
    guard try Batch(batch.bytes.span) == batch else { throw VectorError("batch/\(name) changed") }
    return Vector(
      "batch", name, description,
      [
        "input": .string(batch.bytes.hex), "author": .string(edge.author.hex),
        "first": .string("\(edge.first)"), "signed": .string(edge.signedBytes.hex),
        "leaves": .array(checked.entries.map { .string($0.leaf.hex) }),
      ])
  }

  private static func fails(
    _ name: String, _ description: String, _ code: KernelError.Code,
    _ change: (inout BatchDraft) throws -> Void
  ) throws -> Vector {
    var draft = try BatchDraft()
    try change(&draft)
    return try refuses(name, description, try draft.bytes(), code.rawValue)
  }

  private static func refuses(
    _ name: String, _ description: String, _ bytes: [UInt8], _ code: String
  ) throws -> Vector {
    do throws(KernelError) {
      _ = try Batch(bytes.span).check()
    } catch {
      guard error.code.rawValue == code else { throw VectorError("batch/\(name): \(error)") }
      return Vector(
        "batch", "refused_" + name, description,
        ["input": .string(bytes.hex), "error": .string(code)])
    }
    throw VectorError("batch/\(name) was accepted")
  }
}
