// The program behind Tools/bench: `LarderBench COMMAND FOLDER …`. One command is one measurement.

import Glibc

do {
  var arguments = CommandLine.arguments.dropFirst()
  guard let command = arguments.popFirst(), let folder = arguments.popFirst() else {
    throw BenchError("is run by Tools/bench")
  }
  try run(command, Workplace(folder: folder), Array(arguments))
} catch {
  print("error: \(error)")
  exit(1)
}

func run(_ command: String, _ workplace: Workplace, _ arguments: [String]) throws {
  let numbers = arguments.compactMap { Int($0) }
  let measurements = Measurements(workplace: workplace)
  switch (command, numbers.count) {
  case ("draw", 2):
    guard let foods = arguments.last else { throw BenchError("no foods") }
    let drawing = Drawing(workplace: workplace, eventCount: numbers[0], captureCount: numbers[1])
    return try drawing.run(foods: foods)
  case ("report", 0): return try Report(arguments).run()
  case ("idle", 0): try measurements.idle()
  case ("append", 1): try measurements.append(eventCount: numbers[0], logOnly: false)
  case ("log", 1): try measurements.append(eventCount: numbers[0], logOnly: true)
  case ("capture", 2): try measurements.capture(after: numbers[0], count: numbers[1])
  case ("rebuild", 0): try measurements.rebuild()
  case ("day", 1): try measurements.day(passCount: numbers[0])
  case ("open", 1): try measurements.open(count: numbers[0])
  case ("receive", 0): try measurements.receive()
  case ("verify", 0): try measurements.verify()
  default: throw BenchError("\(command) is no measurement")
  }
  try Measured.memory()
}
