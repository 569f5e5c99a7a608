// Meals, items and sums as documents. One place, so that every command says the same of a meal.

import Larder

/// Writes meals as JSON.
enum MealDocument {
  /// The nutrients whose absence is worth a word.
  static let leading: [Nutrient] = [.energy, .fat, .carbohydrates, .protein]

  /// A meal with its items and sums.
  static func meal(_ meal: DiaryMeal) -> JSONValue {
    let occasion = meal.entry?.occasion ?? meal.logs.first?.occasion
    var members: [(String, JSONValue?)] = []
    if let stream = meal.stream {
      members.append(("id", .string(stream.hex)))
      members.append(("ref", .string(ReferenceResolver.shown(stream))))
    }
    members.append(("is_grouped", .bool(meal.entry != nil)))
    members += occasion.map(Self.occasion) ?? []
    members.append(("title", meal.entry?.title.map(JSONValue.string)))
    members.append(("source", meal.entry.map { .string($0.source) }))
    members.append(("note", meal.entry?.note.map(JSONValue.string)))
    members.append(("copied_from", meal.entry?.copiedFrom.map { .string($0.hex) }))
    members.append(("items", .array(meal.logs.map(item))))
    members += totals(meal.totals)
    return .object(of: members)
  }

  /// Time, zone, day and slot.
  static func occasion(_ occasion: Occasion) -> [(String, JSONValue?)] {
    let moment = occasion.moment
    return [
      ("time", .string(moment.consumedAt.rfc3339(utcOffset: moment.utcOffset))),
      ("zone", .string(moment.zone.rawValue)), ("day", .string(moment.day.description)),
      ("meal", .string(occasion.mealType.rawValue)),
    ]
  }

  /// An item.
  static func item(_ log: DiaryLog) -> JSONValue {
    var amount: (String, JSONValue?) = ("amount", nil)
    if let unit = QuantityUnit.allCases.first(where: { $0.name == log.unit }),
      let quantity = try? Quantity(log.amount, unit)
    {
      amount = (quantity.key, .decimal(quantity.decimal))
    }
    return .object(of: [
      ("id", .string(log.stream.hex + log.item.hex)),
      ("ref", .string(ReferenceResolver.shown(log.item))), ("name", .string(log.name)), amount,
      ("origin", .string(log.origin)), ("catalog", log.productCatalog.map(JSONValue.string)),
      ("code", log.productCode.map(JSONValue.string)), ("note", log.note.map(JSONValue.string)),
      ("nutrients", nutrients(log.eaten)),
    ])
  }

  /// Known amounts, in the order of their numbers.
  static func nutrients(_ amounts: [Nutrient: Int64]) -> JSONValue {
    .object(
      of: amounts.sorted { $0.key < $1.key }.map { nutrient, amount in
        let figure = NutrientFigure(nutrient: nutrient)
        return (figure.key, .decimal(figure.exact(amount)))
      })
  }

  /// `totals`, and `unknown_items` where a sum leaves items out.
  static func totals(_ totals: DiaryTotals) -> [(String, JSONValue?)] {
    let gaps = Nutrient.allCases.sorted().filter { nutrient in
      totals.unknownCount(of: nutrient) > 0
        && (totals[nutrient] != nil || leading.contains(nutrient))
    }
    let unknown = gaps.map { nutrient -> (String, JSONValue?) in
      let key = NutrientFigure(nutrient: nutrient).key
      return (key, .integer(Int64(totals.unknownCount(of: nutrient))))
    }
    return [
      ("item_count", .integer(Int64(totals.itemCount))),
      ("totals", nutrients(totals.sums.mapValues(\.amount))),
      ("unknown_items", unknown.isEmpty ? nil : .object(of: unknown)),
    ]
  }

  /// A day with its meals and sums.
  static func day(_ day: DiaryDay, withMeals: Bool) -> JSONValue {
    var members: [(String, JSONValue?)] = [("day", .string(day.day.description))]
    if withMeals { members.append(("meals", .array(day.meals.map(meal)))) }
    members += totals(day.totals)
    return .object(of: members)
  }

  /// The notices of the catalogs that items are from.
  static func notices(_ logs: [DiaryLog]) -> JSONValue? {
    let notices = MealText.notices(logs)
    return notices.isEmpty ? nil : .array(notices.map(JSONValue.string))
  }
}
