// Rows of the promised tables as values, and what a day sums to.

internal import LarderHash
public import LarderKernel
internal import LarderSQL

/// A row of `MealEntries`.
public struct DiaryEntry: Hashable, Sendable {
  /// The meal.
  public let stream: StreamID
  /// When, and as which meal.
  public let occasion: Occasion
  /// The title, if it has one.
  public let title: String?
  /// The entrance it came through.
  public let source: String
  /// The note, if it has one.
  public let note: String?
  /// The tags as a JSON array of texts, nil if there are none.
  public let tagsJSON: String?
  /// The photo's path below the store.
  public let photoPath: String?
  /// The meal it was copied from.
  public let copiedFrom: StreamID?

  static let columns: SQL = """
    id, consumedAt, mealType, title, source, day, zone, utcOffset, note, tags, photoPath, copiedFrom
    """

  init(_ row: borrowing Row) throws(StoreError) {
    guard let stream = row.withText(0, { Bytes16(hexDigits: $0) }) else {
      throw DiaryLog.damaged("MealEntries", row.text(0))
    }
    self.stream = StreamID(stream)
    occasion = try Occasion(row, consumedAt: 1, mealType: 2, day: 5, zone: 6, utcOffset: 7)
    title = row.optionalText(3)
    source = row.text(4)
    note = row.optionalText(8)
    tagsJSON = row.optionalText(9)
    photoPath = row.optionalText(10)
    copiedFrom = row.optionalText(11).flatMap { StreamID(hex: $0) }
  }
}

/// A row of `NutritionLogs`.
public struct DiaryLog: Hashable, Sendable {
  /// The stream of its meal, or its own.
  public let stream: StreamID
  /// The item.
  public let item: ItemID
  /// Whether it belongs to an entry.
  public let isGrouped: Bool
  /// When, and as which meal.
  public let occasion: Occasion
  /// The food's name.
  public let name: String
  /// How much, in whole units.
  public let amount: Int64
  /// The unit: `mg`, `ul`, `mserving`.
  public let unit: String
  /// The item's place in the meal, from 0.
  public let position: Int
  /// Where the numbers come from.
  public let origin: String
  /// The catalog, where it is a product.
  public let productCatalog: String?
  /// The product's code, where it is one.
  public let productCode: String?
  /// A note, if it has one.
  public let note: String?
  /// What was eaten, unknown nutrients absent.
  public let eaten: [Nutrient: Int64]

  private static let nutrients = MealProjection.nutrients

  static let columns: SQL = {
    let amounts = SQL(trusted: nutrients.map { ", " + $0.columnName }.joined())
    return """
      id, mealEntryId, consumedAt, mealType, day, zone, utcOffset, name, amount, unit, position,
      origin, productCatalog, productCode, note\(amounts)
      """
  }()

  init(_ row: borrowing Row) throws(StoreError) {
    let id = row.withText(0) { digits -> (Bytes16, UInt64)? in
      guard digits.count == 48, let stream = Bytes16(hexDigits: digits.extracting(0..<32)),
        let item = UInt64(hexDigits: digits.extracting(32..<48))
      else { return nil }
      return (stream, item)
    }
    guard let id else { throw Self.damaged("NutritionLogs", row.text(0)) }
    stream = StreamID(id.0)
    item = ItemID(id.1)
    isGrouped = !row.isNull(1)
    occasion = try Occasion(row, consumedAt: 2, mealType: 3, day: 4, zone: 5, utcOffset: 6)
    name = row.text(7)
    amount = row.int64(8)
    unit = row.text(9)
    position = row.int(10)
    origin = row.text(11)
    productCatalog = row.optionalText(12)
    productCode = row.optionalText(13)
    note = row.optionalText(14)
    var eaten = [Nutrient: Int64](minimumCapacity: 16)
    for (place, nutrient) in Self.nutrients.enumerated() {
      if let amount = row.optionalInt64(15 + place) { eaten[nutrient] = amount }
    }
    self.eaten = eaten
  }
}

extension DiaryLog {
  /// The error for a row that no fold has written.
  fileprivate static func damaged(_ table: String, _ id: String) -> StoreError {
    StoreError(.corrupt, operation: "read \(table)", subject: "row \(id.prefix(64))")
  }
}

extension Occasion {
  /// The occasion in five columns of the row that begins with its identifier.
  /// - Throws: `corrupt` for values no fold writes: somebody else edited the file.
  fileprivate init(
    _ row: borrowing Row, consumedAt: Int, mealType: Int, day: Int, zone: Int, utcOffset: Int
  ) throws(StoreError) {
    guard let instant = Instant(milliseconds: row.int64(consumedAt)),
      let mealType = MealType(rawValue: row.text(mealType)),
      let day = row.withText(day, { CivilDay(utf8: $0) }),
      let zone = ZoneName(row.text(zone)), let offset = UTCOffset(seconds: row.int64(utcOffset))
    else { throw DiaryLog.damaged("the diary", row.text(0)) }
    self.init(
      moment: Moment(consumedAt: instant, zone: zone, utcOffset: offset, day: day),
      mealType: mealType)
  }
}

/// A meal with its logs; without an entry, items that belong to none.
public struct DiaryMeal: Hashable, Sendable {
  /// The entry; nil for items never grouped or kept from a deleted meal.
  public let entry: DiaryEntry?
  /// Its items by position.
  public let logs: [DiaryLog]

  /// A meal.
  public init(entry: DiaryEntry?, logs: [DiaryLog]) {
    self.entry = entry
    self.logs = logs
  }

  /// The meal's stream.
  public var stream: StreamID? { entry?.stream ?? logs.first?.stream }
  /// What its items sum to.
  public var totals: DiaryTotals { DiaryTotals(logs) }
}

/// A day of the diary.
public struct DiaryDay: Hashable, Sendable {
  /// The civil date.
  public let day: CivilDay
  /// The meals by time; items without an entry stand as meals of their own stream.
  public let meals: [DiaryMeal]

  init(day: CivilDay, entries: [DiaryEntry], logs: [DiaryLog]) {
    self.day = day
    var byStream: [StreamID: [DiaryLog]] = [:]
    for log in logs { byStream[log.stream, default: []].append(log) }
    var found: [(time: Instant, id: StreamID, meal: DiaryMeal)] = []
    for entry in entries {
      let items = (byStream.removeValue(forKey: entry.stream) ?? []).sorted {
        $0.position < $1.position
      }
      found.append(
        (entry.occasion.moment.consumedAt, entry.stream, DiaryMeal(entry: entry, logs: items)))
    }
    for (stream, items) in byStream {
      let sorted = items.sorted { $0.position < $1.position }
      let time = sorted.map(\.occasion.moment.consumedAt).min() ?? Instant(clamping: 0)
      found.append((time, stream, DiaryMeal(entry: nil, logs: sorted)))
    }
    meals = found.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.map(\.meal)
  }

  /// All items, meal by meal.
  public var logs: [DiaryLog] { meals.flatMap(\.logs) }
  /// What the day sums to.
  public var totals: DiaryTotals { DiaryTotals(logs) }
}

/// Sums of nutrients that say of how many items the amount is unknown.
public struct DiaryTotals: Hashable, Sendable {
  /// A nutrient's sum.
  public struct Sum: Hashable, Sendable {
    /// The sum over the items whose amount is known.
    public var amount: Int64 = 0
    /// Over how many items it is.
    public var knownCount = 0
  }

  /// How many items there are.
  public let itemCount: Int
  /// The sums of the nutrients known of at least one item.
  public let sums: [Nutrient: Sum]

  /// The sums over `logs`.
  public init(_ logs: [DiaryLog]) {
    var sums: [Nutrient: Sum] = [:]
    for log in logs {
      for (nutrient, amount) in log.eaten {
        let old = sums[nutrient] ?? Sum()
        let (sum, hasOverflown) = old.amount.addingReportingOverflow(amount)
        // Only rows that somebody else wrote come so far; verifying names them.
        sums[nutrient] = Sum(
          amount: hasOverflown ? .max : sum, knownCount: old.knownCount + 1)
      }
    }
    itemCount = logs.count
    self.sums = sums
  }

  /// The sum of `nutrient`; nil if it is unknown of every item.
  public subscript(nutrient: Nutrient) -> Int64? { sums[nutrient]?.amount }

  /// Of how many items the amount of `nutrient` is unknown.
  public func unknownCount(of nutrient: Nutrient) -> Int {
    itemCount - (sums[nutrient]?.knownCount ?? 0)
  }
}
