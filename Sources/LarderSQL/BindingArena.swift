// The bytes of the texts and blobs bound to a statement, until it has run.
//
// SQLite can copy each value itself (SQLITE_TRANSIENT), which costs a malloc and a free a value and
// a third of a bulk insert. Here they are copied one behind the other into one block that is used
// again for every run, and bound where they lie.
//
// Invariant: bytes handed out stay where they are until `reset`: a full block is kept beside a new,
// larger one.

/// Reusable memory for the values of one run.
@unsafe
struct BindingArena {
  private var block: UnsafeMutableRawPointer?
  private var capacity = 0
  private var used = 0
  private var fullBlocks: [UnsafeMutableRawPointer] = unsafe []

  /// A block larger than this is given back after the run that needed it.
  private static let keptByteCountMax = 64 * 1024

  init() {}

  /// Copies `bytes` and returns where they lie until `reset`. The pointer is never nil, also where
  /// there is no byte, because SQLite takes nil for NULL.
  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
    let start: UnsafeMutableRawPointer
    if let block = unsafe block, unsafe bytes.count <= capacity - used {
      unsafe start = block + used
    } else {
      unsafe start = grow(bytes.count)
    }
    if let source = bytes.baseAddress {
      // There is room for `bytes.count` bytes at `start`, and no one else has seen them.
      unsafe start.copyMemory(from: source, byteCount: bytes.count)
    }
    unsafe used += bytes.count
    return unsafe start
  }

  /// Forgets all bytes. Nothing may be bound to them any more.
  mutating func reset() {
    unsafe used = 0
    if unsafe fullBlocks.isEmpty && capacity <= Self.keptByteCountMax { return }
    while let full = unsafe fullBlocks.popLast() { unsafe full.deallocate() }
    if unsafe capacity > Self.keptByteCountMax {
      unsafe block?.deallocate()
      unsafe block = nil
      unsafe capacity = 0
    }
  }

  /// Frees everything.
  mutating func free() {
    unsafe reset()
    unsafe block?.deallocate()
    unsafe block = nil
    unsafe capacity = 0
  }

  private mutating func grow(_ byteCount: Int) -> UnsafeMutableRawPointer {
    if let block = unsafe block { unsafe fullBlocks.append(block) }
    let newCapacity = unsafe max(256, capacity * 2, byteCount)
    let newBlock = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
    unsafe block = newBlock
    unsafe capacity = newCapacity
    unsafe used = 0
    return unsafe newBlock
  }
}
