// From what a person typed to the meal or item it means, or to the reason why that is not clear.

import Larder
import LarderCapture

/// A meal or an item of it.
struct ResolvedReference: Hashable, Sendable {
  /// The meal's stream.
  let stream: StreamID
  /// The item, where one was meant.
  let item: ItemID?
}

/// Finds what references mean.
struct ReferenceResolver: Sendable {
  /// The digits of an identifier's end that are printed, enough to tell a diary's meals apart.
  static let shownDigitCount = 8

  let history: MealHistory
  let access: StoreAccess
  let arguments: ArgumentReader

  /// What is printed for a meal.
  static func shown(_ stream: StreamID) -> String { String(stream.hex.suffix(shownDigitCount)) }
  /// What is printed for an item.
  static func shown(_ item: ItemID) -> String { String(item.hex.suffix(shownDigitCount)) }

  /// The meal or item `argument` means.
  /// - Throws: `invalid_argument`; `not_found` and `ambiguous` with candidates.
  func resolve(_ argument: String) async throws(CommandError) -> ResolvedReference {
    try await resolve(try arguments.reference(argument), typed: argument)
  }

  /// The meal or item a reference means.
  func resolve(
    _ reference: TypedReference, typed argument: String
  ) async throws(CommandError) -> ResolvedReference {
    switch reference {
    case .identifier(let digits) where digits.utf8.count == 48:
      guard let stream = StreamID(hex: digits.prefix(32)),
        let item = ItemID(hex: digits.suffix(16))
      else { throw notFound(argument) }
      return ResolvedReference(stream: stream, item: item)
    case .identifier(let digits), .fragment(let digits):
      return try await resolve(digits: digits, typed: argument)
    case .last:
      let last = try await access.storing { () async throws(StoreError) in
        try await history.lastCapture()
      }
      guard let last else { throw notFound(argument) }
      return ResolvedReference(stream: last, item: nil)
    case .slot(let day, let slot, let number):
      return try await resolve(day: day, slot: slot, number: number, typed: argument)
    }
  }

  private func resolve(
    digits: String, typed argument: String
  ) async throws(CommandError) -> ResolvedReference {
    let found = try await access.storing { () async throws(StoreError) in
      try await history.matches(digits, limit: CommandError.candidateCountMaximum + 1)
    }
    guard let first = found.first else { throw notFound(argument) }
    if found.count == 1 { return ResolvedReference(stream: first.stream, item: first.item) }
    let candidates = found.map { match in
      CommandError.Candidate(
        label: match.item == nil ? "meal" : "item",
        argument: match.stream.hex + (match.item?.hex ?? ""))
    }
    throw CommandError(
      .ambiguous, "\(CommandError.quoted(argument)) is the beginning or end of several ids",
      hint: "type more digits", exit: .notFound, candidates: candidates)
  }

  private func resolve(
    day: CivilDay, slot: MealType, number: Int?, typed argument: String
  ) async throws(CommandError) -> ResolvedReference {
    let found = try await access.storing { () async throws(StoreError) in try await history.day(day)
    }
    let meals = found.meals.filter { meal in
      (meal.entry?.occasion ?? meal.logs.first?.occasion)?.mealType == slot
    }
    if let number {
      guard number <= meals.count, let stream = meals[number - 1].stream else {
        throw notFound(argument)
      }
      return ResolvedReference(stream: stream, item: nil)
    }
    guard let first = meals.first, let stream = first.stream else { throw notFound(argument) }
    guard meals.count == 1 else {
      let candidates = meals.enumerated().map { index, meal in
        CommandError.Candidate(
          label: MealText.heading(meal).plain, argument: "\(day)/\(slot)/\(index + 1)")
      }
      throw CommandError(
        .ambiguous, "there are \(meals.count) meals for \(CommandError.quoted(argument))",
        hint: "add the number, as in \(day)/\(slot)/1", exit: .notFound, candidates: candidates)
    }
    return ResolvedReference(stream: stream, item: nil)
  }

  private func notFound(_ argument: String) -> CommandError {
    CommandError(
      .notFound, "there is no meal or item \(CommandError.quoted(argument))",
      hint: "`larder meal list` shows the meals of a day with their references", exit: .notFound)
  }
}
