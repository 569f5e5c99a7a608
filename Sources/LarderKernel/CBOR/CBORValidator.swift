// Checks one whole item of any shape: the complete grammar of what this engine calls CBOR.
//
// Invariant: time is linear in the bytes times the nesting limit, memory is constant (no recursion,
// no allocation), whatever the bytes are.

/// Walks an item with a fixed stack of open arrays and maps.
struct CBORValidator {
  /// An array or map whose items are not all read.
  private struct Container {
    /// Where its head stands.
    var start = 0
    /// Items still to come; a pair of a map is two.
    var remaining = 0
    var isMap = false
    /// The encoding of the latest key; empty before the first.
    var key = 0..<0
  }

  private var open = InlineArray<16, Container>(repeating: Container())
  private var openCount = 0

  /// The offset behind the item at `offset`, once all of it is found right.
  static func end(
    ofItemAt offset: Int, in bytes: Span<UInt8>, enclosedBy depth: Int
  ) throws(CBORError) -> Int {
    precondition(depth >= 0, "an item cannot be enclosed by fewer than no containers")
    let head = try CBORHead(in: bytes, at: offset)
    guard head.type == .array || head.type == .map else {
      return try end(ofLeaf: head, in: bytes, at: offset)
    }
    var validator = CBORValidator()
    return try validator.end(ofItemAt: offset, in: bytes, enclosedBy: depth)
  }

  private mutating func end(
    ofItemAt offset: Int, in bytes: Span<UInt8>, enclosedBy depth: Int
  ) throws(CBORError) -> Int {
    var position = offset
    repeat {
      let start = position
      let head = try CBORHead(in: bytes, at: start)
      if head.type == .array || head.type == .map {
        guard depth + openCount < CBORLimits.depthMax else {
          throw CBORError(code: .tooDeep, offset: start)
        }
        position = head.end
        let count = try head.itemCount(in: bytes, at: start)
        if count > 0 {
          begin(at: start, count: count, isMap: head.type == .map)
          continue
        }
      } else {
        position = try Self.end(ofLeaf: head, in: bytes, at: start)
      }
      try complete(start..<position, in: bytes)
    } while openCount > 0
    return position
  }

  /// The offset behind an item that holds no others.
  @inline(__always)
  private static func end(
    ofLeaf head: CBORHead, in bytes: Span<UInt8>, at offset: Int
  ) throws(CBORError) -> Int {
    guard head.type == .bytes || head.type == .text else { return head.end }
    let content = try head.content(in: bytes, at: offset)
    if head.type == .text {
      guard (try? UTF8Span(validating: bytes.extracting(content))) != nil else {
        throw CBORError(code: .invalidUTF8, offset: offset)
      }
    }
    return content.upperBound
  }

  private mutating func begin(at start: Int, count: Int, isMap: Bool) {
    open[openCount] = Container(start: start, remaining: count, isMap: isMap)
    openCount += 1
  }

  /// Counts a finished item in its container, and each container that it finishes in the next.
  private mutating func complete(_ item: Range<Int>, in bytes: Span<UInt8>) throws(CBORError) {
    var item = item
    while openCount > 0 {
      let top = openCount - 1
      if open[top].isMap && open[top].remaining.isMultiple(of: 2) {
        try Self.check(item, follows: open[top].key, in: bytes)
        open[top].key = item
      }
      open[top].remaining -= 1
      if open[top].remaining > 0 { return }
      item = open[top].start..<item.upperBound
      openCount = top
    }
  }

  /// Refuses a key that is not greater than the one before it.
  private static func check(
    _ key: Range<Int>, follows previous: Range<Int>, in bytes: Span<UInt8>
  ) throws(CBORError) {
    for (left, right) in zip(previous, key) where bytes[left] != bytes[right] {
      if bytes[left] < bytes[right] { return }
      throw CBORError(code: .unsorted, offset: key.lowerBound)
    }
    // No encoding is the beginning of another: what agrees to its end is equal, or the first key.
    if !previous.isEmpty {
      throw CBORError(code: .duplicateKey, offset: key.lowerBound)
    }
  }
}

extension CBORHead {
  /// Where a string's content lies, if the bytes hold all of it.
  @inline(__always)
  func content(in bytes: Span<UInt8>, at offset: Int) throws(CBORError) -> Range<Int> {
    guard argument <= UInt64(bytes.count - end) else {
      throw CBORError(code: .truncated, offset: offset)
    }
    return end..<(end + Int(argument))
  }

  /// How many items an array or map holds (two a pair), if the bytes could hold as many.
  func itemCount(in bytes: Span<UInt8>, at offset: Int) throws(CBORError) -> Int {
    let left = UInt64(bytes.count - end)
    let bytesPerEntry: UInt64 = type == .map ? 2 : 1
    guard argument <= left / bytesPerEntry else {
      throw CBORError(code: .truncated, offset: offset)
    }
    return Int(argument * bytesPerEntry)
  }
}
