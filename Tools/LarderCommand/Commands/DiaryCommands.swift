// `larder`, `larder diary`, `larder meal …`: reading the diary and deleting from it.

import Larder
import LarderCapture
import LarderCatalog

/// The verbs that show the diary, and the one that deletes from it.
enum DiaryCommands {
  // MARK: diary

  /// A day, or each day of a range that has anything.
  static func diary(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let (range, days) = try await days(invocation, access)
    if invocation.value(.sum) == "week" { return weeks(days, range) }
    let withMeals = invocation.value(.sum) == nil
    let logs = days.flatMap(\.logs)
    return Answer(
      result: {
        .object(of: [
          ("from", .string(range.first.description)), ("to", .string(range.last.description)),
          ("days", .array(days.map { MealDocument.day($0, withMeals: withMeals) })),
          ("notices", MealDocument.notices(logs)),
        ])
      },
      lines: { width in
        let lines =
          withMeals
          ? days.flatMap { MealText.lines($0, width: width) }
          : sums(days.map { ($0.day.description, $0.totals) }, width: width)
        return lines + MealText.noticeLines(logs)
      })
  }

  /// The days the argument names, today if there is none; a single day even if it is empty.
  private static func days(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> (range: TypedDayRange, days: [DiaryDay]) {
    // What was typed is read before anything is opened, and again with the diary's days.
    _ = try access.arguments().days(invocation.arguments.first)
    let history = try await access.history()
    let range = try await access.arguments(history).days(invocation.arguments.first)
    let days = try await access.storing { () async throws(StoreError) in
      if range.first == range.last { return [try await history.day(range.first)] }
      return try await history.days(from: range.first, to: range.last)
    }
    return (range, days)
  }

  private static func weeks(_ days: [DiaryDay], _ range: TypedDayRange) -> Answer {
    var weeks: [(monday: CivilDay, logs: [DiaryLog])] = []
    for day in days {
      let monday = day.day.advanced(by: -day.day.weekday) ?? day.day
      if weeks.last?.monday == monday {
        weeks[weeks.count - 1].logs += day.logs
      } else {
        weeks.append((monday, day.logs))
      }
    }
    let summed = weeks.map { ($0.monday.description, DiaryTotals($0.logs)) }
    let logs = days.flatMap(\.logs)
    return Answer(
      result: {
        let list = summed.map { monday, totals -> JSONValue in
          .object(of: [("week_from", .string(monday))] + MealDocument.totals(totals))
        }
        return .object(of: [
          ("from", .string(range.first.description)), ("to", .string(range.last.description)),
          ("weeks", .array(list)), ("notices", MealDocument.notices(logs)),
        ])
      },
      lines: { width in sums(summed, width: width) + MealText.noticeLines(logs) })
  }

  private static func sums(
    _ rows: [(label: String, totals: DiaryTotals)], width: Int?
  ) -> [StyledText] {
    let figures: [Nutrient] = [.energy, .carbohydrates, .fat, .protein]
    let headings = ["kcal", "carbs g", "fat g", "protein g", "items"]
    var table = TextTable(
      [TextTable.Column("from")]
        + headings.map { TextTable.Column($0, isRightAligned: true) }
        + [TextTable.Column("", overflow: .wrap)])
    for row in rows {
      var cells = [StyledText(row.label)]
      for nutrient in figures {
        cells.append(
          StyledText(
            row.totals[nutrient].map { NutrientFigure(nutrient: nutrient).number($0) } ?? "?"))
      }
      cells.append(StyledText(String(row.totals.itemCount)))
      cells.append(MealText.gaps(row.totals).first.map { $0 } ?? "")
      table.append(cells)
    }
    return rows.isEmpty
      ? [StyledText("nothing recorded in these days", .dim)] : table.lines(width: width)
  }

  // MARK: today

  /// Today's diary, one status line, what to type next.
  static func today(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    _ = try access.arguments().today()
    let history = try await access.history()
    let today = try await access.arguments(history).today()
    let day = try await access.storing { () async throws(StoreError) in try await history.day(today)
    }
    let device = try await access.storing { () async throws(StoreError) in
      try await history.device()
    }
    let catalog = try access.catalog()?.status()
    let status =
      catalog.map { "\(ProgressLine.grouped($0.productCount)) foods in the catalog" }
      ?? "no catalog installed"
    return Answer(
      result: {
        .object(of: [
          ("today", MealDocument.day(day, withMeals: true)),
          ("store", .string(access.location.folder)), ("device", .string(device.name)),
          ("catalog_products", catalog.map { .integer($0.productCount) }),
          ("notices", MealDocument.notices(day.logs)),
        ])
      },
      lines: { width in
        MealText.lines(day, width: width) + MealText.noticeLines(day.logs) + [
          StyledText("\(device.name), \(access.location.folder), \(status)", .dim),
          StyledText(
            catalog == nil
              ? "next: larder catalog install FILE" : "next: larder log 'WORDS=AMOUNT'", .dim),
        ]
      })
  }

  // MARK: meals

  /// The meals of a day or a range.
  static func list(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let meals = try await days(invocation, access).days.flatMap(\.meals)
    return Answer(
      elements: { meals.map(MealDocument.meal) },
      elementNotices: MealText.notices(meals.flatMap(\.logs)),
      result: {
        .object(of: [
          ("meals", .array(meals.map(MealDocument.meal))),
          ("notices", MealDocument.notices(meals.flatMap(\.logs))),
        ])
      },
      lines: { width in
        var table = TextTable([
          TextTable.Column("day"), TextTable.Column("meal", overflow: .wrap),
          TextTable.Column("items", isRightAligned: true),
          TextTable.Column("kcal", isRightAligned: true), TextTable.Column("ref"),
        ])
        for meal in meals {
          guard let occasion = meal.entry?.occasion ?? meal.logs.first?.occasion,
            let stream = meal.stream
          else { continue }
          let energy = meal.totals[.energy]
          table.append([
            StyledText(occasion.moment.day.description), MealText.heading(meal),
            StyledText(String(meal.logs.count)),
            StyledText(energy.map { NutrientFigure(nutrient: .energy).number($0) } ?? "?"),
            StyledText(ReferenceResolver.shown(stream)),
          ])
        }
        return meals.isEmpty
          ? [StyledText("nothing recorded in these days", .dim)]
          : table.lines(width: width) + MealText.noticeLines(meals.flatMap(\.logs))
      })
  }

  /// One meal.
  static func show(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let (history, reference) = try await resolve(invocation, access)
    let stream = reference.stream
    let meal = try await access.storing { () async throws(StoreError) in
      try await history.meal(stream)
    }
    guard let meal else { throw deleted(stream) }
    return Answer(
      result: {
        guard case .object(let members) = MealDocument.meal(meal) else { return .null }
        let notices = MealDocument.notices(meal.logs).map {
          [JSONValue.Member(key: "notices", value: $0)]
        }
        return .object(members + (notices ?? []))
      },
      lines: { width in
        var lines = [StyledText("\(stream.hex)", .dim)] + MealText.lines(meal, width: width)
        if let moment = (meal.entry?.occasion ?? meal.logs.first?.occasion)?.moment {
          lines.append(
            StyledText(
              "  \(moment.consumedAt.rfc3339(utcOffset: moment.utcOffset)), \(moment.zone), "
                + "day \(moment.day)", .dim))
        }
        if let entry = meal.entry {
          lines.append(StyledText("  source \(entry.source)", .dim))
          if let note = entry.note {
            lines += InertText.lines(note).map { StyledText("  note: \($0)") }
          }
        }
        return lines + MealText.noticeLines(meal.logs)
      })
  }

  /// Deletes a meal.
  static func delete(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let (history, reference) = try await resolve(invocation, access)
    let stream = reference.stream
    guard reference.item == nil else {
      throw CommandError.usage(
        .invalidArgument, "this is an item, not a meal", hint: "give the reference of its meal")
    }
    let items: MealDeleted.Items = invocation.has(.keepItems) ? .keep : .delete
    let meal = try await access.storing { () async throws(StoreError) in
      try await history.meal(stream)
    }
    guard let meal, meal.entry != nil else { throw deleted(stream) }
    let isDryRun = invocation.has(.dryRun)
    var event: EventID?
    if !isDryRun {
      event = try await access.storing { () async throws(StoreError) in
        try await history.delete(stream, items: items)
      }
    }
    let device = try await access.storing { () async throws(StoreError) in
      try await history.device()
    }
    let written = event
    let moment = meal.entry?.occasion.moment
    let after = try await access.storing { () async throws(StoreError) -> DiaryDay? in
      guard let moment else { return nil }
      return try await history.day(try await history.diaryDay(of: moment))
    }
    var answer = Answer(
      result: {
        .object(of: [
          ("is_dry_run", .bool(isDryRun)), ("meal", .string(stream.hex)),
          ("kept_items", .integer(items == .keep ? Int64(meal.logs.count) : 0)),
          ("operation", written.map { OperationDocument.operation([$0], device: device.name) }),
          ("day", after.map { MealDocument.day($0, withMeals: false) }),
        ])
      },
      lines: { _ in
        let verb = isDryRun ? "would delete" : "deleted"
        let count = meal.logs.count
        let stay = count == 1 ? "; its item stays" : "; its \(count) items stay"
        let rest = items == .keep ? stay : ""
        return [StyledText("\(verb) ") + MealText.heading(meal) + StyledText(rest)]
          + (after.map { day in
            [StyledText("  the day now: ") + StyledText(energy(day.totals))]
          } ?? [])
      })
    answer.warnings += await access.identityWarnings(history)
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  private static func energy(_ totals: DiaryTotals) -> String {
    totals[.energy].map { NutrientFigure(nutrient: .energy).text($0) }
      ?? (totals.itemCount == 0 ? "0 kcal" : "energy unknown")
  }

  /// The history and what the first argument refers to.
  static func resolve(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> (MealHistory, ResolvedReference) {
    let history = try await access.history()
    let resolver = ReferenceResolver(
      history: history, access: access, arguments: try await access.arguments(history))
    return (history, try await resolver.resolve(invocation.arguments[0]))
  }

  private static func deleted(_ stream: StreamID) -> CommandError {
    CommandError(
      .notFound, "this meal is not in the diary: it was deleted",
      hint: "`larder history \(ReferenceResolver.shown(stream))` shows what happened",
      exit: .notFound)
  }
}
