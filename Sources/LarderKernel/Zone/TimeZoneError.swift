// Why bytes are not the rules of a time zone.

/// A refusal of a time zone file: the rule of RFC 9636 that was broken and where.
package struct TimeZoneError: Error, Hashable, Sendable {
  /// The rule that was broken.
  package let code: Code
  /// Where, in bytes from the beginning of the file.
  package let offset: Int

  /// An error of `code` at `offset`.
  package init(code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension TimeZoneError {
  /// A rule. Compare with the constants; more may be added.
  package struct Code: Hashable, Sendable {
    private enum Rule: UInt8 {
      case notTimeZone, unsupportedVersion, truncated, trailingBytes, limitExceeded
      case badCount, unsorted, outOfRange, badIndex, badIndicator, badDesignation
      case leapSeconds, badFooter, inconsistentFooter
    }

    private let rule: Rule

    /// The file does not begin as a time zone file does.
    package static let notTimeZone = Code(rule: .notTimeZone)
    /// Version 1, which has no rules for the future, or a version unknown here.
    package static let unsupportedVersion = Code(rule: .unsupportedVersion)
    /// The file ends too early.
    package static let truncated = Code(rule: .truncated)
    /// Something follows the footer.
    package static let trailingBytes = Code(rule: .trailingBytes)
    /// More bytes, transitions or types than `TimeZoneLimits` allows.
    package static let limitExceeded = Code(rule: .limitExceeded)
    /// No type at all, no designation, or indicators for some types only.
    package static let badCount = Code(rule: .badCount)
    /// A transition is not later than the one before it.
    package static let unsorted = Code(rule: .unsorted)
    /// A time or offset that no clock shows.
    package static let outOfRange = Code(rule: .outOfRange)
    /// A type or designation that is not in the file.
    package static let badIndex = Code(rule: .badIndex)
    /// An indicator that is neither 0 nor 1, or UT without standard time.
    package static let badIndicator = Code(rule: .badIndicator)
    /// A designation without an end.
    package static let badDesignation = Code(rule: .badDesignation)
    /// The file counts leap seconds; its times are not those of POSIX.
    package static let leapSeconds = Code(rule: .leapSeconds)
    /// The rule for the future is not one.
    package static let badFooter = Code(rule: .badFooter)
    /// The rule for the future does not continue the last transition.
    package static let inconsistentFooter = Code(rule: .inconsistentFooter)
  }
}

extension TimeZoneError.Code: CustomStringConvertible {
  /// The constant's name.
  package var description: String { "\(rule)" }
}

extension TimeZoneError: CustomStringConvertible {
  /// The rule and the place, as `unsorted at byte 112`.
  package var description: String { "\(code) at byte \(offset)" }
}

/// Bounds of a time zone file; the largest of the IANA database is far below them.
package enum TimeZoneLimits {
  /// The most bytes of a file.
  package static let byteCountMax = 65_536
  /// The most transitions.
  package static let transitionCountMax = 4_096
  /// The most local time types: their indexes are bytes.
  package static let typeCountMax = 256
  /// The most bytes of all designations together.
  package static let designationByteCountMax = 1_024
  /// The most bytes of the footer's rule.
  package static let footerByteCountMax = 256
  /// How far from 1970 a transition may lie, in seconds, before or after: 2⁵⁹.
  package static let transitionSecondsMax: Int64 = 1 << 59
}
