// The one error of LarderFiles.

import Glibc

/// What the operating system refused to do with a file, and why.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why; callers act on this.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file or folder.
    public static let notFound = Code(rawValue: "notFound")
    /// The permissions, or a read-only file system, forbid it.
    public static let notAllowed = Code(rawValue: "notAllowed")
    /// It is a folder where a file was meant, or the other way round.
    public static let wrongKind = Code(rawValue: "wrongKind")
    /// Someone else holds the lock.
    public static let busy = Code(rawValue: "busy")
    /// The disk or the quota is used up.
    public static let full = Code(rawValue: "full")
    /// Anything else the system reports.
    public static let ioFailure = Code(rawValue: "ioFailure")
  }

  /// Why.
  public let code: Code
  /// The call that failed.
  public let operation: String
  /// The path.
  public let subject: String
  /// The system's error number, 0 where it was not the system that refused.
  public let errorNumber: Int32

  init(_ code: Code, operation: String, path: String) {
    self.code = code
    self.operation = operation
    self.subject = path
    self.errorNumber = 0
  }

  /// The error of a call that just failed.
  init(errno number: Int32, operation: String, path: String) {
    code =
      switch number {
      case ENOENT: .notFound
      case EACCES, EPERM, EROFS: .notAllowed
      case EISDIR, ENOTDIR: .wrongKind
      case EWOULDBLOCK: .busy
      case ENOSPC, EDQUOT: .full
      default: .ioFailure
      }
    self.operation = operation
    self.subject = path
    self.errorNumber = number
  }

  /// One line: what failed, on what, and why.
  public var description: String {
    "\(operation): \(code.rawValue): \(subject)" + (errorNumber == 0 ? "" : " (\(errorNumber))")
  }
}
