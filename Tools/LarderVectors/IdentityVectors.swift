// Identifiers, addresses, salts and leaves: what is hashed, and to what.

import LarderHash
import LarderKernel

enum IdentityVectors {
  static func all() throws -> [Vector] {
    streams() + [items(), authors(), blobs(), salts(), leaves()]
  }

  private static func streams() -> [Vector] {
    let keys: [(StreamID.SharedClass, String)] = [
      (.capture, "import-2026-05-02-1"), (.capture, ""), (.product, "0012345678905"),
      (.setting, "units"), (.day, "2026-05-02"), (.capture, "\u{e9}"), (.capture, "e\u{301}"),
      (.product, String(repeating: "9", count: 24)),
    ]
    let shared = keys.map { sharedClass, key in
      JSON.object([
        "class": .string(sharedClass.rawValue), "key": .string(key),
        "stream": .string(StreamID(shared: sharedClass, key: key).hex),
      ])
    }
    let times: [Int64] = [0, 1_777_723_200_123, 1 << 48 - 1, 1 << 48, -1]
    let fresh = times.map { milliseconds in
      JSON.object([
        "milliseconds": .digits(milliseconds), "random": .string(Bytes16.pattern(0xf0).hex),
        "stream": .string(StreamID(milliseconds: milliseconds, random: .pattern(0xf0)).hex),
      ])
    }
    return [
      Vector(
        "identity", "stream_shared",
        "streams in which devices meet: BLAKE2b-128 of \"larder stream\" and CBOR [class, key]",
        ["shared": .array(shared)]),
      Vector(
        "identity", "stream_fresh",
        "streams of their own: 48 bits of milliseconds, then the last 80 of the random bits",
        ["fresh": .array(fresh)]),
    ]
  }

  private static func items() -> Vector {
    let sources: [([UInt8], UInt64)] = [
      (pattern(0, 16), 0), (pattern(0, 16), 1), (pattern(0, 16), 24), ([], 5), (pattern(7, 40), 63),
    ]
    return Vector(
      "identity", "item_derived",
      "items that an accepted line or an import makes: the first 8 bytes of BLAKE2b-128 of "
        + "\"larder item\" and CBOR [source, index]",
      [
        "items": .array(
          sources.map { source, index in
            .object([
              "source": .string(source.hex), "index": .number(Int64(index)),
              "item": .string(ItemID(derivedFrom: source, index: index).hex),
            ])
          })
      ])
  }

  private static func authors() -> Vector {
    let keys: [Bytes32] = [.pattern(0), .pattern(0x80), Bytes32(front: .zero, back: .zero)]
    return Vector(
      "identity", "author", "an author is BLAKE2b-128 of its public key",
      [
        "authors": .array(
          keys.map {
            .object([
              "publicKey": .string($0.hex), "author": .string(AuthorID(publicKey: $0).hex),
            ])
          })
      ])
  }

  private static func blobs() -> Vector {
    let blobs: [([UInt8], MediaType)] = [
      ([], .jpeg), (Array("abc".utf8), .png), (pattern(0, 300), .webp), (pattern(1, 1), .heic),
    ]
    return Vector(
      "identity", "blob", "a blob's address is BLAKE2b-256 of its bytes; its path follows",
      [
        "blobs": .array(
          blobs.map { bytes, type in
            let address = BlobAddress(BLAKE2b.hash256(bytes))
            return .object([
              "bytes": .string(bytes.hex), "address": .string(address.hex),
              "mediaType": .string(type.name), "path": .string(address.path(mediaType: type)),
            ])
          })
      ])
  }

  private static func salts() -> Vector {
    let seed = Bytes32.pattern(0x20)
    var salts = BlockSalts(seed: seed)
    let indexes = [0, 1, 2, 3, 4, 7, 8, 255, 256, 508, 509, 510, 511]
    return Vector(
      "identity", "salts",
      "the salts of a block's events are the quarters of BLAKE2b-512(key: seed, be64(index div 4))",
      [
        "seed": .string(seed.hex),
        "salts": .array(
          indexes.map {
            .object(["index": .number(Int64($0)), "salt": .string(salts.salt(at: $0).hex)])
          }),
      ])
  }

  private static func leaves() -> Vector {
    let cases: [(header: [UInt8], payload: [UInt8])] = [
      (pattern(0x87, 60), pattern(0xa0, 200)), ([], []), (pattern(1, 223), pattern(2, 496)),
      (pattern(1, 224), pattern(2, 497)), (pattern(3, 256), pattern(4, 2000)),
    ]
    return Vector(
      "identity", "leaf",
      "a leaf is BLAKE2b-256(0x00, header, commitment), a commitment BLAKE2b-256(salt, payload)",
      [
        "leaves": .array(
          cases.map { header, payload in
            let salt = Bytes16.pattern(UInt8(truncatingIfNeeded: payload.count))
            let commitment = PayloadCommitment.of(salt: salt, payload: payload.span)
            return .object([
              "header": .string(header.hex), "salt": .string(salt.hex),
              "payload": .string(payload.hex), "commitment": .string(commitment.hex),
              "leaf": .string(MerkleLeaf.hash(header: header.span, commitment: commitment).hex),
            ])
          })
      ])
  }
}
