// The one error of LarderGzip.

/// What a gzip decoder refuses, and why.
public struct GzipError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why bytes were refused; callers act on this.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bytes are no gzip member, or a check value does not match.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The bytes end inside a member.
    public static let truncated = Code(rawValue: "truncated")
    /// No memory for the decoder's window.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
  }

  /// Why.
  public let code: Code
  /// What was being done.
  public let operation: String
  /// How many compressed bytes had been taken in before.
  public let subject: UInt64

  init(_ code: Code, operation: String, at offset: UInt64) {
    self.code = code
    self.operation = operation
    self.subject = offset
  }

  /// One line: what failed and where.
  public var description: String {
    "\(operation): \(code.rawValue) at compressed byte \(subject)"
  }
}
