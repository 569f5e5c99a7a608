// Asking which of several things is meant, by number. Only ever on a terminal, and never with
// `--no-input`; what cannot be asked is for the caller to refuse.

/// A numbered choice.
struct ChoicePrompt {
  /// How the person answered.
  enum Answer: Hashable, Sendable {
    /// The thing at this index, from 0.
    case index(Int)
    /// None of them: an empty line, or the end of input.
    case none
    /// It could not be asked: no terminal, or `--no-input`.
    case notAsked
  }

  /// After so many answers that are no choice, none counts as given.
  static let attemptCountMaximum = 3

  /// What is asked.
  let question: StyledText
  /// What there is to choose from, in order.
  let choices: [StyledText]

  /// Asks on standard error and reads from standard input.
  func ask(_ invocation: Invocation, in context: CommandContext) -> Answer {
    let terminal = context.terminal
    guard terminal.isInput, terminal.isError, !invocation.has(.noInput), !choices.isEmpty else {
      return .notAsked
    }
    context.output.flush()
    show(question, in: context)
    let digitCount = String(choices.count).count
    for (index, choice) in choices.enumerated() {
      let number = String(index + 1)
      let padding = String(repeating: " ", count: digitCount - number.count + 2)
      let line = StyledText(padding + number + "  ", .bold) + choice
      show(line.truncated(to: terminal.width), in: context)
    }
    for _ in 0..<Self.attemptCountMaximum {
      context.error.append("1-\(choices.count), or Enter for none: ")
      context.error.flush()
      guard let line = context.readLine() else {
        context.error.append("\n")
        context.error.flush()
        return .none
      }
      let answer = line.filter { !$0.isWhitespace }
      if answer.isEmpty { return .none }
      if let number = Int(answer), choices.indices.contains(number - 1) {
        return .index(number - 1)
      }
    }
    return .none
  }

  private func show(_ line: StyledText, in context: CommandContext) {
    let text = line.rendered(
      isColoured: context.terminal.isErrorColoured, isIsolated: context.terminal.isError)
    context.error.append(text + "\n")
  }
}
