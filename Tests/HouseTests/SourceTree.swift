// Reads the repository this test was compiled from. What git ignores is left out.

import Foundation

/// Every file of the repository.
struct SourceTree: Sendable, CustomStringConvertible {
  /// The files that are text, by path.
  let files: [SourceFile]
  /// Every path, files that are not text and folders too.
  let paths: [String]
  /// The paths of files with the run bit.
  let executables: Set<String>

  /// The repository around this file.
  static let repository = SourceTree(
    top: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent())

  /// Larger files are databases and the like, not sources.
  private static let textByteCountMax = 2_000_000

  init(top: URL) {
    var files: [SourceFile] = []
    var paths: [String] = []
    var executables: Set<String> = []
    for path in Self.walk(top) {
      paths.append(path)
      let url = top.appending(path: path)
      guard !url.hasDirectoryPath, let data = try? Data(contentsOf: url) else { continue }
      if FileManager.default.isExecutableFile(atPath: url.path) { executables.insert(path) }
      guard data.count <= Self.textByteCountMax, let text = String(data: data, encoding: .utf8),
        !text.utf8.contains(0)
      else { continue }
      files.append(SourceFile(path, text))
    }
    self.files = files
    self.paths = paths
    self.executables = executables
  }

  /// Short, for the messages of failed expectations.
  var description: String { "\(files.count) files" }

  /// The file at `path`, if it is text.
  func file(_ path: String) -> SourceFile? {
    files.first { $0.path == path }
  }

  private static func walk(_ top: URL) -> [String] {
    guard let walker = FileManager.default.enumerator(atPath: top.path) else { return [] }
    var paths: [String] = []
    while let path = walker.nextObject() as? String {
      if isIgnored(path) {
        walker.skipDescendants()
      } else {
        paths.append(path)
      }
    }
    return paths.sorted()
  }

  /// Mirrors `.gitignore`, and leaves out git's own folder and those of editors.
  private static func isIgnored(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let first = parts.first, let last = parts.last else { return true }
    return [".git", ".build", ".test-data", ".swiftpm", ".vscode", ".idea"].contains(first)
      || first.hasPrefix(".build-") || last == "__pycache__" || last == ".DS_Store"
      || last.hasSuffix(".profraw") || last == "Package.resolved"
  }
}
