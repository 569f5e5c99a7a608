// A time zone file under construction: every part of TZif (RFC 9636) can be set, also wrongly.

import LarderHash

struct TimeZoneFile {
  struct LocalType {
    var offset: Int32
    var isSummer: UInt8 = 0
    var designation: UInt8 = 0
  }

  var magic = Array("TZif".utf8)
  var version = UInt8(ascii: "2")
  var secondVersion: UInt8?
  /// The counts and content of the first block, which readers pass over.
  var firstCounts: [UInt32] = [0, 0, 0, 0, 1, 1]
  var firstBlock = [UInt8](repeating: 0, count: 7)
  var transitions: [Int64] = []
  var indexes: [UInt8] = []
  var types = [LocalType(offset: 0)]
  var designations = Array("UTC\0".utf8)
  var leapSeconds: [UInt8] = []
  var standardIndicators: [UInt8] = []
  var utIndicators: [UInt8] = []
  var footer = "\nUTC0\n"
  /// Replaces the true counts of the second header.
  var counts: [UInt32]?

  /// A zone with two types, transitions and a yearly rule: central Europe in small.
  static var centralEurope: TimeZoneFile {
    var file = TimeZoneFile()
    file.types = [
      LocalType(offset: 3_208), LocalType(offset: 3_600, designation: 4),
      LocalType(offset: 7_200, isSummer: 1, designation: 8),
    ]
    file.designations = Array("LMT\0CET\0CEST\0".utf8)
    // 1893-04-01, 1980-04-06, 1980-09-28, 1996-10-27, all as in Berlin.
    file.transitions = [-2_422_054_408, 323_830_800, 338_950_800, 846_378_000]
    file.indexes = [1, 2, 1, 1]
    file.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
    return file
  }

  var bytes: [UInt8] {
    var bytes = header(version, firstCounts) + firstBlock
    bytes += header(secondVersion ?? version, counts ?? trueCounts)
    for time in transitions { bytes.appendBigEndian(UInt64(bitPattern: time)) }
    bytes += indexes
    for type in types {
      bytes += Self.bigEndian(UInt32(bitPattern: type.offset))
      bytes += [type.isSummer, type.designation]
    }
    bytes += designations + leapSeconds + standardIndicators + utIndicators
    return bytes + Array(footer.utf8)
  }

  /// Where the second header begins.
  var secondHeader: Int { 44 + firstBlock.count }
  /// Where the second block begins.
  var secondBlock: Int { secondHeader + 44 }
  /// Where its type indexes, types and designations begin, and its footer.
  var indexesStart: Int { secondBlock + 8 * transitions.count }
  var typesStart: Int { indexesStart + indexes.count }
  var designationsStart: Int { typesStart + 6 * types.count }
  var indicatorsStart: Int { designationsStart + designations.count + leapSeconds.count }
  var footerStart: Int { indicatorsStart + standardIndicators.count + utIndicators.count }

  private var trueCounts: [UInt32] {
    [
      utIndicators.count, standardIndicators.count, leapSeconds.count / 12, transitions.count,
      types.count, designations.count,
    ].map(UInt32.init)
  }

  private func header(_ version: UInt8, _ counts: [UInt32]) -> [UInt8] {
    magic + [version] + [UInt8](repeating: 0, count: 15) + counts.flatMap(Self.bigEndian)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
