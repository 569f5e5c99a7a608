// How long a file, a line and a function may be: what fits a screen can be read.

/// The limits of size and the check against them.
struct Sizes {
  /// Lines of a file.
  static let fileLineCountMax = 500
  /// Lines of a file of tests.
  static let testFileLineCountMax = 700
  /// Characters of a line.
  static let columnCountMax = 100
  /// Lines of a function, from its keyword to its closing brace.
  static let functionLineCountMax = 60

  /// Everything too long in `files`.
  static func findings(in files: [SourceFile]) -> [Finding] {
    files.filter(\.isCode).flatMap { file in
      fileFindings(in: file) + lineFindings(in: file) + functionFindings(in: file)
    }
  }

  private static func fileFindings(in file: SourceFile) -> [Finding] {
    let most = file.isUnder("Tests") ? testFileLineCountMax : fileLineCountMax
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    return count > most ? [Finding(file.path, "\(count) lines, more than \(most)")] : []
  }

  private static func lineFindings(in file: SourceFile) -> [Finding] {
    // What a program answers is not ours to break into lines.
    guard !file.isCommandScript else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      guard line.utf8.count > columnCountMax, line.count > columnCountMax else { return nil }
      return Finding(file.path, line: index + 1, "\(line.count) columns, more than 100")
    }
  }

  private static func functionFindings(in file: SourceFile) -> [Finding] {
    functions(in: file.swift.code).filter { $0.lineCount > functionLineCountMax }.map {
      Finding(file.path, line: $0.line, "a function of \($0.lineCount) lines, more than 60")
    }
  }

  /// A function, initialiser, subscript, accessor or computed property with a body.
  struct Function: Equatable {
    /// The line of its keyword, from 1.
    let line: Int
    /// To the line of its closing brace, both counted.
    let lineCount: Int
  }

  /// The functions of Swift code whose comments and strings are blank.
  static func functions(in code: [Substring]) -> [Function] {
    var walker = BraceWalker()
    for (index, line) in code.enumerated() { walker.read(line, number: index + 1) }
    return walker.functions.sorted { $0.line < $1.line }
  }
}

/// Matches braces, and tells from the words before a brace whether a function's body begins.
private struct BraceWalker {
  private(set) var functions: [Sizes.Function] = []
  /// For each open brace the line of its function's keyword, nil when it opens something else.
  private var open: [Int?] = []
  /// Open parentheses and brackets, one count for each open brace and one for the file.
  private var depths = [0]
  /// The last function keyword since the last brace outside parentheses, and its line.
  private var keyword: Int?
  /// The last `var` since then whose statement may still turn out a computed property.
  private var property: Int?
  private var word: [UInt8] = []

  /// Works on bytes: names of functions and keywords are ASCII, and what is not belongs to a name.
  mutating func read(_ line: Substring, number: Int) {
    var previous = UInt8(ascii: "\n")
    for byte in line.utf8 {
      if Self.isOfName(byte) {
        if word.isEmpty, previous == UInt8(ascii: ".") { word.append(previous) }
        word.append(byte)
      } else {
        endWord(line: number)
        read(byte, line: number)
      }
      previous = byte
    }
    endWord(line: number)
    let goesOn = previous == UInt8(ascii: ",") || previous == UInt8(ascii: ":")
    if depths[depths.count - 1] == 0, !goesOn { property = nil }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func endWord(line: Int) {
    guard !word.isEmpty else { return }
    defer { word.removeAll(keepingCapacity: true) }
    guard depths[depths.count - 1] == 0 else { return }
    switch String(decoding: word, as: UTF8.self) {
    case "func", "init", "deinit", "subscript": keyword = line
    case "get", "set", "willSet", "didSet": if !open.isEmpty { property = line }
    case "var": (keyword, property) = (nil, line)
    case "let", "if", "for", "while", "switch", "struct", "class", "enum", "extension", "actor",
      "protocol", "return":
      (keyword, property) = (nil, nil)
    default: break
    }
  }

  private mutating func read(_ byte: UInt8, line: Int) {
    switch Unicode.Scalar(byte) {
    case "(", "[": depths[depths.count - 1] += 1
    case ")", "]": depths[depths.count - 1] = max(0, depths[depths.count - 1] - 1)
    case "=": if depths[depths.count - 1] == 0, keyword == nil { property = nil }
    case "{":
      let isInParentheses = depths[depths.count - 1] > 0
      open.append(isInParentheses ? nil : keyword ?? property)
      if !isInParentheses { (keyword, property) = (nil, nil) }
      depths.append(0)
    case "}":
      if let first = open.popLast(), depths.count > 1 {
        depths.removeLast()
        if let first { functions.append(Sizes.Function(line: first, lineCount: line - first + 1)) }
      }
      if depths[depths.count - 1] == 0 { (keyword, property) = (nil, nil) }
    default: break
    }
  }
}
