// The file with this device's secret keys. SPEC.md, "The device's key file". Mode 0600, never in a
// backup unless asked for; replaced whole, so that a power cut leaves the old keys or the new.

internal import LarderCrypto
internal import LarderFiles
internal import LarderKernel

enum DeviceKeyFile {
  /// Writes the first key of a device durably, readable by its owner alone.
  static func write(_ key: borrowing AuthorSecretKey, to path: String) throws(StoreError) {
    try write(DeviceKeys(key), to: path)
  }

  /// Adds a key as the newest, durably; beyond 64 the oldest goes. Under the writers' lock: it
  /// reads the file, and replaces it.
  /// - Throws: as `keys(in:)`; `denied`, `full`, `ioFailure`. Then the file is as it was.
  static func append(_ key: borrowing AuthorSecretKey, to path: String) throws(StoreError) {
    let keys = try keys(in: path)
    keys.append(key)
    try write(keys, to: path)
  }

  /// The newest key: that of the author this device is now, unless a renewal was interrupted.
  /// - Throws: as `keys(in:)`.
  static func read(_ path: String) throws(StoreError) -> AuthorSecretKey {
    try keys(in: path).newest
  }

  /// The key of an author; nil if it is not among the device's.
  /// - Throws: as `keys(in:)`.
  static func key(
    of author: AuthorID, in path: String
  ) throws(StoreError) -> AuthorSecretKey? {
    try keys(in: path).key(of: author)
  }

  /// All keys.
  /// - Throws: `notFound`; `unsupportedVersion`, `corrupt` for anything but a whole file of this
  ///   version; `denied`, `ioFailure`.
  static func keys(in path: String) throws(StoreError) -> DeviceKeys {
    // Room for two reads, so that no copy of the seeds stays behind in memory.
    let most = DeviceKeys.fileByteCountMaximum
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * most)
    defer { bytes.wipe() }
    try StoreError.filing { () throws(FileError) in
      let file = try ReadableFile(path: path)
      while bytes.count <= most, try file.read(into: &bytes, count: most) > 0 {}
    }
    return try DeviceKeys(bytes.span, subject: path)
  }

  private static func write(_ keys: DeviceKeys, to path: String) throws(StoreError) {
    try StoreError.filing { () throws(FileError) in
      try keys.withFileBytes { (bytes) throws(FileError) in
        try Files.write(bytes, to: path, mode: 0o600)
      }
    }
  }
}
