// The secret half of an author's key.
//
// Invariants: it lies in memory of libsodium's own, between pages that cannot be touched, kept out
// of swap and core dumps where the system allows, read-only once made, overwritten when it goes.
// It cannot be copied, coded or printed. It never touches a file: the caller does, with the seed.

import CSodium
import LarderHash

/// An author's Ed25519 secret key (RFC 8032).
// Sendable although it holds a pointer: the memory is this value's alone, is never written after
// `init`, and is freed by the one `deinit` of a value that cannot be copied.
@safe
package struct AuthorSecretKey: ~Copyable, @unchecked Sendable {
  /// How many bytes a seed has.
  package static let seedByteCount = 32

  // Allocated with `crypto_sign_SECRETKEYBYTES` bytes in `init`, freed in `deinit`. Its first half
  // is the seed (libsodium's layout: seed, then public key).
  private let memory: UnsafeMutablePointer<UInt8>
  /// The half everyone may know.
  package let publicKey: AuthorPublicKey

  /// The key made from exactly thirty-two secret bytes; nil for any other count.
  package init?(seed: Span<UInt8>) {
    guard seed.count == Self.seedByteCount else { return nil }
    let memory = unsafe Self.allocate()
    // The count was checked.
    publicKey = unsafe seed.withUnsafeBufferPointer { seed in
      unsafe Self.fill(memory, from: seed.baseAddress)
    }
    unsafe self.memory = unsafe memory
  }

  private init(random: Void) {
    unsafe memory = Self.allocate()
    publicKey = unsafe Self.fill(memory, from: nil)
  }

  deinit {
    // Overwrites the memory before it is given back.
    unsafe sodium_free(memory)
  }

  /// A new random key. Its seed never leaves the guarded memory.
  package static func generate() -> AuthorSecretKey {
    AuthorSecretKey(random: ())
  }

  /// The signature over `message`. The same key and message give the same signature. O(message).
  package func sign(_ message: Span<UInt8>) -> AuthorSignature {
    var signature = [UInt8](repeating: 0, count: AuthorSignature.byteCount)
    // The signature's buffer has the 64 bytes that are written; the others live for the call.
    let result = unsafe message.withUnsafeBufferPointer { message in
      unsafe crypto_sign_detached(
        &signature, nil, message.baseAddress, UInt64(message.count), memory)
    }
    guard result == 0, let value = AuthorSignature(signature.span) else {
      preconditionFailure("libsodium did not sign")
    }
    return value
  }

  /// Lends the seed to `body`, for writing it where only its owner reads.
  package func withSeed<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The first half of the memory, which lives as long as `self`.
    try body(unsafe UnsafeBufferPointer(start: memory, count: Self.seedByteCount).span)
  }

  /// Says what it is and nothing more. A value that cannot be copied cannot be printed either.
  package var description: String { "AuthorSecretKey(redacted)" }

  private static func allocate() -> UnsafeMutablePointer<UInt8> {
    Sodium.start()
    guard let memory = unsafe sodium_malloc(crypto_sign_secretkeybytes()) else {
      preconditionFailure("no memory for a secret key")
    }
    return unsafe memory.assumingMemoryBound(to: UInt8.self)
  }

  /// Makes the key in `memory` from `seed`, or from random bytes where there is none.
  private static func fill(
    _ memory: UnsafeMutablePointer<UInt8>, from seed: UnsafePointer<UInt8>?
  ) -> AuthorPublicKey {
    var point = [UInt8](repeating: 0, count: Bytes32.byteCount)
    // `memory` has room for the secret key, `point` for the public one; a seed has its 32 bytes.
    let result =
      if let seed = unsafe seed {
        unsafe crypto_sign_seed_keypair(&point, memory, seed)
      } else {
        unsafe crypto_sign_keypair(&point, memory)
      }
    guard result == 0, let bytes = Bytes32(point),
      unsafe sodium_mprotect_readonly(memory) == 0
    else { preconditionFailure("libsodium did not make a key") }
    return AuthorPublicKey(bytes)
  }
}
