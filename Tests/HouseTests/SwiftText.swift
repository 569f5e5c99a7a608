// Takes Swift source apart into code, comments and string contents without parsing it, so that a
// rule about code is not tripped by a comment, and a rule about SQL looks at strings only.
//
// Invariant: `code`, `comments` and `strings` have the lines of the source; what belongs elsewhere
// is blank. Code inside an interpolation is code. Malformed source never traps: it ends early.

/// Swift source with code, comments and string contents apart.
struct SwiftText: Sendable {
  /// The code, line by line; comments and string contents are blank, quotes stay.
  let code: [Substring]
  /// The comments, line by line, with their marks.
  let comments: [Substring]
  /// The contents of string and regular expression literals, line by line.
  let strings: [Substring]

  init(_ source: String) {
    var scanner = SwiftScanner(source)
    scanner.scan()
    code = Self.lines(scanner.code)
    comments = Self.lines(scanner.comments)
    strings = Self.lines(scanner.strings)
  }

  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}

/// The walk over the source that fills the three views.
private struct SwiftScanner {
  private(set) var code: [UInt8]
  private(set) var comments: [UInt8]
  private(set) var strings: [UInt8]
  private let source: [UInt8]
  private var index = 0
  /// The last byte of code that is not blank: it tells a regular expression from a division.
  private var lastCode = Self.newline

  private static let newline = UInt8(ascii: "\n")
  private static let slash = UInt8(ascii: "/")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private enum View { case code, comments, strings }

  init(_ text: String) {
    source = Array(text.utf8)
    code = source.map { $0 == Self.newline ? $0 : UInt8(ascii: " ") }
    comments = code
    strings = code
  }

  mutating func scan() {
    while index < source.count { scanCode(insideInterpolation: false) }
  }

  /// Reads code up to the end, or up to the parenthesis that closes an interpolation.
  private mutating func scanCode(insideInterpolation: Bool) {
    var depth = 0
    while index < source.count {
      switch source[index] {
      case Self.slash where follows(Self.slash):
        while index < source.count, source[index] != Self.newline { take(1, .comments) }
      case Self.slash where follows(UInt8(ascii: "*")):
        scanBlockComment()
      case Self.slash where regexBegins:
        scanRegex(hashes: 0)
      case Self.quote:
        scanString(hashes: 0)
      case UInt8(ascii: "#"):
        scanHashes()
      case let byte:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        take(1, .code)
        if insideInterpolation, depth < 0 { return }
      }
    }
  }

  private mutating func scanBlockComment() {
    var depth = 0
    repeat {
      if starts([Self.slash, UInt8(ascii: "*")]) {
        depth += 1
        take(2, .comments)
      } else if starts([UInt8(ascii: "*"), Self.slash]) {
        depth -= 1
        take(2, .comments)
      } else {
        take(1, .comments)
      }
    } while depth > 0 && index < source.count
  }

  /// Reads `#` marks and the literal they open, if they do.
  private mutating func scanHashes() {
    let hashes = source[index...].prefix { $0 == UInt8(ascii: "#") }.count
    take(hashes, .code)
    guard index < source.count else { return }
    switch source[index] {
    case Self.quote: scanString(hashes: hashes)
    case Self.slash: scanRegex(hashes: hashes)
    default: break
    }
  }

  /// Reads a string from its opening quotes to its closing ones.
  private mutating func scanString(hashes: Int) {
    let isMultiline = starts([Self.quote, Self.quote, Self.quote])
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let end = [UInt8](repeating: Self.quote, count: isMultiline ? 3 : 1) + marks
    let escape = [Self.backslash] + marks
    take(end.count - hashes, .code)
    while index < source.count {
      switch source[index] {
      case Self.quote where starts(end):
        take(end.count, .code)
        return
      case Self.backslash where starts(escape + [UInt8(ascii: "(")]):
        take(escape.count, .strings)
        take(1, .code)
        scanCode(insideInterpolation: true)
      case Self.backslash where starts(escape):
        take(escape.count + 1, .strings)
      case Self.newline where !isMultiline:
        return
      default:
        take(1, .strings)
      }
    }
  }

  /// Reads a regular expression literal; a bare one ends with its line at the latest.
  private mutating func scanRegex(hashes: Int) {
    let end = [Self.slash] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    take(1, .code)
    while index < source.count, !starts(end) {
      if hashes == 0, source[index] == Self.newline { return }
      take(source[index] == Self.backslash ? 2 : 1, .strings)
    }
    take(end.count, .code)
  }

  /// Whether a `/` here begins a regular expression: no operand stands before it, and it closes.
  private var regexBegins: Bool {
    guard "(,=:[{!&|?\n".utf8.contains(lastCode), index + 1 < source.count,
      source[index + 1] != UInt8(ascii: " ")
    else { return false }
    return source[(index + 1)...].prefix { $0 != Self.newline }.contains(Self.slash)
  }

  private func follows(_ byte: UInt8) -> Bool {
    index + 1 < source.count && source[index + 1] == byte
  }

  private func starts(_ bytes: [UInt8]) -> Bool {
    guard index + bytes.count <= source.count else { return false }
    return bytes.indices.allSatisfy { source[index + $0] == bytes[$0] }
  }

  /// Moves `count` bytes into one view; they are blank in the others.
  private mutating func take(_ count: Int, _ view: View) {
    for _ in 0..<count where index < source.count {
      let byte = source[index]
      switch view {
      case .code: code[index] = byte
      case .comments: comments[index] = byte
      case .strings: strings[index] = byte
      }
      if byte == Self.newline || view == .code && byte != UInt8(ascii: " ") { lastCode = byte }
      index += 1
    }
  }
}
