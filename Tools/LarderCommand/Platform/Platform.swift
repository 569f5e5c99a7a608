// The one file of the command line that talks to the C library: terminal, environment, clocks,
// streams, links. Everything above gets these as values and closures.
import Glibc
import LarderFiles
import Synchronization

extension CommandContext {
  /// The world of this process.
  static func live() -> CommandContext {
    openMissingStreams()
    let environment = Environment.live()
    return CommandContext(
      environment: environment,
      terminal: Terminal(
        isInput: isatty(STDIN_FILENO) == 1, isOutput: isatty(STDOUT_FILENO) == 1,
        isError: isatty(STDERR_FILENO) == 1, deviceWidth: deviceWidth(),
        environment: environment),
      output: OutputSink { write($0, to: STDOUT_FILENO) },
      error: OutputSink { write($0, to: STDERR_FILENO) },
      now: { milliseconds() },
      elapsedNanoseconds: { UInt64(max(0, nanoseconds(of: CLOCK_MONOTONIC))) },
      readLine: { Swift.readLine(strippingNewline: true) },
      isInterrupted: { Interrupt.isRequested },
      files: FileAccess(read: read, exists: exists, linkTarget: linkTarget))
  }

  /// Opens the standard streams that are closed such that using them fails, because a file of the
  /// store would get their numbers, and what is meant for people would be written into it.
  private static func openMissingStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all bytes, over as many calls as the system takes; false if it refuses some. A pipe
  /// whose reader has left has refused nothing: nobody wants more.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      // The pointer stays inside the array: `written` is below its count.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { return true }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// The columns of the terminal on standard output or, failing that, on standard error.
  private static func deviceWidth() -> Int? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      // The request fills exactly one `winsize`, which outlives the call.
      let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
      if result == 0, size.ws_col > 0 { return Int(size.ws_col) }
    }
    return nil
  }

  /// The time in milliseconds since 1970, for any year a clock may show.
  private static func milliseconds() -> Int64 {
    var time = timespec()
    // The call fills exactly one `timespec`, which outlives it.
    guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // The call fills exactly one `timespec`, which outlives it.
    guard unsafe clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static func read(_ path: String, byteCountMaximum: Int) -> FileAccess.Content {
    do throws(FileError) {
      return .bytes(try Files.read(path, upTo: byteCountMaximum))
    } catch {
      switch error.code {
      case .notFound: return .absent
      case .limitExceeded: return .tooLarge
      default: return .failed(error.reason)
      }
    }
  }

  private static func exists(_ path: String) -> Bool {
    do throws(FileError) {
      return try Files.identity(of: path) != nil
    } catch {
      // Something is there that may not be looked at.
      return true
    }
  }

  private static func linkTarget(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    // The count passed is the count of the array that receives the bytes.
    let count = unsafe target.withUnsafeMutableBytes { buffer in
      guard let start = unsafe buffer.assumingMemoryBound(to: CChar.self).baseAddress else {
        return -1
      }
      return unsafe readlink(path, start, buffer.count)
    }
    guard count > 0, count < target.count else { return nil }
    return String(decoding: target[..<count], as: UTF8.self)
  }
}

extension RawArguments {
  /// The arguments of this process, as the kernel has them; nil where it does not tell. The
  /// standard library's are empty where a preloaded library, such as libfaketime, runs before it.
  static func live() -> RawArguments? {
    // The kernel limits all arguments together to 6 MiB.
    guard let bytes = try? Files.read("/proc/self/cmdline", upTo: 8 << 20) else { return nil }
    return RawArguments(commandLine: bytes)
  }
}

extension Environment {
  /// The variables of this process.
  static func live() -> Environment {
    var values: [Name: String] = [:]
    var invalid: Name?
    for name in Name.allCases {
      // The text is copied at once; nothing in this process changes the environment.
      guard let value = unsafe getenv(name.rawValue) else { continue }
      values[name] = unsafe String(validatingCString: value)
      if values[name] == nil { invalid = name }
    }
    // To the C library an empty zone means UTC; elsewhere empty means absent.
    if values[.systemZone] == "" { values[.systemZone] = "UTC" }
    return Environment(values, invalid: invalid)
  }
}

extension CommandTool {
  /// Ends the process with `exit`'s status.
  static func leave(_ code: ExitCode) -> Never {
    exit(code.rawValue)
  }
}

/// Whether the person at the terminal wants the work to stop.
private enum Interrupt {
  private static let wasSent = Atomic<Bool>(false)

  /// Installed once, the flag being there before the handler.
  private static let isWatched: Bool = {
    wasSent.store(false, ordering: .relaxed)
    // A handler may only do what is safe at any point: an atomic store, and `signal` (POSIX).
    _ = signal(SIGINT) { _ in
      Interrupt.wasSent.store(true, ordering: .relaxed)
      _ = signal(SIGINT, SIG_DFL)
    }
    return true
  }()

  static var isRequested: Bool { isWatched && wasSent.load(ordering: .relaxed) }
}
