// A small file that is kept open, read and written at offsets.
//
// Invariant: the descriptor is open from `init` to `deinit` and nobody else has it. Knows nothing
// of what the bytes mean. Never used on an SQLite database: closing it would drop SQLite's locks.

internal import Glibc

/// A regular file open for reading and writing.
package struct RandomAccessFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Opens the file at `path`, making one that only its owner can read if there is none and
  /// `isCreating`.
  /// - Throws: `notFound`, `denied`, `full`; `ioFailure` for a folder, a pipe or a device.
  package init(path: String, isCreating: Bool) throws(FileError) {
    // Not blocking, so that a pipe is refused and not waited for.
    let flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | (isCreating ? O_CREAT : 0)
    let opened = unsafe open(path, flags, 0o600)
    guard opened >= 0 else { throw FileError.last("open", path) }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw FileError(.ioFailure, operation: "open as a regular file", path: path)
    }
    descriptor = opened
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Whether the file's path still leads to this file: it was neither removed nor replaced.
  package func isInPlace() throws(FileError) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError.last("fstat", path) }
    guard let there = try Files.identity(of: path) else { return false }
    return there.device == UInt64(status.st_dev) && there.inode == UInt64(status.st_ino)
  }

  /// The bytes from `offset` on, at most `byteCountMax`; fewer where the file ends.
  /// - Throws: `ioFailure`.
  package func read(at offset: Int64, upTo byteCountMax: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCountMax)
    var taken = 0
    while taken < byteCountMax {
      // The buffer has `byteCountMax` bytes, of which those from `taken` on are written.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + taken }, byteCountMax - taken,
          off_t(offset) + off_t(taken))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError.last("pread", path)
      }
      if count == 0 { break }
      taken += count
    }
    bytes.removeLast(byteCountMax - taken)
    return bytes
  }

  /// Writes all of `bytes` at `offset`: one call, unless the system stops halfway. Not durable
  /// before `synchronize` returns.
  /// - Throws: `full`, `ioFailure`; then some of the bytes may be written.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
    var written = 0
    while written < bytes.count {
      // The rest of the array lives for the call.
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError.last("pwrite", path)
      }
      written += count
    }
  }

  /// Makes what was written durable; one `fdatasync`.
  /// - Throws: `full`, `ioFailure`.
  package func synchronize() throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw FileError.last("fdatasync", path) }
  }
}
