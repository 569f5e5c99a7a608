// The program `larder`.

CommandTool.leave(
  await CommandTool(context: .live()).run(Array(CommandLine.arguments.dropFirst())))
