// The arguments as the system hands them over: bytes, which need not be text. What is not text is
// refused before anything is done, because a repaired word would be another food or another folder.

/// The arguments of a process, without the program's name.
struct RawArguments: Hashable, Sendable {
  /// Their bytes.
  let words: [[UInt8]]

  /// The arguments of `/proc/self/cmdline`: each ends with NUL, the first is the program's name.
  init(commandLine bytes: [UInt8]) {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false)
    self.words = words.dropLast().dropFirst().map(Array.init)
  }

  /// The arguments as text.
  /// - Throws: `invalid_argument` for the first that is not UTF-8.
  func text() throws(CommandError) -> [String] {
    var result: [String] = []
    for (index, word) in words.enumerated() {
      guard let text = String(validating: word, as: UTF8.self) else {
        throw .usage(
          .invalidArgument,
          "argument \(index + 1) is not UTF-8 text: \(CommandError.quoted(Self.escaped(word)))",
          hint: "set the terminal and the locale to UTF-8, then type it again")
      }
      result.append(text)
    }
    return result
  }

  /// The arguments with what is not text replaced: enough to tell how an error is to be written.
  var repaired: [String] { words.map { String(decoding: $0, as: UTF8.self) } }

  /// ASCII as it is, every other byte as `\xE9`.
  private static func escaped(_ word: [UInt8]) -> String {
    word.reduce(into: "") { text, byte in
      let digits = String(byte, radix: 16, uppercase: true)
      text += byte < 0x80 ? String(Unicode.Scalar(byte)) : "\\x\(digits)"
    }
  }
}
