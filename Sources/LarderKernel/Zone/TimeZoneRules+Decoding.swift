// Reads a time zone file: TZif, RFC 9636, version 2 or later.
//
//   header   "TZif", version, 15 bytes unused, six counts of 32 bits
//   block 1  times of 32 bits, for readers of version 1: passed over
//   header   again, with the counts of block 2
//   block 2  times of 64 bits, a type for each, types, designations, leap seconds, indicators
//   footer   newline, TZ string, newline
//
// Invariant: bytes are refused with a place and a reason or mean one thing; memory is bounded by
// `TimeZoneLimits` before anything is reserved.

import LarderHash

extension TimeZoneRules {
  /// The rules in the bytes of a time zone file.
  /// - Throws: `TimeZoneError`, with the first rule that they break. Files that count leap seconds
  ///   (those below `right/`) are refused: their times are not POSIX times.
  package init(_ bytes: Span<UInt8>) throws(TimeZoneError) {
    guard bytes.count <= TimeZoneLimits.byteCountMax else {
      throw TimeZoneError(code: .limitExceeded, offset: 0)
    }
    let first = try Header(in: bytes, at: 0)
    let firstEnd = Header.byteCount + first.blockByteCount(timeByteCount: 4)
    let header = try Header(in: bytes, at: firstEnd)
    guard header.version == first.version else {
      throw TimeZoneError(code: .unsupportedVersion, offset: firstEnd + 4)
    }
    try header.check(at: firstEnd)
    let start = firstEnd + Header.byteCount
    let end = start + header.blockByteCount(timeByteCount: 8)
    guard end <= bytes.count else {
      throw TimeZoneError(code: .truncated, offset: bytes.count)
    }
    let block = Block(header: header, start: start)
    let types = try block.types(in: bytes)
    try block.checkIndicators(in: bytes)
    transitions = try block.transitions(in: bytes)
    let indexes = try block.typeIndexes(in: bytes)
    offsets = indexes.map { types[$0] }
    initialOffset = types[0]
    yearly = try Self.footer(in: bytes, at: end)
    // What begins with the last transition is what the rule says of that moment.
    if let yearly, let last = transitions.last, let offset = offsets.last,
      yearly.offset(atUTC: last) != offset
    {
      throw TimeZoneError(code: .inconsistentFooter, offset: end)
    }
  }

  /// The rule between the newlines; nil if there is none.
  private static func footer(
    in bytes: Span<UInt8>, at start: Int
  ) throws(TimeZoneError) -> YearlyRule? {
    let newline = UInt8(ascii: "\n")
    guard start < bytes.count else {
      throw TimeZoneError(code: .truncated, offset: start)
    }
    guard bytes[start] == newline else {
      throw TimeZoneError(code: .badFooter, offset: start)
    }
    var text: [UInt8] = []
    var offset = start + 1
    while offset < bytes.count, bytes[offset] != newline {
      guard text.count < TimeZoneLimits.footerByteCountMax else {
        throw TimeZoneError(code: .limitExceeded, offset: start)
      }
      text.append(bytes[offset])
      offset += 1
    }
    guard offset < bytes.count else {
      throw TimeZoneError(code: .truncated, offset: offset)
    }
    guard offset + 1 == bytes.count else {
      throw TimeZoneError(code: .trailingBytes, offset: offset + 1)
    }
    return text.isEmpty ? nil : try YearlyRule(text, at: start + 1)
  }
}

/// The header of a block: how many of each thing are in it.
private struct Header {
  static let byteCount = 44

  let version: UInt8
  let utIndicatorCount: Int
  let standardIndicatorCount: Int
  let leapCount: Int
  let transitionCount: Int
  let typeCount: Int
  let designationByteCount: Int

  init(in bytes: Span<UInt8>, at offset: Int) throws(TimeZoneError) {
    let magic: InlineArray<4, UInt8> = [0x54, 0x5a, 0x69, 0x66]
    for index in magic.indices where offset + index < bytes.count {
      guard bytes[offset + index] == magic[index] else {
        throw TimeZoneError(code: .notTimeZone, offset: offset)
      }
    }
    guard offset + Self.byteCount <= bytes.count else {
      throw TimeZoneError(code: .truncated, offset: bytes.count)
    }
    version = bytes[offset + 4]
    guard (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(version) else {
      throw TimeZoneError(code: .unsupportedVersion, offset: offset + 4)
    }
    let first = bytes.bigEndianWord(at: offset + 20)
    let second = bytes.bigEndianWord(at: offset + 28)
    let third = bytes.bigEndianWord(at: offset + 36)
    utIndicatorCount = Int(first >> 32)
    standardIndicatorCount = Int(first & 0xffff_ffff)
    leapCount = Int(second >> 32)
    transitionCount = Int(second & 0xffff_ffff)
    typeCount = Int(third >> 32)
    designationByteCount = Int(third & 0xffff_ffff)
  }

  /// How long the block is. The counts have 32 bits each, so this cannot overflow.
  func blockByteCount(timeByteCount: Int) -> Int {
    transitionCount * (timeByteCount + 1) + typeCount * 6 + designationByteCount
      + leapCount * (timeByteCount + 4) + standardIndicatorCount + utIndicatorCount
  }

  /// Checks the counts of the block that is read.
  func check(at offset: Int) throws(TimeZoneError) {
    guard typeCount > 0, designationByteCount > 0,
      utIndicatorCount == 0 || utIndicatorCount == typeCount,
      standardIndicatorCount == 0 || standardIndicatorCount == typeCount
    else {
      throw TimeZoneError(code: .badCount, offset: offset)
    }
    guard transitionCount <= TimeZoneLimits.transitionCountMax,
      typeCount <= TimeZoneLimits.typeCountMax,
      designationByteCount <= TimeZoneLimits.designationByteCountMax
    else {
      throw TimeZoneError(code: .limitExceeded, offset: offset)
    }
    guard leapCount == 0 else {
      throw TimeZoneError(code: .leapSeconds, offset: offset)
    }
  }
}

/// The second block, whose whole extent is known to be there.
private struct Block {
  let header: Header
  let start: Int

  private var indexesStart: Int { start + header.transitionCount * 8 }
  private var typesStart: Int { indexesStart + header.transitionCount }
  private var designationsStart: Int { typesStart + header.typeCount * 6 }
  private var standardStart: Int { designationsStart + header.designationByteCount }
  private var utStart: Int { standardStart + header.standardIndicatorCount }

  func transitions(in bytes: Span<UInt8>) throws(TimeZoneError) -> [Int64] {
    var times: [Int64] = []
    times.reserveCapacity(header.transitionCount)
    let bound = TimeZoneLimits.transitionSecondsMax
    for offset in stride(from: start, to: indexesStart, by: 8) {
      let time = Int64(bitPattern: bytes.bigEndianWord(at: offset))
      guard (-bound...bound).contains(time) else {
        throw TimeZoneError(code: .outOfRange, offset: offset)
      }
      if let last = times.last, time <= last {
        throw TimeZoneError(code: .unsorted, offset: offset)
      }
      times.append(time)
    }
    return times
  }

  func typeIndexes(in bytes: Span<UInt8>) throws(TimeZoneError) -> [Int] {
    var indexes: [Int] = []
    indexes.reserveCapacity(header.transitionCount)
    for offset in indexesStart..<typesStart {
      let index = Int(bytes[offset])
      guard index < header.typeCount else {
        throw TimeZoneError(code: .badIndex, offset: offset)
      }
      indexes.append(index)
    }
    return indexes
  }

  /// The offset of each type. Whether it is summer time matters to nobody here.
  func types(in bytes: Span<UInt8>) throws(TimeZoneError) -> [Int32] {
    var types: [Int32] = []
    types.reserveCapacity(header.typeCount)
    for start in stride(from: typesStart, to: designationsStart, by: 6) {
      // A type is 32 bits of offset, then two bytes; the word before its end holds all six.
      let word = bytes.bigEndianWord(at: start - 2)
      let offset = Int32(truncatingIfNeeded: word >> 16)
      guard (-89_999...93_599).contains(offset) else {
        throw TimeZoneError(code: .outOfRange, offset: start)
      }
      guard bytes[start + 4] <= 1 else {
        throw TimeZoneError(code: .badIndicator, offset: start + 4)
      }
      try checkDesignation(Int(bytes[start + 5]), of: start, in: bytes)
      types.append(offset)
    }
    return types
  }

  /// Checks that a designation begins in the block and ends there, with a zero byte.
  private func checkDesignation(
    _ index: Int, of type: Int, in bytes: Span<UInt8>
  ) throws(TimeZoneError) {
    guard index < header.designationByteCount else {
      throw TimeZoneError(code: .badIndex, offset: type + 5)
    }
    for offset in (designationsStart + index)..<standardStart where bytes[offset] == 0 {
      return
    }
    throw TimeZoneError(code: .badDesignation, offset: designationsStart + index)
  }

  /// Checks the indicators that readers of POSIX strings without dates need; nothing here does.
  func checkIndicators(in bytes: Span<UInt8>) throws(TimeZoneError) {
    for offset in standardStart..<(utStart + header.utIndicatorCount) where bytes[offset] > 1 {
      throw TimeZoneError(code: .badIndicator, offset: offset)
    }
    for index in 0..<header.utIndicatorCount where bytes[utStart + index] == 1 {
      guard header.standardIndicatorCount > 0, bytes[standardStart + index] == 1 else {
        throw TimeZoneError(code: .badIndicator, offset: utStart + index)
      }
    }
  }
}
