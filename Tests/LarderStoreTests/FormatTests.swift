import Foundation
import LarderHash
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

/// Stores that builds of earlier versions wrote: they open for ever.
@Suite("Stores of earlier formats")
struct FormatTests {
  private static let folder =
    String(
      #filePath.dropLast("Tests/LarderStoreTests/FormatTests.swift".count)) + "Schemas/Databases/"

  private func opened(_ name: String) throws -> SampleStore {
    let sample = SampleStore()
    sample.isRecorded = false
    try FileManager.default.copyItem(atPath: Self.folder + name, toPath: sample.paths.folder)
    return sample
  }

  private func dump(_ sample: SampleStore) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [
      "-readonly", sample.paths.database,
      "SELECT * FROM MealEntries ORDER BY id; SELECT * FROM NutritionLogs ORDER BY id",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  // [STORE-11]
  @Test("format 1 is read as it is, and becomes this format at the first write")
  func format1() throws {
    let sample = try opened("format-1")
    let rows = try dump(sample)
    #expect(rows.count == 517)
    // Read only: nothing is changed.
    do {
      let reader = try sample.reader()
      let day = try #require(CivilDay("2026-03-12"))
      let meals = try reader.day(day).meals
      #expect(meals.contains { $0.entry == nil && $0.logs.map(\.name) == ["cake 2"] })
      #expect(try reader.heads().map(\.size) == [522])
      let last = try #require(try reader.lastCapture())
      #expect(try reader.matches(String(last.hex.suffix(6)), limit: 3).map(\.stream) == [last])
      let report = try reader.verify { _ in true }
      #expect(report.problems == [] && report.eventCount == 522)
      #expect(report.others.map(\.version) == [1])
      #expect(reader.connection.version == 1)
    }
    #expect(try dump(sample) == rows)
    let store = try sample.open()
    let events = try sample.append(try sample.meal(sample.stream(1)), to: store)
    #expect(events.map(\.id.seq) == [522, 523, 524, 525])
    let after = try sample.reader()
    #expect(after.connection.version == 2)
    #expect(try after.verify { _ in true }.problems == [])
    let own = Set(events.map(\.header.stream.hex))
    #expect(
      try dump(sample).filter { row in !own.contains { row.hasPrefix($0) } } == rows)
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
  }

  // [STORE-11]
  @Test("an upgrade that is killed at any point has happened, or not")
  func interruptedUpgrade() throws {
    let sample = try opened("format-1")
    let rows = try dump(sample)
    // The tables of this format are there, and no row was folded again.
    do { _ = try sample.open() }
    #expect(try dump(sample) == rows)
    let reader = try sample.reader()
    #expect(reader.connection.version == 2)
    #expect(try reader.projectionList().map { "\($0.name) \($0.version)" } == ["meals 1"])
    #expect(try reader.verify { _ in true }.problems == [])
  }

  // [STORE-4]
  @Test("format 2 is this format: it is read, written and verified as it is")
  func format2() throws {
    let sample = try opened("format-2")
    let rows = try dump(sample)
    #expect(rows.count == 519)
    let before = try sample.reader().verify { _ in true }
    #expect(before.problems == [] && before.others == [] && before.eventCount == 525)
    #expect(before.digest.hex == "a575aab8b41256e73a80397aff9141b7")
    let store = try sample.open()
    #expect(try store.rebuild { _ in true }.changedStreamCount == 0)
    #expect(try dump(sample) == rows)
    _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }

  @Test("every folder of Schemas/Databases is tried here")
  func allFolders() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(names.filter { $0.hasPrefix("format-") }.sorted() == ["format-1", "format-2"])
  }
}
