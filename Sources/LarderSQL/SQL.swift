// SQL text that cannot hold a value from outside.
//
// Invariant: a literal, or literals joined with identifiers that were checked, integers, and other
// such texts. There is no interpolation of strings, so there is no injection.

/// SQL written in the source code: `"SELECT size FROM \(table) WHERE id = ?"`.
package struct SQL: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The SQL text.
  package let text: String

  /// SQL written out in the source code.
  package init(stringLiteral literal: StaticString) {
    text = "\(literal)"
  }

  /// SQL with checked parts.
  package init(stringInterpolation interpolation: Interpolation) {
    text = interpolation.text
  }

  /// SQL the caller vouches for: built from identifiers of the program, never from data.
  package init(trusted text: String) {
    self.text = text
  }

  /// A table or column name: 1…64 of `A–Z a–z 0–9 _`, not beginning with a digit.
  package struct Identifier: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The name without quotes.
    package let name: String

    /// The identifier `name`; nil if it has another form.
    package init?(_ name: String) {
      let units = name.utf8
      guard (1...64).contains(units.count), units.allSatisfy(Self.isAllowed),
        let first = units.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
      else { return nil }
      self.name = name
    }

    /// An identifier written out in the source code.
    package init(stringLiteral literal: StaticString) {
      guard let identifier = Self("\(literal)") else {
        preconditionFailure("\(literal) is no SQL identifier")
      }
      self = identifier
    }

    /// The identifier with `suffix` behind it, such as `_new`.
    package func suffixed(_ suffix: StaticString) -> Identifier {
      guard let identifier = Self("\(name)\(suffix)") else {
        preconditionFailure("\(name)\(suffix) is no SQL identifier")
      }
      return identifier
    }

    private static func isAllowed(_ unit: UInt8) -> Bool {
      switch unit {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// Joins literals with checked parts.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Begins an empty text.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends text of the source code.
    package mutating func appendLiteral(_ literal: StaticString) {
      text += "\(literal)"
    }

    /// Appends a name in double quotes, so that no name can be a keyword.
    package mutating func appendInterpolation(_ identifier: Identifier) {
      text += "\"\(identifier.name)\""
    }

    /// Appends a number in digits.
    package mutating func appendInterpolation(_ number: some FixedWidthInteger) {
      text += String(number)
    }

    /// Appends other SQL as it is.
    package mutating func appendInterpolation(_ sql: SQL) {
      text += sql.text
    }
  }
}
