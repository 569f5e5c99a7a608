// Makes the table and the JSON of what was measured. Ratios are of pairs, the two of a run, so that
// a machine that grows slower during the runs slows both; budgets are those of the design. Nothing
// here fails by time: only by two sides that did not write the same rows.

import FoundationEssentials
import LarderFiles

/// The report of a run.
struct Report {
  private let results: Results
  private let jsonPath: String?

  /// - Parameter arguments: the file of results, and perhaps where to write JSON.
  init(_ arguments: [String]) throws {
    guard let path = arguments.first else { throw BenchError("no results") }
    results = try Results(path)
    jsonPath = arguments.dropFirst().first
  }

  private struct Document: Encodable {
    let eventCount: Int
    let captureCount: Int
    let runCount: Int
    let cores: Int
    let load: [Double]
    let wroteTheSameRows: Bool
    let spread: Double
    let processorSpread: Double
    let lines: [ReportLine]
  }

  /// Prints the table, writes the JSON.
  func run() throws {
    let lines = self.lines.compactMap(\.self)
    let isSame = results.agree("tables", "tables") && results.agree("rebuilt", "tables")
    printHead()
    Self.printTable(lines.map(\.cells))
    printNoise()
    print(isSame ? "Both wrote the same rows." : "They did NOT write the same rows.")
    if let jsonPath {
      let document = Document(
        eventCount: setup("events"), captureCount: setup("captures"), runCount: setup("runs"),
        cores: setup("cores"), load: results.samples(.larder, "setup", "load"),
        wroteTheSameRows: isSame, spread: spread("wall"), processorSpread: spread("processor"),
        lines: lines)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try Files.write(Array(try encoder.encode(document)), to: jsonPath, mode: 0o644)
    }
    if !isSame { throw BenchError("the floor and Larder did different work") }
  }

  // MARK: The lines

  private var lines: [ReportLine?] {
    appending + capturing + rebuilding + reading + space
  }

  private var appending: [ReportLine?] {
    [
      rate("bulk append, log and rows", "append", .ratio(1.5)),
      rate("bulk append, log alone", "log", .ratio(1.5)),
      time("  its checkpoints, apart", "append", "checkpoints", .seconds, nil),
      rate("receive in blocks, checked and folded", "receive", nil),
    ]
  }

  private var capturing: [ReportLine?] {
    let middle = results.middle(.larder, "capture", "capture.p50")
    return [
      duration("one durable capture, p50", "capture", "capture.p50", .milliseconds, .ratio(1.5)),
      duration(
        "  p99, at most 3 × p50", "capture", "capture.p99", .milliseconds,
        middle.map { .most(3 * $0 * 1000) }),
      duration("  slowest", "capture", "capture.max", .milliseconds, nil),
      duration("  a checkpoint after it, p50", "capture", "checkpoint.p50", .milliseconds, nil),
    ]
  }

  private var rebuilding: [ReportLine?] {
    let whole = time("rebuild", "rebuild", "work", .seconds, .ratio(1.3))
    // The floor has its rows in memory. What Larder folds it must read first; so would a C program.
    let floor = zip(
      results.samples(.floor, "rebuild", "work.wall"),
      results.samples(.floor, "rebuild", "reading.wall")
    ).map { $0 + $1 }
    let larder = results.samples(.larder, "rebuild", "work.wall")
    let reading = whole.map {
      ReportLine(
        what: "  where C reads the log too", unit: .seconds, larder: $0.larder,
        floor: floor.middle, ratio: zip(larder, floor).map { $0 / $1 }.middle)
    }
    return [whole, reading]
  }

  private var reading: [ReportLine?] {
    let events = Double(setup("events"))
    return [
      duration("diary day, p50", "day", "day.p50", .microseconds, .most(200)),
      duration("  p99", "day", "day.p99", .microseconds, nil),
      duration("open to read", "open", "reader.p50", .milliseconds, .most(20)),
      duration("open to write", "open", "writer.p50", .milliseconds, .most(20)),
      verifiedLog(events),
      time("verify all, rows too", "verify", "work", .seconds, nil, floor: false),
    ]
  }

  /// Scanning the log and computing its hashes, which the floor does too.
  private func verifiedLog(_ events: Double) -> ReportLine? {
    guard let seconds = results.middle(.larder, "verify", "log.wall") else { return nil }
    return ReportLine(
      what: "verify, the log", unit: .seconds, larder: seconds,
      floor: results.middle(.floor, "verify", "work.wall"),
      ratio: results.ratios("verify", "log.wall", floorName: "work.wall").middle,
      budget: .most(1.5e-6 * events))
  }

  private var space: [ReportLine?] {
    let events = Double(setup("events"))
    let sizes = ["log", "logIndex", "file"].map { results.middle(.larder, "size", $0) }
    var lines: [ReportLine?] = []
    if let log = sizes[0], let index = sizes[1], let file = sizes[2], events > 0 {
      lines = [
        ReportLine(
          what: "log on disk, an event", unit: .bytes, larder: (log + index) / events,
          budget: .most(100)),
        ReportLine(what: "  of that its index", unit: .bytes, larder: index / events),
        ReportLine(what: "whole file, an event", unit: .bytes, larder: file / events),
      ]
    }
    for phase in ["idle", "append", "capture", "rebuild", "day", "verify", "receive"] {
      guard let peak = results.middle(.larder, phase, "memory") else { continue }
      lines.append(
        ReportLine(
          what: "peak memory, \(phase)", unit: .mebibytes, larder: peak / 1_048_576,
          floor: results.middle(.floor, phase, "memory").map { $0 / 1_048_576 },
          budget: .most(64)))
    }
    return lines
  }

  private func rate(_ what: String, _ phase: String, _ budget: Budget?) -> ReportLine? {
    guard let seconds = results.middle(.larder, phase, "work.wall") else { return nil }
    let events = Double(setup("events"))
    return ReportLine(
      what: what, unit: .eventsPerSecond, larder: events / seconds,
      floor: results.middle(.floor, phase, "work.wall").map { events / $0 },
      ratio: results.ratios(phase, "work.wall").middle,
      processorRatio: results.ratios(phase, "work.processor").middle, budget: budget)
  }

  private func time(
    _ what: String, _ phase: String, _ name: String, _ unit: Unit, _ budget: Budget?,
    floor hasFloor: Bool = true
  ) -> ReportLine? {
    guard let seconds = results.middle(.larder, phase, "\(name).wall") else { return nil }
    var line = ReportLine(what: what, unit: unit, larder: seconds, budget: budget)
    if hasFloor {
      line.floor = results.middle(.floor, phase, "\(name).wall")
      line.ratio = results.ratios(phase, "\(name).wall").middle
      line.processorRatio = results.ratios(phase, "\(name).processor").middle
    }
    return line
  }

  private func duration(
    _ what: String, _ phase: String, _ name: String, _ unit: Unit, _ budget: Budget?
  ) -> ReportLine? {
    let scale = unit == .microseconds ? 1e6 : 1e3
    guard let seconds = results.middle(.larder, phase, name) else { return nil }
    return ReportLine(
      what: what, unit: unit, larder: seconds * scale,
      floor: results.middle(.floor, phase, name).map { $0 * scale },
      ratio: results.ratios(phase, name).middle,
      processorRatio: name.hasSuffix(".p50") && !name.hasPrefix("checkpoint")
        ? results.ratios(phase, "processor").middle : nil, budget: budget)
  }

  // MARK: Around the table

  private func setup(_ name: String) -> Int {
    Int(results.middle(.larder, "setup", name) ?? 0)
  }

  private func printHead() {
    let least = setup("nutrients.min")
    let most = setup("nutrients.max")
    print(
      """
      \(setup("events")) events of \(setup("foods")) foods that know \(least) to \(most) \
      nutrients, half of them \(setup("nutrients.p50")) or more.
      Then \(setup("captures")) single captures. The middle of \(setup("runs")) runs, both \
      sides in turn; ratios are of pairs. CPU: of processor time.

      """)
  }

  private static func printTable(_ rows: [[String]]) {
    let table = [["what", "Larder", "floor (C)", "ratio", "CPU", "budget", "kept"]] + rows
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    for row in table {
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 || column == 6 ? cell + padding + "  " : padding + cell + "  "
      }
      while line.last == " " { line.removeLast() }
      print(line)
    }
  }

  private func spread(_ clock: String) -> Double {
    ["append", "log", "rebuild", "verify"].flatMap { phase in
      [Side.larder, .floor].map { results.samples($0, phase, "work.\(clock)").spread }
    }.max() ?? 0
  }

  private func printNoise() {
    let load = results.samples(.larder, "setup", "load").map { decimal($0, places: 1) }
    let spreads = [spread("wall"), spread("processor")].map { decimal(100 * $0, places: 0) }
    print(
      """

      Noise: between runs of one side the time differs by up to \(spreads[0]) % of its middle, \
      processor time by \(spreads[1]) %. Load before and after: \(load.joined(separator: ", ")) \
      on \(setup("cores")) cores.
      """)
  }
}
