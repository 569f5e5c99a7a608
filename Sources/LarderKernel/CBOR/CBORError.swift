// Why bytes are not the CBOR this engine accepts, or a value cannot become such bytes.
//
// Invariant: an error names a rule and a place, never the content found there.

/// A refusal of CBOR: the rule that was broken and where.
public struct CBORError: Error, Hashable, Sendable {
  /// The rule that was broken.
  public let code: Code
  /// Where: the first byte of the item at fault, counted from the start of the span. When a value
  /// is encoded, the count of bytes already written.
  public let offset: Int

  /// An error of `code` at `offset`.
  public init(code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension CBORError {
  /// A rule of the encoding. Compare with the constants; more may be added.
  public struct Code: Hashable, Sendable {
    private enum Rule: UInt8 {
      case truncated, nonMinimal, indefiniteLength, reservedAdditionalInformation
      case unsorted, duplicateKey, invalidUTF8, floatingPoint, tag, unsupportedSimple
      case trailingBytes, tooDeep, unexpectedType, outOfRange, limitExceeded
    }

    private let rule: Rule

    /// The bytes end before the item does, or a count promises more than is left.
    public static let truncated = Code(rule: .truncated)
    /// A number or length is written longer than needed.
    public static let nonMinimal = Code(rule: .nonMinimal)
    /// A string, array or map has no stated length, or a stray break stands where an item should.
    public static let indefiniteLength = Code(rule: .indefiniteLength)
    /// The head uses one of the additional informations RFC 8949 keeps for later.
    public static let reservedAdditionalInformation = Code(rule: .reservedAdditionalInformation)
    /// A map key stands before its place in bytewise order.
    public static let unsorted = Code(rule: .unsorted)
    /// A map key occurs twice.
    public static let duplicateKey = Code(rule: .duplicateKey)
    /// A text string is not UTF-8.
    public static let invalidUTF8 = Code(rule: .invalidUTF8)
    /// A floating-point number.
    public static let floatingPoint = Code(rule: .floatingPoint)
    /// A tag.
    public static let tag = Code(rule: .tag)
    /// A simple value other than false, true and null.
    public static let unsupportedSimple = Code(rule: .unsupportedSimple)
    /// Bytes follow the item that should have been the last.
    public static let trailingBytes = Code(rule: .trailingBytes)
    /// Arrays and maps are nested deeper than `CBORLimits.depthMax`.
    public static let tooDeep = Code(rule: .tooDeep)
    /// A well-formed item of another type than was asked for.
    public static let unexpectedType = Code(rule: .unexpectedType)
    /// An integer outside what was asked for.
    public static let outOfRange = Code(rule: .outOfRange)
    /// A string or count longer than the caller allows.
    public static let limitExceeded = Code(rule: .limitExceeded)
  }
}

extension CBORError.Code: CustomStringConvertible {
  /// The constant's name.
  public var description: String { "\(rule)" }
}

extension CBORError: CustomStringConvertible {
  /// The rule and the place, as `nonMinimal at byte 3`.
  public var description: String { "\(code) at byte \(offset)" }
}
