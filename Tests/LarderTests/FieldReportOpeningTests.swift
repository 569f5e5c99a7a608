import Foundation
import Larder
import Testing

/// Inputs that broke other systems. The letter and number beside a test are those of the report it
/// answers.
@Suite("What broke in other systems: growth by opening")
struct FieldReportOpeningTests {
  /// The files below a folder with their bytes.
  private func files(in folder: String) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = attributes[.size] as? Int
    }
    return files
  }

  /// Opens the store, reads a day, logs a meal, tidies up as far as `isLast` says, and lets go.
  private func visit(
    _ location: StoreLocation, _ day: CivilDay, isLast: Bool
  ) async throws -> String {
    let history = try await MealHistory.open(
      at: location, schema: .standard, waitMilliseconds: 1000)
    _ = try await history.day(day)
    let moment = Moment(
      consumedAt: try #require(Instant(milliseconds: 1_777_707_000_000)),
      zone: try #require(ZoneName("UTC")), utcOffset: .zero, day: day)
    let line = FoodLine(
      name: "Oats", quantity: try Quantity(60_000, .milligram),
      snapshot: try NutrientSnapshot(
        basis: .per100Grams, serving: nil, nutrients: try NutrientAmounts([.energy: 372_000])),
      origin: .label)
    _ = try await history.log(
      Capture(
        occasion: moment.occasion(as: .snack), source: .manual,
        items: [Capture.Item(line: line)]))
    try await history.tidy(isLast: isLast)
    return try await history.device().author.hex
  }

  // H8
  // [STORE-10], [INC-6]
  @Test(
    "two hundred openings leave the files, the author and the short log of the first one",
    arguments: [true, false])
  func openings(isLast: Bool) async throws {
    let folder = NSTemporaryDirectory() + "larder-openings-" + UUID().uuidString
    let location = StoreLocation(folder: folder, state: folder + "-state")
    defer {
      for path in [location.folder, location.state] {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    let day = try #require(CivilDay("2026-05-02"))
    _ = try await MealHistory.create(
      at: location, deviceName: "phone", schema: .standard, waitMilliseconds: 1000)
    let log = "larder.sqlite-wal"
    let author = try await visit(location, day, isLast: isLast)
    let first = try files(in: location.folder)
    let state = try files(in: location.state)
    var (longest, written, before) = (0, 0, first[log] ?? 0)
    for _ in 0..<200 {
      #expect(try await visit(location, day, isLast: isLast) == author)
      let after = try files(in: location.folder)[log] ?? 0
      longest = max(longest, after)
      written += max(0, after - before)
      before = after
    }
    // Closed properly, each leaves nothing; ended before that, no more than twice what a long
    // process lets stand.
    #expect(isLast ? longest == 0 : longest < 9 << 20)
    #expect(isLast ? written == 0 : written > 9 << 20)
    let last = try files(in: location.folder)
    #expect(last.keys.sorted() == first.keys.sorted())
    #expect(last["device.key"] == first["device.key"])
    #expect(try #require(last["larder.sqlite"]) < 1 << 20)
    #expect(try files(in: location.state) == state)
    let history = try await MealHistory.open(
      at: location, schema: .standard, waitMilliseconds: 1000)
    #expect(try await history.day(day).meals.count == 201)
    #expect(try await history.verify { _ in true }.problems == [])
  }
}
