// What the doctor looks at: where the store is and what it has been through, beside what verifying
// finds. Changes nothing.

internal import LarderFiles
internal import LarderHash
package import LarderKernel
internal import LarderSQL

/// Something worth knowing about a store.
package struct ExaminationFinding: Hashable, Sendable {
  /// What it is; texts for people are made by whoever shows it.
  package enum Kind: Hashable, Sendable {
    /// The key is missing, damaged or another author's.
    case keyMissing(String)
    /// The store was moved from a folder since it wrote last.
    case moved(from: String)
    /// At the next write the device begins another life.
    case willRenew(Incarnation.Reason)
    /// The device has begun another life.
    case renewed(Incarnation.Reason?, since: Int64)
    /// The record outside of the store cannot be read.
    case stateUnusable(StoreError.Code)
    /// The state folder will not outlast a restart.
    case stateFleeting(isContainer: Bool)
    /// An author wrote two histories; both are kept.
    case parted(AuthorID, at: UInt64)
    /// Events before these are missing.
    case gap(AuthorID, before: UInt64)
    /// Events this build does not understand are kept.
    case unfolded(kind: String, count: Int)
    /// Rows of another version of the fold.
    case projectionVersion(VerificationReport.OtherVersion)
    /// A rebuild was not finished.
    case rebuildUnfinished
    /// Events were stamped by a clock that was so far ahead, in milliseconds.
    case clockAhead(milliseconds: Int64)
    /// Full blocks are not signed.
    case unsigned(blocks: Int)
    /// The write-ahead log is long.
    case longLog(byteCount: Int64)
    /// Others than the owner may read or write a file.
    case open(path: String)
    /// A file or folder that has to be written may not be.
    case unwritable(path: String)
    /// A temporary file was left behind.
    case leftover(path: String)
    /// Verifying found it.
    case integrity(IntegrityProblem)
  }

  /// What it is.
  package let kind: Kind
  /// Whether the log is what was written; tables that are not are no reason to doubt it.
  private let isLogSound: Bool

  /// A finding.
  package init(kind: Kind, isLogSound: Bool) {
    self.kind = kind
    self.isLogSound = isLogSound
  }

  /// Findings about rows, which can be made again from the log.
  fileprivate static let rowCodes: Set = ["rowMismatch", "digestMismatch", "summaryMismatch"]
  /// Findings about indexes, which can be made again from the tables.
  private static let indexCodes: Set = ["streamIndexMismatch", "indexMissing", "viewMissing"]

  /// Whether these say that the log is what was written.
  package static func isLogSound(_ problems: [IntegrityProblem]) -> Bool {
    let harmless = rowCodes.union(indexCodes)
      .union(["keyMissing", "schemaChanged"])
    return problems.allSatisfy { harmless.contains($0.code) }
  }

  /// Whether the store, or what it needs, is not as it must be.
  package var isProblem: Bool {
    switch kind {
    case .keyMissing, .stateUnusable, .integrity, .unwritable: true
    default: false
    }
  }

  /// Whether `mend` does something about it.
  package var isMendable: Bool {
    switch kind {
    case .longLog, .open, .leftover: true
    // Of a damaged log the rows that are there may be the last good copy, and nothing is signed.
    case .rebuildUnfinished, .unsigned: isLogSound
    case .integrity(let problem):
      isLogSound
        && (Self.rowCodes.contains(problem.code) || Self.indexCodes.contains(problem.code))
    default: false
    }
  }
}

extension StoreReader {
  /// Bytes of the write-ahead log from which it is long.
  private static let longLogByteCount: Int64 = 64 << 20

  /// Everything worth knowing about the store, beside what verifying finds.
  /// - Parameters:
  ///   - state: the folder of head records and this machine.
  ///   - container: the environment variable `container`.
  ///   - now: the physical clock, in milliseconds since 1970.
  package func examine(
    state: Store.State, container: String?, now: Int64
  ) throws(StoreError) -> [ExaminationFinding.Kind] {
    var found: [ExaminationFinding.Kind] = []
    do throws(StoreError) {
      try Store.checkKey(paths, author: try device().author)
    } catch {
      found.append(.keyMissing(error.subject))
    }
    try readable { () throws(StoreError) in
      found += try examinePlace(state, container: container)
    }
    try readable { () throws(StoreError) in found += try examineLog() }
    try readable { () throws(StoreError) in found += try examineClock(now: now) }
    found += try examineFiles()
    return found
  }

  /// Runs one part; what it cannot read verifying says.
  private func readable(_ part: () throws(StoreError) -> Void) throws(StoreError) {
    do throws(StoreError) {
      try part()
    } catch {
      if error.code != .corrupt { throw error }
    }
  }

  private func examinePlace(
    _ state: Store.State, container: String?
  ) throws(StoreError) -> [ExaminationFinding.Kind] {
    var found: [ExaminationFinding.Kind] = []
    do throws(StoreError) {
      switch try verdict(state) {
      case .goOn: break
      case .moved(let from): found.append(.moved(from: from))
      case .renew(let reason): found.append(.willRenew(reason))
      }
      if try !StateFolder.isLasting(state.folder) {
        let isContainer = try StateFolder.isInContainer(environment: container)
        found.append(.stateFleeting(isContainer: isContainer))
      }
    } catch {
      found.append(.stateUnusable(error.code))
    }
    for life in try incarnations().dropFirst() {
      found.append(
        .renewed(life.reason.flatMap { Incarnation.Reason(rawValue: $0) }, since: life.since))
    }
    return found
  }

  /// What the next write would be judged as.
  private func verdict(_ state: Store.State) throws(StoreError) -> Incarnation.Verdict {
    let log = try StoreError.wrapping { () throws(SQLError) in try EventLog(connection) }
    // Before the state of the database that is judged: the record is written after the commit.
    let author = try device().author
    let folder = try StoreError.filing { () throws(FileError) in
      try Files.identity(of: state.folder)
    }
    if folder?.isFolder == false {
      throw StoreError(.obstructed, operation: "read head record", subject: state.folder)
    }
    let file = try HeadRecordFile.open(
      stateFolder: state.folder, author: author, isCreating: false)
    let record = try file?.read() ?? .absent
    return try connection.read { () throws(StoreError) in
      let own = try log.ownChain()
      // Somebody has begun another life meanwhile.
      guard own.author == author else { return .goOn }
      return try Store.judge(
        own, record: record,
        place: try StorePlace(of: paths, machine: state.machine), log: log, connection)
    }
  }

  private func examineLog() throws(StoreError) -> [ExaminationFinding.Kind] {
    try StoreError.wrapping { () throws(SQLError) in
      var found: [ExaminationFinding.Kind] = []
      try connection.prepare(
        """
        SELECT author, start, parent IS NOT NULL FROM _chains
        WHERE start > 0 ORDER BY author, start
        """
      ).forEach {
        let author = AuthorID($0.bytes16(0))
        let start = $0.seq(1)
        found.append($0.bool(2) ? .parted(author, at: start) : .gap(author, before: start))
      }
      try examineProjections(&found)
      let unsigned = try connection.prepare(
        """
        SELECT count(*) FROM _blocks b JOIN _chains c ON c.id = b.chain
        JOIN _incarnations i ON i.author = c.author
        LEFT JOIN _edges e ON e.chain = b.chain AND e.first = b.first AND e.count = b.count
        WHERE e.chain IS NULL
        """
      ).first { $0.int(0) }
      if let unsigned, unsigned > 0 { found.append(.unsigned(blocks: unsigned)) }
      return found
    }
  }

  /// Clocks of devices differ by less, in milliseconds.
  private static let clockAheadMillisecondsMax: Int64 = 24 * 3600 * 1000

  private func examineClock(now: Int64) throws(StoreError) -> [ExaminationFinding.Kind] {
    let newest = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT hlc FROM _device").first { $0.int64(0) }
    }
    guard let newest, newest >= 0, let clock = HLC(rawValue: UInt64(newest)) else { return [] }
    let ahead = clock.milliseconds - now
    return ahead > Self.clockAheadMillisecondsMax ? [.clockAhead(milliseconds: ahead)] : []
  }

  private func examineProjections(
    _ found: inout [ExaminationFinding.Kind]
  ) throws(SQLError) {
    try connection.prepare(
      """
      SELECT kind, count(*) FROM (SELECT DISTINCT stream, author, seq, kind FROM _unfolded)
      GROUP BY kind ORDER BY kind
      """
    ).forEach { found.append(.unfolded(kind: $0.text(0), count: $0.int(1))) }
    let generations = try ProjectionGeneration.all(connection)
    for plan in ProjectionPlan.all(of: schema) {
      let live = generations.first { $0.name == plan.name && $0.state == .live }
      guard let live, live.version != plan.version else { continue }
      found.append(
        .projectionVersion(
          VerificationReport.OtherVersion(
            name: live.name, version: live.version, isNewer: live.version > plan.version)))
    }
    if generations.contains(where: { $0.state == .building }) { found.append(.rebuildUnfinished) }
  }

  /// The kinds of events that are here and that the schema does not have.
  package func unfoldedKinds() throws(StoreError) -> [String] {
    try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare("SELECT DISTINCT kind FROM _unfolded ORDER BY kind").map {
        $0.text(0)
      }
    }
  }

  private func examineFiles() throws(StoreError) -> [ExaminationFinding.Kind] {
    try StoreError.filing { () throws(FileError) in
      var found: [ExaminationFinding.Kind] = []
      // Looked at by `stat` alone: its bytes are SQLite's.
      if let log = try Files.identity(of: paths.database + "-wal"),
        log.byteCount >= Self.longLogByteCount
      {
        found.append(.longLog(byteCount: log.byteCount))
      }
      for path in [paths.folder, paths.database, paths.deviceKey] {
        if let file = try Files.identity(of: path), file.mode & 0o077 != 0 {
          found.append(.open(path: path))
        }
      }
      for path in [paths.folder, paths.database, paths.lock]
      where try Files.identity(of: path) != nil && !Files.isWritable(path) {
        found.append(.unwritable(path: path))
      }
      for path in try paths.leftovers() { found.append(.leftover(path: path)) }
      return found
    }
  }
}

extension StorePaths {
  /// What an interrupted making or replacing left in the folder for temporary files.
  func leftovers() throws(FileError) -> [String] {
    guard try Files.identity(of: temporary) != nil else { return [] }
    return try Files.names(in: temporary).filter { $0.hasPrefix("store-in-making") }.map {
      temporary + "/" + $0
    }
  }
}

extension Store {
  /// Mends what can be mended of what an examination found.
  /// - Parameter progress: of a rebuild; false stops it.
  /// - Throws: what was being mended: `busy`, `full`, `denied`, `corrupt`, `ioFailure`.
  package func mend(
    _ findings: [ExaminationFinding.Kind], progress: (WorkProgress) -> Bool
  ) throws(StoreError) {
    var isRebuilt = false
    var isIndexed = false
    for finding in findings {
      switch finding {
      case .integrity(let problem) where problem.code == "streamIndexMismatch":
        if !isIndexed { try indexStreams() }
        isIndexed = true
      case .integrity(let problem) where ["indexMissing", "viewMissing"].contains(problem.code):
        try makeIndexesAndViews()
      case .integrity(let problem)
      where ExaminationFinding.rowCodes.contains(problem.code):
        isRebuilt = true
      case .rebuildUnfinished: isRebuilt = true
      case .unsigned: try signFullBlocks()
      case .longLog: try cutLog()
      case .open(let path):
        try StoreError.filing { () throws(FileError) in
          try Files.restrict(path, mode: path == paths.folder ? 0o700 : 0o600)
        }
      case .leftover(let path):
        try StoreError.filing { () throws(FileError) in try Files.remove(path) }
      default: break
      }
    }
    if isRebuilt { _ = try rebuild(progress: progress) }
  }

  /// Makes the indexes and views that are not there.
  private func makeIndexesAndViews() throws(StoreError) {
    try writing { () throws(StoreError) in
      try StoreError.wrapping { () throws(SQLError) in
        try connection.execute(StoreTables.logIndexes)
        for generation in try ProjectionGeneration.all(connection) where generation.state == .live {
          guard let plan = plans.first(where: generation.isMade) else { continue }
          try connection.execute(plan.index(.live, generation: generation.generation))
        }
        try DiaryViews.drop(connection)
        try DiaryViews.create(connection)
      }
    }
  }

  /// Makes the index of streams again out of the packed blocks, in one transaction: a stream read
  /// in between would miss events.
  private func indexStreams() throws(StoreError) {
    try writing { () throws(StoreError) in
      let blocks = try StoreError.wrapping { () throws(SQLError) in
        try connection.execute("DELETE FROM _streams")
        return try connection.prepare("SELECT chain, block FROM _blocks").map {
          $0.block(1, of: $0.int64(0))
        }
      }
      for place in blocks {
        let content = try statements.log.reader.block(at: place)
        let streams = Set(content.streams).sorted()
        try StoreError.wrapping { () throws(SQLError) in
          try statements.log.index(streams, at: place)
        }
      }
    }
  }
}
