// Putting a file that is written already in the place of another.

internal import Glibc

extension Files {
  /// Puts the file at `source` in the place of `target`, which need not exist, such that a power
  /// cut at any point leaves one of the two whole. A process that has the old file open keeps
  /// reading that. When this returns the file's bytes and its name are durable: two syncs.
  package static func replace(
    _ target: String, withFileAt source: String
  ) throws(FileError) {
    let descriptor = unsafe open(source, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError.last("open", source) }
    let isSynced = fsync(descriptor) == 0
    let error = FileError.last("fsync", source)
    close(descriptor)
    guard isSynced else { throw error }
    try rename(source, to: target)
  }
}
