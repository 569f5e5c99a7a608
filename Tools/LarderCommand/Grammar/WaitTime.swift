// How long to wait for the write lock, as people and configuration files write it.

/// A time to wait in whole seconds, at most a day.
struct WaitTime: Hashable, Sendable {
  /// What text must look like, for errors.
  static let expectation = "seconds or minutes, such as 30, 30s or 2min, up to a day"
  static let secondsMaximum = 86_400

  /// The seconds, 0…86,400.
  let seconds: Int

  /// Reads `30`, `30s` or `2min`; nil for anything else.
  init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits) else { return nil }
    let factor: Int
    switch text.dropFirst(digits.count) {
    case "", "s": factor = 1
    case "min": factor = 60
    default: return nil
    }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow, seconds <= Self.secondsMaximum else { return nil }
    self.seconds = seconds
  }
}
