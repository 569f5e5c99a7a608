// The one error of the Kernel. It names what failed and where, never what a meal contains.

/// What the Kernel refuses, and why.
public struct KernelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why something was refused; callers act on this.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The bytes are not the one canonical encoding of a value; `underlying` says where.
    public static let malformed = Code(rawValue: "malformed")
    /// A field a payload must have is absent.
    public static let missingField = Code(rawValue: "missingField")
    /// A field this version of the kind does not have.
    public static let unknownField = Code(rawValue: "unknownField")
    /// A value outside the range SPEC.md states for it.
    public static let outOfRange = Code(rawValue: "outOfRange")
    /// More bytes or elements than `Limits` allows.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// A format or version this build does not know.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// A kind this build does not know.
    public static let unknownKind = Code(rawValue: "unknownKind")
    /// Text that is not of the form its field requires.
    public static let invalidText = Code(rawValue: "invalidText")

    /// What a refusal of the CBOR cursor means for a field.
    init(_ error: CBORError) {
      switch error.code {
      case .outOfRange: self = .outOfRange
      case .limitExceeded: self = .limitExceeded
      default: self = .malformed
      }
    }
  }

  /// Why.
  public let code: Code
  /// What was being done: `decode MealCaptured`, `encode header`.
  public let operation: String
  /// Which part: a field, a limit, a kind.
  public let subject: String
  /// The coding error below, with its offset, where there is one.
  public let underlying: CBORError?

  /// An error with all its parts.
  public init(_ code: Code, operation: String, subject: String, underlying: CBORError? = nil) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.underlying = underlying
  }

  /// One line without meal data.
  public var description: String {
    let detail = underlying.map { " (\($0.code) at byte \($0.offset))" } ?? ""
    return "\(operation): \(code.rawValue): \(subject)\(detail)"
  }
}
