// Files of device keys: good ones, and each flaw.

import LarderCrypto
import LarderHash
import LarderKernel
import LarderStore

enum KeyVectors {
  static func all() throws -> [Vector] {
    try [
      accept("one", "one key: 56 bytes", file(seeds(1))),
      accept("two", "two keys, the newest last", file(seeds(2))),
      accept("most", "64 keys", file(seeds(64))),
    ] + flaws().map(refuse)
  }

  /// Seeds as any: the hash of their number.
  private static func seeds(_ count: Int) -> [[UInt8]] {
    (0..<count).map { BLAKE2b.hash256([UInt8($0)]).bytes }
  }

  private static func file(_ seeds: [[UInt8]], version: UInt8 = 1) -> [UInt8] {
    sealed(Array("LRDRKEY".utf8) + [version] + seeds.joined())
  }

  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    bytes + BLAKE2b.hash128(bytes).bytes
  }

  private static func accept(
    _ name: String, _ description: String, _ bytes: [UInt8]
  ) throws -> Vector {
    let keys = try DeviceKeys(bytes.span, subject: name)
    try keys.withFileBytes { written in
      guard written == bytes else { throw VectorError("key/\(name) changed") }
    }
    return Vector(
      "key", name, description,
      ["input": .string(bytes.hex), "authors": .array(keys.authors.map { .string($0.hex) })])
  }

  private static func flaws() -> [(
    name: String, description: String, bytes: [UInt8], error: String
  )] {
    let one = file(seeds(1))
    let corrupt = "corrupt"
    var spoilt = one
    spoilt[20] ^= 1
    var magic = Array(one[..<40])
    magic[0] = 0x6c
    return [
      ("empty", "a file of no bytes", [], corrupt),
      ("short", "a byte too few", one.dropLast(), corrupt),
      ("long", "a byte too many", one + [0], corrupt),
      ("checksum", "another seed under the same checksum", spoilt, corrupt),
      ("magic", "another magic", sealed(magic), corrupt),
      ("no_key", "no key at all", file([]), corrupt),
      ("half_key", "a key and a half", file(seeds(1) + [pattern(0, 16)]), corrupt),
      ("twice", "a key that occurs twice", file(seeds(2) + seeds(1)), corrupt),
      ("keys_65", "one key more than 64", file(seeds(65)), corrupt),
      ("version_2", "a file of the next version", file(seeds(1), version: 2), "unsupportedVersion"),
    ]
  }

  private static func refuse(
    _ flaw: (name: String, description: String, bytes: [UInt8], error: String)
  ) throws -> Vector {
    do throws(StoreError) {
      _ = try DeviceKeys(flaw.bytes.span, subject: flaw.name)
    } catch {
      guard error.code.description == flaw.error else {
        throw VectorError("key/\(flaw.name): \(error)")
      }
      return Vector(
        "key", "refused_" + flaw.name, flaw.description,
        ["input": .string(flaw.bytes.hex), "error": .string(flaw.error)])
    }
    throw VectorError("key/\(flaw.name) was accepted")
  }
}
