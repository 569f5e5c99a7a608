// Runs a script against the program that was built beside the tests, each in a folder of its own.
import Foundation
import Testing

/// Runs scripts.
final class ScriptRunner {
  /// A command line that takes longer than this is ended.
  static let secondsMaximum = 120.0

  /// How a program ended and what it wrote.
  private struct Result {
    let status: Int32
    let output: String
    let error: String
  }

  private let name: String
  private let script: Script
  private let program: String
  private let folder: URL
  private var variables: [String: String]
  private var environment: [String: String]
  private var saved: [String: String] = [:]
  private var last = Result(status: 0, output: "", error: "")

  /// A runner of the script `name`. Makes its folder.
  init(name: String, script: Script) throws {
    self.name = name
    self.script = script
    program = try Self.program()
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("larder-script-\(UUID().uuidString)")
    let home = folder.appendingPathComponent("home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let process = ProcessInfo.processInfo.environment
    variables = [
      "WORK": folder.path, "HOME": home.path, "PROGRAM": program,
      "STORE": folder.appendingPathComponent("store").path,
      "STATE": folder.appendingPathComponent("state").path,
      "FIXTURES": Self.package.path + "/Tests/Fixtures",
      "DATA": process["LARDER_TEST_DATA"] ?? Self.package.path + "/../shared/data",
    ]
    environment = [
      "PATH": process["PATH"] ?? "/usr/bin:/bin", "HOME": home.path, "TZ": "UTC",
      "LC_ALL": "C.UTF-8", "LARDER_STORE": folder.appendingPathComponent("store").path,
      "LARDER_STATE": folder.appendingPathComponent("state").path,
    ]
    if let library = process["LD_LIBRARY_PATH"] { environment["LD_LIBRARY_PATH"] = library }
  }

  /// Takes the folder away.
  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record("\(folder.path) could not be removed: \(error)")
    }
  }

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs every step; stops at the first that fails, as all later ones would.
  func run() throws {
    for step in script.steps {
      switch step.action {
      case .run(let run):
        last = try start(run)
        guard check(run, line: step.line) else { return }
      case .set(let name, let value):
        if name == "LD_PRELOAD", Self.hasThreadSanitizer {
          // Its allocator asks for the time, and what is preloaded allocates to tell it.
          print("\(self.name): left at line \(step.line), nothing is preloaded below a sanitizer")
          return
        }
        environment[name] = replaced(value)
      case .save(let name): saved[name] = last.output
      case .same(let name):
        guard saved[name] == last.output else {
          fail(step.line, "the output is not the one saved as \(name):\n\(last.output)")
          return
        }
      case .take(let name, let pattern):
        guard let value = try Self.group(of: pattern, in: last.output) else {
          fail(step.line, "\(pattern) is not found in:\n\(last.output)")
          return
        }
        variables[name] = value
      case .write(let name, let lines):
        let text = lines.map { replaced($0) + "\n" }.joined()
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      case .needs(let path):
        guard FileManager.default.fileExists(atPath: replaced(path)) else {
          print("\(self.name): left at line \(step.line), there is no \(replaced(path))")
          return
        }
      }
    }
  }

  private func check(_ run: Script.Run, line: Int) -> Bool {
    let sides = [
      ("standard output", run.output, last.output), ("standard error", run.error, last.error),
    ]
    var isRight = true
    for (side, expected, actual) in sides {
      let pattern = LinePattern(lines: expected.map(replaced))
      guard !pattern.matches(Self.lines(of: actual)) else { continue }
      fail(line, "\(side) should be\n\(pattern.lines.joined(separator: "\n"))\nbut is\n\(actual)")
      isRight = false
    }
    if last.status != run.status {
      fail(line, "the exit status is \(last.status), not \(run.status)")
      isRight = false
    }
    return isRight
  }

  private func fail(_ line: Int, _ message: String) {
    Issue.record("Tests/Scripts/\(name):\(line): \(message)")
  }

  private func start(_ run: Script.Run) throws -> Result {
    let words = run.words.map(replaced)
    let process = Process()
    let isOurs = words[0] == "larder"
    process.executableURL = URL(fileURLWithPath: isOurs ? program : "/usr/bin/env")
    process.arguments = isOurs ? Array(words.dropFirst()) : words
    process.currentDirectoryURL = folder
    process.environment = run.environment.reduce(into: environment) {
      $0[$1.name] = replaced($1.value)
    }
    // Files, not pipes: a program that writes much to one of two never waits for us.
    let input = folder.appendingPathComponent(".input")
    let output = folder.appendingPathComponent(".output")
    let error = folder.appendingPathComponent(".error")
    let text = run.input.map { replaced($0) + "\n" }.joined()
    try Data(text.utf8).write(to: input)
    for file in [output, error] { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    try process.run()
    let deadline = Date(timeIntervalSinceNow: Self.secondsMaximum)
    while process.isRunning, Date() < deadline { usleep(2000) }
    // Not asked to end: what hangs may not be able to.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(
      status: isSignal ? 128 + process.terminationStatus : process.terminationStatus,
      output: try Self.text(of: output), error: try Self.text(of: error))
  }

  /// Whether the tests, and so the program, are built with the thread sanitizer.
  private static let hasThreadSanitizer = {
    // The handle of the whole program; a name is looked up and nothing is called.
    return unsafe dlsym(nil, "__tsan_init") != nil
  }()

  /// The text of a file. (`Data(contentsOf:)` leaks its buffer where the file is empty.)
  private static func text(of file: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  private func replaced(_ text: String) -> String {
    // Longer names first, so that $STORE is never read as a shorter name and a rest.
    variables.keys.sorted { $0.count > $1.count }.reduce(text) { text, name in
      text.replacing("$\(name)", with: variables[name] ?? "")
    }
  }

  private static func group(of pattern: String, in text: String) throws -> String? {
    let match = try Regex(pattern).firstMatch(in: text)
    guard let match, match.output.count > 1 else { return nil }
    return match.output[1].substring.map(String.init)
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The program `larder`, which the package manager builds beside the program of the tests.
  private static func program() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let places = [tests, CommandLine.arguments.first ?? ""].map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("larder").path
    }
    guard let place = places.first(where: FileManager.default.isExecutableFile) else {
      throw Script.Fault(description: "no larder at \(places.joined(separator: " or "))")
    }
    return place
  }
}
