// Documents: links lead somewhere, the commands of the README exist, nothing names one machine's
// folders, and the licence is the one we say.

/// The rules about documents and the checks against them.
struct Documents {
  /// The commands the README promises.
  static let commands = ["Tools/demo", "Tools/test"]

  /// Top folders of a machine, in pieces so that this file does not name them.
  private static let machineFolders = ["wo" + "rk", "ro" + "ot", "fa" + "rm", "tmp/ba" + "sh_jobs"]

  /// Folders of a machine named in any text.
  static func machinePathFindings(in files: [SourceFile]) -> [Finding] {
    files.flatMap { file in
      file.lines.enumerated().compactMap { index, line in
        let folder = machineFolders.first { names($0, in: line) }
        return folder.map { _ in
          Finding(file.path, line: index + 1, "names a folder of one machine")
        }
      }
    }
  }

  private static func names(_ folder: String, in line: Substring) -> Bool {
    line.ranges(of: "/\(folder)/").contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !(before.isLetter || before.isNumber || before == "_")
    }
  }

  /// Links of Markdown files that lead to no path of the repository.
  static func linkFindings(in files: [SourceFile], paths: Set<String>) -> [Finding] {
    files.filter { $0.fileExtension == "md" }.flatMap { file in
      links(in: file).compactMap { line, target in
        guard let path = resolve(target, from: file), !paths.contains(path) else { return nil }
        return Finding(file.path, line: line, "\(target) leads nowhere")
      }
    }
  }

  /// The targets of links in a Markdown file outside of code, with their lines from 1.
  static func links(in file: SourceFile) -> [(line: Int, target: String)] {
    var isCode = false
    return file.lines.enumerated().flatMap { index, line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
      let prose = isCode ? "" : line.replacing(#/`[^`]*`/#, with: "")
      return prose.matches(of: #/\]\(([^)\s]+)\)/#).map { (index + 1, String($0.1)) }
    }
  }

  /// The path a link leads to; nil for one that leaves the repository or stays on its page.
  private static func resolve(_ target: String, from file: SourceFile) -> String? {
    let path = target.prefix { $0 != "#" }
    if path.isEmpty || path.contains(":") { return nil }
    var parts = file.parts.dropLast().map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        if parts.popLast() == nil { return target }
      } else {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// Commands the README does not name, or that cannot be run.
  static func commandFindings(readme: SourceFile, executables: Set<String>) -> [Finding] {
    commands.flatMap { command in
      (readme.lines.contains { $0.hasPrefix(command) || $0.hasPrefix("./" + command) }
        ? [] : [Finding(readme.path, "does not show \(command)")])
        + (executables.contains(command) ? [] : [Finding(command, "cannot be run")])
    }
  }

  /// Scripts without the run bit.
  static func scriptFindings(in files: [SourceFile], executables: Set<String>) -> [Finding] {
    files.filter { $0.isScript && !executables.contains($0.path) }
      .map { Finding($0.path, "begins with an interpreter line and has no run bit") }
  }

  /// A licence that is not Apache 2.0, or that the README does not name.
  static func licenceFindings(licence: SourceFile, readme: SourceFile) -> [Finding] {
    let heading = licence.lines.prefix(6).map { $0.drop { $0 == " " } }
    return
      (heading.contains("Apache License") && heading.contains { $0.hasPrefix("Version 2.0,") }
      ? [] : [Finding(licence.path, "is not the Apache License, Version 2.0")])
      + (readme.text.contains("Apache-2.0")
        ? [] : [Finding(readme.path, "does not name the licence, Apache-2.0")])
  }
}
