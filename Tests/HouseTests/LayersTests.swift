import Testing

@Suite("Layers")
struct LayersTests {
  @Test("every module imports only what its row allows")
  func repository() {
    let findings = Layers.findings(in: SourceTree.repository.files)
    #expect(findings.isEmpty, "\(findings.report)")
  }

  @Test("the table looks downwards only, and one module touches one C library")
  func table() {
    #expect(Layers.findings(inTable: Layers.table).report == "")
  }

  @Test("a table that looks upwards or shares a C library is found")
  func plantedTable() {
    let table = Layers.rows(
      """
      Hash Kernel | CSodium
      Kernel | CSodium CLZ4
      SQL | CSodium CLZ4
      """)
    #expect(
      Layers.findings(inTable: table).map(\.message) == [
        "LarderHash may import LarderKernel, above it", "2 modules may import CLZ4",
        "3 modules may import CSodium",
      ])
  }

  @Test(
    "every form of import is seen",
    arguments: [
      "import Foundation", "public import Foundation", "@testable import Foundation",
      "@preconcurrency @_spi(X) package import Foundation", "import struct Foundation.Data",
      "  import Foundation // why", "import Foundation.NSObject", "import Foundation;",
    ])
  func forms(source: String) {
    let file = SourceFile("Sources/LarderKernel/A.swift", "let a = 1\n\(source)\n")
    #expect(Layers.findings(in: [file]).lines == [2])
  }

  @Test(
    "what is no import, or an allowed one, is not found",
    arguments: [
      "// import Foundation", "let a = \"import Foundation\"", "import LarderHash", "import Swift",
      "func reimport (Foundation: Int) {}",
    ])
  func innocent(source: String) {
    #expect(Layers.findings(in: [SourceFile("Sources/LarderKernel/A.swift", source)]).isEmpty)
  }

  @Test("a module without a row and a file without a module are found")
  func unknown() {
    let files = [SourceFile("Sources/LarderNew/A.swift", ""), SourceFile("Sources/A.swift", "")]
    #expect(Layers.findings(in: files).count == 2)
  }
}
