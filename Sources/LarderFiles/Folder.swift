// What is done to names in folders: make, rename, remove, and make that last.

import Glibc

/// Operations on the names in folders.
public enum Folder {
  /// Makes the folder at `path`, readable by its owner alone, where there is none yet.
  /// - Throws: `notFound` if its parent is missing, `wrongKind` if a file has the name.
  public static func make(at path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    guard errno == EEXIST else { throw FileError(errno: errno, operation: "mkdir", path: path) }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(.wrongKind, operation: "mkdir", path: path)
    }
  }

  /// Puts the file at `source` in the place of `target`, which need not exist, such that a power
  /// cut at any point leaves one of the two whole. Both lie on one file system.
  ///
  /// When this returns the file's bytes and its new name are durable: two syncs. A process that has
  /// the old file open keeps reading that.
  /// - Throws: `notFound`, `notAllowed`, `full`, `ioFailure`.
  public static func replace(
    _ target: String, withFileAt source: String
  ) throws(FileError) {
    try sync(source, flags: O_RDONLY)
    guard unsafe rename(source, target) == 0 else {
      throw FileError(errno: errno, operation: "rename", path: target)
    }
    try sync(parent(of: target), flags: O_RDONLY | O_DIRECTORY)
  }

  /// Removes the file at `path` where there is one.
  /// - Throws: `notAllowed`, `wrongKind`, `ioFailure`.
  public static func removeFile(at path: String) throws(FileError) {
    guard unsafe unlink(path) != 0, errno != ENOENT else { return }
    throw FileError(errno: errno, operation: "unlink", path: path)
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func sync(_ path: String, flags: Int32) throws(FileError) {
    let descriptor = unsafe open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, operation: "open", path: path) }
    let result = fsync(descriptor)
    let number = errno
    _ = close(descriptor)
    guard result == 0 else { throw FileError(errno: number, operation: "fsync", path: path) }
  }
}
