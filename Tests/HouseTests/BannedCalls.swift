// What no source may say, or only in some places: hidden inputs (time, randomness, locale), ways
// to trap on bad bytes, ways round the compiler's proofs, and unfinished work.

/// The table of banned words and the check against it.
struct BannedCalls {
  /// Where the word of a rule is looked for.
  enum View { case code, strings, everything }

  /// A word that may stand only where `isAllowed` says.
  struct Rule {
    let words: [String]
    let view: View
    let reason: String
    let isAllowed: @Sendable (SourceFile) -> Bool

    init(
      _ words: [String], in view: View = .code, _ reason: String,
      allowed isAllowed: @escaping @Sendable (SourceFile) -> Bool
    ) {
      self.words = words
      self.view = view
      self.reason = reason
      self.isAllowed = isAllowed
    }
  }

  /// Words of unfinished work, in pieces so that this file does not hold them.
  private static let unfinished = ["TO" + "DO", "FIX" + "ME", ".dis" + "abled("]

  /// Files that wait until a deadline: their clock decides when they give up, never what they
  /// return.
  private static let deadlines: Set<String> = ["Sources/LarderFiles/FileLock.swift"]

  /// The rules about words.
  private static let rules: [Rule] = [
    Rule(
      ["Date()", "ContinuousClock", "SuspendingClock", "clock_gettime", "gettimeofday"],
      "time is a value passed in",
      allowed: { !isProduct($0) || isPlatform($0) || deadlines.contains($0.path) }),
    Rule(
      [".random(", "SystemRandomNumberGenerator", "arc4random", "getentropy", "getrandom"],
      "randomness is a value passed in", allowed: { !isProduct($0) || isPlatform($0) }),
    Rule(
      ["SystemRandomNumberGenerator", "arc4random", "getentropy"], "a test is seeded",
      allowed: { !$0.isUnder("Tests") || !$0.isSwift }),
    Rule(
      ["try!", "fatalError("], "throw a typed error, or `precondition` with a message",
      allowed: { !isProduct($0) }),
    Rule(
      ["print("], "only the command line prints", allowed: { !$0.isUnder("Sources") }),
    Rule(
      ["('now'", ",'now'", "'localtime'", "current_date", "current_time"], in: .strings,
      "SQL does not read the clock", allowed: { !isProduct($0) }),
    Rule(
      ["localtime(", "localtime_r("], "the zone is a value passed in", allowed: { !isProduct($0) }),
    Rule(unfinished, in: .everything, "unfinished work does not land", allowed: { !$0.isCode }),
  ]

  /// The modules that wrap a C library or the system's calls, where an unsafe construct may be
  /// proved.
  private static let wrappers: Set<String> = [
    "LarderHash", "LarderFiles", "LarderSQL", "LarderCrypto", "LarderCompression", "LarderGzip",
    "LarderHTTP", "LarderCodecs",
  ]

  /// How an actor tells which executor of ours it runs on.
  private static let executorHandle = "asUnownedSerialExecutor()"

  /// How far above a word its comment may stand.
  private static let proofDistance = [
    "@unchecked Sendable": 4, "nonisolated(unsafe)": 4, "unsafe": Sizes.functionLineCountMax,
  ]

  /// Every banned word in `files`.
  static func findings(in files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      rules.filter { !$0.isAllowed(file) }.flatMap { findings(of: $0, in: file) }
        + (isProduct(file) ? clockFindings(in: file) + unsafeFindings(in: file) : [])
    }
  }

  private static func findings(of rule: Rule, in file: SourceFile) -> [Finding] {
    let lines =
      switch rule.view {
      case .code: file.swift.code
      case .strings: sqlLines(of: file)
      case .everything: file.lines
      }
    // Most files hold none of the words, and the whole text is looked through faster than its
    // lines.
    let words = rule.words.filter { rule.view == .strings || file.text.contains($0) }
    return words.flatMap { word in
      lines.indices.filter {
        rule.view == .strings ? lines[$0].contains(word) : contains(word, in: lines[$0])
      }
      .map { Finding(file.path, line: $0 + 1, "`\(word)`: \(rule.reason)") }
    }
  }

  /// String contents of Swift, or the whole of an SQL file: lower case, spaces gone, so that words
  /// run together and are looked for as they are.
  private static func sqlLines(of file: SourceFile) -> [Substring] {
    (file.isSwift ? file.swift.strings : file.lines).map { line in
      line.isEmpty ? line : Substring(line.lowercased().filter { $0 != " " })
    }
  }

  /// A type's `now`, which asks the machine; the `now` of a value is one that was passed in. Where
  /// a module with such types is imported, the type need not be named.
  private static func clockFindings(in file: SourceFile) -> [Finding] {
    guard file.text.contains(".now"), !isPlatform(file), !deadlines.contains(file.path) else {
      return []
    }
    let canOmitType = Layers.imports(of: file).contains {
      $0.module.hasPrefix("Foundation") || $0.module == "Dispatch"
    }
    let named = #/\b[A-Z]\w*\.now\b/#
    let omitted = #/(?:^|[^\w)\]?!])\.now\b/#
    return file.swift.code.enumerated().filter { _, line in
      line.firstMatch(of: named) != nil || canOmitType && line.firstMatch(of: omitted) != nil
    }.map { Finding(file.path, line: $0.offset + 1, "`.now`: time is a value passed in") }
  }

  private static func unsafeFindings(in file: SourceFile) -> [Finding] {
    proofDistance.keys.sorted().filter(file.text.contains).flatMap { word in
      file.swift.code.indices.filter { contains(word, in: file.swift.code[$0]) }.compactMap {
        line in
        guard mayBeUnsafe(file) || file.swift.code[line].contains(executorHandle) else {
          return Finding(
            file.path, line: line + 1, "`\(word)` stands only in wrapper and platform files")
        }
        let first = max(0, line - (proofDistance[word] ?? 0))
        let hasProof = file.swift.comments[first...line].contains { $0.contains("//") }
        return hasProof ? nil : Finding(file.path, line: line + 1, "`\(word)` without its proof")
      }
    }
  }

  /// Whether `word` stands in `line` and is not a part of a longer name.
  static func contains(_ word: String, in line: Substring) -> Bool {
    guard line.contains(word) else { return false }
    return line.ranges(of: word).contains { range in
      let before =
        range.lowerBound > line.startIndex ? line[line.index(before: range.lowerBound)] : " "
      let after = range.upperBound < line.endIndex ? line[range.upperBound] : " "
      return !(isNamePart(word.first) && isNamePart(before))
        && !(isNamePart(word.last) && isNamePart(after))
    }
  }

  private static func isNamePart(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  /// What runs in an app: everything under `Sources`, the command line, and the SQL of the tables.
  private static func isProduct(_ file: SourceFile) -> Bool {
    (file.isSwift && (file.isUnder("Sources") || file.isUnder("Tools/LarderCommand")))
      || (file.fileExtension == "sql" && file.isUnder("Schemas"))
  }

  /// The files that read the machine's clock and randomness and hand them on as values.
  private static func isPlatform(_ file: SourceFile) -> Bool {
    ["Larder", "LarderCommand"].contains(file.module) && file.name.hasPrefix("Platform")
  }

  private static func mayBeUnsafe(_ file: SourceFile) -> Bool {
    file.module.map(wrappers.contains) == true || file.name.hasPrefix("Platform")
      || file.name.contains("Executor")
  }
}
