// Compares with the C library, which reads the same files: GNU `date` is asked for the offset at
// each of many instants in every zone that is installed.

import Foundation
import LarderKernel
import Testing

/// The zones installed on this machine.
enum SystemZones {
  static let folder = "/usr/share/zoneinfo"
  static let date = "/usr/bin/date"

  /// Why nothing can be compared here; nil if all is there.
  static let obstacle: String? = {
    guard FileManager.default.fileExists(atPath: folder + "/Europe/Berlin") else {
      return "no time zone files below \(folder)"
    }
    guard (try? run(["--version"], zone: "UTC"))?.contains("GNU") == true else {
      return "no GNU date at \(date)"
    }
    return nil
  }()

  /// The bytes of the zone file `name`; nil if it is none.
  static func bytes(_ name: String) -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: folder + "/" + name),
      data.starts(with: Array("TZif".utf8))
    else { return nil }
    return Array(data)
  }

  /// All names of zones below `prefix`, sorted.
  static func names(below prefix: String = "") -> [String] {
    let paths = FileManager.default.subpaths(atPath: folder + "/" + prefix) ?? []
    return paths.map { prefix + $0 }.filter { ZoneName($0) != nil && bytes($0) != nil }.sorted()
  }

  /// One name for each different content, `right/` and `posix/` left out.
  static let different: [(name: String, bytes: [UInt8])] = {
    var seen: Set<[UInt8]> = []
    return names().compactMap { name in
      guard !name.hasPrefix("right/"), !name.hasPrefix("posix/"), let bytes = bytes(name),
        seen.insert(bytes).inserted
      else { return nil }
      return (name, bytes)
    }
  }()

  /// The same zones as rules, each with its changes.
  static let rules:
    Result<[(name: String, rules: TimeZoneRules, changes: [Int64])], TimeZoneError> =
      Result { () throws(TimeZoneError) in
        var all: [(name: String, rules: TimeZoneRules, changes: [Int64])] = []
        for (name, bytes) in different {
          let rules = try TimeZoneRules(bytes.span)
          all.append((name, rules, changes(in: rules)))
        }
        return all
      }

  /// The first second of each offset that `rules` go through from 1850 to 2060, where it lasts 20
  /// days.
  static func changes(
    in rules: TimeZoneRules, from start: Int64 = -3_786_912_000
  ) -> [Int64] {
    var changes: [Int64] = []
    var begin = start
    var offset = rules.offset(atUTC: begin)
    while begin < 2_840_140_800 {
      let end = begin + 20 * 86_400
      let next = rules.offset(atUTC: end)
      if next != offset {
        var (low, high) = (begin, end)
        while high - low > 1 {
          let middle = low + (high - low) / 2
          if rules.offset(atUTC: middle) == offset { low = middle } else { high = middle }
        }
        changes.append(high)
      }
      (begin, offset) = (end, next)
    }
    return changes
  }

  /// The offset that `date` shows in `zone`, a name or a POSIX string, at each instant.
  static func offsets(in zone: String, at instants: [Int64]) throws -> [Int32] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("larder-zones-\(UUID().uuidString)")
    try Data(instants.map { "@\($0)\n" }.joined().utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = try run(["-f", file.path, "+%::z"], zone: zone).split(separator: "\n")
    return lines.map { line in
      let parts = line.dropFirst().split(separator: ":").compactMap { Int32($0) }
      let seconds = parts.reduce(0) { $0 * 60 + $1 }
      return line.hasPrefix("-") ? -seconds : seconds
    }
  }

  private static func run(_ arguments: [String], zone: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: date)
    process.arguments = arguments
    process.environment = ["TZ": zone, "LC_ALL": "C", "TZDIR": folder]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

@Suite(
  "TimeZoneRules: installed zones",
  .enabled(if: SystemZones.obstacle == nil, Comment(rawValue: SystemZones.obstacle ?? "")))
struct SystemZoneTests {
  @Test("every zone has the C library's offsets, before, at and between its changes, 1850 to 2250")
  func agreesWithDate() throws {
    var random = SplitMix64(seed: 0x1a7d_0005)
    let zones = try SystemZones.rules.get()
    #expect(zones.count > 200)
    var comparisonCount = 0
    for (name, rules, changes) in zones {
      var instants = changes.flatMap { [$0 - 1, $0] }
      for _ in 0..<300 {
        instants.append(-3_786_912_000 + Int64(random.below(12_622_780_800)))
      }
      let expected = try SystemZones.offsets(in: name, at: instants)
      let actual = instants.map { rules.offset(atUTC: $0) }
      comparisonCount += expected.count
      if let index = actual.indices.first(where: { actual[$0] != expected[$0] }) {
        Issue.record("\(name) at \(instants[index]): \(actual[index]), not \(expected[index])")
      }
    }
    #expect(comparisonCount > 100_000)
  }

  @Test("around every change a local time comes back to the instants that show it")
  func localTimes() throws {
    for (name, rules, changes) in try SystemZones.rules.get() {
      let wrong = changes.filter { change in
        let before = rules.offset(atUTC: change - 1)
        let after = rules.offset(atUTC: change)
        // The readings from the change's own to a jump away: all shown twice, or all skipped.
        let first = change + Int64(min(before, after))
        let last = change + Int64(max(before, after)) - 1
        let expected: LocalResolution =
          before > after
          ? .ambiguous(earlier: before, later: after) : .gap(before: before, after: after)
        return rules.offsets(atLocal: first) != expected
          || rules.offsets(atLocal: last) != expected
          || rules.offsets(atLocal: first - 1) != .unique(before)
          || rules.offsets(atLocal: last + 1) != .unique(after)
      }
      #expect(wrong.isEmpty, "\(name)")
    }
  }

  @Test("a file without its first block, as slim files are, means the same")
  func slimFiles() throws {
    for (name, bytes) in SystemZones.different {
      func count(_ index: Int) -> Int {
        bytes[(20 + 4 * index)..<(24 + 4 * index)].reduce(0) { $0 << 8 | Int($1) }
      }
      let blockByteCount =
        count(0) + count(1) + 8 * count(2) + 5 * count(3) + 6 * count(4) + count(5)
      let slim =
        Array(bytes[..<20]) + [UInt8](repeating: 0, count: 24) + bytes[(44 + blockByteCount)...]
      #expect(try TimeZoneRules(slim.span) == TimeZoneRules(bytes.span), "\(name)")
    }
  }

  @Test("files that count leap seconds are refused")
  func leapSeconds() throws {
    for name in SystemZones.names(below: "right/") {
      guard let bytes = SystemZones.bytes(name) else { continue }
      do throws(TimeZoneError) {
        _ = try TimeZoneRules(bytes.span)
        Issue.record("accepted \(name)")
      } catch {
        #expect(error.code == .leapSeconds)
      }
    }
  }

  @Test(
    "a yearly rule means what the C library takes it for",
    arguments: [
      "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "AEST-10AEDT,M10.1.0,M4.1.0/3",
      "IST-1GMT0,M10.5.0,M3.5.0/1", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
      "<+0330>-3:30<+0430>,J80/0,J264/0",
      "AAA0BBB,59/0,300/0", "AAA0BBB,J60/0,J300/0", "EET-2EEST,M3.4.4/50,M10.4.4/50",
      "<-04>4<-03>,M9.1.6/24,M4.1.6/24", "AAA-5:30BBB-7:15:10,M2.1.3/1:02:03,M8.4.6/22:59:59",
      "AAA12BBB9,M1.3.2,M12.1.1",
    ])
  func yearlyRules(footer: String) throws {
    var file = TimeZoneFile()
    file.footer = "\n" + footer + "\n"
    let rules = try TimeZoneRules(file.bytes.span)
    var random = SplitMix64(seed: 0x1a7d_0006)
    // From 1971 on: of the years before, the C library makes one, 1970.
    let start: Int64 = 31_536_000
    var instants = SystemZones.changes(in: rules, from: start).flatMap { [$0 - 1, $0] }
    #expect(instants.count > 300)
    for _ in 0..<1_000 {
      instants.append(start + Int64(random.below(8_804_332_800)))
    }
    let expected = try SystemZones.offsets(in: footer, at: instants)
    let actual = instants.map { rules.offset(atUTC: $0) }
    let wrong = actual.indices.filter { actual[$0] != expected[$0] }
    let first = wrong.first.map { "\(instants[$0]): \(actual[$0]), not \(expected[$0])" }
    #expect(wrong.isEmpty, "first at \(first ?? "")")
  }
}
