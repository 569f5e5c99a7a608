// The clock, the processor time, the memory and the lines they are reported in: "name value", times
// in seconds, sizes in bytes.

import Glibc
import LarderFiles

/// Time passed and processor time used, summed over what was timed, in seconds.
struct Watch {
  private(set) var wall = 0.0
  private(set) var processor = 0.0

  /// Runs and times `body`.
  /// - Returns: what `body` returns, and how long it took.
  mutating func time<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> (Result, Double) {
    let processorBegun = Self.seconds(CLOCK_PROCESS_CPUTIME_ID)
    let begun = Self.seconds(CLOCK_MONOTONIC)
    Counting.begin()
    defer { Counting.end() }
    let result = try body()
    Counting.end()
    let passed = Self.seconds(CLOCK_MONOTONIC) - begun
    wall += passed
    processor += Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - processorBegun
    return (result, passed)
  }

  /// The time that has passed since some moment, in seconds.
  static func now() -> Double { seconds(CLOCK_MONOTONIC) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Writes what was measured to the standard output.
enum Measured {
  static func line(_ name: String, _ value: Double) {
    print("\(name) \(value)")
  }

  /// How many units of work were timed.
  static func units(_ count: Int) {
    line("units", Double(count))
  }

  static func line(_ name: String, _ watch: Watch) {
    line("\(name).wall", watch.wall)
    line("\(name).processor", watch.processor)
  }

  /// The middle, the 99th percentile and the largest.
  static func line(_ name: String, durations: [Double]) {
    guard !durations.isEmpty else { return }
    let sorted = durations.sorted()
    line("\(name).p50", sorted[sorted.count / 2])
    line("\(name).p99", sorted[sorted.count - 1 - sorted.count / 100])
    line("\(name).max", sorted[sorted.count - 1])
  }

  /// The most memory the process had.
  static func memory() throws {
    let status = String(decoding: try Files.read("/proc/self/status", upTo: 1 << 16), as: UTF8.self)
    for text in status.split(separator: "\n") where text.hasPrefix("VmHWM:") {
      let digits = text.filter(\.isNumber)
      if let kilobytes = Double(String(digits)) { line("memory", kilobytes * 1024) }
    }
  }
}
