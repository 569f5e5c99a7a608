// Works the whole run out before anything is measured: draws the diary, appends it to a store of
// its own, and writes down what the floor needs to do the same.

import LarderFiles
import LarderHash
import LarderKernel
import LarderSQL
import LarderStore

/// Draws a run.
struct Drawing {
  let workplace: Workplace
  let eventCount: Int
  let captureCount: Int

  /// Streams of a transaction of a rebuild.
  private static let rebuiltStreamCount = 256
  /// Days that are read.
  private static let dayCount = 200

  /// Writes every file of the run.
  /// - Parameter foods: a dump of products, JSONL.
  func run(foods path: String) throws {
    try drawFoods(path)
    try writeScripts()
    let store = try workplace.create(workplace.reference)
    let tap = try StoreTap(workplace.reference)
    var seeds = BlockSeeds()
    try drawHistory(store, tap, &seeds)
    try drawCaptures(store, tap, &seeds)
    try store.checkpoint()
    let days = try tap.days(Self.dayCount)
    try write(days.joined(separator: "\n") + "\n", to: workplace.days)
    try drawRebuilt(tap)
  }

  private func drawFoods(_ path: String) throws {
    let foods = try Foods.reading(dump: path)
    guard let zone = ZoneName("UTC"), let instant = Instant(milliseconds: 0),
      let day = CivilDay(daysSince1970: 0)
    else { throw BenchError("no occasion") }
    let moment = Moment(consumedAt: instant, zone: zone, utcOffset: .zero, day: day)
    try foods.write(to: workplace.foods, occasion: moment.occasion(as: .lunch))
    let counts = foods.lines.map(\.snapshot.nutrients.elements.count).sorted()
    Measured.line("foods", Double(counts.count))
    Measured.line("nutrients.min", Double(counts[0]))
    Measured.line("nutrients.p50", Double(counts[counts.count / 2]))
    Measured.line("nutrients.max", Double(counts[counts.count - 1]))
  }

  // MARK: The tables

  private func writeScripts() throws {
    let firstRows = """
      INSERT INTO _chains(author, start, startRoot, size, root, frontier, isAttached, isWitnessed)
        VALUES (zeroblob(16), 0, zeroblob(32), 0, zeroblob(32), zeroblob(0), 1, 1);
      INSERT INTO _device(id, device, author, name, hlc)
        VALUES (1, zeroblob(16), zeroblob(16), 'bench', 0);

      """
    let meals = StoreTables.Scripts(MealProjection.self)
    try write(
      [
        StoreTables.log.text, StoreTables.logIndexes.text, StoreTables.bookkeeping.text,
        meals.create.text, firstRows,
      ].joined(separator: "\n"), to: workplace.script("schema"))
    try write(meals.createNext.text, to: workplace.script("shadow"))
    try write(meals.indexNext.text, to: workplace.script("shadow-index"))
    try write(meals.swap.text, to: workplace.script("swap"))
  }

  private func write(_ text: String, to path: String) throws {
    try Files.write(Array(text.utf8), to: path, mode: 0o644)
  }

  // MARK: Events and rows

  private func drawHistory(
    _ store: Store, _ tap: borrowing StoreTap, _ seeds: inout BlockSeeds
  ) throws {
    let file = try DumpFile(workplace.chunks)
    var script = try workplace.history()
    var done = 0
    while done < eventCount {
      let count = min(DiaryScript.chunkEventCount, eventCount - done)
      let chunk = try script.chunk(eventCount: count)
      try file.write(try append(chunk, to: store, tap, &seeds))
      if store.walByteCount > Workplace.walByteCountMax { try store.checkpoint() }
      done += chunk.eventCount
    }
    Measured.line("events", Double(done))
  }

  private func drawCaptures(
    _ store: Store, _ tap: borrowing StoreTap, _ seeds: inout BlockSeeds
  ) throws {
    let file = try DumpFile(workplace.captures)
    var script = try workplace.captures(after: eventCount)
    for _ in 0..<(captureCount + Workplace.warmingCaptureCount) {
      try file.write(try append(try script.capture(itemCount: 3), to: store, tap, &seeds))
    }
  }

  private func append(
    _ chunk: Chunk, to store: Store, _ tap: borrowing StoreTap, _ seeds: inout BlockSeeds
  ) throws -> DumpChunk {
    var streams: [StreamID] = []
    var seen: Set<StreamID> = []
    for operation in chunk.operations where seen.insert(operation.stream).inserted {
      streams.append(operation.stream)
    }
    var before: [StoreTap.Rows] = []
    for stream in streams { before.append(try tap.rows(of: stream)) }
    let operations = try chunk.operations.map { operation in
      try operation.facts.map { try $0.event(operation.stream) }
    }
    let events = try store.append(operations: operations, now: chunk.now) { seeds.next() }
    guard let last = events.last else { throw BenchError("a transaction of nothing") }
    var dump = DumpChunk(hlc: last.header.hlc.rawValue, digest: try tap.digest())
    for event in events { dump.append(event) }
    for (stream, old) in zip(streams, before) {
      try tap.dump(stream, from: old, into: &dump)
    }
    return dump
  }

  private func drawRebuilt(_ tap: borrowing StoreTap) throws {
    let file = try DumpFile(workplace.rebuilt)
    let streams = try tap.streamsInOrder()
    for start in stride(from: 0, to: streams.count, by: Self.rebuiltStreamCount) {
      var dump = DumpChunk(hlc: 0, digest: .zero)
      for stream in streams[start..<min(start + Self.rebuiltStreamCount, streams.count)] {
        try tap.dump(stream, from: StoreTap.Rows(), into: &dump)
      }
      try file.write(dump)
    }
  }
}
