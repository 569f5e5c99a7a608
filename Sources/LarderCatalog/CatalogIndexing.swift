// Makes the search tables of a catalog whose products are all in, and counts while it walks.
//
// Invariant: reads and writes in transactions of `chunkCount` products, so memory stays flat and a
// caller that cancels is heard soon.

import LarderHash
import LarderKernel
import LarderSQL

/// The last step of a build.
struct CatalogIndexing: ~Copyable {
  /// What was counted.
  struct Counts {
    var productCount: Int64 = 0
    var flaggedCount: Int64 = 0
    var flagCounts: [CatalogFlag: Int64] = [:]
    var digest = Bytes16.zero

    mutating func add(_ flags: CatalogFlags, hash: Bytes16) {
      productCount += 1
      flaggedCount += flags.isEmpty ? 0 : 1
      for flag in flags.flags { flagCounts[flag, default: 0] += 1 }
      digest = digest &+ hash
    }
  }

  /// How many products make a transaction.
  private static let chunkCount: Int64 = 2000
  /// The most searchable names of one product; the row number of a name holds no more.
  static let nameCountMaximum = 64

  private let select: Statement
  private let insertName: Statement
  private let insertKey: Statement

  private init(on connection: borrowing Connection) throws(SQLError) {
    let select = try connection.prepare(
      """
      SELECT place, flags, contentHash, names, genericNames, brand
      FROM places JOIN products ON products.id = places.product
      WHERE place > ? ORDER BY place LIMIT ?
      """)
    let insertName = try connection.prepare(
      "INSERT INTO nameIndex (rowid, name, brand) VALUES (?, ?, ?)")
    insertKey = try connection.prepare(
      "INSERT OR IGNORE INTO nameKeys (key, place) VALUES (?, ?)")
    self.select = select
    self.insertName = insertName
  }

  /// Fills the search tables.
  /// - Throws: `cancelled`, `full`, `ioFailure`, `corrupt`.
  static func indexAll(
    _ connection: borrowing Connection, isCancelled: () -> Bool
  ) throws(CatalogError) -> Counts {
    let indexing = try CatalogError.wrapping { () throws(SQLError) in
      try connection.execute(CatalogFile.searchTables)
      return try CatalogIndexing(on: connection)
    }
    var counts = Counts()
    var last: Int64? = 0
    while let place = last {
      guard !isCancelled() else {
        throw CatalogError(.cancelled, operation: "install catalog", subject: "search tables")
      }
      last = try connection.write { (_) throws(CatalogError) in
        try indexing.indexChunk(after: place, into: &counts)
      }
    }
    return counts
  }

  /// Indexes the products of one transaction.
  /// - Returns: the last place done; nil where none was left.
  private func indexChunk(
    after place: Int64, into counts: inout Counts
  ) throws(CatalogError) -> Int64? {
    var last: Int64?
    try select.forEach(place, Self.chunkCount) { (row) throws(CatalogError) in
      let place = row.int64(0)
      last = place
      counts.add(CatalogFlags(rawValue: row.int64(1)), hash: row.bytes16(2))
      do {
        try index(
          place: place, names: try CatalogRow.names(row, 3),
          genericNames: try CatalogRow.names(row, 4), brand: row.optionalText(5))
      } catch let error as SQLError {
        throw CatalogError(sql: error)
      } catch {
        throw CatalogError(
          .corrupt, operation: "index catalog", subject: "products", underlying: error)
      }
    }
    return last
  }

  private func index(
    place: Int64, names: ProductNames, genericNames: ProductNames, brand: String?
  ) throws {
    let brand = brand.map { SearchText($0).text } ?? ""
    var seen: Set<String> = []
    for (index, element) in (names.elements + genericNames.elements).enumerated() {
      let name = SearchText(element.name).text
      guard !name.isEmpty, seen.count < Self.nameCountMaximum, seen.insert(name).inserted else {
        continue
      }
      try insertName.run(place << 6 | Int64(seen.count - 1), name, brand)
      if index < names.elements.count { try insertKey.run(Self.key(name), place) }
    }
    // A product without any name is found by its brand.
    if seen.isEmpty, !brand.isEmpty { try insertName.run(place << 6, "", brand) }
  }

  /// The key under which a folded name is found whole: 64 bits of its hash. Others may share it, so
  /// whoever finds it compares the name.
  static func key(_ folded: String) -> Int64 {
    Int64(bitPattern: BLAKE2b.hash128(Array(folded.utf8)).high)
  }
}
