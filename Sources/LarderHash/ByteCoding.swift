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
    let digits = hex.utf8
    guard digits.count % 2 == 0 else { return nil }
    self.init()
    reserveCapacity(digits.count / 2)
    var pending: UInt8?
    for digit in digits {
      guard let value = Self.hexValue(digit) else { return nil }
      if let high = pending {
        append(high << 4 | value)
        pending = nil
      } else {
        pending = value
      }
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

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension String {
  /// Sixteen lower-case hexadecimal digits for each of `words`, most significant first. One
  /// allocation.
  public init<let count: Int>(hex words: InlineArray<count, UInt64>) {
    // All of the capacity is written, once.
    unsafe self.init(unsafeUninitializedCapacity: 16 * count) { digits in
      for place in 0..<(16 * count) {
        let shift = 60 - 4 * UInt64(place % 16)
        unsafe digits[place] = hexDigit(UInt8(truncatingIfNeeded: words[place / 16] >> shift) & 15)
      }
      return 16 * count
    }
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
