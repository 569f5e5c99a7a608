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
  private(set) var code: [UInt8] = []
  private(set) var comments: [UInt8] = []
  private(set) var strings: [UInt8] = []
  private let source: [UInt8]
  private var index = 0
  /// The last byte of code that is not blank: it tells a regular expression from a division.
  private var lastCode = UInt8(ascii: "\n")

  private enum View { case code, comments, strings }

  init(_ text: String) {
    source = Array(text.utf8)
    code.reserveCapacity(source.count)
    comments.reserveCapacity(source.count)
    strings.reserveCapacity(source.count)
  }

  mutating func scan() {
    while index < source.count { scanCode(insideInterpolation: false) }
  }

  /// Reads code up to the end, or up to the parenthesis that closes an interpolation.
  private mutating func scanCode(insideInterpolation: Bool) {
    var depth = 0
    while index < source.count {
      if starts("//") {
        while index < source.count, source[index] != UInt8(ascii: "\n") { take(1, .comments) }
      } else if starts("/*") {
        scanBlockComment()
      } else if let hashes = literalHashes(UInt8(ascii: "\"")) {
        take(hashes, .code)
        scanString(hashes: hashes)
      } else if let hashes = literalHashes(UInt8(ascii: "/")), hashes > 0 || regexBegins {
        scanRegex(hashes: hashes)
      } else {
        if source[index] == UInt8(ascii: "(") { depth += 1 }
        if source[index] == UInt8(ascii: ")") { depth -= 1 }
        take(1, .code)
        if insideInterpolation, depth < 0 { return }
      }
    }
  }

  private mutating func scanBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        take(2, .comments)
      } else if starts("*/") {
        depth -= 1
        take(2, .comments)
      } else {
        take(1, .comments)
      }
    } while depth > 0 && index < source.count
  }

  /// Reads a string from its opening quotes to its closing ones.
  private mutating func scanString(hashes: Int) {
    let isMultiline = starts("\"\"\"")
    let quotes = isMultiline ? "\"\"\"" : "\""
    let marks = String(repeating: "#", count: hashes)
    take(quotes.utf8.count, .code)
    while index < source.count {
      if starts(quotes + marks) {
        take(quotes.utf8.count + hashes, .code)
        return
      }
      if starts("\\" + marks + "(") {
        take(1 + hashes, .strings)
        take(1, .code)
        scanCode(insideInterpolation: true)
      } else if starts("\\" + marks) {
        take(2 + hashes, .strings)
      } else if !isMultiline, source[index] == UInt8(ascii: "\n") {
        return
      } else {
        take(1, .strings)
      }
    }
  }

  /// Reads a regular expression literal; a bare one ends with its line at the latest.
  private mutating func scanRegex(hashes: Int) {
    let end = "/" + String(repeating: "#", count: hashes)
    take(1 + hashes, .code)
    while index < source.count, !starts(end) {
      if hashes == 0, source[index] == UInt8(ascii: "\n") { return }
      take(source[index] == UInt8(ascii: "\\") ? 2 : 1, .strings)
    }
    take(1 + hashes, .code)
  }

  /// How many `#` stand here before `mark`; nil when neither they nor it stand here.
  private func literalHashes(_ mark: UInt8) -> Int? {
    var end = index
    while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
    return end < source.count && source[end] == mark ? end - index : nil
  }

  /// Whether a `/` here begins a regular expression: no operand stands before it, and it closes.
  private var regexBegins: Bool {
    guard "(,=:[{!&|?\n".utf8.contains(lastCode), index + 1 < source.count,
      source[index + 1] != UInt8(ascii: " ")
    else { return false }
    let rest = source[(index + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    return rest.contains(UInt8(ascii: "/"))
  }

  private func starts(_ text: String) -> Bool {
    source[index...].starts(with: text.utf8)
  }

  /// Moves `count` bytes into one view and blanks them in the others; line ends go to all.
  private mutating func take(_ count: Int, _ view: View) {
    for _ in 0..<count where index < source.count {
      let byte = source[index]
      let blank = byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " ")
      code.append(view == .code ? byte : blank)
      comments.append(view == .comments ? byte : blank)
      strings.append(view == .strings ? byte : blank)
      if byte == UInt8(ascii: "\n") || view == .code && byte != UInt8(ascii: " ") {
        lastCode = byte
      }
      index += 1
    }
  }
}
