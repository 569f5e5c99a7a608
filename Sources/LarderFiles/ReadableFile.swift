// A file that is read from its beginning to its end, in pieces.
//
// Invariant: the descriptor is open from `init` to `deinit` and nobody else has it. Knows nothing
// of what the bytes mean. Never used on an SQLite database: closing it would drop SQLite's locks.

internal import Glibc

/// A regular file open for reading.
package struct ReadableFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// How many bytes the file had when it was opened.
  package let byteCount: Int64

  /// Opens the file at `path`.
  /// - Throws: `notFound`, `denied`, `isFolder`, `notRegular`, `ioFailure`.
  package init(path: String) throws(FileError) {
    (descriptor, byteCount) = try Files.openRegular(path)
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Appends up to `count` bytes to `buffer`.
  /// - Returns: how many; 0 at the end of the file.
  /// - Throws: `ioFailure`.
  package func read(into buffer: inout [UInt8], count: Int) throws(FileError) -> Int {
    precondition(count > 0, "a read asks for at least one byte")
    let before = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: count))
    var taken = 0
    repeat {
      // The buffer has `count` bytes from `before` on, and lives for the call.
      taken = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress.map { unsafe $0 + before }, count)
      }
    } while taken < 0 && errno == EINTR
    guard taken >= 0 else {
      let error = FileError.last("read", path)
      buffer.removeLast(count)
      throw error
    }
    buffer.removeLast(count - taken)
    return taken
  }

  /// Goes back to the beginning.
  /// - Throws: `ioFailure`.
  package func rewind() throws(FileError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw FileError.last("lseek", path) }
  }
}
