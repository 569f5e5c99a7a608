// The name of a time zone, as events carry it: `Europe/Berlin`.
//
// Invariant: appended to a folder's path, a name stays below that folder. Whether rules of this
// name exist is not known here; a name that no database knows is still a name.

/// The name of an entry in the IANA time zone database.
public struct ZoneName: Hashable, Sendable {
  /// The most bytes a name has.
  public static let byteCountMax = 64

  /// The name, in ASCII.
  public let rawValue: String

  /// The name if it can be one: 1 to 64 characters of `A–Z a–z 0–9 _ + - /`, with something between
  /// all slashes and at both ends; nil otherwise. Without dots no part can lead upwards.
  public init?(_ name: String) {
    guard (1...Self.byteCountMax).contains(name.utf8.count) else { return nil }
    var previous = UInt8(ascii: "/")
    let bytes = name.utf8Span.span
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "-"):
        break
      case UInt8(ascii: "/") where previous != UInt8(ascii: "/"):
        break
      default:
        return nil
      }
      previous = byte
    }
    guard previous != UInt8(ascii: "/") else { return nil }
    rawValue = name
  }
}

extension ZoneName: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
