// Which code answers which verb. The `switch` has a case for every verb of the grammar.

extension CommandTool {
  /// Does what was asked.
  func perform(_ invocation: Invocation) async throws(CommandError) -> Answer {
    switch invocation.verb {
    case .help: return try HelpCommand.run(invocation, grammar: grammar)
    case .version: return VersionCommand.run()
    case .today:
      let configuration = try Configuration.resolve(invocation, in: context)
      guard context.files.exists(configuration.store.value + "/larder.sqlite") else {
        return BeginningPage.answer(store: configuration.store)
      }
      throw withoutStore(invocation.verb)
    case .log, .diary, .mealList, .mealShow, .mealDelete, .history, .catalogInstall,
      .catalogSearch, .catalogShow, .catalogStatus, .initialise, .rebuild, .verify:
      _ = try Configuration.resolve(invocation, in: context)
      throw withoutStore(invocation.verb)
    }
  }

  /// The answer of verbs that need the store in a build that has none.
  private func withoutStore(_ verb: VerbName) -> CommandError {
    CommandError(
      .unavailable, "\(verb.typed) needs the store, which this build does not have",
      hint: "`larder help` works without it", exit: .failed)
  }
}
