// What is done while faults are let loose: one step of the store's life each.

import LarderHash
import LarderKernel
import LarderStore

enum Scenario: String, CaseIterable {
  /// A store is made.
  case create
  /// Single captures.
  case append
  /// Meals are changed and deleted.
  case edit
  /// Several operations in one transaction.
  case bulk
  /// The event that fills a block.
  case fill
  /// Full blocks are signed.
  case sign
  /// The write-ahead log is moved into the database between captures.
  case checkpoint
  /// The tables are made anew.
  case rebuild
  /// Another device's batches are taken in, the later ones first.
  case receive
  /// The store was copied: its device becomes another author.
  case renew

  static func named(_ name: String) throws -> Scenario {
    guard let scenario = Scenario(rawValue: name) else { throw CrashError("no scenario \(name)") }
    return scenario
  }

  /// Makes the store as it is before the scenario.
  func prepare(_ place: Place) throws {
    if self == .create { return }
    let store = try place.create()
    let count =
      switch self {
      case .fill, .sign: 127
      case .rebuild: 40
      default: 8
      }
    try place.append(try (0..<count).map(place.meal), to: store, at: 0)
    if self == .sign {
      try place.append([try place.meal(900)], to: store, at: 1)
      try place.append([try place.meal(901)], to: store, at: 2)
    }
    if self == .receive {
      let other = try place.other.create()
      try place.other.append(try (200..<400).map(place.other.meal), to: other, at: 3)
    }
    try store.checkpoint()
  }

  /// Does it, and acknowledges each step that is done.
  func act(_ place: Place) throws {
    if self == .create {
      let store = try place.create()
      Line.write("ack created")
      return try place.append([try place.meal(1000)], to: store, at: 10)
    }
    let store = try place.open()
    switch self {
    case .create: break
    case .append, .renew:
      for number in 0..<5 {
        try place.append([try place.meal(1000 + number)], to: store, at: Int64(10 + number))
      }
    case .edit:
      for number in 0..<3 {
        let stream = place.stream(number)
        let change = try NewEvent(ItemRemoved(item: ItemID(2)), in: stream)
        let delete = try NewEvent(MealDeleted(items: number == 1 ? .delete : .keep), in: stream)
        try place.append([[change], [delete]], to: store, at: Int64(10 + number))
      }
    case .bulk:
      try place.append(try (1000..<1060).map(place.meal), to: store, at: 10)
    case .fill:
      for number in 0..<3 {
        try place.append([try place.meal(1000 + number)], to: store, at: Int64(10 + number))
      }
    case .sign:
      Line.write("ack signed \(try store.signFullBlocks())")
    case .checkpoint:
      for number in 0..<3 {
        try place.append([try place.meal(1000 + number)], to: store, at: Int64(10 + number))
        try store.checkpoint()
      }
    case .rebuild:
      let report = try store.rebuild { _ in true }
      Line.write("ack rebuilt \(report.changedStreamCount)")
    case .receive:
      let batches = try place.other.open().ownBatches(from: 0)
      for batch in batches.reversed() {
        let results = try store.receive([batch])
        guard let seqs = results.first?.seqs, let author = results.first?.author else { continue }
        Line.write("ack \(author.hex):\(seqs.lowerBound)-\(seqs.upperBound - 1)")
      }
    }
    try store.checkpoint()
    Line.write("ack checkpointed")
  }
}
