// Names: paths and targets survive a file system that folds case, types do not hide their module,
// and one idea has one word.

/// The rules about names and the checks against them.
struct Names {
  /// File names that say nothing.
  private static let emptyNames: Set<String> = ["utils", "helpers", "manager", "common", "misc"]

  /// Words for which ours is "device".
  private static let foreignWords: Set<String> = ["Node", "Peer", "Client", "Replica"]

  /// The one pair of names that differ by case on purpose: the module `Larder`, whose library has
  /// no file of its own, and the program `larder`, whose module is `LarderCommand`.
  private static let intended: Set<String> = ["Larder", "larder"]

  /// Paths that differ only by case, and files whose name says nothing.
  static func findings(inPaths paths: [String]) -> [Finding] {
    let collisions = groups(paths).map { group in
      Finding(group[1], "differs from \(group[0]) only by case")
    }
    let empty = paths.filter { path in
      let name = path.split(separator: "/").last ?? ""
      let stem = name.split(separator: ".").first ?? ""
      return words(of: stem).contains { emptyNames.contains($0.lowercased()) }
    }
    return collisions + empty.map { Finding($0, "this name says nothing") }
  }

  /// Names in a package manifest that differ only by case.
  static func findings(inManifest manifest: SourceFile) -> [Finding] {
    groups(names(inManifest: manifest.text)).filter { Set($0) != intended }.map { group in
      Finding(manifest.path, "\(group.joined(separator: " and ")) differ only by case")
    }
  }

  /// The names of targets and products in a manifest.
  static func names(inManifest text: String) -> [String] {
    let label = #/\bname:\s*"([^"]+)"/#
    let call = #/\b(?:library|tests|executable|fuzzer)\(\s*"([^"]+)"/#
    return text.matches(of: label).map { String($0.1) }
      + text.matches(of: call).map { String($0.1) }
  }

  /// Types named as their module, or with a word for which ours is another.
  static func findings(in files: [SourceFile]) -> [Finding] {
    files.filter { $0.isUnder("Sources") && $0.isSwift }.flatMap { file in
      types(in: file).compactMap { line, name in
        if name == file.module {
          return Finding(file.path, line: line, "\(name) has the name of its module")
        }
        let foreign = words(of: name[...]).first { foreignWords.contains($0) }
        return foreign.map { Finding(file.path, line: line, "\(name): not `\($0)`, say device") }
      }
    }
  }

  /// The types a Swift file declares, with their lines from 1.
  static func types(in file: SourceFile) -> [(line: Int, name: String)] {
    let pattern = #/\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)/#
    return file.swift.code.enumerated().flatMap { index, line in
      line.matches(of: pattern).map { (index + 1, String($0.1)) }
    }
  }

  /// The capitalised words of a name: `HTTPClientPool` has `HTTP`, `Client` and `Pool`.
  static func words(of name: Substring) -> [String] {
    name.matches(of: #/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/#).map { String($0.0) }
  }

  /// Distinct names of which two differ only by case.
  private static func groups(_ names: [String]) -> [[String]] {
    Dictionary(grouping: Set(names)) { $0.lowercased() }.values.filter { $0.count > 1 }
      .map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }
}
