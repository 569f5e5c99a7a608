// Meals and days as a person reads them: one table, what is unknown said, ids at the end of the
// line.

import Larder
import LarderCatalog

/// Writes meals as lines.
enum MealText {
  private static let figures: [Nutrient] = [.energy, .carbohydrates, .fat, .protein]

  private static var columns: [TextTable.Column] {
    [
      TextTable.Column("", isRightAligned: true), TextTable.Column("", overflow: .wrap),
      TextTable.Column("kcal", isRightAligned: true),
      TextTable.Column("carbs g", isRightAligned: true),
      TextTable.Column("fat g", isRightAligned: true),
      TextTable.Column("protein g", isRightAligned: true), TextTable.Column(""),
    ]
  }

  /// `08:30 breakfast`, with the title and the zone.
  static func heading(_ meal: DiaryMeal) -> StyledText {
    guard let occasion = meal.entry?.occasion ?? meal.logs.first?.occasion else {
      return StyledText("meal", .bold)
    }
    var line = StyledText("\(clock(occasion.moment)) \(occasion.mealType)", .bold)
    if let title = meal.entry?.title { line += StyledText("  \(title)") }
    if meal.entry == nil { line += StyledText("  (single items)", .dim) }
    return line
  }

  /// `08:30` on the clock it was read from.
  static func clock(_ moment: Moment) -> String {
    let minute = moment.minuteOfDay
    return
      "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
  }

  /// `Saturday 2026-05-02`.
  static func heading(_ day: CivilDay) -> StyledText {
    let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    return StyledText("\(names[day.weekday]) \(day)", .bold)
  }

  /// The meals of a day in one table, with the day's sum.
  static func lines(_ day: DiaryDay, width: Int?) -> [StyledText] {
    var lines = [heading(day.day)]
    if day.meals.isEmpty { return lines + [StyledText("  nothing recorded", .dim)] }
    var table = TextTable(columns, indent: 2)
    for meal in day.meals { append(meal, to: &table) }
    append(sum: day.totals, label: "day", to: &table)
    lines += table.lines(width: width)
    return lines + gaps(day.totals)
  }

  /// One meal with its sum.
  static func lines(_ meal: DiaryMeal, width: Int?) -> [StyledText] {
    var table = TextTable(columns, indent: 2)
    append(meal, to: &table)
    if meal.logs.count > 1 { append(sum: meal.totals, label: "meal", to: &table) }
    return table.lines(width: width) + gaps(meal.totals)
  }

  private static func append(_ meal: DiaryMeal, to table: inout TextTable) {
    let reference = meal.stream.map { StyledText(ReferenceResolver.shown($0), .dim) } ?? ""
    table.append(["", heading(meal), "", "", "", "", reference])
    for log in meal.logs {
      var cells = [StyledText(amount(log)), StyledText(log.name)]
      for nutrient in figures { cells.append(cell(nutrient, log.eaten[nutrient])) }
      table.append(cells + [StyledText(ReferenceResolver.shown(log.item), .dim)])
    }
  }

  private static func append(sum totals: DiaryTotals, label: String, to table: inout TextTable) {
    var cells: [StyledText] = ["", StyledText(label, .bold)]
    for nutrient in figures {
      let text = totals[nutrient].map { NutrientFigure(nutrient: nutrient).number($0) } ?? "?"
      cells.append(StyledText(text, .bold))
    }
    table.append(cells + [""])
  }

  private static func cell(_ nutrient: Nutrient, _ amount: Int64?) -> StyledText {
    guard let amount else { return StyledText("?", .yellow) }
    return StyledText(NutrientFigure(nutrient: nutrient).number(amount))
  }

  /// `60 g`, `330 ml`, `1.5 servings`.
  static func amount(_ log: DiaryLog) -> String {
    guard let unit = QuantityUnit.allCases.first(where: { $0.name == log.unit }),
      let quantity = try? Quantity(log.amount, unit)
    else { return "\(log.amount) \(log.unit)" }
    return quantity.text
  }

  /// What the sums leave out.
  static func gaps(_ totals: DiaryTotals) -> [StyledText] {
    let parts = figures.compactMap { nutrient -> String? in
      let count = totals.unknownCount(of: nutrient)
      guard count > 0 else { return nil }
      return "\(NutrientFigure(nutrient: nutrient).label) of \(count) of \(totals.itemCount)"
    }
    guard !parts.isEmpty else { return [] }
    return [StyledText("  unknown: " + parts.joined(separator: ", ") + " items", .yellow)]
  }

  /// The notices of the catalogs that items are from.
  static func notices(_ logs: [DiaryLog]) -> [String] {
    let source = CatalogSource.openFoodFacts
    return logs.contains { $0.productCatalog == source.name } ? [source.notice] : []
  }

  /// The notices as lines.
  static func noticeLines(_ logs: [DiaryLog]) -> [StyledText] {
    notices(logs).map { StyledText($0, .dim) }
  }
}
