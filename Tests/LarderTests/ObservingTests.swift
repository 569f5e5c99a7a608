import Foundation
import Larder
import Testing

@Suite("Observing a day")
struct ObservingTests {
  private func history(_ folder: String) async throws -> MealHistory {
    let location = StoreLocation(folder: folder + "/store", state: folder + "/state")
    if FileManager.default.fileExists(atPath: folder + "/store/larder.sqlite") {
      return try await MealHistory.open(at: location, schema: .standard, waitMilliseconds: 1000)
    }
    return try await MealHistory.create(
      at: location, deviceName: "test", schema: .standard, waitMilliseconds: 1000)
  }

  private func capture(_ name: String, _ day: CivilDay) throws -> Capture {
    let midnight = Int64(day.daysSince1970) * 86_400_000
    let moment = Moment(
      consumedAt: try #require(Instant(milliseconds: midnight + 40_000_000)),
      zone: try #require(ZoneName("UTC")), utcOffset: .zero, day: day)
    let line = FoodLine(
      name: name, quantity: try Quantity(1000, .milliserving),
      snapshot: try NutrientSnapshot(
        basis: .perServing, serving: nil, nutrients: try NutrientAmounts([.energy: 90_000])),
      origin: .user)
    return Capture(
      occasion: moment.occasion(as: .snack), source: .manual, items: [Capture.Item(line: line)])
  }

  // [OBS-1]
  @Test("a day comes at once, and again for each change, whoever wrote it")
  func sequence() async throws {
    let folder = NSTemporaryDirectory() + "larder-observe-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let here = try await history(folder)
    let elsewhere = try await history(folder)
    let day = try #require(CivilDay("2026-05-02"))
    let other = try #require(CivilDay("2026-05-03"))
    var days = here.observe(day).makeAsyncIterator()
    #expect(try await days.next()?.meals.isEmpty == true)
    _ = try await here.log(try capture("mine", day))
    #expect(try await days.next()?.logs.map(\.name) == ["mine"])
    // Another day is no change.
    _ = try await here.log(try capture("later", other))
    let theirs = try await elsewhere.log(try capture("theirs", day))
    #expect(try await days.next()?.logs.count == 2)
    _ = try await elsewhere.delete(theirs.stream, items: .delete)
    #expect(try await days.next()?.logs.map(\.name) == ["mine"])
  }

  // [OBS-1]
  @Test("an object has what the day has, and lets go")
  func object() async throws {
    let folder = NSTemporaryDirectory() + "larder-observe-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let history = try await history(folder)
    let day = try #require(CivilDay("2026-05-02"))
    var observed: ObservedDay? = await ObservedDay(day, in: history)
    _ = try await history.log(try capture("mine", day))
    var names: [String]?
    for _ in 0..<200 where names != ["mine"] {
      try await Task.sleep(for: .milliseconds(20))
      names = await observed?.content?.logs.map(\.name)
    }
    #expect(names == ["mine"])
    weak let seen = observed
    observed = nil
    for _ in 0..<100 where seen != nil { try await Task.sleep(for: .milliseconds(20)) }
    #expect(seen == nil)
  }
}
