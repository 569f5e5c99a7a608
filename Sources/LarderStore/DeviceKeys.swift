// The secret keys of a device, one for each incarnation that may still have to sign. SPEC.md, "The
// device's key file".
//
// Invariants: there is at least one key and none twice, oldest first; the seeds are overwritten
// when they go. Cannot be coded or printed.

package import LarderCrypto
internal import LarderHash
package import LarderKernel

/// The secret keys of one device, oldest first.
package final class DeviceKeys {
  /// The most keys a device keeps; the oldest goes when another one comes.
  package static let countMaximum = Limits.deviceKeyCountMaximum
  /// The largest file, in bytes.
  package static let fileByteCountMaximum =
    magic.count + countMaximum * AuthorSecretKey.seedByteCount + Bytes16.byteCount

  private static let magic: [UInt8] = Array("LRDRKEY".utf8) + [1]
  private static let seedByteCount = AuthorSecretKey.seedByteCount

  /// The seeds, one after another.
  private var seeds: [UInt8]

  /// One key.
  package init(_ key: borrowing AuthorSecretKey) {
    seeds = Self.seed(of: key)
  }

  /// The keys in the bytes of a file, `subject` in errors.
  /// - Throws: `unsupportedVersion` for a whole file of another version, `corrupt` for anything
  ///   else that is none.
  package init(_ bytes: Span<UInt8>, subject: String) throws(StoreError) {
    let checked = bytes.count - Bytes16.byteCount
    guard checked >= Self.magic.count,
      Bytes16(bytes.extracting(checked...)) == BLAKE2b.hash128(bytes.extracting(0..<checked)),
      Self.magic.dropLast().indices.allSatisfy({ bytes[$0] == Self.magic[$0] })
    else { throw StoreError(.corrupt, operation: "read device key", subject: subject) }
    let version = bytes[Self.magic.count - 1]
    guard version == Self.magic.last else {
      throw StoreError(
        .unsupportedVersion, operation: "read device key version \(version)", subject: subject)
    }
    seeds = (Self.magic.count..<checked).map { bytes[$0] }
    guard seeds.count % Self.seedByteCount == 0, (1...Self.countMaximum).contains(count),
      !hasDouble
    else { throw StoreError(.corrupt, operation: "read device key", subject: subject) }
  }

  deinit {
    seeds.wipe()
  }

  /// How many keys there are, 1 to 64.
  package var count: Int { seeds.count / Self.seedByteCount }

  /// The authors of the keys, oldest first. One multiplication on the curve a key.
  package var authors: [AuthorID] {
    (0..<count).map { AuthorID(key(at: $0).publicKey.authorID) }
  }

  /// The key of the newest incarnation.
  package var newest: AuthorSecretKey { key(at: count - 1) }

  /// The key of an author; nil if it is not among these. The newest are tried first.
  package func key(of author: AuthorID) -> AuthorSecretKey? {
    for place in (0..<count).reversed() {
      let key = key(at: place)
      if key.publicKey.authorID == author.bytes { return key }
    }
    return nil
  }

  /// Adds a key as the newest; beyond 64 the oldest goes. One that is there stays where it is.
  package func append(_ key: borrowing AuthorSecretKey) {
    var seed = Self.seed(of: key)
    defer { seed.wipe() }
    if (0..<count).contains(where: { isSame(seed, at: $0) }) { return }
    var longer: [UInt8] = []
    longer.reserveCapacity(seeds.count + seed.count)
    longer += seeds[(count < Self.countMaximum ? 0 : Self.seedByteCount)...]
    longer += seed
    seeds.wipe()
    seeds = longer
  }

  /// Lends the bytes of the file to `body`, and overwrites them then.
  package func withFileBytes<Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.fileByteCountMaximum)
    bytes += Self.magic
    bytes += seeds
    BLAKE2b.hash128(bytes).append(to: &bytes)
    defer { bytes.wipe() }
    try body(bytes)
  }

  private func key(at place: Int) -> AuthorSecretKey {
    let (all, start) = (seeds, place * Self.seedByteCount)
    guard
      let key = AuthorSecretKey(seed: all.span.extracting(start..<(start + Self.seedByteCount)))
    else { preconditionFailure("a seed has its length") }
    return key
  }

  private func isSame(_ seed: [UInt8], at place: Int) -> Bool {
    let start = place * Self.seedByteCount
    return seeds[start..<(start + Self.seedByteCount)].elementsEqual(seed)
  }

  /// Whether a seed occurs twice.
  private var hasDouble: Bool {
    (1..<max(1, count)).contains { place in
      let start = place * Self.seedByteCount
      let seed = Array(seeds[start..<(start + Self.seedByteCount)])
      return (0..<place).contains { isSame(seed, at: $0) }
    }
  }

  private static func seed(of key: borrowing AuthorSecretKey) -> [UInt8] {
    key.withSeed { seed in seed.indices.map { seed[$0] } }
  }
}
