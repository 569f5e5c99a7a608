// What the command line knows about where its words go. A value: tests make any terminal they like.

/// The three standard streams, and how much fits and may be coloured.
struct Terminal: Hashable, Sendable {
  /// Whether standard input is a terminal.
  let isInput: Bool
  /// Whether standard output is a terminal.
  let isOutput: Bool
  /// Whether standard error is a terminal.
  let isError: Bool
  /// Columns of the terminal, 20…1000; 80 where there is none.
  let width: Int
  /// Whether colour is wanted, were there a terminal.
  let wantsColour: Bool

  /// No terminal at all: pipes and files.
  static let none = Terminal(
    isInput: false, isOutput: false, isError: false, width: 80, wantsColour: false)

  /// The width a table or text on standard output has to fit, nil in a pipe.
  var outputWidth: Int? { isOutput ? width : nil }

  /// Whether standard output is coloured.
  var isOutputColoured: Bool { isOutput && wantsColour }

  /// Whether standard error is coloured.
  var isErrorColoured: Bool { isError && wantsColour }

  /// A terminal as the environment describes it. `NO_COLOR` counts unless empty, as no-color.org
  /// says; `COLUMNS` counts where the device does not tell its width.
  init(
    isInput: Bool, isOutput: Bool, isError: Bool, deviceWidth: Int?, environment: Environment
  ) {
    let columns = deviceWidth ?? environment[.columns].flatMap { Int($0) }
    let isDumb = environment[.term] == "dumb"
    self.init(
      isInput: isInput, isOutput: isOutput, isError: isError,
      width: min(max(columns ?? 80, 20), 1000),
      wantsColour: !isDumb && environment[.noColor] == nil)
  }

  /// A terminal with these properties.
  init(isInput: Bool, isOutput: Bool, isError: Bool, width: Int, wantsColour: Bool) {
    self.isInput = isInput
    self.isOutput = isOutput
    self.isError = isError
    self.width = width
    self.wantsColour = wantsColour
  }
}
