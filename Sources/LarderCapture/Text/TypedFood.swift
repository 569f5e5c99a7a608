// What was eaten, as people type it: words, a code, or something recorded before; and how much.

package import LarderKernel

/// One food of a meal as typed: what, and how much if that was said.
package struct TypedFood: Hashable, Sendable {
  /// The ways to say what was eaten.
  package enum What: Hashable, Sendable {
    /// Words to look up.
    case words(String)
    /// The digits of a barcode, ASCII, as asked for: not yet brought into canonical form.
    case code(String)
    /// An item recorded before.
    case item(TypedReference)
    /// A template of that name.
    case template(String)
    /// A meal recorded before.
    case meal(TypedReference)
  }

  /// The longest words, in bytes.
  package static let wordsByteCountMaximum = Limits.shortTextByteCountMaximum
  /// The most digits of a code.
  package static let codeDigitCountMaximum = 32

  /// The longest text that is looked at, in bytes: whatever is longer has words or an amount that
  /// `TypedText.line` refuses, spaces and all.
  private static let byteCountMaximum =
    4 * (wordsByteCountMaximum + TypedAmount.byteCountMaximum) + 64

  /// What was eaten.
  package let what: What
  /// How much, nil where it was not said. A template takes servings only, a meal nothing.
  package let amount: Quantity?

  /// The food `text` states, references seen from `today`: `words`, `code:DIGITS`, `item:REF`,
  /// `template:NAME` or `meal:REF`, then perhaps `=` and an amount.
  ///
  /// In words the amount stands behind the last `=` whose right side was meant as one, right or
  /// wrong (`TypedAmount.isAttempt`), so that `=NaN` is an error and `E=mc2 bar` a name. Behind one
  /// of the four prefixes the last `=` always begins the amount.
  /// - Throws: as `TypedAmount.read` and `TypedReference`; `empty`, `tooLong`, `controlCharacter`,
  ///   `notANumber` for a code with other characters than digits, spaces and hyphens, `unknownWord`
  ///   for a near miss of a prefix, `amountNotTaken`.
  package init(reading text: String, today: @autoclosure TypedDay.Today) throws(CaptureError) {
    guard text.utf8.count <= Self.byteCountMaximum else {
      throw CaptureError(.tooLong, operation: .food, subject: "text")
    }
    let colon = text.firstIndex(of: ":")
    let written = colon.map { text[..<$0].lowercased() } ?? ""
    let word = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let colon, let prefix = Prefix(rawValue: word) else {
      if let colon { try Self.checkNearMiss(word, rest: text[text.index(after: colon)...]) }
      let mark = text.indices.last {
        text[$0] == "=" && TypedAmount.isAttempt(text[text.index(after: $0)...])
      }
      what = .words(try Self.name(text[..<(mark ?? text.endIndex)]))
      amount = try Self.amount(in: text, behind: mark)
      return
    }
    let body = text[text.index(after: colon)...]
    let mark = body.lastIndex(of: "=")
    what = try Self.what(prefix, body: body[..<(mark ?? body.endIndex)], today: try today())
    amount = try Self.amount(in: text, behind: mark)
    if amount != nil, prefix == .meal {
      throw CaptureError(.amountNotTaken, operation: .food, subject: "meal")
    }
    if let amount, prefix == .template, amount.unit != .milliserving {
      throw CaptureError(.amountNotTaken, operation: .food, subject: "template")
    }
  }

  private enum Prefix: String, CaseIterable {
    case code
    case item
    case template
    case meal
  }

  private static func what(
    _ prefix: Prefix, body: Substring, today: @autoclosure TypedDay.Today
  ) throws(CaptureError) -> What {
    switch prefix {
    case .code: .code(try code(String(body)))
    case .item: .item(try TypedReference(reading: String(body), today: try today()))
    case .meal: .meal(try TypedReference(reading: String(body), today: try today()))
    case .template: .template(try name(body))
    }
  }

  /// The digits of a typed code: digits of any script, with spaces and hyphens between them.
  /// - Throws: `empty`, `tooLong`, `notANumber`.
  package static func code(_ text: String) throws(CaptureError) -> String {
    let line = try TypedText.line(text, byteCountMaximum: 256, operation: .code)
    let digits = TypedText.withASCIIDigits(line).filter { $0 != " " && $0 != "-" }
    guard !digits.isEmpty else { throw CaptureError(.empty, operation: .code, subject: "digits") }
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw CaptureError(.notANumber, operation: .code, subject: "digits")
    }
    guard digits.utf8.count <= codeDigitCountMaximum else {
      throw CaptureError(.tooLong, operation: .code, subject: "digits")
    }
    return digits
  }

  private static func name(_ text: Substring) throws(CaptureError) -> String {
    try TypedText.line(
      String(text), byteCountMaximum: wordsByteCountMaximum, operation: .food)
  }

  private static func amount(
    in text: String, behind mark: String.Index?
  ) throws(CaptureError) -> Quantity? {
    guard let mark else { return nil }
    return try TypedAmount.read(String(text[text.index(after: mark)...]))
  }

  /// Refuses `cod:123`: a word that is one slip from a prefix, with something right behind it.
  private static func checkNearMiss(_ word: String, rest: Substring) throws(CaptureError) {
    guard let next = rest.first, !next.isWhitespace, word.count >= 3 else { return }
    let near = Prefix.allCases.first { Spelling.distance($0.rawValue, word, atMost: 1) == 1 }
    guard let near else { return }
    throw CaptureError(
      .unknownWord, operation: .food, subject: "prefix", suggestion: near.rawValue + ":")
  }
}
