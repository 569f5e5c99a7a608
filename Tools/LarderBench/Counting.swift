// The counters of Tools/Counters, which are in the process when Tools/bench counts has put them
// there. Otherwise nothing here does anything.

import Glibc

/// Turns the counters on and off.
enum Counting {
  private typealias Switch = @convention(c) (CInt) -> Void

  private static let isCounting: Switch? = {
    // Without a handle all that is loaded is looked through.
    guard let found = unsafe dlsym(nil, "larder_counting") else { return nil }
    // It is the function in Tools/Counters/counters.c, which takes an int and returns nothing.
    return unsafe unsafeBitCast(found, to: Switch.self)
  }()

  /// Counts from here on.
  static func begin() { isCounting?(1) }
  /// Counts no more.
  static func end() { isCounting?(0) }
}
