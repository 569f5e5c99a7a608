import Foundation

/// `Tools/verify.py store`, which shares no line with the package.
enum SecondReader {
  /// What it finds in the log of the store in `folder`, each as `code: place`.
  static func findings(in folder: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = root.appending(path: "Tools/verify.py")
    process.arguments = ["store", folder]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard [0, 3].contains(process.terminationStatus), let summary = lines.last,
      summary.hasSuffix("all sound") || summary.hasSuffix("findings"),
      (process.terminationStatus == 0) == (lines.count == 1)
    else { throw CocoaError(.fileReadUnknown) }
    return Array(lines.dropLast())
  }
}
