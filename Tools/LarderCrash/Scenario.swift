// The scenarios: what is done to a store before, and while, something goes wrong.
//
// Every call of the store that changes files belongs into one of them. A new call joins in three
// places: a case here with its steps, a kind of `Step.Work` if it is none of those there are, and
// what `Performing` does for it.

import LarderKernel
import LarderStore

/// What is done to a store.
enum Scenario: String, CaseIterable {
  /// A store is made, and given its first meals.
  case create
  /// Five captures of four events.
  case append
  /// Several operations in one transaction, twice.
  case bulk
  /// Meals are changed, deleted, brought back.
  case edit
  /// Captures, with checkpoints between them, the last of which cuts the write-ahead log.
  case checkpoint
  /// Forty meals are folded again.
  case rebuild
  /// Two processes write in turn.
  case twoWriters
  /// The first of three captures fills a block.
  case fill
  /// A full block is signed.
  case sign
  /// Another device's batches are taken in, the later one first.
  case receive
  /// The store finds itself without its head record, and its device becomes another author.
  case renew

  /// Its steps.
  func plan() throws -> Plan {
    var draft = Draft()
    switch self {
    case .create: draft.begin()
    case .rebuild: try draft.prepare(mealCount: 40)
    case .edit: try draft.prepare(mealCount: 5)
    case .append, .bulk, .checkpoint, .twoWriters, .renew: try draft.prepare(mealCount: 2)
    case .fill: try draft.prepareBulk(mealCount: 127)
    case .sign: try draft.prepareBulk(mealCount: 129)
    case .receive: try draft.prepareOther(mealCount: 200)
    }
    switch self {
    case .create:
      draft.create()
      try draft.appendMeal()
      try draft.appendMeal()
    case .fill, .renew:
      for _ in 0..<3 { try draft.appendMeal() }
    case .sign:
      draft.sign()
      try draft.appendMeal()
    case .receive:
      draft.receive()
      try draft.appendMeal()
    case .append:
      for _ in 0..<5 { try draft.appendMeal() }
    case .bulk:
      try draft.appendMeals(6)
      try draft.appendMeals(6)
    case .edit:
      try draft.edit()
    case .checkpoint:
      for _ in 0..<3 {
        try draft.appendMeal()
        try draft.appendMeal()
        draft.checkpoint()
      }
      try draft.appendMeal()
      draft.cut()
      try draft.appendMeal()
    case .rebuild:
      draft.rebuild()
      try draft.appendMeal()
    case .twoWriters:
      for hand in 0...1 {
        try draft.appendMeal(by: hand)
        try draft.appendMeal(by: hand)
        draft.checkpoint(by: hand)
        try draft.appendMeal(by: hand)
        draft.cut(by: hand)
        try draft.appendMeal(by: hand)
      }
    }
    return draft.plan
  }
}

/// The steps of a scenario.
struct Plan {
  /// What made the store the scenario finds.
  var start: [Step] = []
  /// What is done to it.
  var act: [Step] = []
  /// The device's clock when it is over, in milliseconds since 1970.
  let end: Int64 = 1_777_809_600_000

  /// Everything that may be in the store when the scenario ends.
  var steps: [Step] { start + act }
}

/// One call of the store.
struct Step {
  /// What it asks.
  enum Work {
    case create
    /// Operations in one transaction: all of them are there afterwards, or none is.
    case append([[NewEvent]])
    case checkpoint
    case cut
    case rebuild
    case sign
    /// Another device makes a store and appends these, in one transaction.
    case other([[NewEvent]])
    /// A batch of the other device's is taken in: these operations.
    case receive(batch: Int, [[NewEvent]])

    /// What is in the store once it is done.
    var operations: [[NewEvent]] {
      switch self {
      case .append(let operations), .receive(_, let operations): operations
      case .create, .checkpoint, .cut, .rebuild, .sign, .other: []
      }
    }
  }

  let name: String
  /// Which of the writers does it.
  let hand: Int
  /// The device's clock, in milliseconds since 1970.
  let now: Int64
  let work: Work
}
