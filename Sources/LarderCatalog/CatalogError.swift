// The one error of the catalog: its file, its installer, its reader of dumps.

package import LarderFiles
public import LarderSQL

/// What the catalog could not do, and why.
public struct CatalogError: Error, Sendable, CustomStringConvertible {
  /// Why; callers act on this.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No catalog is installed here.
    public static let notInstalled = Code(rawValue: "notInstalled")
    /// The installed catalog is damaged, or no catalog of ours; installing one again mends it.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The installed catalog has a format this build does not read: install it again, or update.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// Another install is running.
    public static let busy = Code(rawValue: "busy")
    /// The disk is full. The catalog is as it was.
    public static let full = Code(rawValue: "full")
    /// The file to install does not exist.
    public static let notFound = Code(rawValue: "notFound")
    /// What is to be installed is a folder, a pipe or a device. The catalog is as it was.
    public static let notRegular = Code(rawValue: "notRegular")
    /// The file to install cannot be read to its end: truncated or corrupt gzip, a failing disk, no
    /// permission. The catalog is as it was.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file to install is UTF-16 or UTF-32, where UTF-8 is wanted. The catalog is as it was.
    public static let wrongEncoding = Code(rawValue: "wrongEncoding")
    /// The file to install holds no product. The catalog is as it was.
    public static let noProducts = Code(rawValue: "noProducts")
    /// The caller stopped the install. The catalog is as it was.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Anything else the system or SQLite reports.
    public static let ioFailure = Code(rawValue: "ioFailure")
  }

  /// Why.
  public let code: Code
  /// What was being done.
  public let operation: String
  /// To what: a file, a table.
  public let subject: String
  /// The error below, where there is one.
  public let underlying: (any Error)?

  /// An error with all its parts.
  package init(
    _ code: Code, operation: String, subject: String, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.underlying = underlying
  }

  /// An error of the file system.
  package init(_ error: FileError, operation: String) {
    let code: Code =
      switch error.code {
      case .busy: .busy
      case .full: .full
      default: .ioFailure
      }
    self.init(code, operation: operation, subject: error.path, underlying: error)
  }

  /// One line without meal data.
  public var description: String {
    "\(operation): \(code.rawValue): \(subject)" + (underlying.map { " (\($0))" } ?? "")
  }
}

extension CatalogError: WrapsSQLError {
  /// What an error of SQLite means for the catalog.
  @usableFromInline
  package init(sql error: SQLError) {
    let code: Code =
      switch error.code {
      case .corrupt, .notADatabase, .wrongApplication: .corrupt
      case .newerVersion, .refused: .unsupportedVersion
      case .busy, .locked: .busy
      case .full: .full
      default: .ioFailure
      }
    self.init(code, operation: "use catalog", subject: error.path, underlying: error)
  }
}
