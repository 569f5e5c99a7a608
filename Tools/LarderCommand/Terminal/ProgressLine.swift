// One line on standard error that tells how far long work has come. It appears on a terminal, after
// a second, and leaves nothing behind.
import Synchronization

/// The progress of one piece of work. Safe to update from any thread.
final class ProgressLine: Sendable {
  /// What is counted.
  enum Unit: Sendable {
    /// Things of that name, in the plural.
    case things(String)
    /// Bytes.
    case bytes
  }

  /// Nothing is shown before this many nanoseconds.
  static let delayNanoseconds: UInt64 = 1_000_000_000
  /// The line changes at most once in this many nanoseconds.
  static let intervalNanoseconds: UInt64 = 100_000_000

  private struct State {
    var shownAt: UInt64?
    var isShown = false
  }

  private let label: String
  private let unit: Unit
  private let startedAt: UInt64
  private let context: CommandContext
  private let isWanted: Bool
  private let state = Mutex(State())

  /// The progress of work that starts now, shown as `label`. With `isQuiet` nothing is shown.
  init(_ label: String, unit: Unit, context: CommandContext, isQuiet: Bool) {
    self.label = label
    self.unit = unit
    self.context = context
    startedAt = context.elapsedNanoseconds()
    isWanted = context.terminal.isError && !isQuiet
  }

  /// Tells that `done` is finished, of `total` if that is known.
  func update(done: Int64, total: Int64?) {
    guard isWanted else { return }
    let time = context.elapsedNanoseconds()
    let elapsed = time - min(startedAt, time)
    guard elapsed >= Self.delayNanoseconds else { return }
    state.withLock { state in
      let isDue = state.shownAt.map { time - min($0, time) >= Self.intervalNanoseconds } ?? true
      guard isDue else { return }
      state.shownAt = time
      state.isShown = true
      let text = line(done: done, total: total, elapsedNanoseconds: elapsed)
      let fitting = DisplayWidth.truncated(InertText.line(text), to: context.terminal.width - 1)
      context.error.append("\r\(fitting)\u{1B}[K")
      context.error.flush()
    }
  }

  /// Takes the line away. Call it before anything else is written.
  func finish() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      context.error.append("\r\u{1B}[K")
      context.error.flush()
    }
  }

  /// `catalog: 120,000 of 480,000 records, 25 %, 60,000/s, 6 s left`.
  func line(done: Int64, total: Int64?, elapsedNanoseconds: UInt64) -> String {
    let milliseconds = Int128(elapsedNanoseconds / 1_000_000)
    let perSecond = Int64(clamping: Int128(done) * 1000 / max(1, milliseconds))
    var parts: [String] = []
    if let total, total > 0 {
      parts.append("\(amount(done)) of \(amount(total))\(name)")
      parts.append("\(min(100, Int128(done) * 100 / Int128(total))) %")
    } else {
      parts.append("\(amount(done))\(name)")
    }
    if perSecond > 0 { parts.append("\(amount(perSecond))/s") }
    if let total, perSecond > 0, total > done {
      parts.append(
        "\(Self.duration(seconds: (Int128(total) - Int128(done)) / Int128(perSecond) + 1)) left")
    }
    return "\(label): " + parts.joined(separator: ", ")
  }

  private var name: String {
    switch unit {
    case .things(let name): " \(name)"
    case .bytes: ""
    }
  }

  private func amount(_ number: Int64) -> String {
    switch unit {
    case .things: Self.grouped(number)
    case .bytes: Self.bytes(number)
    }
  }

  /// `1,234,567`.
  static func grouped(_ number: Int64) -> String {
    var groups: [Substring] = []
    var digits = String(number.magnitude)[...]
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    groups.insert(digits, at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  /// `512 B`, `1.5 KiB`, `20.0 MiB`.
  static func bytes(_ count: Int64) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var unit = 0
    var tenths = Int128(count) * 10
    while tenths >= 10_240, unit < 4 {
      tenths = (tenths + 512) / 1024
      unit += 1
    }
    let names = ["B", "KiB", "MiB", "GiB", "TiB"]
    return "\(tenths / 10).\(tenths % 10) \(names[unit])"
  }

  /// `5 s`, `2 min 5 s`, `1 h 2 min`.
  static func duration(seconds: Int128) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
  }
}
