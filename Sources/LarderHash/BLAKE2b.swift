// BLAKE2b (RFC 7693) over libsodium: one-shot for what is in memory, incremental for what streams.
// Every hash in Larder is one of these three widths. No I/O; knows nothing of events.

import CSodium

/// BLAKE2b, RFC 7693, unkeyed unless a key is given.
@safe
public struct BLAKE2b: ~Copyable {
  // Owned: allocated in `init` with the alignment libsodium wants, freed in `deinit`, never shared.
  private let state: UnsafeMutableRawPointer
  private let width: Int

  /// libsodium picks its fastest implementation once a process; negative means it could not start.
  private static let ready: Bool = sodium_init() >= 0

  /// Begins an incremental hash of `byteCount` (16 or 32) bytes.
  public init(byteCount: Int) {
    precondition(byteCount == 16 || byteCount == 32, "BLAKE2b is used with 16 or 32 bytes here")
    precondition(Self.ready, "libsodium could not start")
    width = byteCount
    unsafe state = .allocate(byteCount: crypto_generichash_blake2b_statebytes(), alignment: 64)
    let code = unsafe crypto_generichash_blake2b_init(OpaquePointer(state), nil, 0, byteCount)
    precondition(code == 0, "BLAKE2b init refused its own parameters")
  }

  deinit {
    unsafe state.deallocate()
  }

  /// Adds `bytes` to what is hashed.
  public mutating func update(_ bytes: Span<UInt8>) {
    _ = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe crypto_generichash_blake2b_update(
        OpaquePointer(state), buffer.baseAddress, UInt64(buffer.count))
    }
  }

  /// Adds `bytes` to what is hashed.
  public mutating func update(_ bytes: [UInt8]) {
    update(bytes.span)
  }

  /// The hash of all added so far, as `byteCount` bytes; ends the hash.
  public consuming func finalize() -> [UInt8] {
    var output = [UInt8](repeating: 0, count: width)
    _ = unsafe crypto_generichash_blake2b_final(OpaquePointer(state), &output, width)
    return output
  }

  /// The 128-bit hash of `bytes`.
  public static func hash128(_ bytes: Span<UInt8>) -> Bytes16 {
    var words: (UInt64, UInt64) = (0, 0)
    unsafe withUnsafeMutableBytes(of: &words) { unsafe digest(bytes, key: nil, into: $0) }
    return Bytes16(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
  }

  /// The 128-bit hash of `bytes`.
  public static func hash128(_ bytes: [UInt8]) -> Bytes16 {
    hash128(bytes.span)
  }

  /// The 256-bit hash of `bytes`.
  public static func hash256(_ bytes: Span<UInt8>) -> Bytes32 {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &words) { unsafe digest(bytes, key: nil, into: $0) }
    return Bytes32(
      front: Bytes16(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1)),
      back: Bytes16(high: UInt64(bigEndian: words.2), low: UInt64(bigEndian: words.3)))
  }

  /// The 256-bit hash of `bytes`.
  public static func hash256(_ bytes: [UInt8]) -> Bytes32 {
    hash256(bytes.span)
  }

  /// The 512-bit hash of `bytes` under a 32-byte `key`, as two halves.
  public static func hash512(_ bytes: [UInt8], key: Bytes32) -> (Bytes32, Bytes32) {
    var words = InlineArray<8, UInt64>(repeating: 0)
    let keyBytes = key.bytes
    var span = words.mutableSpan
    unsafe span.withUnsafeMutableBytes { unsafe digest(bytes.span, key: keyBytes, into: $0) }
    func half(_ first: Int) -> Bytes32 {
      Bytes32(
        front: Bytes16(
          high: UInt64(bigEndian: words[first]), low: UInt64(bigEndian: words[first + 1])),
        back: Bytes16(
          high: UInt64(bigEndian: words[first + 2]), low: UInt64(bigEndian: words[first + 3])))
    }
    return (half(0), half(4))
  }

  /// Fills `output` with the hash of that width.
  private static func digest(
    _ bytes: Span<UInt8>, key: [UInt8]?, into output: UnsafeMutableRawBufferPointer
  ) {
    precondition(ready, "libsodium could not start")
    guard let target = output.baseAddress else { return }
    let code = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe crypto_generichash_blake2b(
        target.assumingMemoryBound(to: UInt8.self), output.count,
        input.baseAddress, UInt64(input.count), key, key?.count ?? 0)
    }
    precondition(code == 0, "BLAKE2b refused its own parameters")
  }
}
