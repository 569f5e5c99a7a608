// The layers: which module may import which. SwiftPM itself lets a target import whatever its
// dependencies happen to depend on, so the imports are read from the sources.

/// The table of modules, bottom to top, and the check against it.
struct Layers {
  /// What a module may import besides the standard library.
  struct Row {
    let module: String
    let imports: Set<String>

    init(_ module: String, _ imports: Set<String>) {
      self.module = module
      self.imports = imports
    }
  }

  /// Bottom to top: a module, the modules of ours it may import (without the prefix `Larder`), and
  /// after the bar those of the system. A row may only name rows above it.
  static let table = rows(
    """
    Hash           | CSodium
    Files          | CLinux Glibc Dispatch Synchronization
    Kernel         Hash
    SQL            Hash | CSQLite Synchronization
    Crypto         Hash Kernel | CSodium
    Compression    Hash | CLZ4
    Gzip           Hash | CZlib
    Store          Hash Files Kernel SQL Crypto Compression | Synchronization
    Media          Hash Files Kernel SQL Crypto | Synchronization
    Catalog        Hash Files Kernel SQL | Synchronization
    CatalogImport  Hash Files Kernel Gzip Catalog | FoundationEssentials
    Capture        Hash Kernel Catalog
    Sync           Hash Kernel Crypto Compression
    HTTP           Hash Kernel | CCurl Glibc Synchronization
    Transports     Hash Files Kernel Crypto HTTP | Synchronization
    Providers      Hash Kernel Capture HTTP | FoundationEssentials
    Codecs         Hash Kernel | Glibc
    Inbox          Hash Files Kernel Crypto Capture
    Testing        Hash Files Kernel SQL Crypto Compression Store Media Catalog Capture Sync \
                   HTTP Transports | Synchronization
    Larder         Hash Files Kernel SQL Crypto Compression Store Media Catalog Capture Sync \
                   | Glibc Dispatch Observation Synchronization
    """)

  /// Reads rows as the table has them.
  static func rows(_ text: String) -> [Row] {
    text.split(separator: "\n").compactMap { line in
      let sides = line.split(separator: "|", omittingEmptySubsequences: false)
      var ours = sides[0].split(separator: " ").map { $0 == "Larder" ? "Larder" : "Larder\($0)" }
      let system = sides.dropFirst().flatMap { $0.split(separator: " ").map(String.init) }
      return ours.isEmpty ? nil : Row(ours.removeFirst(), Set(ours + system))
    }
  }

  /// What no module needs a row for.
  private static let everywhere: Set<String> = ["Swift"]

  /// The C modules that more than one module touches, and how many do.
  private static let shared = ["CSodium": 2]

  /// Imports in `files` that no row allows.
  static func findings(in files: [SourceFile]) -> [Finding] {
    files.filter { $0.isUnder("Sources") && $0.isSwift }.flatMap(findings(in:))
  }

  private static func findings(in file: SourceFile) -> [Finding] {
    guard let module = file.module else {
      return [Finding(file.path, "stands in no module's folder")]
    }
    guard let row = table.first(where: { $0.module == module }) else {
      return [Finding(file.path, "\(module) has no row in the table of layers")]
    }
    return imports(of: file).compactMap { line, imported in
      row.imports.contains(imported) || everywhere.contains(imported)
        ? nil : Finding(file.path, line: line, "\(module) may not import \(imported)")
    }
  }

  /// Each import of a Swift file with its line, from 1.
  static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    let pattern =
      #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?/#
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]
    return file.swift.code.enumerated().compactMap { index, line in
      guard line.contains("import "), let head = try? pattern.prefixMatch(in: line) else {
        return nil
      }
      var words = line[head.range.upperBound...].split(whereSeparator: { $0 == " " || $0 == ";" })
      guard words.first == "import" else { return nil }
      words.removeFirst()
      if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
      guard let name = words.first?.split(separator: ".").first else { return nil }
      return (index + 1, String(name))
    }
  }

  /// Rows of `table` that look upwards, and C modules that too many rows touch.
  static func findings(inTable table: [Row]) -> [Finding] {
    var findings: [Finding] = []
    var below: Set<String> = []
    var users: [String: Int] = [:]
    for row in table {
      for name in row.imports.sorted() where name.hasPrefix("Larder") && !below.contains(name) {
        findings.append(Finding("Layers.swift", "\(row.module) may import \(name), above it"))
      }
      for name in row.imports where isCModule(name) { users[name, default: 0] += 1 }
      below.insert(row.module)
    }
    for (name, count) in users.sorted(by: { $0.key < $1.key }) where count > shared[name] ?? 1 {
      findings.append(Finding("Layers.swift", "\(count) modules may import \(name)"))
    }
    return findings
  }

  /// Whether a module wraps a system library: `C` and a capital.
  private static func isCModule(_ name: String) -> Bool {
    name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
  }
}
