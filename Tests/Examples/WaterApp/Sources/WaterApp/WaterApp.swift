import Larder

/// `WaterApp STORE STATE glasses|millilitres DAY AMOUNT…`: records drinks, and says what the days
/// have; each line comes when the observed day has changed.
@main
enum WaterApp {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count >= 6, let day = CivilDay(words[4]) else {
      print("usage: WaterApp STORE STATE glasses|millilitres DAY AMOUNT…")
      return
    }
    let isOld = words[3] == "glasses"
    let schema =
      isOld
      ? Schema.standard(adding: [GlassesDrunk.self])
      : .standard(
        adding: [WaterDrunk.self], upcasters: [WaterDrunk.upcaster], projections: [WaterLog.self],
        summaries: [WaterPerDay.self])
    let history = try await MealHistory.open(
      at: StoreLocation(folder: words[1], state: words[2]), schema: schema, waitMilliseconds: 5000)
    for amount in words[5...].compactMap({ UInt64($0) }) {
      let stream = await history.newStream()
      if isOld {
        _ = try await history.record(GlassesDrunk(day, glasses: amount), in: stream)
      } else {
        _ = try await history.record(WaterDrunk(day, millilitres: amount), in: stream)
      }
    }
    if !isOld {
      let sums = try await history.rows("SELECT * FROM water_PerDay ORDER BY day") { row in
        "\(row.text("day") ?? "") \(row.integer("drinks") ?? 0) \(row.integer("millilitres") ?? 0)"
      }
      for line in sums { print(line) }
    }
    for try await seen in history.observe(day).prefix(1) {
      print("\(seen.day) \(seen.meals.count) meals")
    }
    try await history.tidy(isLast: true)
  }
}
