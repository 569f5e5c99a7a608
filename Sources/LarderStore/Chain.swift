// A chain's row: a run of an author's events that this store holds, and what is known of its tree.
// SPEC.md, "Chains".
//
// Invariants: of an attached chain the tree from seq 0 is known, so its root was computed; of a
// detached one, whose earlier events are missing, only what its author signed. A branch begins
// where it leaves its parent.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// A run of one author's events, [start, size).
struct Chain {
  /// The local number: never hashed, ordered or sent.
  let id: Int64
  let author: AuthorID
  /// The chain whose events before `start` are also this one's; nil if there are none, or if they
  /// are not here.
  var parent: Int64?
  /// The seq of the first event that is kept under this chain.
  let start: UInt64
  /// The root of the tree of `start` events, as computed or signed.
  let startRoot: Bytes32
  /// The tree: from 0 where it is attached, else from `start`.
  var range: CompactRange
  /// The root of the whole tree that the author signed last, where it cannot be computed.
  var signedRoot: Bytes32
  /// Whether the tree is known from seq 0.
  var isAttached: Bool

  /// One past the last seq.
  var size: UInt64 { range.end }
  /// The root of the tree of `size` events.
  var root: Bytes32 { isAttached ? range.root : signedRoot }
}

/// The statements on `_chains`.
struct ChainTable: ~Copyable {
  private let select: Statement
  private let selectOfAuthor: Statement
  private let insertRow: Statement
  private let updateRow: Statement
  private let deleteRow: Statement
  private let adopt: Statement

  static let columns: SQL =
    "id, author, parent, start, startRoot, size, root, frontier, isAttached"

  init(_ connection: borrowing Connection) throws(SQLError) {
    let select = try connection.prepare(
      "SELECT \(Self.columns) FROM _chains WHERE id = ?")
    let selectOfAuthor = try connection.prepare(
      "SELECT \(Self.columns) FROM _chains WHERE author = ? ORDER BY start, id")
    let insert = try connection.prepare(
      """
      INSERT INTO _chains(author, parent, start, startRoot, size, root, frontier, isAttached,
        isWitnessed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let update = try connection.prepare(
      """
      UPDATE _chains SET parent = ?, size = ?, root = ?, frontier = ?, isAttached = ?,
        isWitnessed = ? WHERE id = ?
      """)
    let delete = try connection.prepare("DELETE FROM _chains WHERE id = ?")
    let adopt = try connection.prepare("UPDATE _chains SET parent = ?2 WHERE parent = ?1")
    self.select = select
    self.selectOfAuthor = selectOfAuthor
    insertRow = insert
    updateRow = update
    deleteRow = delete
    self.adopt = adopt
  }

  /// The chain with a local number.
  func chain(_ id: Int64) throws(StoreError) -> Chain? {
    try select.first(id) { (row) throws(StoreError) -> Chain in try Self.read(row) }
  }

  /// The chains of an author, by start.
  func chains(of author: AuthorID) throws(StoreError) -> [Chain] {
    try selectOfAuthor.map(author.bytes) { (row) throws(StoreError) -> Chain in
      try Self.read(row)
    }
  }

  static func read(_ row: borrowing Row) throws(StoreError) -> Chain {
    let author = AuthorID(row.bytes16(1))
    let isAttached = row.bool(8)
    guard (0...1).contains(row.int64(8)), isAttached == (row.isNull(2) ? row.int64(3) == 0 : true),
      let start = row.validSeq(3), let size = row.validSeq(5),
      start <= size
    else {
      throw StoreError(.corrupt, operation: "read chain", subject: "\(author.hex): row")
    }
    let range: CompactRange
    do throws(MerkleError) {
      range = try row.withBlob(7) { (frontier) throws(MerkleError) -> CompactRange in
        try CompactRange(begin: isAttached ? 0 : start, end: size, frontier: frontier)
      }
    } catch {
      throw StoreError(
        .corrupt, operation: "read chain", subject: "\(author.hex): frontier", underlying: error)
    }
    return Chain(
      id: row.int64(0), author: author, parent: row.optionalInt64(2), start: start,
      startRoot: row.bytes32(4), range: range, signedRoot: row.bytes32(6), isAttached: isAttached)
  }

  /// Inserts a chain.
  /// - Returns: it, with its local number.
  func insert(
    _ chain: Chain, connection: borrowing Connection
  ) throws(SQLError) -> Chain {
    try insertRow.run(
      chain.author.bytes, chain.parent, Int64(chain.start), chain.startRoot, Int64(chain.size),
      chain.root, chain.range.frontier, chain.isAttached, false)
    return Chain(
      id: connection.lastInsertedRowID, author: chain.author, parent: chain.parent,
      start: chain.start, startRoot: chain.startRoot, range: chain.range,
      signedRoot: chain.signedRoot, isAttached: chain.isAttached)
  }

  /// Writes what changed of a chain.
  /// - Parameter isWitnessed: whether this device's own events say that it has seen this tip.
  func update(_ chain: Chain, isWitnessed: Bool) throws(SQLError) {
    try updateRow.run(
      chain.parent, Int64(chain.size), chain.root, chain.range.frontier, chain.isAttached,
      isWitnessed, chain.id)
  }

  /// Removes a chain whose events another one has now, which also becomes the parent of its
  /// branches.
  func remove(_ chain: Int64, heir: Int64) throws(SQLError) {
    try adopt.run(chain, heir)
    try deleteRow.run(chain)
  }
}
