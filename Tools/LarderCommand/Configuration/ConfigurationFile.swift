// The configuration file: `key = value` lines, `#` comments, UTF-8, at most 64 KiB. A key this
// version does not know is a warning, so that a newer version's file can be shared; a line that is
// neither is an error, because a mistyped `store` must not quietly mean another diary.
import LarderCapture

/// A read configuration file.
struct ConfigurationFile: Sendable {
  /// A setting the file may hold.
  enum Key: String, CaseIterable, Sendable {
    case store
    case state
    case wait
    case zone
  }

  /// The largest file that is read.
  static let byteCountMaximum = 64 * 1024

  /// The settings it holds.
  private(set) var settings: [Key: Setting<String>] = [:]
  /// Keys it holds that are not known.
  private(set) var warnings: [Warning] = []

  /// The setting of a key, nil where the file does not hold it.
  subscript(key: Key) -> Setting<String>? { settings[key] }

  /// No file.
  init() {}

  /// The settings of a file's bytes.
  /// - Throws: `invalidConfiguration`, naming the line.
  init(bytes: [UInt8], path: String) throws(CommandError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Self.invalid("\(path) is not UTF-8 text")
    }
    let body = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
    let lines = body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      try read(line, number: index + 1, path: path)
    }
  }

  /// The file `LARDER_CONFIG` names, which must exist, else the default one, which need not.
  static func load(
    folders: StandardFolders, context: CommandContext
  ) throws(CommandError) -> ConfigurationFile {
    let named = context.environment[.configuration]
    guard let path = named ?? folders.configuration.map({ $0 + "/larder/config" }) else {
      return ConfigurationFile()
    }
    switch context.files.read(path, byteCountMaximum) {
    case .bytes(let bytes): return try ConfigurationFile(bytes: bytes, path: path)
    case .absent:
      guard named != nil else { return ConfigurationFile() }
      throw invalid("LARDER_CONFIG names \(CommandError.quoted(path)), which does not exist")
    case .tooLarge: throw invalid("\(path) is larger than \(byteCountMaximum) bytes")
    case .failed(let reason): throw invalid("\(path) cannot be read: it \(reason)")
    }
  }

  private mutating func read(
    _ line: Substring, number: Int, path: String
  ) throws(CommandError) {
    let content = Self.trimmed(line)
    guard !content.isEmpty, content.first != "#" else { return }
    guard let mark = content.firstIndex(of: "=") else {
      throw Self.invalid("line \(number) of \(path) is not of the form key = value")
    }
    let name = Self.trimmed(content[..<mark])
    let value = Self.trimmed(content[content.index(after: mark)...])
    guard let key = Key(rawValue: String(name)) else {
      try unknown(String(name), number: number, path: path)
      return
    }
    guard settings[key] == nil else {
      throw Self.invalid("line \(number) of \(path) sets \(key.rawValue) a second time")
    }
    guard !value.isEmpty else {
      throw Self.invalid("line \(number) of \(path) gives \(key.rawValue) no value")
    }
    settings[key] = Setting(value: String(value), origin: .file(path: path, line: number))
  }

  /// A near miss of a known key is an error, anything else a warning.
  private mutating func unknown(
    _ name: String, number: Int, path: String
  ) throws(CommandError) {
    let place = "line \(number) of \(path)"
    if let near = Spelling.nearest(to: name, among: Key.allCases.map(\.rawValue)) {
      throw .usage(
        .invalidConfiguration, "\(place) sets \(CommandError.quoted(name)), which is unknown",
        hint: "did you mean \(near)?")
    }
    warnings.append(
      Warning(
        code: "unknown_setting",
        message: "\(place) sets \(CommandError.quoted(name)), which this version does not know"))
  }

  private static func invalid(_ message: String) -> CommandError {
    .usage(
      .invalidConfiguration, message,
      hint: "a configuration file has lines such as: store = ~/diary")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
