// The machine's time zone database: TZif files (RFC 9636) below one folder, decoded by the Kernel.

package import LarderCapture
internal import LarderFiles
package import LarderKernel

/// The zones a machine knows.
package struct ZoneDatabase: Sendable {
  private let folder: String

  /// The zones below `folder`.
  package init(folder: String) {
    self.folder = folder
  }

  /// The machine's: below `$TZDIR`, else `/usr/share/zoneinfo`.
  package static var system: ZoneDatabase {
    ZoneDatabase(folder: Platform.environment("TZDIR") ?? "/usr/share/zoneinfo")
  }

  /// The rules of a zone; nil if the database does not have it, or not as this build reads it.
  package func rules(of zone: ZoneName) -> TimeZoneRules? {
    if zone.rawValue == "UTC" { return try? TimeZoneRules(Self.utc.span) }
    guard
      let bytes = try? Files.read(
        folder + "/" + zone.rawValue, upTo: TimeZoneLimits.byteCountMax)
    else { return nil }
    return try? TimeZoneRules(bytes.span)
  }

  /// The clocks of a zone; nil as ``rules(of:)``.
  package func clock(of zone: ZoneName) -> ZoneClock? {
    rules(of: zone).map { ZoneClock($0) }
  }

  /// UTC is known without a database: a version 2 file that says nothing but its footer.
  private static let utc: [UInt8] = {
    func header(_ typeCount: UInt8, _ characterCount: UInt8) -> [UInt8] {
      Array("TZif2".utf8) + Array(repeating: 0, count: 15)
        + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, typeCount, 0, 0, 0]
        + [characterCount]
    }
    let data: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("UTC".utf8) + [0]
    return header(1, 4) + data + header(1, 4) + data + Array("\nUTC0\n".utf8)
  }()
}
