// What is measured of Larder, each in a process of its own so that peaks of memory do not mix. Only
// what an app would wait for is timed; drawing the diary is not.

import LarderFiles
import LarderHash
import LarderKernel
import LarderStore

/// The measurements.
struct Measurements {
  let workplace: Workplace
  /// Batches that are received together.
  private static let batchCount = 8

  /// Nothing at all: what a process of this program needs before it opens a store.
  func idle() throws {
    _ = try Foods.reading(workplace.foods)
  }

  /// Encodes and appends the history in bulk.
  func append(eventCount: Int, logOnly: Bool) throws {
    let store = try workplace.create(logOnly ? workplace.logOnly : workplace.measured)
    var script = try workplace.history()
    var seeds = BlockSeeds()
    var (work, checkpoints) = (Watch(), Watch())
    var done = 0
    while done < eventCount {
      let count = min(DiaryScript.chunkEventCount, eventCount - done)
      let chunk = try script.chunk(eventCount: count)
      _ = try work.time {
        _ = try store.append(
          operations: try Self.events(of: chunk, logOnly: logOnly), now: chunk.now
        ) { seeds.next() }
      }
      if store.walByteCount > Workplace.walByteCountMax {
        _ = try checkpoints.time { try store.checkpoint() }
      }
      done += chunk.eventCount
    }
    _ = try checkpoints.time { try store.checkpoint() }
    Measured.units(done)
    Measured.line("work", work)
    Measured.line("checkpoints", checkpoints)
  }

  private static func events(of chunk: Chunk, logOnly: Bool) throws -> [[NewEvent]] {
    var result: [[NewEvent]] = []
    result.reserveCapacity(chunk.operations.count)
    for operation in chunk.operations {
      var events: [NewEvent] = []
      events.reserveCapacity(operation.facts.count)
      for fact in operation.facts {
        events.append(
          try logOnly ? fact.unfoldedEvent(operation.stream) : fact.event(operation.stream))
      }
      result.append(events)
    }
    return result
  }

  /// Appends meals one by one, each durable before the next.
  func capture(after eventCount: Int, count: Int) throws {
    let chainSize = try StoreTap(workplace.measured).eventCount()
    let store = try Store(at: workplace.measured, settings: workplace.settings)
    var script = try workplace.captures(after: eventCount)
    var seeds = BlockSeeds(after: chainSize)
    var all = Watch()
    var durations: [Double] = []
    var checkpoints: [Double] = []
    for index in -Workplace.warmingCaptureCount..<count {
      let chunk = try script.capture(itemCount: 3)
      if index == 0 { all = Watch() }
      let (_, passed) = try all.time {
        _ = try store.append(
          operations: try Self.events(of: chunk, logOnly: false), now: chunk.now
        ) { seeds.next() }
      }
      if index >= 0 { durations.append(passed) }
      if store.walByteCount > Workplace.captureWALByteCountMax {
        var checkpoint = Watch()
        checkpoints.append(try checkpoint.time { try store.checkpoint() }.1)
      }
    }
    Measured.units(count + Workplace.warmingCaptureCount)
    Measured.line("processor", all.processor / Double(max(1, count)))
    Measured.line("capture", durations: durations)
    Measured.line("checkpoint", durations: checkpoints)
  }

  /// Takes the history in from the store of another device, as batches of a block each.
  func receive() throws {
    let sender = try Store(at: workplace.measured, settings: workplace.settings)
    let receiver = try workplace.create(workplace.receiver, named: "other device")
    var (work, checkpoints) = (Watch(), Watch())
    let size = UInt64(try StoreTap(workplace.measured).eventCount())
    var added = 0
    var batches: [Batch] = []
    for first in stride(from: 0, to: size, by: Int(Limits.blockEventCount)) {
      batches.append(try sender.ownBatch(first..<min(size, first + Limits.blockEventCount)))
      guard batches.count == Self.batchCount || first + Limits.blockEventCount >= size else {
        continue
      }
      let (results, _) = try work.time { try receiver.receive(batches) }
      added += results.reduce(0) { $0 + $1.addedCount }
      batches.removeAll()
      if receiver.walByteCount > Workplace.walByteCountMax {
        _ = try checkpoints.time { try receiver.checkpoint() }
      }
    }
    let digests = try [workplace.measured, workplace.receiver].map { try StoreTap($0).digest() }
    guard UInt64(added) == size, digests[0] == digests[1] else {
      throw BenchError("the two devices have not the same history")
    }
    Measured.units(added)
    Measured.line("work", work)
  }

  /// Derives the tables anew.
  func rebuild() throws {
    let store = try Store(at: workplace.measured, settings: workplace.settings)
    var work = Watch()
    let (report, _) = try work.time { try store.rebuild { _ in true } }
    guard report.changedStreamCount == 0 else {
      throw BenchError("a rebuild changed \(report.changedStreamCount) streams")
    }
    Measured.units(report.streamCount)
    Measured.line("work", work)
    Measured.line(
      "rows", Double(report.projections.flatMap(\.rowCounts).reduce(0) { $0 + $1.rowCount }))
  }

  /// Reads days of the diary, all of them once before they are timed.
  func day(passCount: Int) throws {
    let text = String(decoding: try Files.read(workplace.days, upTo: 1 << 20), as: UTF8.self)
    let days = text.split(separator: "\n").compactMap { CivilDay($0) }
    let reader = try Workplace.reader(workplace.measured)
    var all = Watch()
    var durations: [Double] = []
    var rowCount = 0
    for pass in 0...passCount {
      if pass == 1 { all = Watch() }
      for day in days {
        let (found, passed) = try all.time { try reader.day(day) }
        if pass > 0 { durations.append(passed) }
        rowCount += found.logs.count + found.meals.count { $0.entry != nil }
      }
    }
    Measured.units(days.count * (passCount + 1))
    Measured.line("processor", all.processor / Double(max(1, durations.count)))
    Measured.line("day", durations: durations)
    Measured.line("rows", Double(rowCount))
  }

  /// Opens the store for reading, and for writing.
  func open(count: Int) throws {
    var reading: [Double] = []
    var writing: [Double] = []
    for _ in 0..<count {
      var watch = Watch()
      reading.append(
        try watch.time {
          _ = try Workplace.reader(workplace.measured)
            .device()
        }.1)
      writing.append(
        try watch.time { _ = try Store(at: workplace.measured, settings: workplace.settings) }.1)
    }
    Measured.units(count)
    Measured.line("reader", durations: reading)
    Measured.line("writer", durations: writing)
  }

  /// Computes every leaf, root and row anew. How long the log alone takes is taken from how its
  /// progress comes in.
  func verify() throws {
    let reader = try Workplace.reader(workplace.measured)
    var work = Watch()
    var first: (done: Int, seconds: Double)?
    var last: (done: Int, seconds: Double)?
    let (report, _) = try work.time {
      try reader.verify { progress in
        if progress.done <= progress.total / 2 {
          last = (progress.done, Watch.now())
          first = first ?? last
        }
        return true
      }
    }
    guard report.problems.isEmpty else {
      throw BenchError("verify found \(report.problems.count) problems")
    }
    Measured.units(report.eventCount)
    Measured.line("work", work)
    if let first, let last, last.done > first.done {
      let rate = (last.seconds - first.seconds) / Double(last.done - first.done)
      Measured.line("log.wall", rate * Double(report.eventCount))
    }
  }
}
