// The signed edges a store holds. SPEC.md, "Edges".
//
// Invariant: of a chain no edge lies within another one: the wider says all the narrower said.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// The statements on `_edges`.
struct EdgeTable: ~Copyable {
  private let insertRow: Statement
  private let deleteWithin: Statement
  private let selectCovering: Statement
  private let selectOfChain: Statement
  private let move: Statement

  static let columns: SQL = "first, count, rootBefore, rootAfter, leavesRoot, signature"

  init(_ connection: borrowing Connection) throws(SQLError) {
    let insert = try connection.prepare(
      """
      INSERT OR REPLACE INTO _edges(chain, first, count, rootBefore, rootAfter, leavesRoot,
        signature) VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    let delete = try connection.prepare(
      "DELETE FROM _edges WHERE chain = ?1 AND first >= ?2 AND first < ?3 AND first + count <= ?3")
    let covering = try connection.prepare(
      """
      SELECT 1 FROM _edges
      WHERE chain = ?1 AND first > ?2 - 512 AND first <= ?2 AND first + count >= ?3 LIMIT 1
      """)
    let ofChain = try connection.prepare(
      "SELECT \(Self.columns) FROM _edges WHERE chain = ? ORDER BY first, count")
    let move = try connection.prepare("UPDATE OR REPLACE _edges SET chain = ?2 WHERE chain = ?1")
    insertRow = insert
    deleteWithin = delete
    selectCovering = covering
    selectOfChain = ofChain
    self.move = move
  }

  /// Keeps an edge unless a wider one is there; narrower ones go.
  func insert(_ signed: SignedEdge, of chain: Int64) throws(SQLError) {
    let edge = signed.edge
    if try isCovered(edge.first..<edge.end, of: chain) { return }
    try deleteWithin.run(chain, Int64(edge.first), Int64(edge.end))
    try insertRow.run(
      chain, Int64(edge.first), Int64(edge.count), edge.rootBefore, edge.rootAfter,
      edge.leavesRoot, signed.signature)
  }

  /// Whether one edge covers all of `seqs`, which lie in one block.
  func isCovered(_ seqs: Range<UInt64>, of chain: Int64) throws(SQLError) -> Bool {
    try selectCovering.first(chain, Int64(seqs.lowerBound), Int64(seqs.upperBound)) { _ in true }
      ?? false
  }

  /// The edges of a chain, by their first seq.
  func edges(of chain: Chain) throws(SQLError) -> [SignedEdge] {
    try selectOfChain.map(chain.id) { Self.read($0, author: chain.author) }
  }

  /// Gives the edges of a chain to another one.
  func move(from chain: Int64, to heir: Int64) throws(SQLError) {
    try move.run(chain, heir)
  }

  static func read(_ row: borrowing Row, author: AuthorID) -> SignedEdge {
    SignedEdge(
      edge: Edge(
        author: author, first: row.seq(0),
        count: row.seq(1), rootBefore: row.bytes32(2),
        rootAfter: row.bytes32(3), leavesRoot: row.bytes32(4)), signature: row.blob(5))
  }
}
