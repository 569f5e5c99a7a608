import Foundation
import Larder
import Testing

@Suite("README")
struct ReadmeExampleTests {
  /// The README's example, line by line; the test below compares them.
  private func example(folder: String, state: String) async throws {
    // begin
    let history = try await MealHistory.create(
      at: StoreLocation(folder: folder, state: state), deviceName: "phone", schema: .standard,
      waitMilliseconds: 1000)
    let oats = FoodLine(
      name: "Porridge oats", quantity: try Quantity(60_000, .milligram),
      snapshot: try NutrientSnapshot(
        basis: .per100Grams, serving: nil, nutrients: NutrientAmounts([.energy: 372_000])),
      origin: .label)
    let breakfast = try Occasion(local: "2026-05-02T08:10", zone: "Europe/Berlin", as: .breakfast)
    let meal = try await history.log(
      Capture(occasion: breakfast, source: .manual, items: [Capture.Item(line: oats)]))
    let day = try await history.day(breakfast.moment.day)
    print(meal.stream, day.totals[.energy] ?? 0, "cal")
    // end
    #expect(day.totals[.energy] == Int64(223_200))
  }

  @Test("the first example runs")
  func runs() async throws {
    let folder = NSTemporaryDirectory() + "larder-readme-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await example(folder: folder, state: folder + "-state")
  }

  @Test("the first example is the one that runs")
  func isCurrent() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let root = String(#filePath.dropLast("Tests/LarderTests/ReadmeExampleTests.swift".count))
    let readme = try String(contentsOfFile: root + "README.md", encoding: .utf8)
    let body = try #require(source.range(of: "// begin\n"))
    let end = try #require(source.range(of: "    // end"))
    let lines = source[body.upperBound..<end.lowerBound].split(
      separator: "\n", omittingEmptySubsequences: false)
    let code = lines.map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
    #expect(readme.contains("```swift\nimport Larder\n\n\(code)```"))
  }

  @Test("a civil time of another form or zone is refused")
  func refusals() {
    #expect(throws: KernelError.self) {
      try Occasion(local: "2026-05-02T08:10", zone: "Mars/Base", as: .lunch)
    }
    for text in ["08:10", "yesterday 08:10", "2026-13-02T08:10", "2026-05-02", "-2h"] {
      #expect(throws: KernelError.self) {
        try Occasion(local: text, zone: "UTC", as: .lunch)
      }
    }
  }
}
