// A lock that the kernel lets go of when its holder dies.

import Glibc

/// An exclusive `flock` on a file of its own, held from `init` to `deinit`.
public struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock at `path`, making the file where there is none. Does not wait.
  /// - Throws: `busy` if another holds it; `notFound`, `notAllowed`, `ioFailure`.
  public init(path: String) throws(FileError) {
    let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw FileError(errno: errno, operation: "open", path: path) }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      _ = close(opened)
      throw FileError(errno: number, operation: "flock", path: path)
    }
    descriptor = opened
  }

  deinit {
    _ = close(descriptor)
  }
}
