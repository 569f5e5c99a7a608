// `larder version`.

/// Shows the version.
enum VersionCommand {
  /// The version of this build, as CHANGELOG.md lists it.
  static let version = "0.1.0"

  /// One line.
  static func run() -> Answer {
    Answer(
      result: { ["version": .string(version)] },
      lines: { _ in [StyledText("larder \(version)")] })
  }
}
