import Foundation
import LarderCatalog
import LarderCatalogImport
import LarderFiles
import LarderKernel
import Testing

@Suite("Files that are no catalog")
struct HostileFileTests {
  /// Installs a good catalog, then expects `install` to fail with `code` and leave it as it was.
  private func expect(
    _ code: CatalogError.Code, _ install: (TestStore) throws -> Void
  ) throws {
    let store = try TestStore()
    try store.install("good.jsonl", ["{\"code\":\"20000011\",\"product_name\":\"Oats\"}"])
    let before = try store.status()
    let error = #expect(throws: CatalogError.self) { try install(store) }
    #expect(error?.code == code)
    #expect(try store.status() == before)
    #expect(try store.product("20000011") != nil)
    #expect(try store.isTidy())
  }

  @Test("empty, blank, binary and foreign files hold no products")
  func noProducts() throws {
    for bytes: [UInt8] in [
      [], Array("\n\n  \n".utf8), Array((0...255).map { UInt8($0) }), [0xef, 0xbb, 0xbf],
      Array("code\tname\n1\tOats\n".utf8), storedGzip([]), Array("{\"code\":\"x\"}".utf8),
    ] {
      try expect(.noProducts) { store in try store.install(try store.file("bad", bytes)) }
    }
  }

  @Test("gzip that ends early or is damaged is unreadable, however far it went")
  func damagedGzip() throws {
    let lines = (0..<5000).map {
      "{\"code\":\"\(20_000_000 + $0)\",\"product_name\":\"Oats \($0)\"}\n"
    }
    let packed = storedGzip(Array(lines.joined().utf8))
    try expect(.unreadable) { store in
      try store.install(try store.file("cut.gz", Array(packed.dropLast(20))))
    }
    var damaged = packed
    damaged[damaged.count - 6] ^= 1
    try expect(.unreadable) { store in try store.install(try store.file("bad.gz", damaged)) }
  }

  @Test("a file that is not there, a folder and a pipe are told apart from an empty one")
  func noFile() throws {
    try expect(.notFound) { store in try store.install(store.folder + "/none.jsonl") }
    try expect(.notRegular) { store in try store.install(store.folder) }
    try expect(.notRegular) { store in try store.install("/dev/null") }
  }

  @Test("UTF-16 and UTF-32 are told, plain and packed, whichever byte comes first")
  func wideText() throws {
    let text = "{\"code\":\"20000011\",\"product_name\":\"Oats\"}\n"
    for (mark, encoding) in [
      ([0xff, 0xfe], String.Encoding.utf16LittleEndian), ([], .utf16LittleEndian),
      ([0xfe, 0xff], .utf16BigEndian), ([], .utf16BigEndian), ([], .utf32LittleEndian),
      ([0xff, 0xfe, 0, 0], .utf32LittleEndian), ([0, 0, 0xfe, 0xff], .utf32BigEndian),
      ([], .utf32BigEndian),
    ] as [([UInt8], String.Encoding)] {
      let bytes = mark + Array(try #require(text.data(using: encoding)))
      try expect(.wrongEncoding) { store in try store.install(try store.file("bad", bytes)) }
      try expect(.wrongEncoding) { store in
        try store.install(try store.file("bad.gz", storedGzip(bytes)))
      }
    }
  }

  @Test("a line without an end is set aside, not held in memory")
  func longLine() throws {
    let store = try TestStore()
    let limit = CatalogImporter.lineByteCountMaximum
    var bytes = [UInt8](repeating: UInt8(ascii: "["), count: limit + 300_000)
    bytes += Array("\n{\"code\":\"20000011\"}\n".utf8)
    bytes += [UInt8](repeating: UInt8(ascii: "a"), count: limit + 1)
    try store.install(try store.file("long.jsonl", bytes))
    let status = try store.status()
    #expect(status.productCount == 1)
    #expect(status.setAsideCounts == [.lineTooLong: 2])
    let catalog = try Catalog.open(store.location)
    #expect(try catalog.setAside(offset: 0, limit: 9).map(\.line) == [1, 3])
  }

  @Test(
    "deep nesting, broken UTF-8, repeated keys and odd numbers lose their record only, or nothing")
  func oddRecords() throws {
    let store = try TestStore()
    let deep = String(repeating: "[", count: 100_000)
    var bytes = Array("{\"code\":\"20000011\",\"a\":\(deep)\n".utf8)
    bytes += Array("{\"code\":\"20000028\",\"product_name\":\"".utf8) + [0xff, 0xfe]
    bytes += Array("\"}\n".utf8)
    bytes += Array("{\"code\":\"20000035\",\"code\":\"20000035\",\"rev\":1e400}\n".utf8)
    bytes += Array(
      "{\"code\":\"20000042\",\"nutriments\":{\"fat_100g\":1e400,\"salt_100g\":1e-400}}\r\n".utf8)
    bytes += Array("{\"code\":\"20000059\",\"nutriments\":[1],\"lang\":{}}".utf8)
    try store.install(try store.file("odd.jsonl", bytes))
    let status = try store.status()
    #expect(status.recordCount == 5)
    #expect(status.setAsideCounts == [.notJSON: 1])
    #expect(status.productCount == 4)
    #expect(try store.product("20000028")?.flags.contains(.nameMissing) == true)
    #expect(try store.product("20000042")?.flags.contains(.valueUnreadable) == true)
  }

  @Test("a caller can stop an install")
  func cancelled() throws {
    try expect(.cancelled) { store in
      let path = try store.file("more.jsonl", ["{\"code\":\"20000028\"}"])
      let now = try #require(Instant(milliseconds: 0))
      _ = try CatalogImporter(store.location).install(
        path, installedAt: now, progress: { _ in }, isCancelled: { true })
    }
  }

  @Test("a second install at the same time is refused as busy")
  func busy() throws {
    try expect(.busy) { store in
      let lock = try FileLock(path: store.folder + "/tmp/catalog-install.lock")
      try lock.acquire(waitingAtMost: 0, holder: "test")
      defer { lock.release() }
      try store.install("more.jsonl", ["{\"code\":\"20000028\"}"])
    }
  }

  @Test("what a killed install left is swept away by the next")
  func leftovers() throws {
    let store = try TestStore()
    try FileManager.default.createDirectory(
      atPath: store.folder + "/tmp", withIntermediateDirectories: true)
    for suffix in ["", "-wal", "-shm", "-journal"] {
      _ = try store.file("tmp/catalog-install.sqlite" + suffix, Array("half".utf8))
    }
    try store.install("fresh.jsonl", ["{\"code\":\"20000028\"}"])
    #expect(try store.isTidy())
    #expect(try store.status().productCount == 1)
  }

  @Test(
    "no catalog and another file in its place are told apart, and mended by an install"
  )
  func mended() throws {
    let store = try TestStore()
    func code() -> CatalogError.Code? {
      do {
        _ = try Catalog.open(store.location).status()
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code() == .notInstalled)
    _ = try store.file("catalog.sqlite", Array("no database at all".utf8))
    #expect(code() == .corrupt)
    try store.install("fresh.jsonl", ["{\"code\":\"20000028\"}"])
    #expect(code() == nil)
  }

  @Test("progress goes on, and ends at the whole file")
  func progress() throws {
    let store = try TestStore()
    let path = try store.file(
      "many.jsonl", (0..<2500).map { "{\"code\":\"\(20_000_000 + $0)\"}" })
    var seen: [CatalogImportProgress] = []
    let now = try #require(Instant(milliseconds: 0))
    _ = try CatalogImporter(store.location).install(
      path, installedAt: now, progress: { seen.append($0) }, isCancelled: { false })
    #expect(seen.map(\.recordCount) == [1000, 2000, 2500])
    #expect(seen.last.map { $0.readByteCount == $0.fileByteCount } == true)
  }
}
