// Whether a store may go on writing as the author it is, or was restored or copied and must become
// another one first. SPEC.md, "Incarnations". Decides, and touches nothing.

package import LarderHash

/// The decision about an author: go on, or begin a new incarnation of the device.
package enum Incarnation {
  /// What is to be done at the next write.
  package enum Verdict: Hashable, Sendable {
    /// Write on as this author.
    case goOn
    /// Write on as this author, and say that the store was moved from a folder, named for people;
    /// it is the same folder where only the file is another.
    case moved(from: String)
    /// Become a new author first.
    case renew(Reason)
  }

  /// Why a new incarnation is needed; the names are kept in the store.
  package enum Reason: String, CaseIterable, Sendable {
    /// The record is ahead of the store: an older copy was restored.
    case ahead
    /// The record is ahead and was written for another folder, or that folder still has the store
    /// it was written for: this is a copy.
    case copied
    /// The record's root is not in the store's chain: another history was written as this author.
    case otherRoot
    /// There is no record: the store was copied here, or the record was lost.
    case noRecord
    /// The record was written on another machine.
    case otherMachine
    /// No slot of the record is whole.
    case damagedRecord
  }

  /// Judges a store's own chain of `size` events and `root`, which lies at `place`.
  /// - Parameters:
  ///   - rootAtRecord: gives the chain's root at the record's size, nil if it cannot be told; asked
  ///     for only where that is less than `size`.
  ///   - isOriginalThere: whether the file that the record names is still in the folder it names;
  ///     asked for only where the store is not it.
  package static func judge(
    record: HeadRecord.Reading, size: UInt64, root: Bytes32,
    rootAtRecord: (UInt64) throws(StoreError) -> Bytes32?, place: StorePlace,
    isOriginalThere: (StorePlace) -> Bool
  ) throws(StoreError) -> Verdict {
    let known: HeadRecord
    switch record {
    case .absent: return .renew(.noRecord)
    case .damaged: return .renew(.damagedRecord)
    case .found(let stored): known = stored.record
    }
    guard known.place.machine == place.machine else { return .renew(.otherMachine) }
    guard known.size <= size else {
      return .renew(known.place.pathHash == place.pathHash ? .ahead : .copied)
    }
    let found = known.size == size ? root : try rootAtRecord(known.size)
    guard found == known.root else { return .renew(.otherRoot) }
    // Seen by its hash: what is kept of the path is for people.
    let isSamePlace = known.place.file == place.file && known.place.pathHash == place.pathHash
    if isSamePlace { return .goOn }
    return isOriginalThere(known.place) ? .renew(.copied) : .moved(from: known.place.path)
  }
}
