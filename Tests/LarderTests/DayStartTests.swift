import Foundation
import Larder
import Testing

@Suite("A diary whose days begin later")
struct DayStartTests {
  // [DIARY-1], [DIARY-2], B14
  @Test("what is eaten at night is on the day before, as soon as that is said")
  func nightWorker() async throws {
    let folder = NSTemporaryDirectory() + "larder-days-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let history = try await MealHistory.create(
      at: StoreLocation(folder: folder + "/store", state: folder + "/state"),
      deviceName: "test", schema: .standard, waitMilliseconds: 1000)
    let may2 = try #require(CivilDay("2026-05-02"))
    let may1 = try #require(CivilDay("2026-05-01"))
    let instant = try #require(Instant(milliseconds: 1_777_683_600_000))  // 01:00 UTC on 2 May
    let moment = Moment(
      consumedAt: instant, zone: try #require(ZoneName("UTC")), utcOffset: .zero, day: may2)
    let line = FoodLine(
      name: "soup", quantity: try Quantity(1000, .milliserving),
      snapshot: try NutrientSnapshot(
        basis: .perServing, serving: nil, nutrients: try NutrientAmounts([.energy: 90_000])),
      origin: .user)
    _ = try await history.log(
      Capture(
        occasion: moment.occasion(as: .snack), source: .manual,
        items: [Capture.Item(line: line)]))
    #expect(try await history.day(may2).totals[.energy] ?? 0 == 90_000)
    _ = try await history.setDayStart(240, from: may1)
    #expect(try await history.day(may2).meals.isEmpty)
    #expect(try await history.day(may1).totals[.energy] ?? 0 == 90_000)
    #expect(try await history.diaryDay(of: moment) == may1)
    #expect(try await history.days(from: may1, to: may2).map(\.day) == [may1])
    await #expect(throws: StoreError.self) { try await history.setDayStart(1440, from: may1) }
  }
}
