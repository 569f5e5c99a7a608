// One run of the command line from its arguments to its exit status: understand, do, answer. All
// that is written leaves through here, so forms and statuses cannot differ between verbs.

/// The command line.
struct CommandTool {
  /// The schema number of documents. Within a number, keys are added, never changed or removed.
  static let schema: Int64 = 1

  /// The grammar.
  let grammar: Grammar
  /// The world.
  let context: CommandContext

  /// The command line of this version in a world.
  init(context: CommandContext) {
    self.grammar = .standard
    self.context = context
  }

  /// Does what the process's own arguments ask for; nil where they cannot be read.
  func run(_ arguments: RawArguments?) async -> ExitCode {
    do throws(CommandError) {
      guard let arguments else {
        throw CommandError(
          .argumentsUnknown, "the arguments cannot be read from /proc/self/cmdline",
          hint: "mount /proc; nothing was done", exit: .failed)
      }
      return await run(try arguments.text())
    } catch {
      write(error, form: CommandLineParser(grammar: grammar).form(of: arguments?.repaired ?? []))
      return error.exit
    }
  }

  /// Does what `arguments`, without the program's name, ask for, and says how it ended.
  func run(_ arguments: [String]) async -> ExitCode {
    let parser = CommandLineParser(grammar: grammar)
    let status: ExitCode
    // What the page of the verb says about how it can end; a wrong command line ends anywhere.
    var exits: [ExitCode] = [.usage]
    do throws(CommandError) {
      let invocation = try parser.parse(arguments)
      exits = grammar.verb(invocation.verb)?.exits ?? exits
      let answer = try await perform(invocation)
      if let stream = answer.stream, invocation.form != .document {
        try await stream(writing(of: invocation))
      }
      write(answer, of: invocation)
      status = answer.exit
      if let afterwards = answer.afterwards {
        context.output.flush()
        await afterwards()
      }
    } catch {
      context.output.flush()
      write(error, form: parser.form(of: arguments))
      status = error.exit
    }
    assert(exits.contains(status), "the page of the verb does not list status \(status)")
    context.output.flush()
    guard context.output.hasFailed else {
      context.error.flush()
      return status
    }
    write(
      CommandError(
        .outputFailed, "the answer could not be written to standard output",
        hint: "what was asked may have been done; look before you repeat it", exit: .failed),
      form: parser.form(of: arguments))
    return .failed
  }

  private func write(_ answer: Answer, of invocation: Invocation) {
    switch invocation.form {
    case .document:
      let document: JSONValue = [
        "schema": .integer(Self.schema), "command": .string(invocation.verb.rawValue),
        "result": answer.result(), "warnings": .array(answer.warnings.map(\.json)),
      ]
      context.output.append(document.text + "\n")
    case .lines:
      for element in answer.elements?() ?? [answer.result()] {
        context.output.append(element.text + "\n")
      }
      for notice in answer.elementNotices {
        let document: JSONValue = ["notice": .string(notice)]
        context.error.append(document.text + "\n")
      }
      for warning in answer.warnings {
        let document: JSONValue = ["warning": warning.json]
        context.error.append(document.text + "\n")
      }
    case .text:
      if !invocation.has(.quiet) {
        let isColoured = context.terminal.isOutputColoured
        let width = context.terminal.outputWidth
        for line in answer.lines(width).flatMap({ $0.wrapped(to: width ?? .max) }) {
          let text = line.rendered(
            isColoured: isColoured, isIsolated: context.terminal.isOutput)
          context.output.append(text + "\n")
        }
      }
      for warning in answer.warnings {
        write(StyledText("warning: ", .yellow) + StyledText(warning.message))
      }
    }
  }

  /// Writes elements one by one, in the form that was asked for.
  private func writing(of invocation: Invocation) -> Answer.Writing {
    let (output, terminal) = (context.output, context.terminal)
    let isJSON = invocation.form == .lines
    let isQuiet = invocation.has(.quiet)
    return { json, lines in
      if isJSON {
        output.append(json().text + "\n")
      } else if !isQuiet {
        for line in lines() {
          let text = line.rendered(
            isColoured: terminal.isOutputColoured, isIsolated: terminal.isOutput)
          output.append(text + "\n")
        }
      }
      return !output.hasFailed
    }
  }

  private func write(_ error: CommandError, form: Invocation.Form) {
    switch form {
    case .text: for line in error.lines { write(line) }
    case .document, .lines: context.error.append(error.json.text + "\n")
    }
    context.error.flush()
  }

  /// Writes a line to standard error, after what went to standard output before it.
  private func write(_ line: StyledText) {
    context.output.flush()
    let text = line.rendered(
      isColoured: context.terminal.isErrorColoured, isIsolated: context.terminal.isError)
    context.error.append(text + "\n")
  }
}
