// The randomness of the package: bytes from the operating system's generator, through libsodium.

import CSodium
package import LarderHash

/// Unpredictable bytes for keys, salts, nonces and names.
package enum SecureRandom {
  /// `count` random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    Sodium.start()
    // The buffer has room for `count` bytes, all of which are written.
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      guard let start = buffer.baseAddress else { return }
      unsafe randombytes_buf(start, count)
      initializedCount = count
    }
  }

  /// Sixteen random bytes.
  package static func bytes16() -> Bytes16 {
    Sodium.start()
    var words: (UInt64, UInt64) = (0, 0)
    // The words are plain numbers: any bytes are a value.
    unsafe withUnsafeMutableBytes(of: &words) { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe randombytes_buf(start, bytes.count)
    }
    return Bytes16(high: words.0, low: words.1)
  }

  /// Thirty-two random bytes.
  package static func bytes32() -> Bytes32 {
    Bytes32(front: bytes16(), back: bytes16())
  }
}

/// The start of libsodium, which picks its fastest implementations and opens the random generator.
enum Sodium {
  private static let isReady = sodium_init() >= 0

  /// Starts libsodium once a process. A system without a random generator cannot go on.
  static func start() {
    precondition(isReady, "libsodium could not start")
  }
}
