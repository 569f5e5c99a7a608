// The program behind Tools/crash: `LarderCrash COMMAND …`. It is what faults are let loose on, and
// what looks afterwards whether anything that was acknowledged is missing.

import Glibc

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  Line.write("error \(error)")
  exit(1)
}

func run(_ arguments: [String]) throws {
  guard let command = arguments.first else { throw CrashError("is run by Tools/crash") }
  switch (command, arguments.count) {
  case ("scenarios", 1): for scenario in Scenario.allCases { Line.write(scenario.rawValue) }
  case ("prepare", 4): try Scenario.named(arguments[1]).prepare(Place(arguments[2], arguments[3]))
  case ("act", 4): try Scenario.named(arguments[1]).act(Place(arguments[2], arguments[3]))
  case ("check", 3): try Check(place: Place(arguments[1], arguments[2])).run()
  default: throw CrashError("\(command) is no command")
  }
}
