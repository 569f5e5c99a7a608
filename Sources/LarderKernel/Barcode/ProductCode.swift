// One canonical form for a product's code at every entrance: import, search, scan, template.
//
// The form is the one the Open Food Facts server keeps (its documentation, "barcode
// normalization"): zeros in front are stripped, then up to 7 digits are padded to 8 and 9 to 12
// digits to 13; 8, 13, 14 and more stand as they are. The carrier that brought the digits (EAN-13,
// UPC-A, a keyboard) never decides identity. UPC-E and GS1 strings are expanded by whoever knows
// the symbology, before they come here. A wrong check digit is noted, not refused: real foods
// carry some. Pure; knows no catalog.

/// A product's code in its canonical form, with the text it was asked with.
public struct ProductCode: Sendable, CustomStringConvertible {
  /// The canonical digits, ASCII, 8 to 24 of them: the identity of the product.
  public let canonical: String
  /// The text this code was made from, as it was given.
  public let asked: String
  /// Whether the last digit is the GTIN check digit of the others (GS1 General Specifications,
  /// "Check digit calculations"). Codes of more than 14 digits have none and say false.
  public let hasValidCheckDigit: Bool

  /// The most digits a code has, zeros in front included.
  public static let digitCountMaximum = 24
  /// The most bytes of text a code is read from, separators included.
  public static let askedByteCountMaximum = 64

  /// The code `text` states. Spaces around it, and single spaces or hyphens between digits, do not
  /// count.
  /// - Throws: `limitExceeded` for more than 24 digits or 64 bytes; `invalidText` for any other
  ///   character, no digit at all, or nothing but zeros.
  public init(_ text: some StringProtocol) throws(KernelError) {
    let digits = try Self.digits(of: text)
    let significant = digits.drop { $0 == 0 }
    guard !significant.isEmpty else { throw Self.refusal(.invalidText, "nothing but zeros") }
    let width = Self.canonicalWidth(significantCount: significant.count)
    let padding = repeatElement(UInt8(0), count: width - significant.count)
    let padded = Array(padding) + significant
    canonical = String(decoding: padded.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    asked = String(text)
    hasValidCheckDigit = padded.count <= 14 && Self.checkSum(padded) % 10 == 0
  }

  /// The code that was canonical once, with the text it was asked with then.
  /// - Throws: as `init(_:)`; `invalidText` where `canonical` is not canonical.
  package init(canonical: String, asked: String) throws(KernelError) {
    let code = try ProductCode(canonical)
    guard code.canonical == canonical else {
      throw Self.refusal(.invalidText, "not the canonical form")
    }
    self.canonical = canonical
    self.asked = asked
    hasValidCheckDigit = code.hasValidCheckDigit
  }

  /// The canonical digits.
  public var description: String { canonical }

  /// How many digits the canonical form of that many significant ones has.
  private static func canonicalWidth(significantCount: Int) -> Int {
    switch significantCount {
    case ...8: 8
    case ...13: 13
    default: significantCount
    }
  }

  /// The weighted sum whose last digit is 0 where the check digit is right: weights 1 and 3 by
  /// turns from the right, so zeros in front change nothing.
  private static func checkSum(_ digits: some BidirectionalCollection<UInt8>) -> Int {
    digits.reversed().enumerated().reduce(0) { sum, digit in
      sum + Int(digit.element) * (digit.offset % 2 == 0 ? 1 : 3)
    }
  }

  private static func digits(of text: some StringProtocol) throws(KernelError) -> [UInt8] {
    guard text.utf8.count <= askedByteCountMaximum else {
      throw refusal(.limitExceeded, "more than \(askedByteCountMaximum) bytes")
    }
    let space = UInt8(ascii: " ")
    let bytes = Array(text.utf8)
    let front = bytes.firstIndex { $0 != space } ?? bytes.endIndex
    let back = bytes.lastIndex { $0 != space } ?? front - 1
    var digits: [UInt8] = []
    var wasSeparator = true
    for byte in bytes[front..<max(front, back + 1)] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte - UInt8(ascii: "0"))
        wasSeparator = false
      case space, UInt8(ascii: "-"):
        guard !wasSeparator else { throw refusal(.invalidText, "a separator without a digit") }
        wasSeparator = true
      default: throw refusal(.invalidText, "a character that is no digit")
      }
    }
    guard !digits.isEmpty else { throw refusal(.invalidText, "no digit") }
    guard !wasSeparator else { throw refusal(.invalidText, "a separator without a digit") }
    guard digits.count <= digitCountMaximum else {
      throw refusal(.limitExceeded, "more than \(digitCountMaximum) digits")
    }
    return digits
  }

  private static func refusal(_ code: KernelError.Code, _ subject: String) -> KernelError {
    KernelError(code, operation: "read product code", subject: subject)
  }
}

extension ProductCode: Hashable {
  /// Equal where the canonical forms are, however they were asked.
  public static func == (left: ProductCode, right: ProductCode) -> Bool {
    left.canonical == right.canonical
  }

  /// Hashes the canonical form.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonical)
  }
}
