// LZ4 blocks (the LZ4 block format, liblz4) over bytes: how packed blocks and batches are kept
// small.
//
// Invariants: nothing is reserved for a size above the caller's limit; what comes out has exactly
// the stated size or is an error. Knows nothing of events.

import CLZ4

/// Why bytes could not be unpacked.
package struct LZ4Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why; callers act on this.
  package enum Code: Hashable, Sendable {
    /// The bytes are no LZ4 block, or one of another size.
    case corrupt
    /// The stated size is above the limit, or below 0.
    case limitExceeded
  }

  /// Why.
  package let code: Code
  /// The stated size, in bytes.
  package let byteCount: Int

  /// One line.
  package var description: String { "unpack \(byteCount) bytes: \(code)" }
}

/// The LZ4 block format.
package enum LZ4 {
  /// The largest input: 2 GiB − 32 MiB, liblz4's limit.
  package static let byteCountMax = 0x7E00_0000

  /// The compressed form of `bytes`, at most `byteCountMax` of them. The form may differ between
  /// versions of liblz4, so it is never hashed or compared.
  package static func compress(_ bytes: Span<UInt8>) -> [UInt8] {
    precondition(bytes.count <= byteCountMax, "too much for one LZ4 block")
    let bound = Int(LZ4_compressBound(CInt(bytes.count)))
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      // Both buffers live for the call; the output has the size that never is too small.
      let written = unsafe bytes.withUnsafeBytes { input in
        unsafe LZ4_compress_default(
          input.baseAddress?.assumingMemoryBound(to: CChar.self),
          UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self),
          CInt(input.count), CInt(bound))
      }
      precondition(written > 0, "LZ4 always fits its bound")
      count = Int(written)
    }
  }

  /// The bytes that `data` was made of.
  /// - Parameters:
  ///   - byteCount: how many they are.
  ///   - limit: how many they may be; checked before memory is taken.
  /// - Throws: `limitExceeded`; `corrupt` for anything but exactly `byteCount` bytes.
  package static func decompress(
    _ data: Span<UInt8>, byteCount: Int, limit: Int
  ) throws(LZ4Error) -> [UInt8] {
    guard byteCount >= 0, byteCount <= min(limit, byteCountMax), data.count <= byteCountMax else {
      throw LZ4Error(code: .limitExceeded, byteCount: byteCount)
    }
    var written: CInt = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteCount + 1) { output, count in
      // Both buffers live for the call; liblz4 writes no more than the capacity it is told.
      written = unsafe data.withUnsafeBytes { input in
        unsafe LZ4_decompress_safe(
          input.baseAddress?.assumingMemoryBound(to: CChar.self),
          UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self),
          CInt(input.count), CInt(byteCount))
      }
      count = max(0, Int(written))
    }
    guard Int(written) == byteCount else { throw LZ4Error(code: .corrupt, byteCount: byteCount) }
    return bytes
  }
}
