// The program `larder`.

CommandTool.leave(await CommandTool(context: .live()).run(RawArguments.live()))
