// The program behind Tools/crash: performs a scenario on a store, or says what a store holds of it.
//
//   LarderCrash prepare SCENARIO FOLDER STATE        the store as the scenario finds it
//   LarderCrash act SCENARIO FOLDER STATE [HAND]     the scenario, by one of its writers, 0 or 1
//   LarderCrash paced SCENARIO FOLDER STATE          the same, each step after a line of input
//   LarderCrash look SCENARIO FOLDER STATE           what is there, reading only
//   LarderCrash check SCENARIO FOLDER STATE          the same, and that the store goes on
//   LarderCrash list                                 the scenarios
//
// The clock, the seeds and every identifier come from the scenario, so that the n-th call of the
// system is the same in every run. FOLDER is the store's, STATE what lies outside of it.

import Glibc
import LarderStore

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  print("error: \(error)")
  exit(2)
}

func run(_ arguments: [String]) throws {
  if arguments == ["list"] {
    for scenario in Scenario.allCases { print(scenario.rawValue) }
    return
  }
  guard arguments.count >= 4, let scenario = Scenario(rawValue: arguments[1]) else {
    throw CrashError("is run by Tools/crash")
  }
  let place = Place(folder: arguments[2], state: arguments[3])
  let plan = try scenario.plan()
  let hand = arguments.count > 4 ? Int(arguments[4]) : 0
  switch arguments[0] {
  case "prepare": Performing(place, isPaced: false).run(plan.start)
  case "act": Performing(place, isPaced: false).run(plan.act.filter { $0.hand == hand })
  case "paced": Performing(place, isPaced: true).run(plan.act)
  case "look": exit(try Checking(place, plan).look() ? 0 : 1)
  case "check": exit(try Checking(place, plan).check() ? 0 : 1)
  default: throw CrashError("\(arguments[0]) is no command")
  }
}
