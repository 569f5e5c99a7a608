// Which code answers which verb. The `switch` has a case for every verb of the grammar.

extension CommandTool {
  /// Does what was asked.
  func perform(_ invocation: Invocation) async throws(CommandError) -> Answer {
    switch invocation.verb {
    case .help: return try HelpCommand.run(invocation, grammar: grammar)
    case .version: return VersionCommand.run()
    default: break
    }
    let access = try StoreAccess(invocation, in: context)
    var answer = try await perform(invocation, access)
    answer.warnings += access.configuration.warnings
    return answer
  }

  private func perform(
    _ invocation: Invocation, _ access: StoreAccess
  ) async throws(CommandError) -> Answer {
    switch invocation.verb {
    case .today:
      guard access.exists else { return BeginningPage.answer(store: access.configuration.store) }
      return try await DiaryCommands.today(invocation, access)
    case .log: return try await LogCommand.run(invocation, access)
    case .diary: return try await DiaryCommands.diary(invocation, access)
    case .mealList: return try await DiaryCommands.list(invocation, access)
    case .mealShow: return try await DiaryCommands.show(invocation, access)
    case .mealDelete: return try await DiaryCommands.delete(invocation, access)
    case .history: return try await HistoryCommand.run(invocation, access)
    case .catalogInstall: return try CatalogCommands.install(invocation, access)
    case .catalogSearch: return try CatalogCommands.search(invocation, access)
    case .catalogShow: return try CatalogCommands.show(invocation, access)
    case .catalogStatus: return try CatalogCommands.status(access)
    case .deviceList: return try await DeviceCommands.list(invocation, access)
    case .events: return try await EventsCommand.run(invocation, access)
    case .initialise: return try await InitCommand.run(access)
    case .projectionList: return try await ProjectionCommands.list(invocation, access)
    case .projectionUse: return try await ProjectionCommands.use(invocation, access)
    case .projectionDrop: return try await ProjectionCommands.drop(invocation, access)
    case .query: return try await QueryCommand.run(invocation, access)
    case .schema: return try await QueryCommand.schema(invocation, access)
    case .rebuild: return try await RebuildCommand.run(invocation, access)
    case .verify: return try await UpkeepCommands.verify(invocation, access)
    case .doctor: return try await DoctorCommand.run(invocation, access)
    case .help: return try HelpCommand.run(invocation, grammar: grammar)
    case .version: return VersionCommand.run()
    }
  }
}
