// The file with this device's secret key. SPEC.md, "The device's key file": eight bytes of magic
// and version, then the 32-byte Ed25519 seed, then BLAKE2b-128 of both. Mode 0600, never in a
// backup unless asked for.

internal import LarderCrypto
internal import LarderFiles
internal import LarderHash
internal import LarderKernel

enum DeviceKeyFile {
  private static let magic: [UInt8] = Array("LRDRKEY".utf8) + [1]

  /// Writes the key durably, readable by its owner alone.
  static func write(_ key: borrowing AuthorSecretKey, to path: String) throws(StoreError) {
    var bytes = magic
    key.withSeed { seed in
      for index in seed.indices { bytes.append(seed[index]) }
    }
    bytes += BLAKE2b.hash128(bytes).bytes
    let whole = bytes
    try StoreError.filing { () throws(FileError) in
      try Files.write(whole, to: path, mode: 0o600)
    }
  }

  /// Reads the key.
  /// - Throws: `notFound`; `corrupt` for anything but a whole file of this version.
  static func read(_ path: String) throws(StoreError) -> AuthorSecretKey {
    let bytes = try StoreError.filing { () throws(FileError) in try Files.read(path, upTo: 4096) }
    guard bytes.count == 56, Array(bytes[..<8]) == magic,
      BLAKE2b.hash128(Array(bytes[..<40])).bytes == Array(bytes[40...]),
      let key = AuthorSecretKey(seed: bytes.span.extracting(8..<40))
    else { throw StoreError(.corrupt, operation: "read device key", subject: path) }
    return key
  }

  /// The key of an author; nil if it is not among the device's.
  static func key(
    of author: AuthorID, in path: String
  ) throws(StoreError) -> AuthorSecretKey? {
    let key = try read(path)
    if key.publicKey.authorID != author.bytes { return nil }
    return key
  }
}
