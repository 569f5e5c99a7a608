// Says what a store holds of a scenario: of each step whether its events are there, whole or not at
// all; whether anything is there twice or from nowhere; whether log and rows are what they should
// be; and whether the store goes on: a further append, and a rebuild that changes nothing.

import LarderHash
import LarderKernel
import LarderStore

/// Checks a store against a plan.
final class Checking {
  private let place: Place
  private let plan: Plan
  private var isGood = true
  private var isAbsent = false

  init(_ place: Place, _ plan: Plan) {
    self.place = place
    self.plan = plan
  }

  /// Reads everything, and writes nothing.
  /// - Returns: whether nothing is wrong with what is there.
  func look() throws -> Bool {
    let reader: StoreReader
    do {
      reader = try place.reader()
    } catch let error as StoreError where error.code == .notFound && plan.start.isEmpty {
      print("absent")
      isAbsent = true
      return true
    }
    let found = try events(reader)
    let byStream = Dictionary(grouping: found, by: \.header.stream)
    for step in plan.steps { report(step, byStream) }
    try count(found, reader)
    try verify(reader)
    return isGood
  }

  /// As ``look()``; then makes the store if the scenario was to make one and did not, appends to
  /// it, rebuilds it, and looks at it once more.
  func check() throws -> Bool {
    guard try look() else { return false }
    let performing = Performing(place, isPaced: false)
    if isAbsent { _ = try performing.perform(step("create", .create)) }
    let stream = StreamID(milliseconds: plan.end, random: .zero)
    let meal = try Draft.meal(in: stream, name: "further meal")
    let last = try performing.perform(step("further", .append([meal])))
    let rebuilt = try performing.perform(step("rebuild", .rebuild))
    try verify(try place.reader())
    print("further \(last) \(rebuilt)")
    return isGood
  }

  private func step(_ name: String, _ work: Step.Work) -> Step {
    Step(name: name, hand: 0, now: plan.end, work: work)
  }

  // MARK: Events

  /// The events of every stream a step writes to.
  private func events(_ reader: StoreReader) throws -> [Event] {
    var streams: Set<StreamID> = []
    for step in plan.steps {
      for event in step.work.operations.joined() { streams.insert(event.stream) }
    }
    return try streams.sorted().flatMap { try reader.events(of: $0) }
  }

  /// Says of a step whether its events are there.
  private func report(_ step: Step, _ found: [StreamID: [Event]]) {
    let operations = step.work.operations
    if operations.isEmpty { return }
    let wanted = operations.joined()
    var places: [EventID] = []
    var isWhole = true
    for operation in operations {
      for (place, new) in operation.enumerated() {
        let same = (found[new.stream] ?? []).filter { Self.isSame($0, new) }
        if same.count > 1 { problem("\(step.name) is there \(same.count) times") }
        guard let event = same.first else { continue }
        if event.header.flags.contains(.continued) != (place > 0) { isWhole = false }
        places.append(event.id)
      }
    }
    guard let first = places.first, let last = places.last else {
      print("missing \(step.name)")
      return
    }
    let isDense = zip(places, first.seq...).allSatisfy { $0.seq == $1 }
    guard places.count == wanted.count, isWhole, isDense else {
      problem("half of \(step.name) is there, \(places.count) of \(wanted.count) events")
      return
    }
    print("found \(step.name) \(last.author.hex):\(last.seq)")
  }

  private static func isSame(_ event: Event, _ new: NewEvent) -> Bool {
    event.header.kind == new.kind && event.payload == new.payload
  }

  /// The chains hold the events that were found, and no others.
  private func count(_ found: [Event], _ reader: StoreReader) throws {
    // What authors say of themselves and of others is none of our steps.
    var total = -(try reader.events(of: .control).count)
    for head in try reader.heads() {
      print("last \(head.author.hex) \(head.size)")
      total += Int(head.size - head.start)
    }
    if total != found.count { problem("\(total) events, of which \(found.count) are ours") }
  }

  // MARK: Rows

  private func verify(_ reader: StoreReader) throws {
    let report = try reader.verify { _ in true }
    for problem in report.problems { self.problem("\(problem.code): \(problem.subject)") }
    if report.unfoldedCount > 0 { problem("\(report.unfoldedCount) events cannot be folded") }
  }

  private func problem(_ text: String) {
    isGood = false
    print("problem \(text)")
  }
}
