// Big-endian words and hexadecimal text: the only byte order and the only byte text there is.

extension Span where Element == UInt8 {
  /// The eight bytes from `offset` as a big-endian number. The caller guarantees they exist.
  @inlinable
  public func bigEndianWord(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= count - 8, "word outside the span")
    return UInt64(
      bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension [UInt8] {
  /// Appends `word` as eight bytes, most significant first.
  @inlinable
  public mutating func appendBigEndian(_ word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
    }
  }

  /// The bytes of hexadecimal text of either case; nil for an odd count or another character.
  public init?(hex: some StringProtocol) {
    let text = String(hex)
    let digits = text.utf8Span.span
    guard digits.count % 2 == 0 else { return nil }
    self.init()
    reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = hexValue(digits[place]), let low = hexValue(digits[place + 1]) else {
        return nil
      }
      append(high << 4 | low)
    }
  }

  /// Two lower-case hexadecimal digits a byte.
  public var hex: String {
    // All of the capacity is written, once.
    unsafe String(unsafeUninitializedCapacity: 2 * count) { digits in
      for (place, byte) in enumerated() {
        unsafe digits[2 * place] = hexDigit(byte >> 4)
        unsafe digits[2 * place + 1] = hexDigit(byte & 15)
      }
      return 2 * count
    }
  }
}

extension UInt64 {
  /// The number of exactly sixteen hexadecimal digits of either case; nil for anything else.
  public init?(hexDigits digits: Span<UInt8>) {
    guard digits.count == 16 else { return nil }
    self = 0
    for place in digits.indices {
      guard let value = hexValue(digits[place]) else { return nil }
      self = self << 4 | UInt64(value)
    }
  }
}

extension String {
  /// Sixteen lower-case hexadecimal digits for each of `words`, most significant first. One
  /// allocation.
  public init<let count: Int>(hex words: InlineArray<count, UInt64>) {
    // All of the capacity is written, once.
    unsafe self.init(unsafeUninitializedCapacity: 16 * count) { digits in
      let bytes = UnsafeMutableRawBufferPointer(digits)
      for place in 0..<count {
        let (high, low) = (hexDigits(words[place] >> 32), hexDigits(words[place] & 0xffff_ffff))
        unsafe bytes.storeBytes(of: high.bigEndian, toByteOffset: 16 * place, as: UInt64.self)
        unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 16 * place + 8, as: UInt64.self)
      }
      return 16 * count
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends the `byteCount` (0…8) most significant bytes of `word`, most significant first. There
  /// must be room for eight.
  @inlinable
  public mutating func append(bigEndian word: UInt64, byteCount: Int) {
    precondition(freeCapacity >= 8 && byteCount >= 0 && byteCount <= 8, "no room for a word")
    // The eight bytes lie in the free capacity; those beyond `byteCount` are written over later.
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(
        of: word.bigEndian, toByteOffset: initializedCount, as: UInt64.self)
      initializedCount += byteCount
    }
  }

  /// Appends all of `bytes`.
  @inlinable
  public mutating func append(contentsOf bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity, "no room for the bytes")
    // There is room behind what is initialised, and nobody else sees it.
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      unsafe bytes.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[
            initializedCount...]
        ).copyMemory(from: source)
      }
      initializedCount += bytes.count
    }
  }
}

/// The eight hexadecimal digits of the low 32 bits of `number`, as the bytes of a word.
private func hexDigits(_ number: UInt64) -> UInt64 {
  // The nibbles are moved apart, one a byte.
  var nibbles = (number << 16 | number) & 0x0000_ffff_0000_ffff
  nibbles = (nibbles << 8 | nibbles) & 0x00ff_00ff_00ff_00ff
  nibbles = (nibbles << 4 | nibbles) & 0x0f0f_0f0f_0f0f_0f0f
  // 1 in each byte that is 10 or more: those become letters, 39 further than digits.
  let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
  return nibbles + 0x3030_3030_3030_3030 + letters * 39
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
