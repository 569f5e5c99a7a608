import Testing

@Suite("Names")
struct NamesTests {
  @Test("no two paths differ only by case, and every file name says something")
  func paths() {
    #expect(Names.findings(inPaths: SourceTree.repository.paths).report == "")
  }

  @Test("no two targets or products differ only by case")
  func manifest() throws {
    let manifest = try #require(SourceTree.repository.file("Package.swift"))
    #expect(Names.names(inManifest: manifest.text).contains("LarderHash"))
    #expect(Names.findings(inManifest: manifest).report == "")
  }

  @Test("no type has the name of its module or a foreign word")
  func types() {
    #expect(Names.findings(in: SourceTree.repository.files).report == "")
  }

  @Test("paths that differ only by case are found, folders too")
  func plantedPaths() {
    #expect(Names.findings(inPaths: ["Tools", "Tools/a", "tools"]).count == 1)
    #expect(Names.findings(inPaths: ["Tools/Fuzz/A", "Tools/fuzz", "Tools/Fuzz"]).count == 1)
    #expect(Names.findings(inPaths: ["A/a", "B/A"]).isEmpty)
  }

  @Test(
    "names that say nothing are found",
    arguments: [
      "Sources/A/Utils.swift", "Sources/A/StringHelpers.swift", "Sources/Common", "Tools/misc",
      "Sources/A/Manager+B.swift",
    ])
  func plantedEmptyName(path: String) {
    #expect(Names.findings(inPaths: [path]).count == 1)
    #expect(Names.findings(inPaths: ["Sources/A/Commonality.swift"]).isEmpty)
  }

  @Test("targets that differ only by case are found, the intended pair is not")
  func plantedManifest() {
    func count(_ text: String) -> Int {
      Names.findings(inManifest: SourceFile("Package.swift", text)).count
    }
    #expect(count(#"library("LarderSQL", []), tests("LarderSql", [])"#) == 1)
    #expect(count(#".executable(name: "larder-codec"), .target(name: "Larder-Codec")"#) == 1)
    #expect(count(#"library("Larder", []), .executable(name: "larder")"#) == 0)
    #expect(count(#"library("Larder", []), .executable(name: "LARDER")"#) == 1)
  }

  @Test(
    "a type named as its module, and foreign words, are found",
    arguments: [
      "public struct LarderSQL {}", "final class SyncPeer {}", "enum NodeKind {}",
      "typealias HTTPClient = Int", "actor ReplicaSet {}", "struct A { struct Node {} }",
    ])
  func plantedTypes(source: String) {
    #expect(Names.findings(in: [SourceFile("Sources/LarderSQL/A.swift", source)]).count == 1)
  }

  @Test(
    "longer words and uses are no foreign words",
    arguments: [
      "struct Nodes {}", "// struct Node", "let a: Node", "struct Peerless {}", "struct SQLText {}",
    ])
  func innocent(source: String) {
    #expect(Names.findings(in: [SourceFile("Sources/LarderSQL/A.swift", source)]).isEmpty)
  }
}
