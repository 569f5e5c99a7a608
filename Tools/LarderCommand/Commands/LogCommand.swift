// `larder log`: records a meal, and answers with what was recorded, where each number comes from,
// the day so far, and how to take it back.

import Larder
import LarderCapture

/// Records a meal.
struct LogCommand {
  let invocation: Invocation
  let access: StoreAccess
  let history: MealHistory
  let arguments: ArgumentReader

  /// Does what was asked.
  static func run(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    let arguments = access.arguments()
    // What was typed is read whole before anything is looked up or opened.
    let foods = try arguments.foods(invocation.arguments)
    let numbers = try arguments.numbers(of: invocation)
    let slot = try arguments.slot(of: invocation)
    let time = try arguments.time(of: invocation, slot: slot)
    let zone = try access.zone().name
    if numbers != nil, foods.count != 1 {
      throw CommandError.usage(
        .invalidArgument, "--numbers belongs to one food, and there are \(foods.count)",
        hint: "log the food with --numbers by itself")
    }
    if numbers != nil, invocation.has(.unknown) {
      throw CommandError.usage(
        .invalidArgument, "--numbers and --unknown contradict each other", hint: "give one of them")
    }
    let command = LogCommand(
      invocation: invocation, access: access, history: try await access.history(),
      arguments: arguments)
    let finder = FoodFinder(
      command: command, numbers: numbers, isUnknownAllowed: invocation.has(.unknown),
      pick: invocation.number(.pick))
    var found = FoundMeal()
    for (food, typed) in zip(foods, invocation.arguments) {
      try await finder.find(food, typed: typed, into: &found)
    }
    let occasion = time.moment(zone: zone).occasion(
      as: slot
        ?? TypedSlot.usual(
          atMinute: time.moment(zone: zone).minuteOfDay))
    return try await command.record(found, occasion: occasion, time: time, isSlotGiven: slot != nil)
  }

  private func record(
    _ found: FoundMeal, occasion: Occasion, time: TypedTime, isSlotGiven: Bool
  ) async throws(CommandError) -> Answer {
    var capture = Capture(occasion: occasion, source: found.source, items: found.items)
    try checkTexts()
    capture.title = invocation.value(.title)
    capture.note = invocation.value(.note)
    capture.tags = invocation.values(.tag)
    capture.copiedFrom = found.copiedFrom
    let warnings = found.warnings + Self.warnings(time, slot: isSlotGiven ? occasion.mealType : nil)
    if !HLC.isPlausible(milliseconds: access.now.milliseconds), invocation.value(.at) == nil {
      throw CommandError.usage(
        .missingArgument, "this device's clock says \(access.now.rfc3339(utcOffset: .zero))",
        hint: "say when it was eaten with --at TIME")
    }
    let isDryRun = invocation.has(.dryRun)
    guard !isDryRun else {
      let notices = MealText.notices(catalogs: capture.items.map { $0.line.product?.catalog })
      let lines = capture.items.map { StyledText("  \($0.line.quantity.text)  \($0.line.name)") }
      return Answer(
        warnings: warnings,
        result: {
          .object(
            of: [("is_dry_run", true)] + MealDocument.occasion(occasion) + [
              ("items", .array(capture.items.map { Self.preview($0.line) }))
            ])
        },
        lines: { _ in
          [StyledText("would log \(MealText.clock(occasion.moment)) \(occasion.mealType):")] + lines
            + notices.map { StyledText($0, .dim) }
        })
    }
    let capturing = capture
    let logged = try await access.storing { () async throws(StoreError) in
      try await history.log(capturing)
    }
    let shown: (meal: DiaryMeal, day: DiaryDay, device: String)
    do throws(StoreError) {
      guard let meal = try await history.meal(logged.stream) else {
        throw StoreError(.corrupt, operation: "read meal", subject: logged.stream.hex)
      }
      let day = try await history.day(try await history.diaryDay(of: occasion.moment))
      shown = (meal, day, try await history.device().name)
    } catch {
      throw CommandError(
        .damaged,
        "the meal was recorded as \(ReferenceResolver.shown(logged.stream)), but the diary cannot "
          + "be shown: \(error.code), \(error.subject)",
        hint: "do not log it again; `larder verify` says what is wrong", exit: .integrity)
    }
    var answer = answer(
      shown.meal, logged: logged, day: shown.day, device: shown.device, found: found, time: time,
      isSlotGiven: isSlotGiven, warnings: warnings)
    answer.warnings += await access.identityWarnings(history)
    answer.afterwards = access.upkeep(of: history)
    return answer
  }

  /// Says which option is too long, before anything is written.
  private func checkTexts() throws(CommandError) {
    let limits: [(OptionName, Int)] = [
      (.title, Limits.shortTextByteCountMaximum), (.note, Limits.longTextByteCountMaximum),
      (.tag, Limits.shortTextByteCountMaximum),
    ]
    for (name, limit) in limits {
      for value in invocation.values(name) where value.utf8.count > limit {
        throw CommandError.usage(
          .invalidArgument, "\(name.typed) has \(value.utf8.count) bytes, and \(limit) fit",
          hint: "shorten it")
      }
    }
    guard !invocation.values(.tag).contains("") else {
      throw CommandError.usage(
        .invalidArgument, "a tag has at least one character", hint: "leave --tag out")
    }
    guard invocation.values(.tag).count <= Limits.tagCountMaximum else {
      throw CommandError.usage(
        .invalidArgument, "a meal has at most \(Limits.tagCountMaximum) tags",
        hint: "leave some out")
    }
  }

  private func answer(
    _ meal: DiaryMeal, logged: LoggedMeal, day: DiaryDay, device: String, found: FoundMeal,
    time: TypedTime, isSlotGiven: Bool, warnings: [Warning]
  ) -> Answer {
    let undo = "larder meal delete \(ReferenceResolver.shown(logged.stream))"
    let zoneOrigin = access.configuration.zone.origin.description
    return Answer(
      warnings: warnings,
      result: {
        .object(of: [
          ("operation", OperationDocument.operation(logged.events, device: device)),
          ("meal", MealDocument.meal(meal)),
          ("time_from", .string(String(describing: time.source))),
          ("zone_from", .string(zoneOrigin)),
          ("slot_from", .string(isSlotGiven ? "--meal" : "hour")),
          ("asked", .array(found.answers.map(\.json))),
          ("day", MealDocument.day(day, withMeals: false)), ("undo", .string(undo)),
          ("notices", MealDocument.notices(meal.logs)),
        ])
      },
      lines: { width in
        var lines = MealText.lines(meal, width: width)
        for answer in found.answers { lines.append(StyledText("  \(answer.text)", .dim)) }
        if let moment = meal.entry?.occasion.moment {
          let slot = isSlotGiven ? "" : ", meal by the hour"
          lines.append(
            StyledText(
              "  \(moment.consumedAt.rfc3339(utcOffset: moment.utcOffset)) \(moment.zone) "
                + "(zone from \(zoneOrigin)\(slot)), day \(moment.day)", .dim))
        }
        let energy = day.totals[.energy].map { NutrientFigure(nutrient: .energy).text($0) }
        lines.append(StyledText("  the day so far: \(energy ?? "energy unknown")"))
        lines += MealText.gaps(day.totals)
        lines.append(StyledText("  undo: \(undo)", .dim))
        return lines + MealText.noticeLines(meal.logs)
      })
  }

  private static func preview(_ line: FoodLine) -> JSONValue {
    let eaten = line.snapshot.eaten(line.quantity).compactMap { element in
      Nutrient(rawValue: element.number).map { ($0, element.amount) }
    }
    return .object(of: [
      ("name", .string(line.name)), (line.quantity.key, .decimal(line.quantity.decimal)),
      ("origin", .string(line.origin.name)), ("code", line.product.map { .string($0.code) }),
      ("nutrients", MealDocument.nutrients(Dictionary(eaten) { first, _ in first })),
    ])
  }

  /// What had to be assumed about the time and the slot.
  private static func warnings(_ time: TypedTime, slot: MealType?) -> [Warning] {
    var warnings = time.notes.map { note -> Warning in
      switch note {
      case .repeated(let other):
        Warning(
          code: "time_repeated",
          message: "the clocks showed this time twice; the first is taken, not the one with "
            + other.rfc3339)
      case .skipped(let before):
        Warning(
          code: "time_skipped",
          message: "the clocks left this time out; it is read with \(before.rfc3339)")
      case .clockAssumed:
        Warning(
          code: "time_assumed", message: "no time of day was given; the meal's usual is taken")
      case .inFuture: Warning(code: "time_in_future", message: "the time lies ahead of now")
      case .offsetNotOfZone(let zone):
        Warning(
          code: "offset_not_of_zone",
          message: "the zone has \(zone.rfc3339) at that time; what was typed is kept")
      }
    }
    if let slot, let near = TypedSlot.nearMiss(of: slot) {
      warnings.append(
        Warning(code: "slot_unusual", message: "the meal is called \(slot); did you mean \(near)?"))
    }
    return warnings
  }
}

/// What the foods of a command line came to.
struct FoundMeal {
  /// What was asked and what was found for it.
  struct Answered: Hashable {
    let asked: String
    let found: String
    let how: String

    var text: String { "\(asked) → \(found) (\(how))" }

    var json: JSONValue {
      ["asked": .string(asked), "found": .string(found), "how": .string(how)]
    }
  }

  var items: [Capture.Item] = []
  var answers: [Answered] = []
  var warnings: [Warning] = []
  var hasBarcode = false
  var copiedFrom: StreamID?

  var source: CaptureSource { hasBarcode ? .barcode : .manual }
}
