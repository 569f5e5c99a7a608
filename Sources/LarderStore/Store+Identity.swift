// Who this device is when it writes: before each append the record outside of the store is asked
// whether the store was restored or copied, and then it becomes another author first. SPEC.md,
// "Incarnations".
//
// Invariant: between reading the record and writing the next one its lock is held, so that of two
// copies of a store that share a state folder only one can take a tip further.

internal import LarderCrypto
package import LarderHash
internal import LarderKernel
internal import LarderSQL

/// What the writer noticed about where the store is.
package enum IdentityNotice: Hashable, Sendable {
  /// The store was moved from a folder, and goes on.
  case moved(from: String)
  /// The device has become a new author.
  case renewed(Incarnation.Reason)
  /// The record outside of the store could not be read or written, so that a copy of the store
  /// would not be noticed; what failed.
  case notKept(StoreError.Code, subject: String)
}

extension Store {
  /// What the head record needs of the machine.
  package struct State: Sendable {
    /// The folder of head records.
    package var folder: String
    /// The machine's identity.
    package var machine: Bytes16
    /// A clock that only goes forward, in milliseconds.
    package var elapsed: @Sendable () -> Int64

    /// All of it.
    package init(folder: String, machine: Bytes16, elapsed: @escaping @Sendable () -> Int64) {
      self.folder = folder
      self.machine = machine
      self.elapsed = elapsed
    }
  }

  /// Runs `body` in one write transaction as this device's author, and records the new head.
  /// - Parameter now: the physical clock, in milliseconds since 1970.
  func authoring<Result>(
    now: Int64, _ body: (inout OwnChain) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    defer { head?.unlock() }
    do throws(StoreError) {
      let result = try writing { () throws(StoreError) in
        var own = try identified(try currentChain(), now: now)
        let result = try body(&own)
        try StoreError.wrapping { () throws(SQLError) in try statements.log.finish(own) }
        self.own = own
        return result
      }
      recordHead()
      return result
    } catch {
      own = nil
      throw error
    }
  }

  /// The chain to write on: the one there is, or a new one where the store is a copy.
  private func identified(_ own: OwnChain, now: Int64) throws(StoreError) -> OwnChain {
    guard let state = settings.state else { return own }
    var verdict = Incarnation.Verdict.goOn
    do throws(StoreError) {
      verdict = try judge(own, state)
    } catch {
      // What a newer build wrote is not passed over, nor is a store that cannot be read.
      if [.busy, .unsupportedVersion, .corrupt].contains(error.code) { throw error }
      // Without a state folder every process would be another author.
      head = nil
      note(.notKept(error.code, subject: error.subject))
    }
    if let renewal = own.renewal { verdict = .renew(renewal) }
    switch verdict {
    case .goOn: return own
    case .moved(let from):
      note(.moved(from: from))
      return own
    case .renew(let reason):
      return try renew(own, reason: reason, state, now: now)
    }
  }

  private func judge(
    _ own: OwnChain, _ state: State
  ) throws(StoreError) -> Incarnation.Verdict {
    try openHead(of: own.author, state)
    guard let head else { return .goOn }
    // Held already where the transaction is tried a second time.
    if !head.isLocked { try head.lock(waitingAtMost: settings.waitMilliseconds) }
    let place: StorePlace
    if let known = self.place {
      place = known
    } else {
      place = try StorePlace(of: paths, machine: state.machine)
      self.place = place
    }
    return try Self.judge(
      own, record: try head.read(), place: place, log: statements.log, connection)
  }

  /// What the record says of the own chain.
  static func judge(
    _ own: OwnChain, record: HeadRecord.Reading, place: StorePlace, log: borrowing EventLog,
    _ connection: borrowing Connection
  ) throws(StoreError) -> Incarnation.Verdict {
    if let renewal = own.renewal { return .renew(renewal) }
    return try Incarnation.judge(
      record: record, size: own.chain.size, root: own.chain.root,
      rootAtRecord: { (size) throws(StoreError) in
        try root(of: own.chain, at: size, log, connection)
      }, place: place, isOriginalThere: \.isThere)
  }

  /// The root of the first `size` events of a chain; nil if it cannot be told.
  static func root(
    of chain: Chain, at size: UInt64, _ log: borrowing EventLog, _ connection: borrowing Connection
  ) throws(StoreError) -> Bytes32? {
    let tree = try StoreError.wrapping { () throws(SQLError) in try ChainTree(connection) }
    do throws(StoreError) {
      return try tree.prefix(of: chain, upTo: size, log).root
    } catch {
      if error.code == .corrupt { return nil }
      throw error
    }
  }

  private func openHead(of author: AuthorID, _ state: State) throws(StoreError) {
    if head != nil, headAuthor == author { return }
    head?.unlock()
    head = try HeadRecordFile.open(stateFolder: state.folder, author: author, isCreating: true)
    headAuthor = author
  }

  /// Makes this device another author, with a chain of its own that begins where the old one is.
  private func renew(
    _ own: OwnChain, reason: Incarnation.Reason, _ state: State, now: Int64
  ) throws(StoreError) -> OwnChain {
    let key = AuthorSecretKey.generate()
    let publicKey = key.publicKey
    // Durable before the author is: a key too many does no harm.
    try DeviceKeyFile.append(key, to: paths.deviceKey)
    try StoreError.wrapping { () throws(SQLError) in
      try Self.insertAuthor(publicKey, since: now, reason: reason.rawValue, connection)
      try connection.prepare("UPDATE _chains SET isWitnessed = 0 WHERE author = ?").run(
        own.author.bytes)
      try connection.prepare("UPDATE _device SET author = ?, renewal = NULL").run(
        publicKey.authorID)
    }
    note(.renewed(reason))
    let renewed = try statements.log.ownChain()
    if head != nil {
      try openHead(of: renewed.author, state)
      try head?.lock(waitingAtMost: settings.waitMilliseconds)
      _ = try head?.read()
      // Or a crash before the first record would make one author more.
      if let place {
        try head?.write(
          HeadRecord(
            author: renewed.author, size: 0, root: MerkleTree.emptyRoot, place: place),
          now: state.elapsed())
      }
    }
    return renewed
  }

  /// Writes down how far the chain has come; that it could not be written is noted, not thrown: the
  /// events are durable, and a record that is behind does no harm.
  private func recordHead() {
    guard let head, head.isLocked, let own, let place, let state = settings.state else { return }
    do throws(StoreError) {
      let record = HeadRecord(
        author: own.author, size: own.chain.size, root: own.chain.root, place: place)
      try head.write(record, now: state.elapsed())
      if head.isSynchronizationDue(now: state.elapsed()) { try head.synchronize() }
    } catch {
      note(.notKept(error.code, subject: error.subject))
    }
  }

  /// Records the head of a store that was just made.
  func recordFirstHead() {
    guard let state = settings.state else { return }
    defer { head?.unlock() }
    do throws(StoreError) {
      let own = try statements.log.ownChain()
      try openHead(of: own.author, state)
      try head?.lock(waitingAtMost: settings.waitMilliseconds)
      _ = try head?.read()
      place = try StorePlace(of: paths, machine: state.machine)
      self.own = own
      recordHead()
      self.own = nil
    } catch {
      note(.notKept(error.code, subject: error.subject))
    }
  }

  /// Makes what this store recorded durable, before it is closed.
  /// - Throws: `full`, `ioFailure`.
  package func synchronizeHead() throws(StoreError) {
    try head?.synchronize()
  }

  /// Makes the record durable whoever wrote it, before anything of this author leaves the device.
  /// - Throws: `denied`, `full`, `ioFailure`.
  func synchronizeHeadBeforeLeaving() throws(StoreError) {
    guard let state = settings.state else { return }
    let author = try statements.log.ownChain().author
    let file = try HeadRecordFile.open(stateFolder: state.folder, author: author, isCreating: false)
    try file?.synchronize(isForced: true)
  }

  private func note(_ notice: IdentityNotice) {
    if !notices.contains(notice) { notices.append(notice) }
  }
}
