// Everything a command may ask of the world: time, environment, terminal, streams, small files.
// The live one is made in Platform; tests make their own.

/// The world of one run of the command line.
struct CommandContext: Sendable {
  /// The environment variables.
  let environment: Environment
  /// The terminal.
  let terminal: Terminal
  /// Standard output.
  let output: OutputSink
  /// Standard error.
  let error: OutputSink
  /// The time, in ms since 1970-01-01 UTC.
  let now: @Sendable () -> Int64
  /// Nanoseconds of a clock that only goes forward.
  let elapsedNanoseconds: @Sendable () -> UInt64
  /// The next line of standard input without its end, nil at the end.
  let readLine: @Sendable () -> String?
  /// From the first call on an interrupt (Ctrl-C) does not end the process, but the second one;
  /// whether there was one.
  let isInterrupted: @Sendable () -> Bool
  /// The files the command line itself looks at.
  let files: FileAccess
}

/// The little the command line itself asks of the file system.
struct FileAccess: Sendable {
  /// What reading a small file gave.
  enum Content: Hashable, Sendable {
    /// Its bytes.
    case bytes([UInt8])
    /// There is no such file.
    case absent
    /// It has more bytes than asked for.
    case tooLarge
    /// It could not be read; why, as `is a folder`.
    case failed(String)
  }

  /// Reads a file of at most that many bytes.
  let read: @Sendable (_ path: String, _ byteCountMaximum: Int) -> Content
  /// Whether something is at the path. Never opens it.
  let exists: @Sendable (_ path: String) -> Bool
  /// Where the symbolic link at the path points, nil if there is none.
  let linkTarget: @Sendable (_ path: String) -> String?

  /// Reads, looks and follows with the given closures.
  init(
    read: @escaping @Sendable (_ path: String, _ byteCountMaximum: Int) -> Content,
    exists: @escaping @Sendable (_ path: String) -> Bool,
    linkTarget: @escaping @Sendable (_ path: String) -> String?
  ) {
    self.read = read
    self.exists = exists
    self.linkTarget = linkTarget
  }
}
