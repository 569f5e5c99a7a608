// What the measurements said, run by run.

import LarderFiles

/// One of the two that are compared.
enum Side: String {
  case larder
  case floor
}

/// The numbers of all runs. A line of the file is "run side phase name value".
struct Results {
  private struct Key: Hashable {
    let side: String
    let phase: String
    let name: String
  }

  private var values: [Key: [Int: Double]] = [:]
  private var texts: [Key: Set<String>] = [:]

  /// Reads the file Tools/bench collected.
  init(_ path: String) throws {
    let text = String(decoding: try Files.read(path, upTo: 16 << 20), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 5, let run = Int(words[0]) else {
        throw BenchError("not a result: \(line)")
      }
      let key = Key(side: words[1], phase: words[2], name: words[3])
      if let value = Double(words[4]) { values[key, default: [:]][run] = value }
      texts[key, default: []].insert(words[4])
    }
  }

  /// The values of every run, in order.
  func samples(_ side: Side, _ phase: String, _ name: String) -> [Double] {
    let found = values[Key(side: side.rawValue, phase: phase, name: name)] ?? [:]
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The middle of the runs' values; nil if it was not measured.
  func middle(_ side: Side, _ phase: String, _ name: String) -> Double? {
    samples(side, phase, name).middle
  }

  /// Larder's value over the floor's, run by run: the two of a run were measured one after the
  /// other.
  func ratios(_ phase: String, _ name: String, floorName: String? = nil) -> [Double] {
    let larder = values[Key(side: Side.larder.rawValue, phase: phase, name: name)] ?? [:]
    let floorKey = Key(side: Side.floor.rawValue, phase: phase, name: floorName ?? name)
    let floor = values[floorKey] ?? [:]
    return larder.sorted { $0.key < $1.key }.compactMap { run, value in
      floor[run].flatMap { $0 > 0 ? value / $0 : nil }
    }
  }

  /// Whether both sides said the same, and said anything.
  func agree(_ phase: String, _ name: String) -> Bool {
    let both = [Side.larder, .floor].map {
      texts[Key(side: $0.rawValue, phase: phase, name: name)] ?? []
    }
    return both[0] == both[1] && both[0].count == 1
  }
}

extension [Double] {
  /// The middle value; nil if there is none.
  var middle: Double? {
    isEmpty ? nil : sorted()[count / 2]
  }

  /// How far apart the values are, as a part of the middle one.
  var spread: Double {
    guard let low = self.min(), let high = self.max(), let middle, middle > 0 else { return 0 }
    return (high - low) / middle
  }
}
