// The one error of LarderStore. It names a table, a file, an event, never what a meal contains.

internal import LarderFiles
internal import LarderKernel
public import LarderSQL

/// What a store refuses, and why.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// Why; callers act on this.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The constant's name.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// There is no store in the folder.
    public static let notFound = Code("notFound")
    /// There is a store in the folder already.
    public static let exists = Code("exists")
    /// Another writer holds the store; `subject` names it.
    public static let busy = Code("busy")
    /// The disk or quota is full.
    public static let full = Code("full")
    /// The store is damaged; `subject` says where.
    public static let corrupt = Code("corrupt")
    /// The store was written by a newer build, or is not a store.
    public static let unsupportedVersion = Code("unsupportedVersion")
    /// The device's key is missing, damaged or another author's: nothing can be written.
    public static let keyMissing = Code("keyMissing")
    /// Something stands where a folder or file of the store should be.
    public static let obstructed = Code("obstructed")
    /// The permission is missing.
    public static let denied = Code("denied")
    /// The system failed to read or write.
    public static let ioFailure = Code("ioFailure")
    /// An event that may not be written; `underlying` says why.
    public static let invalidEvent = Code("invalidEvent")
    /// The stream has a critical event this build does not know.
    public static let closedStream = Code("closedStream")
    /// More than a limit allows.
    public static let limitExceeded = Code("limitExceeded")
    /// Long work was stopped by its caller; what was done so far is kept.
    public static let interrupted = Code("interrupted")
    /// The SQL is no query of promised tables; `subject` says what was refused.
    public static let refused = Code("refused")
    /// What came out is not what was expected; nothing was changed.
    public static let unexpected = Code("unexpected")
    /// Tables have to be made before anything can be written.
    public static let outdated = Code("outdated")
  }

  /// Why.
  public let code: Code
  /// What was being done.
  public let operation: String
  /// To what: a stream, an event, a file, a holder.
  public let subject: String
  /// The error one layer down.
  public let underlying: (any Error)?

  /// An error with all its parts.
  public init(
    _ code: Code, operation: String, subject: String, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.underlying = underlying
  }

  /// One line without meal data.
  public var description: String {
    let below = underlying.map { ": \($0)" } ?? ""
    return "\(operation): \(code): \(subject)\(below)"
  }
}

extension StoreError: WrapsSQLError {
  /// The error that stands for a failure of SQLite.
  @usableFromInline
  package init(sql error: SQLError) {
    let code: Code =
      switch error.code {
      case .busy, .locked: .busy
      case .full: .full
      // SQL of ours that does not fit the file's tables, or a row of ours their constraints:
      // somebody changed them.
      case .corrupt, .notADatabase, .refused, .constraint: .corrupt
      case .readOnly: .denied
      case .wrongApplication, .newerVersion: .unsupportedVersion
      case .interrupted: .interrupted
      default: .ioFailure
      }
    // One line of the statement says which it was.
    let words = error.operation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let operation = words.count > 60 ? words.prefix(59) + "…" : words
    self.init(code, operation: String(operation), subject: error.path, underlying: error)
  }

  init(file error: FileError) {
    let code: Code =
      switch error.code {
      case .notFound: .notFound
      case .exists: .obstructed
      case .denied: .denied
      case .full: .full
      case .busy: .busy
      default: .ioFailure
      }
    self.init(code, operation: error.operation, subject: error.path, underlying: error)
  }

  init(kernel error: KernelError, subject: String) {
    self.init(.invalidEvent, operation: error.operation, subject: subject, underlying: error)
  }

  /// Runs a step of LarderFiles and throws its failure as this type.
  static func filing<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(StoreError) -> Value {
    do throws(FileError) {
      return try body()
    } catch {
      throw StoreError(file: error)
    }
  }
}
