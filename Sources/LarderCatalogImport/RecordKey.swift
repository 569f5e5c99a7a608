// Keys of JSON objects, and reading of values that may be of any type.

import FoundationEssentials

/// A key of a JSON object.
struct RecordKey: CodingKey, Hashable, Sendable {
  /// The key.
  let stringValue: String
  /// None: objects have text keys.
  var intValue: Int? { nil }

  /// The key `text`.
  init(_ text: String) { stringValue = text }

  /// The key `stringValue`.
  init?(stringValue: String) { self.stringValue = stringValue }

  /// No key is a number.
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == RecordKey {
  /// The text under `key`; nil where there is none, where it is blank, and for another type.
  /// Numbers count as the text they are written with.
  func looseText(_ key: RecordKey) -> String? {
    guard contains(key) else { return nil }
    if let text = try? decode(String.self, forKey: key) {
      return text.allSatisfy(\.isWhitespace) ? nil : text
    }
    return (try? decode(Decimal.self, forKey: key))?.description
  }

  /// The number under `key`, whether it is written as a number or as text.
  func looseNumber(_ key: RecordKey) -> LooseNumber {
    guard contains(key) else { return .notGiven }
    // The decimal keeps the digits as they are written; its text is the way to them.
    if let number = try? decode(Decimal.self, forKey: key) { return LooseNumber("\(number)") }
    if let text = try? decode(String.self, forKey: key) { return LooseNumber(text) }
    return (try? decodeNil(forKey: key)) == true ? .notGiven : .unreadable
  }

  /// The whole number under `key`, whether it is written as a number or as text.
  func looseInteger(_ key: RecordKey) -> Int64? {
    guard contains(key) else { return nil }
    if let number = try? decode(Int64.self, forKey: key) { return number }
    return (try? decode(String.self, forKey: key)).flatMap { Int64($0) }
  }

  /// The object under `key`; nil for another type.
  func object(_ key: RecordKey) -> KeyedDecodingContainer<RecordKey>? {
    guard contains(key) else { return nil }
    return try? nestedContainer(keyedBy: RecordKey.self, forKey: key)
  }
}
