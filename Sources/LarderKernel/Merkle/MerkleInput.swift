// What is about to be hashed, laid end to end on the stack.
//
// Invariant: nothing here allocates. A hash of an event's parts costs its compression function and
// little else, which is what keeps `verify` of a whole log within its budget.

import LarderHash

/// Up to `capacity` bytes, built from the front.
struct MerkleInput<let capacity: Int>: ~Copyable {
  private var storage = InlineArray<capacity, UInt8>(repeating: 0)
  private var count = 0

  /// The BLAKE2b-256 of what was appended.
  var hash: Bytes32 {
    BLAKE2b.hash256(storage.span.extracting(first: count))
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    storage[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity - count, "the input is larger than its storage")
    for index in bytes.indices {
      storage[count &+ index] = bytes[index]
    }
    count += bytes.count
  }

  @inline(__always)
  mutating func append(_ value: Bytes16) {
    append(value.high)
    append(value.low)
  }

  @inline(__always)
  mutating func append(_ value: Bytes32) {
    append(value.front)
    append(value.back)
  }

  /// Appends the eight bytes of `word`, most significant first.
  @inline(__always)
  private mutating func append(_ word: UInt64) {
    for place in 0..<8 {
      storage[count + place] = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * place))
    }
    count += 8
  }
}
