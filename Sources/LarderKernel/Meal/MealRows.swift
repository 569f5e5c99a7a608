// The rows a meal's stream folds to. They depend on events alone: no file's presence, no local
// number, no arrival, no "now". SPEC.md, "Tables".

internal import LarderHash

/// A row of `MealEntries`.
public struct MealEntryRow: Hashable, Sendable {
  /// The stream.
  public let stream: StreamID
  /// When and as which meal.
  public let occasion: Occasion
  /// The title.
  public let title: String?
  /// The entrance.
  public let source: CaptureSource
  /// The cover's path below the store.
  public let photoPath: String?
  /// The cover's preview's path below the store.
  public let photoThumbPath: String?
  /// What was said.
  public let voiceTranscript: String?
  /// The app's own text, verbatim.
  public let captureMeta: String?
  /// The note.
  public let note: String?
  /// In the order given.
  public let tags: [String]
  /// The meal it was copied from.
  public let copiedFrom: StreamID?
  /// The idempotency key it was captured with.
  public let captureID: String?
  /// Who did it, as the app says: a device is not a person.
  public let by: String?

  /// The row's identifier: the stream's digits.
  public var id: String { stream.hex }

  /// Whether both are the same byte for byte: texts that Swift calls equal may differ in a table.
  public static func == (left: MealEntryRow, right: MealEntryRow) -> Bool {
    left.encoded == right.encoded
  }
}

/// A row of `NutritionLogs`.
public struct NutritionLogRow: Hashable, Sendable {
  /// The stream.
  public let stream: StreamID
  /// The item.
  public let item: ItemID
  /// Whether its entry is in `MealEntries`.
  public let isGrouped: Bool
  /// The item's place in the order of adding, from 0; those removed keep theirs.
  public let position: Int
  /// When and as which meal.
  public let occasion: Occasion
  /// The food, the amount, the numbers.
  public let line: FoodLine
  /// The note.
  public let note: String?
  /// Who did it, as the app says: a device is not a person.
  public let by: String?
  /// What was eaten of each nutrient this build has a column for, ascending by number.
  public let eaten: [NutrientAmounts.Element]

  /// The row's identifier: the stream's digits, then the item's.
  public var id: String {
    String(hex: [stream.bytes.high, stream.bytes.low, item.rawValue])
  }
  /// The entry's identifier while there is one.
  public var mealEntryID: String? { isGrouped ? stream.hex : nil }

  /// Whether both are the same byte for byte: texts that Swift calls equal may differ in a table.
  public static func == (left: NutritionLogRow, right: NutritionLogRow) -> Bool {
    left.encoded == right.encoded
  }
}

/// What a meal's stream folds to.
public struct MealRows: Hashable, Sendable {
  /// The entry, while the meal is neither deleted nor without a readable capture.
  public let entry: MealEntryRow?
  /// The logs, by position.
  public let logs: [NutritionLogRow]
  /// Events of the stream no fold can read.
  public let setAside: [SetAside]
  /// Whether the stream has a critical event this build does not know: local writes are refused.
  public let isClosedToWriting: Bool

  /// What the fold gives, more than the tables hold: CBOR `[entry or null, [log, …]]`. SPEC.md,
  /// "The meal fold".
  package var encoded: [UInt8] {
    var writer = CBORWriter(reserving: 320 * (logs.count + 1))
    writer.beginArray(count: 2)
    if let entry { entry.append(to: &writer) } else { writer.appendNull() }
    writer.beginArray(count: logs.count)
    for log in logs { log.append(to: &writer) }
    return writer.bytes
  }
}

extension Occasion {
  /// Appends the five values.
  fileprivate func append(to writer: inout CBORWriter) {
    writer.append(integer: moment.consumedAt.milliseconds)
    writer.append(text: moment.zone.rawValue)
    writer.append(integer: Int64(moment.utcOffset.seconds))
    writer.append(integer: Int64(moment.day.daysSince1970))
    writer.append(text: mealType.rawValue)
  }
}

extension CBORWriter {
  fileprivate mutating func append(optional text: String?) {
    if let text { append(text: text) } else { appendNull() }
  }
}

extension MealEntryRow {
  /// The row's part of what the digest hashes.
  fileprivate var encoded: [UInt8] {
    var writer = CBORWriter(reserving: 256)
    append(to: &writer)
    return writer.bytes
  }

  fileprivate func append(to writer: inout CBORWriter) {
    writer.beginArray(count: 17)
    writer.append(stream.bytes)
    occasion.append(to: &writer)
    writer.append(optional: title)
    writer.append(unsigned: UInt64(source.rawValue))
    writer.append(optional: photoPath)
    writer.append(optional: photoThumbPath)
    writer.append(optional: voiceTranscript)
    writer.append(optional: captureMeta)
    writer.append(optional: note)
    writer.beginArray(count: tags.count)
    for tag in tags { writer.append(text: tag) }
    if let copiedFrom { writer.append(copiedFrom.bytes) } else { writer.appendNull() }
    writer.append(optional: captureID)
    writer.append(optional: by)
  }
}

extension NutritionLogRow {
  /// The row's part of what the digest hashes.
  fileprivate var encoded: [UInt8] {
    var writer = CBORWriter(reserving: 384)
    append(to: &writer)
    return writer.bytes
  }

  fileprivate func append(to writer: inout CBORWriter) {
    writer.beginArray(count: 13)
    writer.append(stream.bytes)
    writer.append(word: item.rawValue)
    writer.append(bool: isGrouped)
    writer.append(unsigned: UInt64(position))
    occasion.append(to: &writer)
    line.append(to: &writer, item: nil)
    writer.append(optional: note)
    writer.append(optional: by)
    NutrientAmounts.encode(eaten, into: &writer)
  }
}
