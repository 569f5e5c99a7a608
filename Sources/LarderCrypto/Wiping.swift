// Overwriting secrets that had to lie in ordinary memory on their way to a file or from one.

import CSodium

extension [UInt8] {
  /// Overwrites the bytes with zeros, where no optimiser leaves it out. Of an array that shares its
  /// memory with another one a copy is overwritten, so call it on the only one.
  package mutating func wipe() {
    // The array's own bytes, for the call.
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe sodium_memzero(start, bytes.count)
    }
  }
}
