// Where bytes of the answer go. Collects them, so that an answer is few writes, and remembers a
// failed write, so that a full disk is not taken for success.
import Synchronization

/// A buffered stream of text.
final class OutputSink: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var hasFailed = false
  }

  /// Bytes are passed on when this many have gathered, and at `flush`.
  static let pendingByteCountMaximum = 64 * 1024

  private let state = Mutex(State())
  private let write: @Sendable ([UInt8]) -> Bool

  /// A sink that hands its bytes to `write`, which answers whether all of them were taken.
  init(write: @escaping @Sendable ([UInt8]) -> Bool) {
    self.write = write
  }

  /// Whether some bytes could not be written.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Adds text.
  func append(_ text: String) {
    state.withLock { state in
      state.pending.append(contentsOf: text.utf8)
      if state.pending.count >= Self.pendingByteCountMaximum { pass(on: &state) }
    }
  }

  /// Passes on everything added so far.
  func flush() {
    state.withLock { state in pass(on: &state) }
  }

  private func pass(on state: inout State) {
    guard !state.pending.isEmpty else { return }
    if !state.hasFailed, !write(state.pending) { state.hasFailed = true }
    state.pending.removeAll(keepingCapacity: true)
  }
}
