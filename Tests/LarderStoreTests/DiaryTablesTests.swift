import Foundation
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Tables beside the meals, and the days of the diary")
struct DiaryTablesTests {
  private func rows(_ store: Store, _ sql: SQL) throws -> [String] {
    try store.connection.prepare(sql).map { $0.optionalText(0) ?? "-" }
  }

  private func expectSound(_ sample: SampleStore, _ store: Store) throws {
    #expect(try sample.reader().verify { _ in true }.problems == [])
    let report = try store.rebuild { _ in true }
    #expect(report.changedStreamCount == 0)
    #expect(report.projections.count == Schema.standard.projections.count)
    for projection in report.projections {
      #expect(projection.digestBefore == projection.digestAfter)
    }
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  private func occasion(
    _ zone: String, _ offset: Int64, _ day: String, _ minute: Int64
  ) throws -> Occasion {
    let civil = try #require(CivilDay(day))
    let local = Int64(civil.daysSince1970) * 86_400_000 + minute * 60_000
    let instant = try #require(Instant(milliseconds: local - offset * 1000))
    return Occasion(
      moment: Moment(
        consumedAt: instant, zone: try #require(ZoneName(zone)),
        utcOffset: try #require(UTCOffset(seconds: offset)), day: civil), mealType: .snack)
  }

  private func log(
    _ sample: SampleStore, _ store: Store, _ number: UInt64, _ occasion: Occasion, kcal: Int64 = 200
  ) throws {
    let stream = sample.stream(number)
    var line = try sample.line("food \(number)", grams: 100, kcal: kcal)
    line.product = nil
    _ = try sample.append(
      [
        try NewEvent(MealCaptured(occasion: occasion, source: .manual), in: stream),
        try NewEvent(ItemAdded(occasion: occasion, item: ItemID(1), line: line), in: stream),
      ], to: store)
  }

  // [TABLE-9], E1, E6
  @Test("the last save of a template counts, and deleting it leaves meals alone")
  func templates() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(1)
    let lines = [try sample.line("oats", grams: 60), try sample.line("milk", grams: 200)]
    let saved = TemplateSaved(name: "Porridge", lines: lines, mealType: .breakfast, tags: ["daily"])
    _ = try sample.append([try NewEvent(saved, in: stream)], to: store)
    #expect(
      try rows(store, "SELECT name || mealType || tags FROM Meals") == [
        "Porridgebreakfast[\"daily\"]"
      ])
    #expect(
      try rows(store, "SELECT name || ' ' || energyCal FROM MealItems ORDER BY position") == [
        "oats 240000", "milk 800000",
      ])
    let meal = sample.stream(2)
    _ = try sample.append(try sample.meal(meal), to: store)
    let fewer = TemplateSaved(name: "Oats", lines: [lines[0]])
    _ = try sample.append([try NewEvent(fewer, in: stream)], to: store)
    #expect(try rows(store, "SELECT name FROM MealItems") == ["oats"])
    _ = try sample.append([try NewEvent(TemplateDeleted(), in: stream)], to: store)
    #expect(try rows(store, "SELECT name FROM Meals UNION SELECT name FROM MealItems").isEmpty)
    #expect(try sample.reader().meal(meal)?.logs.count == 3)
    try expectSound(sample, store)
  }

  // [TABLE-9]
  @Test("a product's numbers by a person hold until they are reset")
  func products() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = StreamID(shared: .product, key: "2000000000015")
    let line = try sample.line("x", kcal: 111)
    let own = ProductOverridden(code: "2000000000015", name: "Mine", snapshot: line.snapshot)
    _ = try sample.append([try NewEvent(own, in: stream)], to: store)
    let seen: SQL =
      "SELECT code || ' ' || name || ' ' || basis || ' ' || energyCal FROM ProductOverrides"
    #expect(try rows(store, seen) == ["2000000000015 Mine 100g 111000"])
    _ = try sample.append(
      [try NewEvent(ProductOverridden(code: "2000000000015"), in: stream)], to: store)
    #expect(try rows(store, seen).isEmpty)
    try expectSound(sample, store)
  }

  // [TABLE-9]
  @Test("settings and notes are there until they are reset and cleared")
  func settingsAndNotes() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let slots = StreamID(shared: .setting, key: "slots")
    let value = CBORValue.array([.text("brunch"), .unsigned(7)])
    _ = try sample.append(
      [try NewEvent(try SettingChanged(name: "slots", value: value), in: slots)], to: store)
    let settings: SQL = "SELECT name || '=' || value FROM Settings"
    #expect(try rows(store, settings) == ["slots=[\"brunch\", 7]"])
    let day = try #require(CivilDay("2026-05-02"))
    let notes = StreamID(shared: .day, key: day.description)
    _ = try sample.append(
      [try NewEvent(DayNoted(day: day, note: .set("tired")), in: notes)], to: store)
    #expect(try rows(store, "SELECT day || ' ' || note FROM DayNotes") == ["2026-05-02 tired"])
    _ = try sample.append(
      [
        try NewEvent(DayNoted(day: day, note: .clear), in: notes),
        try NewEvent(try SettingChanged(name: "slots", value: .null), in: slots),
      ], to: store)
    #expect(try rows(store, settings).isEmpty)
    #expect(try rows(store, "SELECT note FROM DayNotes").isEmpty)
    try expectSound(sample, store)
  }

  // [SUM-1], [TABLE-9], M5
  @Test("recent foods know how often and when last, through edits and deletions")
  func recentFoods() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let seen: SQL =
      "SELECT name || ' ' || uses || ' ' || lastConsumedAt FROM RecentFoods ORDER BY name"
    let early = try occasion("UTC", 0, "2026-05-02", 600)
    let late = try occasion("UTC", 0, "2026-05-09", 600)
    for (number, when) in [(1, early), (1, late), (2, early)] {
      try log(sample, store, UInt64(number), when)
    }
    let (first, last) = (early.moment.consumedAt.milliseconds, late.moment.consumedAt.milliseconds)
    #expect(try rows(store, seen) == ["food 1 2 \(last)", "food 2 1 \(first)"])
    let meals = try sample.reader().day(late.moment.day).meals
    let stream = try #require(meals.first?.stream)
    _ = try sample.append([try NewEvent(MealDeleted(items: .delete), in: stream)], to: store)
    #expect(try rows(store, seen) == ["food 1 1 \(first)", "food 2 1 \(first)"])
    _ = try sample.append([try NewEvent(MealRestored(), in: stream)], to: store)
    _ = try sample.append(
      [try NewEvent(ItemChanged(item: ItemID(1), name: "other"), in: stream)], to: store)
    #expect(
      try rows(store, seen) == ["food 1 1 \(first)", "food 2 1 \(first)", "other 1 \(last)"])
    try expectSound(sample, store)
  }

  // [DIARY-1], [DIARY-2], B14, B15, B16
  @Test("days begin when the person says, from the day on it was said for")
  func dayStart() throws {
    let sample = SampleStore()
    let store = try sample.create()
    try log(sample, store, 1, try occasion("Europe/Berlin", 7200, "2026-04-30", 60))
    try log(sample, store, 2, try occasion("Europe/Berlin", 7200, "2026-05-02", 60))
    try log(sample, store, 3, try occasion("Europe/Berlin", 7200, "2026-05-02", 240))
    let before = try rows(store, "SELECT hex(digest) FROM _projections WHERE name = 'meals'")
    let starts = StreamID(shared: .setting, key: "dayStart")
    func change(_ day: String, _ minute: UInt16) throws {
      let change = DayStartChanged(fromDay: try #require(CivilDay(day)), startMinute: minute)
      _ = try sample.append([try NewEvent(change, in: starts)], to: store)
    }
    func days() throws -> [String] {
      let reader = try sample.reader()
      let all = try reader.days(from: .minimum, to: .maximum).map {
        "\($0.day) \($0.logs.map(\.name).joined(separator: ","))"
      }
      let view = try store.connection.prepare(
        """
        SELECT diaryDay || ' ' || group_concat(name) FROM
          (SELECT * FROM Diary ORDER BY consumedAt) GROUP BY diaryDay
        """
      ).map { $0.text(0) }
      #expect(all == view)
      return all
    }
    #expect(try days() == ["2026-04-30 food 1", "2026-05-02 food 2,food 3"])
    try change("2026-05-01", 240)
    #expect(try days() == ["2026-04-30 food 1", "2026-05-01 food 2", "2026-05-02 food 3"])
    // A later change of the same day counts; one for later days leaves the past.
    try change("2026-05-02", 300)
    #expect(try days() == ["2026-04-30 food 1", "2026-05-01 food 2,food 3"])
    try change("2026-05-02", 0)
    #expect(try days() == ["2026-04-30 food 1", "2026-05-02 food 2,food 3"])
    #expect(try rows(store, "SELECT hex(digest) FROM _projections WHERE name = 'meals'") == before)
    try expectSound(sample, store)
  }

  // [DIARY-1], [DIARY-4]
  @Test("the view and the policy agree on days of any kind")
  func viewAndPolicy() throws {
    let sample = SampleStore()
    let store = try sample.create()
    var random = SplitMix(state: 7)
    let first = try #require(CivilDay("2024-02-25"))
    func day() throws -> CivilDay {
      try #require(
        CivilDay(daysSince1970: Int64(first.daysSince1970) + Int64(random.next() % 12)))
    }
    for number in 0..<6 as Range<UInt64> {
      // In two streams: what two devices said that had not met.
      let stream = StreamID(shared: .setting, key: "dayStart \(number % 2)")
      let change = DayStartChanged(fromDay: try day(), startMinute: UInt16(random.next() % 1440))
      _ = try sample.append([try NewEvent(change, in: stream)], to: store)
    }
    for number in 0..<80 as Range<UInt64> {
      let when = try occasion("UTC", 0, try day().description, Int64(random.next() % 1440))
      try log(sample, store, number, when)
    }
    let policy = try sample.reader().dayStarts()
    let found = try store.connection.prepare("SELECT day, minute, diaryDay FROM Diary").map {
      ($0.text(0), $0.int(1), $0.text(2))
    }
    #expect(found.count == 80)
    for (day, minute, diaryDay) in found {
      let civil = try #require(CivilDay(day))
      #expect(policy.diaryDay(of: civil, minute: minute).description == diaryDay)
    }
    let days = try sample.reader().days(from: .minimum, to: .maximum)
    #expect(days.reduce(0) { $0 + $1.logs.count } == 80)
    let sums = try store.connection.prepare(
      "SELECT day || ' ' || items || ' ' || energyCal || ' ' || energyCalKnown FROM DaySums"
    ).map { $0.text(0) }
    #expect(
      Set(sums)
        == Set(
          days.map {
            "\($0.day) \($0.logs.count) \($0.totals[.energy] ?? -1) \($0.logs.count)"
          }))
    let weeks = try rows(store, "SELECT week || ' ' || items FROM WeekSums ORDER BY 1")
    #expect(weeks.compactMap { Int($0.split(separator: " ")[1]) }.reduce(0, +) == 80)
    for week in weeks {
      let monday = try #require(CivilDay(String(week.prefix(10))))
      #expect((Int(monday.daysSince1970) % 7 + 7) % 7 == 4, "1970-01-05 was a Monday")
    }
    try expectSound(sample, store)
  }

  // [DIARY-3], B3, B4, B5, B10, B11
  @Test("a meal is on the day its clock showed, wherever it is read, on days of any length")
  func civilDays() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let cases: [(String, Int64, String, Int64)] = [
      ("America/Los_Angeles", -25_200, "2026-03-08", 23 * 60 + 30),
      ("Europe/Brussels", 7200, "2026-05-02", 20),
      ("Pacific/Kiritimati", 50_400, "2026-05-03", 10),
      ("Pacific/Pago_Pago", -39_600, "2026-05-01", 1430),
      ("Europe/Paris", 7200, "2026-06-01", 420), ("Asia/Karachi", 18_000, "2026-06-02", 420),
      ("Europe/Berlin", 3600, "2026-03-28", 1410), ("Europe/Berlin", 7200, "2026-03-29", 1410),
      ("Europe/Berlin", 7200, "2026-03-30", 1410),
      ("Europe/Berlin", 7200, "2026-10-25", 150), ("Europe/Berlin", 3600, "2026-10-25", 150),
    ]
    for (number, (zone, offset, day, minute)) in cases.enumerated() {
      try log(sample, store, UInt64(number), try occasion(zone, offset, day, minute))
    }
    let reader = try sample.reader()
    for day in ["2026-03-28", "2026-03-29", "2026-03-30", "2026-03-08", "2026-05-02"] {
      let civil = try #require(CivilDay(day))
      #expect(try reader.day(civil).totals[.energy] ?? 0 == 200_000, "\(day)")
    }
    let long = try reader.day(try #require(CivilDay("2026-10-25")))
    #expect(long.logs.map(\.name) == ["food 9", "food 10"])
    #expect(long.logs.map(\.occasion.moment.minuteOfDay) == [150, 150])
    for day in ["2026-06-01", "2026-06-02"] {
      let civil = try #require(CivilDay(day))
      #expect(try reader.day(civil).logs.map(\.occasion.moment.minuteOfDay) == [420])
    }
    #expect(try rows(store, "SELECT count(*) || '' FROM DaySums") == ["10"])
    try expectSound(sample, store)
  }

  // [TABLE-10]
  @Test("views somebody changed or dropped are found; dropped ones are made again")
  func views() throws {
    let sample = SampleStore()
    let store = try sample.create()
    try store.connection.write { (_) throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try store.connection.execute("DROP VIEW WeekSums; CREATE VIEW Other AS SELECT 1")
      }
    }
    var found = try sample.reader().verify { _ in true }.problems
    #expect(
      found.map { "\($0.code) \($0.subject)" } == [
        "schemaChanged view Other", "viewMissing WeekSums",
      ])
    try store.mend(found.map(ExaminationFinding.Kind.integrity)) { _ in true }
    found = try sample.reader().verify { _ in true }.problems
    #expect(found.map(\.code) == ["schemaChanged"])
  }
}
