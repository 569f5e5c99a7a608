// Files and folders through the C library: small whole files, written so that a reader sees the old
// one or the new one, and nothing in between. Knows no meals.

internal import Glibc

/// Operations on whole files and folders.
package enum Files {
  /// What tells one file from another on this machine.
  package struct Identity: Hashable, Sendable {
    /// The device it lies on.
    package let device: UInt64
    /// Its number there.
    package let inode: UInt64
    /// How many bytes it has.
    package let byteCount: Int64
    /// Its permission bits.
    package let mode: UInt32
    /// Whether it is a folder.
    package let isFolder: Bool
  }

  /// What there is at `path`, following links; nil if there is nothing.
  package static func identity(of path: String) throws(FileError) -> Identity? {
    var info = stat()
    guard unsafe stat(path, &info) == 0 else {
      let error = FileError.last("stat", path)
      if error.code == .notFound { return nil }
      throw error
    }
    return Identity(
      device: UInt64(info.st_dev), inode: UInt64(info.st_ino), byteCount: Int64(info.st_size),
      mode: info.st_mode & 0o7777, isFolder: info.st_mode & S_IFMT == S_IFDIR)
  }

  /// Makes a folder, and those above it, that only its owner can enter; one that is there stays.
  /// The names of those it makes are durable on return: what is synced in a folder is lost with it.
  package static func createFolder(_ path: String) throws(FileError) {
    if let there = try identity(of: path) {
      guard there.isFolder else { throw FileError(.exists, operation: "mkdir", path: path) }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try createFolder(String(path[..<slash]))
    }
    guard unsafe mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return }
      throw FileError.last("mkdir", path)
    }
    try syncFolder(of: path)
  }

  /// The bytes of a file.
  /// - Throws: `notFound`, `denied`, `isFolder`, `notRegular`; `limitExceeded` if it has more than
  ///   `maximum`.
  package static func read(_ path: String, upTo maximum: Int) throws(FileError) -> [UInt8] {
    let (descriptor, _) = try openRegular(path)
    defer { close(descriptor) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return result }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError.last("read", path)
      }
      guard result.count + count <= maximum else {
        throw FileError(.limitExceeded, operation: "read", path: path)
      }
      result.append(contentsOf: chunk[..<count])
    }
  }

  /// Opens a regular file for reading; nothing else is waited for or read.
  static func openRegular(
    _ path: String
  ) throws(FileError) -> (descriptor: Int32, byteCount: Int64) {
    // Not blocking, so that a pipe without a writer is refused and not waited for.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError.last("open", path) }
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard isKnown, kind == S_IFREG else {
      let error =
        isKnown
        ? FileError(kind == S_IFDIR ? .isFolder : .notRegular, operation: "open", path: path)
        : FileError.last("fstat", path)
      close(descriptor)
      throw error
    }
    return (descriptor, Int64(status.st_size))
  }

  /// Writes a file durably: a temporary beside it, fsync, rename, fsync of the folder. When this
  /// returns the file has exactly `bytes` and `mode`; when it throws, it is as before.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32
  ) throws(FileError) {
    let temporary = path + ".new"
    _ = unsafe unlink(temporary)
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError.last("open", temporary) }
    do throws(FileError) {
      defer { close(descriptor) }
      try writeAll(bytes, to: descriptor, path: temporary)
      guard fsync(descriptor) == 0 else { throw FileError.last("fsync", temporary) }
    } catch {
      _ = unsafe unlink(temporary)
      throw error
    }
    try rename(temporary, to: path)
  }

  /// Moves a file over another and makes the move durable.
  package static func rename(_ source: String, to target: String) throws(FileError) {
    guard unsafe Glibc.rename(source, target) == 0 else { throw FileError.last("rename", source) }
    try syncFolder(of: target)
  }

  /// Makes the names in the folder of `path` durable.
  package static func syncFolder(of path: String) throws(FileError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError.last("open", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileError.last("fsync", folder) }
  }

  /// Gives a file these permission bits.
  package static func restrict(_ path: String, mode: UInt32) throws(FileError) {
    guard unsafe chmod(path, mode) == 0 else { throw FileError.last("chmod", path) }
  }

  /// Whether this process may write to what is at `path`.
  package static func isWritable(_ path: String) -> Bool {
    unsafe access(path, W_OK) == 0
  }

  /// Removes a file; none there is no error.
  package static func remove(_ path: String) throws(FileError) {
    if unsafe unlink(path) != 0, errno != ENOENT { throw FileError.last("unlink", path) }
  }

  /// The names in a folder, without `.` and `..`, in bytewise order.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = unsafe opendir(folder) else { throw FileError.last("opendir", folder) }
    defer { unsafe closedir(stream) }
    var result: [String] = []
    while let entry = unsafe readdir(stream) {
      // `d_name` is NUL-terminated and lives until the next call on this stream.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { result.append(name) }
    }
    return result.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError.last("write", path)
      }
      written += count
    }
  }
}
