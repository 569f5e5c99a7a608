import FoundationEssentials
import LarderKernel
import Testing

@Suite("SPEC.md")
struct SpecTests {
  private static func rows(after heading: String) throws -> [[String]] {
    let root = URL(filePath: VectorFiles.folder).deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try #require(
      FileManager.default.contents(atPath: root.appending(path: "SPEC.md").path))
    let text = String(decoding: data, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let section = lines.drop { $0 != heading }.dropFirst()
    let table = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
    return table.map { line in line.split(separator: "|").map { trimmed($0) } }
  }

  private static func trimmed(_ cell: Substring) -> String {
    var cell = cell.drop { $0 == " " }
    while cell.last == " " { cell.removeLast() }
    return String(cell)
  }

  // [NUT-1]
  @Test("the table of nutrients is the code's")
  func nutrients() throws {
    let table = try Self.rows(after: "### 3.5 Nutrients")
    let units: [NutrientUnit: String] = [.calorie: "cal", .microgram: "µg", .nanogram: "ng"]
    #expect(
      table
        == Nutrient.allCases.map { ["\($0.rawValue)", "`\($0.name)`", units[$0.unit] ?? ""] })
  }

  // [LIM-1]
  @Test("the table of limits is the code's")
  func limits() throws {
    let limits: [Int64] = [
      Int64(Limits.payloadByteCountMaximum), Int64(Limits.headerByteCountMaximum),
      Int64(Limits.kindByteCountMaximum), Int64(Limits.kindVersionMaximum),
      Int64(Limits.shortTextByteCountMaximum), Int64(Limits.longTextByteCountMaximum),
      Int64(Limits.tagCountMaximum), Int64(Limits.lineCountMaximum), Limits.amountMaximum,
      Limits.nutrientAmountMaximum, Int64(Limits.nutrientCountMaximum),
      Int64(Limits.nutrientNumberMaximum), Limits.instantMinimum, Limits.instantMaximum,
      Limits.utcOffsetMaximum, Int64(CBORLimits.depthMax),
      Int64(Limits.deviceKeyCountMaximum), Int64(Limits.headPathByteCountMaximum),
      Int64(Limits.blockEventCount),
      Int64(Limits.operationEventCountMaximum), Int64(MerkleTree.sizeMax.trailingZeroBitCount),
      Int64(Limits.sequenceByteCountMaximum), Int64(Limits.batchByteCountMaximum),
      Int64(MerklePath.countMax),
    ]
    let table = try Self.rows(after: "## 10 Limits")
    #expect(table.map { $0.last?.replacing("−", with: "-") } == limits.map { "\($0)" })
  }
}
