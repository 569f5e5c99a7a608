import Foundation
import Larder
import Testing

@Suite("MealHistory")
struct MealHistoryTests {
  @Test("a meal is logged, found in its day, and deleted without its items")
  func loggingAndDeleting() async throws {
    let folder = NSTemporaryDirectory() + "larder-history-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let location = StoreLocation(folder: folder, state: folder + "-state")
    let history = try await MealHistory.create(
      at: location, deviceName: "phone", schema: .standard, waitMilliseconds: 1000)
    let oats = FoodLine(
      name: "Porridge oats", quantity: try Quantity(60_000, .milligram),
      snapshot: try NutrientSnapshot(
        basis: .per100Grams, serving: nil,
        nutrients: try NutrientAmounts([.energy: 372_000, .protein: 13_500_000])),
      origin: .label)
    let day = try #require(CivilDay("2026-05-02"))
    let moment = Moment(
      consumedAt: try #require(Instant(milliseconds: 1_777_707_000_000)),
      zone: try #require(ZoneName("Europe/Berlin")),
      utcOffset: try #require(UTCOffset(seconds: 7200)), day: day)
    var capture = Capture(
      occasion: moment.occasion(as: .breakfast), source: .manual,
      items: [Capture.Item(line: oats)])
    capture.captureID = "import 1/row 1"
    let meal = try await history.log(capture)
    #expect(try await history.log(capture).events == meal.events)
    let found = try await history.day(day)
    #expect(found.meals.count == 1 && found.totals[.energy] == Int64(223_200))
    _ = try await history.delete(meal.stream, items: .keep)
    let kept = try await history.day(day)
    #expect(kept.totals == found.totals && kept.meals.first?.entry == nil)
    let again = await #expect(throws: StoreError.self) {
      try await history.delete(meal.stream, items: .keep)
    }
    #expect(again?.code == .notFound)
    let opened = try await MealHistory.open(
      at: location, schema: .standard, waitMilliseconds: 1000)
    #expect(try await opened.day(day) == kept)
    #expect(try await opened.verify { _ in true }.problems == [])
  }

  // [VERIFY-7]
  @Test("a verification that was stopped goes on, once")
  func verifyingInParts() async throws {
    let folder = NSTemporaryDirectory() + "larder-history-" + UUID().uuidString
    defer {
      for suffix in ["", "-state"] { try? FileManager.default.removeItem(atPath: folder + suffix) }
    }
    let history = try await MealHistory.create(
      at: StoreLocation(folder: folder, state: folder + "-state"), deviceName: "phone",
      schema: .standard, waitMilliseconds: 1000)
    let occasion = Moment(
      consumedAt: try #require(Instant(milliseconds: 1_777_707_000_000)),
      zone: try #require(ZoneName("Europe/Berlin")),
      utcOffset: try #require(UTCOffset(seconds: 7200)), day: try #require(CivilDay("2026-05-02"))
    ).occasion(as: .breakfast)
    for _ in 0..<530 {
      _ = try await history.log(Capture(occasion: occasion, source: .manual, items: []))
    }
    let whole = try await history.verify { _ in true }
    let stopped = await #expect(throws: StoreError.self) {
      try await history.verify { $0.done < 512 }
    }
    #expect(stopped?.code == .interrupted)
    var continued = try await history.verify(continuing: true) { _ in true }
    #expect(continued.isContinued)
    continued.isContinued = false
    #expect(continued == whole)
    #expect(try await !history.verify(continuing: true) { _ in true }.isContinued)
  }

  @Test("the machine's zones are read, UTC without a database")
  func zones() throws {
    let nowhere = ZoneDatabase(folder: "/nonexistent")
    let utc = try #require(ZoneName("UTC"))
    #expect(nowhere.rules(of: utc)?.offset(atUTC: 1_777_777_777) == 0)
    #expect(nowhere.rules(of: try #require(ZoneName("Mars/Base"))) == nil)
    let tokyo = ZoneDatabase.system.rules(of: try #require(ZoneName("Asia/Tokyo")))
    if let tokyo { #expect(tokyo.offset(atUTC: 1_777_777_777) == 32_400) }
  }
}
