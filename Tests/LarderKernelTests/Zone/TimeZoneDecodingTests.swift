import LarderKernel
import Testing

@Suite("TimeZoneRules: decoding")
struct TimeZoneDecodingTests {
  @Test("reads a hand-made file and knows its offsets")
  func centralEurope() throws {
    let rules = try TimeZoneRules(TimeZoneFile.centralEurope.bytes.span)
    #expect(rules.offset(atUTC: -2_422_054_409) == 3_208)
    #expect(rules.offset(atUTC: -2_422_054_408) == 3_600)
    #expect(rules.offset(atUTC: 323_830_799) == 3_600)
    #expect(rules.offset(atUTC: 323_830_800) == 7_200)
    #expect(rules.offset(atUTC: 338_950_800) == 3_600)
    #expect(rules.offset(atUTC: 846_378_000) == 3_600)
    // 2026-03-29 01:00 UTC and 2026-10-25 01:00 UTC, by the footer.
    #expect(rules.offset(atUTC: 1_774_745_999) == 3_600)
    #expect(rules.offset(atUTC: 1_774_746_000) == 7_200)
    #expect(rules.offset(atUTC: 1_792_889_999) == 7_200)
    #expect(rules.offset(atUTC: 1_792_890_000) == 3_600)
  }

  @Test("without a yearly rule the last offset stays, without transitions the first")
  func endings() throws {
    var file = TimeZoneFile.centralEurope
    file.footer = "\n\n"
    file.indexes = [1, 2, 1, 2]
    let rules = try TimeZoneRules(file.bytes.span)
    #expect(rules.offset(atUTC: .max) == 7_200)
    #expect(rules.offset(atUTC: .min) == 3_208)
    file.transitions = []
    file.indexes = []
    let still = try TimeZoneRules(file.bytes.span)
    #expect(still.offset(atUTC: 0) == 3_208)
    file.footer = "\n<+05>-5\n"
    let footerOnly = try TimeZoneRules(file.bytes.span)
    #expect(footerOnly.offset(atUTC: 0) == 18_000)
  }

  @Test("passes over a first block of any size and takes indicators that are right")
  func firstBlocks() throws {
    var file = TimeZoneFile.centralEurope
    let plain = try TimeZoneRules(file.bytes.span)
    file.firstCounts = [2, 2, 1, 3, 2, 5]
    file.firstBlock = [UInt8](repeating: 0xee, count: 3 * 5 + 2 * 6 + 5 + 8 + 2 + 2)
    file.standardIndicators = [0, 1, 1]
    file.utIndicators = [0, 0, 1]
    file.version = UInt8(ascii: "4")
    #expect(try TimeZoneRules(file.bytes.span) == plain)
  }

  @Test("refuses every flaw by code and place")
  func flaws() {
    for (name, expected, change) in Self.flaws {
      var file = TimeZoneFile.centralEurope
      change(&file)
      let bytes = file.bytes
      #expect(refusal(of: bytes) == expected, "\(name)")
    }
  }

  @Test("refuses a file cut short at any length, or longer")
  func truncation() {
    var file = TimeZoneFile.centralEurope
    file.standardIndicators = [0, 1, 1]
    let bytes = file.bytes
    for count in 0..<bytes.count {
      #expect(refusal(of: Array(bytes[..<count]))?.code == .truncated, "cut to \(count)")
    }
    #expect(
      refusal(of: bytes + [0x0a]) == TimeZoneError(code: .trailingBytes, offset: bytes.count))
    let long = bytes + [UInt8](repeating: 0, count: TimeZoneLimits.byteCountMax)
    #expect(refusal(of: long) == TimeZoneError(code: .limitExceeded, offset: 0))
  }

  @Test("never traps on changed bytes, nor on questions to what it still accepts")
  func mutation() {
    let bytes = TimeZoneFile.centralEurope.bytes
    var random = SplitMix64(seed: 0x1a7d_0003)
    for index in bytes.indices {
      for replacement in [0, 1, 0x7f, 0x80, 0xff, bytes[index] &+ 1, bytes[index] ^ 0x20] as [UInt8]
      {
        var changed = bytes
        changed[index] = replacement
        guard let rules = try? TimeZoneRules(changed.span) else { continue }
        let instant = Int64(bitPattern: random.next()) >> Int64(random.below(40))
        let offset = rules.offset(atUTC: instant)
        #expect((-89_999...93_599).contains(offset))
        _ = rules.offsets(atLocal: instant)
      }
    }
  }

  private func refusal(of bytes: [UInt8]) -> TimeZoneError? {
    do throws(TimeZoneError) {
      _ = try TimeZoneRules(bytes.span)
      return nil
    } catch {
      return error
    }
  }

  private typealias Flaw = (String, TimeZoneError, (inout TimeZoneFile) -> Void)

  private static var flaws: [Flaw] {
    let file = TimeZoneFile.centralEurope
    return headerFlaws(file) + blockFlaws(file) + indicatorFlaws(file) + footerFlaws(file)
  }

  private static func headerFlaws(_ file: TimeZoneFile) -> [Flaw] {
    func error(_ code: TimeZoneError.Code, _ offset: Int) -> TimeZoneError {
      TimeZoneError(code: code, offset: offset)
    }
    let second = file.secondHeader
    return [
      ("another magic", error(.notTimeZone, 0), { $0.magic = Array("TZiF".utf8) }),
      ("version 1", error(.unsupportedVersion, 4), { $0.version = 0 }),
      ("version 5", error(.unsupportedVersion, 4), { $0.version = UInt8(ascii: "5") }),
      (
        "two versions", error(.unsupportedVersion, second + 4),
        { $0.secondVersion = UInt8(ascii: "3") }
      ),
      ("a first block elsewhere", error(.notTimeZone, second + 6), { $0.firstCounts[5] = 7 }),
      (
        "a first block beyond the end", error(.truncated, file.bytes.count),
        { $0.firstCounts = Array(repeating: .max, count: 6) }
      ),
      ("no types", error(.badCount, second), { $0.counts = [0, 0, 0, 4, 0, 13] }),
      ("no designations", error(.badCount, second), { $0.counts = [0, 0, 0, 4, 3, 0] }),
      ("some UT indicators", error(.badCount, second), { $0.counts = [1, 0, 0, 4, 3, 13] }),
      ("some standard indicators", error(.badCount, second), { $0.counts = [0, 2, 0, 4, 3, 13] }),
      (
        "too many transitions", error(.limitExceeded, second),
        { $0.counts = [0, 0, 0, 4_097, 3, 13] }
      ),
      ("too many types", error(.limitExceeded, second), { $0.counts = [0, 0, 0, 4, 257, 13] }),
      ("long designations", error(.limitExceeded, second), { $0.counts = [0, 0, 0, 4, 3, 1_025] }),
      (
        "leap seconds", error(.leapSeconds, second),
        { $0.leapSeconds = [UInt8](repeating: 0, count: 12) }
      ),
      (
        "a block beyond the end", error(.truncated, file.bytes.count),
        { $0.counts = [0, 0, 0, 400, 3, 13] }
      ),
    ]
  }

  private static func blockFlaws(_ file: TimeZoneFile) -> [Flaw] {
    func error(_ code: TimeZoneError.Code, _ offset: Int) -> TimeZoneError {
      TimeZoneError(code: code, offset: offset)
    }
    return [
      (
        "equal transitions", error(.unsorted, file.secondBlock + 16),
        { $0.transitions[2] = $0.transitions[1] }
      ),
      (
        "falling transitions", error(.unsorted, file.secondBlock + 8),
        { $0.transitions.swapAt(0, 1) }
      ),
      (
        "a time before all time", error(.outOfRange, file.secondBlock),
        { $0.transitions[0] = -TimeZoneLimits.transitionSecondsMax - 1 }
      ),
      (
        "a time after all time", error(.outOfRange, file.secondBlock + 24),
        { $0.transitions[3] = .max }
      ),
      ("a type that is not there", error(.badIndex, file.indexesStart + 2), { $0.indexes[2] = 3 }),
      (
        "an offset of 26 hours", error(.outOfRange, file.typesStart + 6),
        { $0.types[1].offset = 93_600 }
      ),
      (
        "an offset of −25 hours", error(.outOfRange, file.typesStart),
        { $0.types[0].offset = -90_000 }
      ),
      (
        "the smallest offset", error(.outOfRange, file.typesStart), { $0.types[0].offset = .min }
      ),
      (
        "summer of 2", error(.badIndicator, file.typesStart + 16), { $0.types[2].isSummer = 2 }
      ),
      (
        "a designation that is not there", error(.badIndex, file.typesStart + 5),
        { $0.types[0].designation = 13 }
      ),
      (
        "a designation without end", error(.badDesignation, file.designationsStart + 8),
        { $0.designations[12] = UInt8(ascii: "x") }
      ),
    ]
  }

  private static func indicatorFlaws(_ file: TimeZoneFile) -> [Flaw] {
    func error(_ code: TimeZoneError.Code, _ offset: Int) -> TimeZoneError {
      TimeZoneError(code: code, offset: offset)
    }
    let indicators = file.indicatorsStart
    return [
      (
        "a standard indicator of 2", error(.badIndicator, indicators + 1),
        { $0.standardIndicators = [0, 2, 0] }
      ),
      (
        "a UT indicator of 2", error(.badIndicator, indicators + 5),
        { ($0.standardIndicators, $0.utIndicators) = ([1, 1, 1], [0, 0, 2]) }
      ),
      (
        "UT without standard", error(.badIndicator, indicators + 4),
        { ($0.standardIndicators, $0.utIndicators) = ([1, 0, 1], [1, 1, 0]) }
      ),
      (
        "UT without any standard", error(.badIndicator, indicators),
        { $0.utIndicators = [1, 0, 0] }
      ),
    ]
  }

  private static func footerFlaws(_ file: TimeZoneFile) -> [Flaw] {
    func error(_ code: TimeZoneError.Code, _ offset: Int) -> TimeZoneError {
      TimeZoneError(code: code, offset: offset)
    }
    let start = file.footerStart
    return [
      ("no footer", error(.truncated, start), { $0.footer = "" }),
      ("a footer without newline", error(.badFooter, start), { $0.footer = "CET-1\n" }),
      ("a footer without end", error(.truncated, start + 6), { $0.footer = "\nCET-1" }),
      ("two footers", error(.trailingBytes, start + 7), { $0.footer = "\nCET-1\nCET-1\n" }),
      (
        "an endless footer", error(.limitExceeded, start),
        { $0.footer = "\n" + String(repeating: "x", count: 257) + "\n" }
      ),
      ("a footer that is no rule", error(.badFooter, start + 3), { $0.footer = "\nCE\n" }),
      (
        "another offset than the last", error(.inconsistentFooter, start),
        { $0.footer = "\nUTC0\n" }
      ),
    ]
  }
}
