// A world for commands to run in without leaving the process: memory for streams, a fixed clock, a
// few files.
import LarderKernel
import Synchronization

@testable import LarderCommand

/// A world and what was written in it.
final class TestWorld: Sendable {
  private let written = Mutex<(output: [UInt8], error: [UInt8])>(([], []))
  private let typed: Mutex<[String]>
  private let elapsed = Mutex<UInt64>(0)
  private let environment: Environment
  private let terminal: Terminal
  private let files: [String: String]
  private let isOutputFull: Bool

  convenience init(
    environment: [Environment.Name: String] = [.home: "/home/ada"], terminal: Terminal = .none,
    typed: [String] = [], files: [String: String] = [:], isOutputFull: Bool = false
  ) {
    self.init(
      Environment(environment), terminal: terminal, typed: typed, files: files,
      isOutputFull: isOutputFull)
  }

  init(
    _ environment: Environment, terminal: Terminal = .none, typed: [String] = [],
    files: [String: String] = [:], isOutputFull: Bool = false
  ) {
    self.environment = environment
    self.terminal = terminal
    self.typed = Mutex(typed)
    self.files = files
    self.isOutputFull = isOutputFull
  }

  /// What stands on standard output.
  var output: String { written.withLock { String(decoding: $0.output, as: UTF8.self) } }
  /// What stands on standard error.
  var error: String { written.withLock { String(decoding: $0.error, as: UTF8.self) } }

  /// Lets time pass.
  func wait(milliseconds: UInt64) { elapsed.withLock { $0 += milliseconds * 1_000_000 } }

  /// The world as commands see it. Links are files whose content is their target.
  var context: CommandContext {
    CommandContext(
      environment: environment, terminal: terminal,
      output: OutputSink { [self] bytes in
        if isOutputFull { return false }
        written.withLock { $0.output += bytes }
        return true
      },
      error: OutputSink { [self] bytes in
        written.withLock { $0.error += bytes }
        return true
      },
      now: { 1_777_716_000_000 },
      elapsedNanoseconds: { [self] in elapsed.withLock { $0 } },
      readLine: { [self] in typed.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
      isInterrupted: { false },
      files: FileAccess(
        read: { [files] path, limit in
          guard let text = files[path] else { return .absent }
          return text.utf8.count > limit ? .tooLarge : .bytes(Array(text.utf8))
        },
        exists: { [files] in files[$0] != nil },
        linkTarget: { [files] in files[$0] }))
  }

  /// Runs the command line with these words.
  func run(_ arguments: String...) async -> ExitCode {
    await CommandTool(context: context).run(arguments)
  }
}
