// Seqs and blocks out of rows. A row may be damaged: what is no seq is never computed with.

internal import LarderKernel
internal import LarderSQL

extension Row {
  /// The seq or size in a column; nil for a number that is none.
  func validSeq(_ column: Int) -> UInt64? {
    let value = int64(column)
    return value >= 0 && UInt64(value) <= MerkleTree.sizeMax ? UInt64(value) : nil
  }

  /// The seq of an event in a column; nil for a number that is none.
  func validEventSeq(_ column: Int) -> UInt64? {
    validSeq(column).flatMap { $0 < MerkleTree.sizeMax ? $0 : nil }
  }

  /// The seq or size in a column; the statement throws `corrupt` if it is none.
  func seq(_ column: Int) -> UInt64 {
    if let seq = validSeq(column) { return seq }
    reject(column, "a seq")
    return 0
  }

  /// The place of a block, its number being in a column; the statement throws `corrupt` if it is
  /// none.
  func block(_ column: Int, of chain: Int64) -> BlockPlace {
    if let block = validSeq(column), block < MerkleTree.sizeMax / Limits.blockEventCount {
      return BlockPlace(chain: chain, block: block)
    }
    reject(column, "the number of a block")
    return BlockPlace(chain: chain, block: 0)
  }
}
