// Writes the dump the floor reads: Tools/Floor/dump.h. Numbers are of this machine's byte order.

import Glibc
import LarderHash
import LarderKernel
import LarderSQL

/// A transaction's events and rows, being written down.
struct DumpChunk {
  fileprivate var body: [UInt8] = []
  fileprivate var eventCount: UInt32 = 0
  fileprivate var rowCount: UInt32 = 0
  fileprivate var valueCount: UInt32 = 0

  /// What a row does to the tables.
  enum Statement: UInt8 {
    case insertEntry = 0
    case insertLog = 1
    case insertStream = 2
    case updateEntry = 3
    case updateLog = 4
    case updateStream = 5
    case deleteEntry = 6
    case deleteLog = 7
  }

  /// - Parameters:
  ///   - hlc: the clock after the last event.
  ///   - digest: the projection's digest afterwards.
  init(hlc: UInt64, digest: Bytes16) {
    body.append(number: hlc)
    digest.append(to: &body)
  }

  /// Events come before rows.
  mutating func append(_ event: Event) {
    let header = event.header.bytes
    let payload = event.payload ?? []
    event.header.stream.bytes.append(to: &body)
    body.append(number: UInt32(header.count))
    body.append(number: UInt32(payload.count))
    body += header
    body += payload
    eventCount += 1
  }

  /// A row of `table` with all its columns.
  mutating func append(_ statement: Statement, _ row: borrowing Row, of table: TableShape) {
    begin(statement, valueCount: table.columns.count)
    for (place, type) in table.columns.enumerated() {
      if row.isNull(place) {
        body.append(0)
        continue
      }
      switch type {
      case .integer:
        body.append(1)
        body.append(number: row.int64(place))
      case .text: append(2, Array(row.text(place).utf8))
      case .blob: append(3, row.blob(place))
      }
    }
  }

  /// A row that goes.
  mutating func append(_ statement: Statement, id: String) {
    begin(statement, valueCount: 1)
    append(2, Array(id.utf8))
  }

  private mutating func begin(_ statement: Statement, valueCount count: Int) {
    body.append(statement.rawValue)
    body.append(UInt8(count))
    rowCount += 1
    valueCount += UInt32(count)
  }

  private mutating func append(_ type: UInt8, _ bytes: [UInt8]) {
    body.append(type)
    body.append(number: UInt32(bytes.count))
    body += bytes
  }
}

/// A file of chunks, written from its beginning.
final class DumpFile {
  private let descriptor: Int32
  private let path: String

  init(_ path: String) throws {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw BenchError("\(path) cannot be written") }
    try write(Array("LRDBNCH1".utf8))
  }

  deinit {
    close(descriptor)
  }

  func write(_ chunk: DumpChunk) throws {
    var head: [UInt8] = []
    head.append(number: UInt32(chunk.body.count))
    head.append(number: chunk.eventCount)
    head.append(number: chunk.rowCount)
    head.append(number: chunk.valueCount)
    try write(head)
    try write(chunk.body)
  }

  private func write(_ bytes: [UInt8]) throws {
    var place = 0
    while place < bytes.count {
      // The rest of the array is written where it lies.
      let count = unsafe bytes[place...].withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw BenchError("\(path) cannot be written") }
      place += count
    }
  }
}

extension [UInt8] {
  /// Appends a number in this machine's byte order.
  fileprivate mutating func append(number: some FixedWidthInteger) {
    var value = number
    // The bytes of a number are its own.
    unsafe Swift.withUnsafeBytes(of: &value) { unsafe append(contentsOf: $0) }
  }
}
