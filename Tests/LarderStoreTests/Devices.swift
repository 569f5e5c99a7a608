import LarderCrypto
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

/// Devices of one person, each with a store and a clock of its own. Nothing passes between them but
/// by `give` and `exchange`.
final class Devices {
  let samples: [SampleStore]
  private(set) var stores: [Store]
  /// The meal all of them have from the beginning: the items 1, 2 and 3, 30 g each.
  let meal: StreamID

  init(_ count: Int) throws {
    let samples = (0..<count).map { _ in SampleStore() }
    self.samples = samples
    stores = try samples.indices.map { try samples[$0].create(seedText: "device \($0)") }
    meal = samples[0].stream(1)
    _ = try samples[0].append(try samples[0].meal(meal), to: stores[0])
    try exchange()
  }

  /// Appends an event of the meal on a device whose clock goes on by a second.
  @discardableResult
  func write(_ payload: some EventPayload, on device: Int) throws -> Event {
    let new = try NewEvent(payload, in: meal)
    return try #require(try samples[device].append([new], to: stores[device]).first)
  }

  /// The target receives everything the source wrote.
  /// - Returns: how many events were new.
  @discardableResult
  func give(from source: Int, to target: Int) throws -> Int {
    let results = try stores[target].receive(try stores[source].ownBatches(from: 0))
    return results.reduce(0) { $0 + $1.addedCount }
  }

  /// Each receives what each other one wrote.
  /// - Returns: how many events were new to somebody.
  @discardableResult
  func exchange() throws -> Int {
    var count = 0
    for source in stores.indices {
      for target in stores.indices where target != source {
        count += try give(from: source, to: target)
      }
    }
    return count
  }

  /// Closes a device's store and opens it again.
  func reopen(_ device: Int) throws {
    stores[device] = try samples[device].open()
  }

  /// What a device shows of the meal.
  func shown(on device: Int) throws -> DiaryMeal? {
    try samples[device].reader().meal(meal)
  }

  /// Expects every device to have the same rows as every other, and as a rebuild of its own.
  func expectAgreement(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var digests: Set<Bytes16> = []
    for (sample, store) in zip(samples, stores) {
      let rebuilt = try store.rebuild { _ in true }
      #expect(rebuilt.changedStreamCount == 0, sourceLocation: sourceLocation)
      for projection in rebuilt.projections {
        #expect(
          projection.digestBefore == projection.digestAfter, sourceLocation: sourceLocation)
      }
      let report = try sample.reader().verify { _ in true }
      #expect(report.problems == [], sourceLocation: sourceLocation)
      #expect(report.digest == rebuilt["meals"].digestAfter, sourceLocation: sourceLocation)
      digests.insert(report.digest)
    }
    #expect(digests.count == 1, "devices differ", sourceLocation: sourceLocation)
  }
}

extension SampleStore {
  /// A new store that has received `batches`, one after the other.
  static func receiving(_ batches: [Batch]) throws -> (SampleStore, Store) {
    let sample = SampleStore()
    let store = try sample.create()
    for batch in batches { _ = try store.receive([batch]) }
    return (sample, store)
  }

  /// What may not change where nothing is written: rows of every table, the clock, the digest and
  /// the sizes of chains.
  func contents() throws -> [String] {
    let reader = try reader()
    let names = try reader.connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    ).map { $0.text(0) }
    var contents: [String] = []
    for name in names {
      let table = try #require(SQL.Identifier(name))
      let count = try reader.connection.prepare("SELECT count(*) FROM \(table)").first { $0.int(0) }
      contents.append("\(name): \(count ?? 0)")
    }
    let rest: [SQL] = [
      "SELECT hlc || ' ' || ifnull(renewal, '') FROM _device",
      "SELECT hex(digest) FROM _projections",
      "SELECT sum(size) || ' ' || sum(isWitnessed) FROM _chains",
      "SELECT group_concat(hex(digest)) FROM _folded_meals",
    ]
    for query in rest {
      contents += try reader.connection.prepare(query).map { $0.optionalText(0) ?? "" }
    }
    return contents
  }
}

/// All orders of some elements.
func orders<Element>(of elements: [Element]) -> [[Element]] {
  guard let first = elements.first else { return [[]] }
  return orders(of: Array(elements.dropFirst())).flatMap { rest in
    (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
  }
}
