import Foundation
import LarderCatalog
import LarderCatalogImport
import LarderHash
import LarderKernel
import Testing

@Suite("CatalogImporter")
struct CatalogImporterTests {
  private let oats =
    """
    {"code":"20000011","lang":"en","product_name":"Porridge oats","rev":3,\
    "last_modified_t":1700000000,"nutrition_data_per":"100g","nutriments":{"energy-kcal_100g":370,\
    "fat_100g":8,"carbohydrates_100g":60,"proteins_100g":12}}
    """
  private let tea =
    "{\"code\":\"20000028\",\"product_name_de\":\"Kräutertee\",\"last_modified_t\":1600000000}"

  @Test("every record is a product, a duplicate, or set aside with its line and reason [CATALOG-1]")
  func accounting() throws {
    let store = try TestStore()
    let outcome = try store.install(
      "a.jsonl",
      [
        oats, "", "not json", tea, "[1]", "{}", "{\"code\":\"abc\"}", "{\"code\":\"0000\"}", "   ",
        oats, "{\"code\":\"200", "{\"code\":20000035}", "\"text\"", "{\"code\":\"20000042\"}x",
      ])
    guard case .installed(let install, isNewer: true) = outcome else {
      Issue.record("not installed")
      return
    }
    #expect(install.recordCount == 12)
    #expect(install.productCount == 3)
    #expect(install.duplicateCount == 1)
    #expect(install.setAsideCounts == [.notJSON: 5, .codeMissing: 1, .codeInvalid: 2])
    #expect(install.setAsideCount + install.productCount + install.duplicateCount == 12)
    #expect(install.newestModifiedAt == 1_700_000_000)
    #expect(install.flagCounts[.noNutrition] == 2)
    #expect(install.flagCounts[.nameMissing] == 1)
    let catalog = try Catalog.open(store.location)
    #expect(catalog.status() == install)
    let aside = try catalog.setAside(offset: 0, limit: 100)
    #expect(aside.map(\.line) == [3, 5, 6, 7, 8, 11, 13, 14])
    #expect(try catalog.setAside(offset: 2, limit: 1).first?.reason == .codeMissing)
    #expect(try store.isTidy())
  }

  @Test("what is stored is read back equal, with the notice [CATALOG-5]")
  func roundTrip() throws {
    let store = try TestStore()
    let line =
      """
      {"code":"012345678905","lang":"de","product_name":"Hafer \\u0000 Brei\\n","product_name_fr":\
      "Flocons d’avoine","generic_name_en":"Oats","brands":"Ähre","quantity":"500 g","rev":7,\
      "serving_size":"3 EL (40 g)","unique_scans_n":12,"last_modified_t":5,"nutriments":\
      {"energy_100g":1550,"fiber_100g":"<10","sodium_100g":0.004,"vitamin-d_100g":1e-7}}
      """
    try store.install("b.jsonl", [line])
    let product = try store.product("0 12345 67890 5")
    #expect(product == (try imported(line)))
    #expect(product?.code.canonical == "0012345678905")
    #expect(product?.code.asked == "012345678905")
    #expect(product?.names["de"] == "Hafer \u{0} Brei\n")
    #expect(product?.revision == .init(modifiedAt: 5, number: 7))
    #expect(
      product?.notice == "Contains information from Open Food Facts, made available under the "
        + "Open Database License 1.0")
  }

  @Test("gzip and plain text install the same products; the hash is of the file as it is")
  func gzip() throws {
    let store = try TestStore()
    let plain = Array((oats + "\n" + tea).utf8)
    try store.install(try store.file("c.jsonl", plain))
    let first = try store.status()
    #expect(first.fileHash == BLAKE2b.hash256(plain))
    #expect(first.fileByteCount == Int64(plain.count))
    let packed = storedGzip(plain)
    guard
      case .installed(let second, isNewer: false) = try store.install(
        try store.file("c.jsonl.gz", packed))
    else {
      Issue.record("not installed, or said to be newer")
      return
    }
    #expect(second.digest == first.digest)
    #expect(second.fileHash == BLAKE2b.hash256(packed))
    #expect(second.fileHash != first.fileHash)
  }

  @Test("A13: the same file again is no install and says so; under another name too [CATALOG-2]")
  func sameFile() throws {
    let store = try TestStore()
    try store.install("d.jsonl", [oats, tea])
    let before = try store.status()
    guard case .sameFile(let install) = try store.install("e.jsonl", [oats, tea]) else {
      Issue.record("installed again")
      return
    }
    #expect(install == before)
    guard case .installed = try store.install("d.jsonl", [tea, oats]) else {
      Issue.record("another file of equal length was taken for the same")
      return
    }
    #expect(try store.status().digest == before.digest)
  }

  @Test("a dump that has nothing newer than the one before says so")
  func notNewer() throws {
    let store = try TestStore()
    try store.install("f.jsonl", [oats])
    guard case .installed(_, isNewer: false) = try store.install("g.jsonl", [tea]) else {
      Issue.record("an older dump was said to be newer")
      return
    }
    guard case .installed(_, isNewer: true) = try store.install("h.jsonl", [oats]) else {
      Issue.record("a newer dump was said to be older")
      return
    }
    guard case .installed(_, isNewer: nil) = try store.install("i.jsonl", ["{\"code\":\"1\"}"])
    else {
      Issue.record("a dump without dates was compared")
      return
    }
  }

  @Test("of several records of one code one wins, whatever their order")
  func duplicates() throws {
    func record(_ code: String, _ modified: Int, _ revision: Int, _ name: String) -> String {
      """
      {"code":"\(code)","last_modified_t":\(modified),"rev":\(revision),"lang":"en",\
      "product_name":"\(name)"}
      """
    }
    let records = [
      record("0000040123455", 10, 1, "old"), record("40123455", 20, 1, "new"),
      record("040123455", 20, 2, "newest"), record("0040123455", 20, 2, "newest b"),
      record("40123455", 0, 9, "undated"),
    ]
    var digests: Set<Bytes16> = []
    let store = try TestStore()
    for shift in records.indices {
      try store.install("\(shift).jsonl", Array(records[shift...] + records[..<shift]))
      digests.insert(try store.status().digest)
      #expect(try store.status().duplicateCount == 4)
      #expect(try store.product("0000040123455")?.revision.number == 2)
    }
    try store.install("reversed.jsonl", records.reversed())
    digests.insert(try store.status().digest)
    #expect(digests.count == 1)
  }

  @Test("A12: a later dump replaces the catalog; obsolete products are marked")
  func versions() throws {
    let store = try TestStore()
    func record(_ fields: String) -> String {
      "{\"code\":\"20000059\",\"lang\":\"en\",\(fields)}"
    }
    try store.install("v1.jsonl", [record("\"product_name\":\"Cola 0.5 l\",\"rev\":1")])
    let kept = try #require(try store.product("20000059"))
    try store.install(
      "v2.jsonl", [record("\"product_name\":\"Cola 0.5 l\",\"rev\":2,\"obsolete\":\"on\"")])
    #expect(try store.product("20000059")?.flags.contains(.obsolete) == true)
    try store.install("v3.jsonl", [record("\"product_name\":\"Iced tea\",\"rev\":3")])
    #expect(try store.product("20000059")?.shownName(["en"]) == "Iced tea")
    #expect(kept.shownName(["en"]) == "Cola 0.5 l")
  }

  @Test("a catalog that is open keeps answering from what it was opened with")
  func openDuringInstall() throws {
    let store = try TestStore()
    try store.install("j.jsonl", [oats])
    let catalog = try Catalog.open(store.location)
    try store.install("k.jsonl", [tea])
    #expect(try catalog.product(code: try ProductCode("20000011")) != nil)
    #expect(try catalog.product(code: try ProductCode("20000028")) == nil)
    #expect(try store.product("20000011") == nil)
    #expect(try store.product("20000028") != nil)
  }

  @Test("C1–C4: every way to ask for a code finds the product, C12: a wrong check digit too")
  func codes() throws {
    let store = try TestStore()
    try store.install(
      "l.jsonl",
      [
        "{\"code\":\"0012345678905\"}", "{\"code\":\"40123455\"}", "{\"code\":\"00012444\"}",
        "{\"code\":\"25000044984\"}",
      ])
    for asked in ["012345678905", "0012345678905", "00012345678905", " 0 12345 67890 5 "] {
      #expect(try store.product(asked)?.code.canonical == "0012345678905")
    }
    #expect(try store.product("0000040123455")?.code.canonical == "40123455")
    #expect(try store.product("00012444")?.flags.contains(.checkDigitInvalid) == true)
    #expect(try store.product("0025000044984") != nil)
    #expect(try store.product("5000123456780") == nil)
  }

  @Test("texts longer than an event holds are cut between characters and marked")
  func longTexts() throws {
    let product = try imported(
      "{\"lang\":\"de\",\"product_name\":\"\(String(repeating: "ü", count: 600))\"}")
    #expect(product.names["de"]?.utf8.count == 1024)
    #expect(product.flags.contains(.textShortened))
  }
}

/// `plain` as one gzip member of stored blocks of at most 60,000 bytes.
func storedGzip(_ plain: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
  var start = 0
  repeat {
    let end = min(start + 60_000, plain.count)
    let count = UInt16(end - start)
    bytes.append(end == plain.count ? 1 : 0)
    bytes += [count, ~count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    bytes += plain[start..<end]
    start = end
  } while start < plain.count
  var check = UInt32.max
  for byte in plain {
    check ^= UInt32(byte)
    for _ in 0..<8 { check = check >> 1 ^ (check & 1 == 1 ? 0xedb8_8320 : 0) }
  }
  for word in [~check, UInt32(plain.count)] {
    bytes += [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
  }
  return bytes
}
