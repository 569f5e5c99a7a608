// What a writing command made, named so that it can be found and undone.

import Larder

enum OperationDocument {
  /// The operation of `events`: its author, its first seq, how many, on which device.
  static func operation(_ events: [EventID], device: String) -> JSONValue {
    guard let first = events.first else { return .null }
    return .object(of: [
      ("id", .string(first.description)), ("author", .string(first.author.hex)),
      ("seq", .integer(Int64(clamping: first.seq))), ("device", .string(device)),
      ("events", .array(events.map { .string($0.description) })),
    ])
  }
}
