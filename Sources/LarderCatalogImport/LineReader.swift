// Lines of a stream of bytes, numbered from 1, in bounded memory.
//
// Invariants: every line is given out once, as bytes or as too long; blank lines are counted and
// left out. A line ends with LF or CR LF, the last one may end with the file; a byte order mark
// before the first is left out.

import FoundationEssentials
import LarderCatalog
import LarderHash

/// Reads lines from a `SourceReader`.
struct LineReader: ~Copyable {
  /// A line that is not blank.
  enum Line {
    /// Its number and its bytes without the end of line.
    case complete(number: Int64, Data)
    /// Its number; it was longer than the limit.
    case tooLong(number: Int64)
  }

  private var source: SourceReader
  private let byteCountMaximum: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var number: Int64 = 0
  private var isSkipping = false

  private static let pieceByteCount = 256 * 1024
  private static let newline = UInt8(ascii: "\n")

  /// A reader of lines of at most `byteCountMaximum` bytes.
  init(_ source: consuming SourceReader, byteCountMaximum: Int) {
    self.source = source
    self.byteCountMaximum = byteCountMaximum
  }

  /// The next line that is not blank; nil at the end.
  /// - Throws: `unreadable`; `wrongEncoding` if the file begins as UTF-16 or UTF-32 does.
  mutating func next() throws(CatalogError) -> Line? {
    while let end = try endOfLine() {
      number += 1
      let range = start..<end
      start = min(end + 1, buffer.count)
      if isSkipping || range.count > byteCountMaximum {
        isSkipping = false
        return .tooLong(number: number)
      }
      if let bytes = content(range) { return .complete(number: number, bytes) }
    }
    return nil
  }

  /// Where the line that begins at `start` ends; nil if no line does any more.
  private mutating func endOfLine() throws(CatalogError) -> Int? {
    var scanned = start
    while true {
      if let end = buffer[scanned...].firstIndex(of: Self.newline) { return end }
      if buffer.count - start > byteCountMaximum {
        isSkipping = true
        start = buffer.count
      }
      buffer.removeFirst(start)
      start = 0
      scanned = buffer.count
      guard try source.read(into: &buffer, limit: Self.pieceByteCount) else {
        return buffer.isEmpty && !isSkipping ? nil : buffer.count
      }
      // A decoder of JSON would take single lines of it for what they are, and lose the others.
      if number == 0, !isSkipping, Self.wideBeginnings.contains(where: { buffer.starts(with: $0) })
      {
        throw CatalogError(.wrongEncoding, operation: "read catalog file", subject: source.name)
      }
    }
  }

  /// How UTF-16 and UTF-32 begin, with a byte order mark or with the brace of a record.
  private static let wideBeginnings: [[UInt8]] = [
    [0xff, 0xfe], [0xfe, 0xff], [0, 0, 0xfe, 0xff], [0x7b, 0], [0, 0x7b], [0, 0, 0, 0x7b],
  ]

  /// The bytes of a line; nil for a blank one.
  private func content(_ range: Range<Int>) -> Data? {
    var line = buffer[range]
    if number == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return isBlank ? nil : Data(line)
  }

  /// How many bytes of the file were taken in.
  var takenByteCount: Int64 { source.takenByteCount }

  /// The hash of the whole file; only after `next` has returned nil.
  consuming func finishHash() -> Bytes32 {
    source.finishHash()
  }
}
