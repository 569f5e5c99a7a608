// An advisory lock on a file (flock), for one writer at a time among processes and threads. Waiting
// blocks in flock on a thread of its own: polling starves against a busy writer.

internal import Dispatch
internal import Glibc
internal import Synchronization

/// A lock that at most one holder has, in this process or another.
///
/// A file that is there for the lock alone holds the name of the last holder, for people; a lock on
/// a file with a content of its own leaves that alone.
package final class FileLock: Sendable {
  private let path: String
  private let state: Mutex<State>

  private struct State {
    /// Takes the lock when it is free; nil where it had to be closed to let the lock go.
    var descriptor: Int32?
    /// The open file that has the lock now; nil while it is not held here.
    var held: Int32?
  }

  /// Opens the lock's file, making it if need be.
  package init(path: String) throws(FileError) {
    self.path = path
    state = Mutex(State(descriptor: try Self.open(path), held: nil))
  }

  deinit {
    release()
    if let descriptor = state.withLock({ $0.descriptor }) { close(descriptor) }
  }

  /// Takes the lock, waiting at most `milliseconds`, and leaves `holder` in the file.
  /// - Throws: `busy` when the deadline has passed.
  package func acquire(waitingAtMost milliseconds: Int, holder: String) throws(FileError) {
    let taken = try take(waitingAtMost: milliseconds)
    let bytes = Array((holder + "\n").utf8)
    // Only for people: that it could not be written is no reason not to go on.
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(taken, $0.baseAddress, $0.count, 0) }
    _ = ftruncate(taken, off_t(bytes.count))
  }

  /// Takes the lock of a file that has a content of its own, waiting at most `milliseconds`; the
  /// content stays.
  /// - Throws: `busy` when the deadline has passed.
  package func acquire(waitingAtMost milliseconds: Int) throws(FileError) {
    _ = try take(waitingAtMost: milliseconds)
  }

  /// Takes the lock.
  /// - Returns: the open file that has it now.
  private func take(waitingAtMost milliseconds: Int) throws(FileError) -> Int32 {
    let known = state.withLock { state in
      precondition(state.held == nil, "the lock is held already")
      return state.descriptor
    }
    var taken: Int32
    if let known { taken = known } else { taken = try Self.open(path) }
    state.withLock { [taken] in $0.descriptor = taken }
    if flock(taken, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError.last("flock", path) }
      taken = try wait(milliseconds)
    }
    state.withLock { [taken] in $0.held = taken }
    return taken
  }

  /// Lets the lock go; without effect while it is not held.
  package func release() {
    state.withLock { state in
      guard let taken = state.held else { return }
      state.held = nil
      if taken == state.descriptor {
        if flock(taken, LOCK_UN) == 0 { return }
        // What cannot be unlocked is let go with the open file the lock belongs to.
        state.descriptor = nil
      }
      close(taken)
    }
  }

  /// Who last took the lock, as they called themselves; nil if nobody has.
  package func lastHolder() -> String? {
    var bytes = [UInt8](repeating: 0, count: 256)
    guard let descriptor = state.withLock({ $0.descriptor }) else { return nil }
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  private static func open(_ path: String) throws(FileError) -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError.last("open", path) }
    return descriptor
  }

  /// What became of a wait; the thread and the waiter settle it once.
  private final class Wait: Sendable {
    enum Outcome: Sendable {
      case waiting
      case abandoned
      case taken
      case failed(Int32)
    }
    let outcome = Mutex(Outcome.waiting)
    let isSettled = DispatchSemaphore(value: 0)
  }

  /// Blocks in flock on another thread until it has the lock or the deadline has passed.
  ///
  /// The thread waits on an open file of its own, because that is what a lock belongs to: left
  /// behind after the deadline it gets the lock some day, closes the file, and so lets it go.
  /// - Returns: the open file that has the lock.
  private func wait(_ milliseconds: Int) throws(FileError) -> Int32 {
    guard milliseconds > 0 else { throw FileError(.busy, operation: "flock", path: path) }
    let waiting = try Self.open(path)
    let wait = Wait()
    DispatchQueue(label: "larder.lock").async {
      var code: Int32 = 0
      repeat { code = flock(waiting, LOCK_EX) == 0 ? 0 : errno } while code == EINTR
      let isWanted = wait.outcome.withLock { outcome in
        if case .abandoned = outcome { return false }
        outcome = code == 0 ? .taken : .failed(code)
        return true
      }
      if !isWanted { close(waiting) }
      wait.isSettled.signal()
    }
    _ = wait.isSettled.wait(timeout: .now() + .milliseconds(milliseconds))
    let outcome = wait.outcome.withLock { outcome in
      defer { if case .waiting = outcome { outcome = .abandoned } }
      return outcome
    }
    switch outcome {
    case .taken: return waiting
    case .waiting, .abandoned: throw FileError(.busy, operation: "flock", path: path)
    case .failed(let number):
      close(waiting)
      throw FileError(.ioFailure, operation: "flock", path: path, number: number)
    }
  }
}
