// The plain bytes of a file that may be gzip, in pieces, with the hash of the file as it is.
//
// Invariant: memory is one input piece and what the caller asks for, whatever the file is.

import LarderCatalog
import LarderFiles
import LarderGzip
import LarderHash

/// Reads a file once from its beginning.
struct SourceReader: ~Copyable {
  private let file: ReadableFile
  private var hash = BLAKE2b(byteCount: 32)
  private var decoder: GzipDecoder?
  private var hasBegun = false
  private var input: [UInt8] = []
  private var inputOffset = 0
  /// The file's name, for errors.
  let name: String
  /// How many bytes of the file were taken in.
  private(set) var takenByteCount: Int64 = 0

  private static let pieceByteCount = 128 * 1024

  init(_ file: consuming ReadableFile, name: String) {
    self.file = file
    self.name = name
    decoder = nil
  }

  /// Appends up to `limit` plain bytes to `output`.
  /// - Returns: false at the end, when nothing was appended.
  /// - Throws: `unreadable`.
  mutating func read(into output: inout [UInt8], limit: Int) throws(CatalogError) -> Bool {
    let before = output.count
    while output.count == before {
      if inputOffset == input.count, try !refill() {
        try finishGzip()
        return false
      }
      if !hasBegun { try begin() }
      if try !inflate(into: &output, limit: limit) {
        let end = min(input.count, inputOffset + limit)
        output.append(contentsOf: input[inputOffset..<end])
        inputOffset = end
      }
    }
    return true
  }

  /// The hash of the whole file; only after `read` has said that nothing is left.
  consuming func finishHash() -> Bytes32 {
    let bytes = hash.finalize()
    guard let value = Bytes32(bytes) else { preconditionFailure("the hash has 32 bytes") }
    return value
  }

  /// Whether the input was gzip and plain bytes, if it had any ready, were appended.
  private mutating func inflate(
    into output: inout [UInt8], limit: Int
  ) throws(CatalogError) -> Bool {
    // The decoder is lent out whole, so what it reads must not be a part of the same value.
    let piece = input
    let offset = inputOffset
    do {
      guard
        let next = try decoder?.decode(piece.span, from: offset, into: &output, limit: limit)
      else { return false }
      inputOffset = next
      return true
    } catch {
      throw unreadable(error)
    }
  }

  private mutating func begin() throws(CatalogError) {
    hasBegun = true
    guard GzipDecoder.isGzip(input.span) else { return }
    do {
      decoder = try GzipDecoder()
    } catch {
      throw unreadable(error)
    }
  }

  private mutating func finishGzip() throws(CatalogError) {
    do {
      try decoder?.finish()
    } catch {
      throw unreadable(error)
    }
  }

  private mutating func refill() throws(CatalogError) -> Bool {
    input.removeAll(keepingCapacity: true)
    inputOffset = 0
    do {
      let count = try file.read(into: &input, count: Self.pieceByteCount)
      takenByteCount += Int64(count)
    } catch {
      throw unreadable(error)
    }
    hash.update(input)
    return !input.isEmpty
  }

  private func unreadable(_ error: any Error) -> CatalogError {
    CatalogError(.unreadable, operation: "read catalog file", subject: name, underlying: error)
  }
}
