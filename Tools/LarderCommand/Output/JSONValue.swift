// JSON as the command line writes it: members in the order given, numbers exact, text escaped so
// that neither a parser nor a terminal can be surprised by it. Writing only.

import LarderKernel

/// A JSON value. There is no binary floating point in it.
indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case decimal(ExactDecimal)
  /// A floating-point number a query has computed; null if it is none.
  case real(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One member of an object.
  struct Member: Hashable, Sendable {
    /// The key.
    let key: String
    /// The value.
    let value: JSONValue
  }

  /// An object of the members that have a value: what is unknown is absent, not null.
  static func object(of members: [(String, JSONValue?)]) -> JSONValue {
    .object(
      members.compactMap { key, value in
        value.map { Member(key: key, value: $0) }
      })
  }

  /// The compact text, without a line break in it.
  var text: String {
    var result = ""
    write(into: &result)
    return result
  }

  /// Appends the compact text.
  func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .decimal(let value): text += value.description
    case .real(let value): text += value.isFinite ? value.description : "null"
    case .string(let value): Self.write(value, into: &text)
    case .array(let elements): Self.write(elements, into: &text)
    case .object(let members): Self.write(members, into: &text)
    }
  }

  private static func write(_ elements: [JSONValue], into text: inout String) {
    text += "["
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      element.write(into: &text)
    }
    text += "]"
  }

  private static func write(_ members: [Member], into text: inout String) {
    precondition(Set(members.map(\.key)).count == members.count, "a JSON key is used twice")
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      write(member.key, into: &text)
      text += ":"
      member.value.write(into: &text)
    }
    text += "}"
  }

  /// Appends a JSON string. Beside what RFC 8259 demands, controls of both ranges, line separators
  /// and bidirectional controls are written as escapes: parsers read the same text, terminals obey
  /// none of it.
  private static func write(_ string: String, into text: inout String) {
    text += JSONText.quoted(string, alsoEscaping: InertText.isActive)
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Members in the order written.
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map(Member.init(key:value:)))
  }
}
