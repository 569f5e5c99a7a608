// What all entries have in common: spaces do not count, digits of any script do, controls are
// refused.

/// Text someone typed, made ready for reading.
enum TypedText {
  /// `text` without spaces at its ends and with single spaces inside. Line breaks and tabs count as
  /// spaces.
  /// - Throws: `empty`, `tooLong`, `controlCharacter`.
  static func line(
    _ text: String, byteCountMaximum: Int, operation: CaptureError.Operation
  ) throws(CaptureError) -> String {
    guard text.utf8.count <= 4 * byteCountMaximum else {
      throw CaptureError(.tooLong, operation: operation, subject: "text")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    let line = words.joined(separator: " ")
    guard !line.isEmpty else {
      throw CaptureError(.empty, operation: operation, subject: "text")
    }
    guard line.utf8.count <= byteCountMaximum else {
      throw CaptureError(.tooLong, operation: operation, subject: "text")
    }
    guard line.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw CaptureError(.controlCharacter, operation: operation, subject: "text")
    }
    return line
  }

  /// `text` without spaces of any kind at its ends.
  static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// The value of a decimal digit of any script, nil for anything else.
  static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    if ("0"..."9").contains(scalar) { return UInt8(scalar.value - 48) }
    guard !scalar.isASCII, scalar.properties.numericType == .decimal,
      let value = scalar.properties.numericValue, (0...9).contains(value)
    else { return nil }
    return UInt8(value)
  }

  /// `text` with the digits of every script as ASCII digits.
  static func withASCIIDigits(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      result.append(digit(scalar).map { Unicode.Scalar(48 + $0) } ?? scalar)
    }
    return String(result)
  }
}
