// Finding products by words: which places of the ranking a query meets, cheapest and best first.
//
// Invariant: every query reads places in order and stops at its limit, so a search costs what it
// returns and not what it matches.

import LarderSQL

/// The statements a search needs.
struct CatalogSearch: ~Copyable {
  private let selectKey: Statement
  private let selectIndex: Statement

  /// The most words of a query that count.
  static let wordCountMaximum = 12
  /// The most bytes of folded text that count.
  static let textByteCountMaximum = 256

  init(on connection: borrowing Connection) throws(CatalogError) {
    do {
      let selectKey = try connection.prepare(
        "SELECT place FROM nameKeys WHERE key = ? ORDER BY place LIMIT ?")
      let selectIndex = try connection.prepare(
        "SELECT rowid >> 6 FROM nameIndex WHERE nameIndex MATCH ? ORDER BY rowid LIMIT ?")
      self.selectKey = selectKey
      self.selectIndex = selectIndex
    } catch {
      throw CatalogError(sql: error)
    }
  }

  /// The words of `text` that count, folded.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var byteCount = 0
    for word in SearchText(text).words.prefix(wordCountMaximum) {
      byteCount += word.utf8.count + 1
      guard byteCount <= textByteCountMaximum else { break }
      words.append(String(word))
    }
    return words
  }

  /// Places of products one of whose names may be `words` and nothing else.
  func exact(_ words: [String], limit: Int) throws(SQLError) -> [Int64] {
    try selectKey.map(CatalogIndexing.key(words.joined(separator: " ")), limit) { $0.int64(0) }
  }

  /// Places of products one of whose names begins with `words`, the last of which may be
  /// unfinished.
  func prefix(_ words: [String], limit: Int) throws(SQLError) -> [Int64] {
    let phrase = words.joined(separator: " ")
    return try places("name : ^ \"\(phrase)\" *", limit: limit)
  }

  /// Places of products where a name and the brand together have all `words`, each of which may be
  /// unfinished.
  func all(_ words: some Sequence<String>, limit: Int) throws(SQLError) -> [Int64] {
    try places(words.map { "\"\($0)\" *" }.joined(separator: " AND "), limit: limit)
  }

  /// A product with several matching names has several rows, one behind the other.
  private func places(_ query: String, limit: Int) throws(SQLError) -> [Int64] {
    var places: [Int64] = []
    try selectIndex.forEach(query, limit) { row in
      let place = row.int64(0)
      if places.last != place { places.append(place) }
    }
    return places
  }
}
