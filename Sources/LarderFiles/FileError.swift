// The one error of LarderFiles. It names a call, a path and errno, never what a file contains.

internal import Glibc

/// What the file system refused, and why.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why; callers act on this.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The constant's name.
    package let description: String

    private init(_ description: String) { self.description = description }

    /// There is no such file or folder.
    package static let notFound = Code("notFound")
    /// There is one already.
    package static let exists = Code("exists")
    /// The permission is missing, or the file system is read-only.
    package static let denied = Code("denied")
    /// No space, or the quota is used up.
    package static let full = Code("full")
    /// Somebody else holds the lock, and the deadline has passed.
    package static let busy = Code("busy")
    /// More bytes than the caller allows.
    package static let limitExceeded = Code("limitExceeded")
    /// It is a folder, where a file is wanted.
    package static let isFolder = Code("isFolder")
    /// It is a pipe, a socket or a device, where a file is wanted.
    package static let notRegular = Code("notRegular")
    /// Anything else; errno says what.
    package static let ioFailure = Code("ioFailure")

    init(errno number: Int32) {
      self =
        switch number {
        case ENOENT, ENOTDIR: .notFound
        case EEXIST, ENOTEMPTY: .exists
        case EACCES, EPERM, EROFS: .denied
        case ENOSPC, EDQUOT, EFBIG: .full
        case EWOULDBLOCK: .busy
        case EISDIR: .isFolder
        case ENXIO: .notRegular
        default: .ioFailure
        }
    }
  }

  /// Why.
  package let code: Code
  /// The call that failed.
  package let operation: String
  /// The file or folder.
  package let path: String
  /// The system's number for it, 0 where the system did not fail.
  package let number: Int32

  /// An error with all its parts.
  package init(_ code: Code, operation: String, path: String, number: Int32 = 0) {
    self.code = code
    self.operation = operation
    self.path = path
    self.number = number
  }

  /// The error errno stands for now.
  static func last(_ operation: String, _ path: String) -> FileError {
    let number = errno
    return FileError(Code(errno: number), operation: operation, path: path, number: number)
  }

  /// The system's text for its number, else the code.
  package var systemText: String {
    guard number != 0, let text = unsafe strerror(number) else { return "\(code)" }
    return unsafe String(cString: text)
  }

  /// One line: the call, the code, the path, the system's text.
  package var description: String {
    number == 0
      ? "\(operation): \(code) (\(path))" : "\(operation): \(code): \(systemText) (\(path))"
  }
}
