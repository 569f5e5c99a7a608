import Foundation
import LarderCrypto
import LarderFiles
import LarderKernel
import LarderSQL
import Testing

@testable import LarderStore

@Suite("Tables")
struct TablesTests {
  @Test("Schemas/Tables has the SQL of the tables a store has", arguments: names)
  func schemaIsCurrent(name: String) throws {
    let projections = Schema.standard.projections
    let plan = ProjectionPlan(try #require(projections.first { $0.name == name }))
    let root = String(#filePath.dropLast("Tests/LarderStoreTests/TablesTests.swift".count))
    let path = root + "Schemas/Tables/\(name.prefix(1).uppercased())\(name.dropFirst()).sql"
    let current = plan.create(.live).text + "\n"
    if ProcessInfo.processInfo.environment["LARDER_WRITE_SCHEMAS"] == "1" {
      try current.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == current)
    let store = try SampleStore().create()
    let made = try store.connection.prepare("SELECT sql FROM sqlite_schema WHERE name = ?")
    for table in plan.tables {
      let sql = try made.map(table.name) { $0.text(0) }
      #expect(current.contains(try #require(sql.first)))
    }
  }

  // [TABLE-10]
  @Test("Schemas/Tables/Views.sql is the SQL of the views a store has")
  func viewsAreCurrent() throws {
    let root = String(#filePath.dropLast("Tests/LarderStoreTests/TablesTests.swift".count))
    let path = root + "Schemas/Tables/Views.sql"
    let current = DiaryViews.all.map { $0.sql.text + ";\n" }.joined()
    if ProcessInfo.processInfo.environment["LARDER_WRITE_SCHEMAS"] == "1" {
      try current.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == current)
    let store = try SampleStore().create()
    let made = try store.connection.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY rowid"
    ).map { $0.text(0) + ";\n" }
    #expect(made.joined() == current)
  }

  private static let names = Schema.standard.projections.map { $0.name }

  // [STORE-4]
  @Test("another program's database is refused and not changed")
  func foreignFile() throws {
    let sample = SampleStore()
    try FileManager.default.createDirectory(
      atPath: sample.paths.folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    process.arguments = [sample.paths.database, "CREATE TABLE t(x); PRAGMA user_version = 7"]
    try process.run()
    process.waitUntilExit()
    let before = FileManager.default.contents(atPath: sample.paths.database)
    let foreign = #expect(throws: StoreError.self) { try sample.open() }
    #expect(foreign?.code == .unsupportedVersion)
    let inTheWay = #expect(throws: StoreError.self) { try sample.create() }
    #expect(inTheWay?.code == .exists)
    #expect(FileManager.default.contents(atPath: sample.paths.database) == before)
  }

  // [STORE-2]
  @Test("what an interrupted making left is completed by the next")
  func interruptedMaking() throws {
    let sample = SampleStore()
    // The state after the key was written, and while the database was made.
    let key = AuthorSecretKey.generate()
    try Files.createFolder(sample.paths.temporary)
    try DeviceKeyFile.write(key, to: sample.paths.deviceKey)
    let half = sample.paths.temporary + "/store-in-making.sqlite"
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: half))
    let missing = #expect(throws: StoreError.self) { try sample.open() }
    #expect(missing?.code == .notFound)
    _ = try sample.create()
    let device = try sample.reader().device()
    #expect(device.author == AuthorID(key.publicKey.authorID))
    #expect(
      AuthorID(try DeviceKeyFile.read(sample.paths.deviceKey).publicKey.authorID)
        == device.author)
  }

  // [STORE-3]
  @Test("a damaged key file is refused")
  func damagedKey() throws {
    let sample = SampleStore()
    _ = try sample.create()
    let whole = try #require(FileManager.default.contents(atPath: sample.paths.deviceKey))
    #expect(whole.count == 56)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 1
      try bytes.write(to: URL(fileURLWithPath: sample.paths.deviceKey))
      #expect(throws: StoreError.self) { _ = try DeviceKeyFile.read(sample.paths.deviceKey) }
    }
    // Nothing is written without the key, and verify says why.
    let refused = #expect(throws: StoreError.self) { try sample.open() }
    #expect(refused?.code == .keyMissing)
    #expect(try sample.reader().verify { _ in true }.problems.map(\.code) == ["keyMissing"])
    try whole.dropLast().write(to: URL(fileURLWithPath: sample.paths.deviceKey))
    #expect(throws: StoreError.self) { _ = try DeviceKeyFile.read(sample.paths.deviceKey) }
  }

  // [TABLE-1]
  @Test("an unknown nutrient is NULL, and a known nothing is 0")
  func unknownNutrients() throws {
    let sample = SampleStore()
    let store = try sample.create()
    var line = try sample.line("salt free", kcal: 0)
    line.product = nil
    let stream = sample.stream(1)
    _ = try sample.append(
      [
        try NewEvent(
          ItemAdded(occasion: try sample.occasion(), item: ItemID(1), line: line), in: stream)
      ], to: store)
    let found = try store.connection.prepare(
      "SELECT energyCal IS 0, saltUg IS NULL, mealEntryId IS NULL FROM NutritionLogs"
    ).map { [$0.bool(0), $0.bool(1), $0.bool(2)] }
    #expect(found == [[true, true, true]])
  }

  // [STORE-7]
  @Test("the database's path goes to SQLite alone, to stat, and to the rename that makes it")
  func onlySQLiteOpensTheDatabase() throws {
    let root = String(#filePath.dropLast("Tests/LarderStoreTests/TablesTests.swift".count))
    let files = FileManager.default.enumerator(atPath: root + "Sources")
    var uses: [String] = []
    while let name = files?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      let text = try String(contentsOfFile: root + "Sources/" + name, encoding: .utf8)
      for line in text.split(separator: "\n")
      where line.contains("paths.database") || line.contains("larder.sqlite\"") {
        uses.append(line.trimmingCharacters(in: .whitespaces))
      }
    }
    #expect(
      Set(uses) == [
        "public var database: String { folder + \"/larder.sqlite\" }",
        "try Files.identity(of: paths.database)",
        "(try Files.mark(of: paths.database), try Files.absolutePath(of: paths.folder))",
        "path: path ?? paths.database, mode: mode, format: StoreTables.format,",
        "path: paths.database, format: StoreTables.format,",
        "if try isThere(paths.database) {", "if try isThere(paths.database + \"-wal\") {",
        ".obstructed, operation: \"create store\", subject: paths.database + \"-wal\")",
        "try Files.rename(made, to: paths.database)",
        "if let log = try Files.identity(of: paths.database + \"-wal\"),",
        "for path in [paths.folder, paths.database, paths.deviceKey] {",
        "for path in [paths.folder, paths.database, paths.lock]",
      ])
  }

  // [DIG-4]
  @Test("a list of texts is a JSON array, spelt in one way")
  func texts() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let tags = ["plain", "a\"b\\", "\u{1}\n\u{7f}\u{85}\u{2028}", "caf\u{e9} \u{1f35e}/"]
    let meal = MealCaptured(occasion: try sample.occasion(), source: .manual, tags: tags)
    _ = try sample.append([try NewEvent(meal, in: sample.stream(1))], to: store)
    let found = try store.connection.prepare("SELECT tags FROM MealEntries").map { $0.text(0) }
    let wanted =
      #"["plain","a\"b\\","\u0001\n\u007f\u0085\u2028",""# + "caf\u{e9} \u{1f35e}/\"]"
    #expect(found == [wanted])
  }

  // [TABLE-7]
  @Test("unknown kinds and newer versions are kept, listed, and close a stream if critical")
  func unknownKinds() throws {
    let sample = SampleStore()
    let store = try sample.create()
    let stream = sample.stream(1)
    _ = try sample.append(try sample.meal(stream), to: store)
    let odd = try NewEvent(MealNodded(), in: stream)
    _ = try sample.append([odd], to: store)
    #expect(try sample.reader().day(try #require(CivilDay("2026-05-02"))).logs.count == 3)
    let listed = try store.connection.prepare("SELECT kind, reason FROM _unfolded").map {
      [$0.text(0), $0.text(1)]
    }
    #expect(listed == [["example/MealNodded", "unknownKind"]])
    _ = try sample.append([try NewEvent(MealNodded(), in: stream, isCritical: true)], to: store)
    let closed = #expect(throws: StoreError.self) {
      try sample.append([try NewEvent(MealRestored(), in: stream)], to: store)
    }
    #expect(closed?.code == .closedStream)
    #expect(try sample.reader().verify { _ in true }.problems == [])
  }
}

/// A kind this build's catalogue does not have.
struct MealNodded: EventPayload {
  static let kind = EventKind("example/MealNodded") ?? .mealChanged
  init() {}
  init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    while try reader.nextField(in: bytes) != nil { throw reader.unknownField() }
  }
  func write(to writer: inout PayloadWriter) {}
}
