// New events become rows: in the transaction that appends them, through the one fold.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

extension Store {
  /// Streams folded in one transaction: well under 100 ms of the lock.
  static let chunkStreamCount = 256

  /// What the store's projections are. Inside a transaction it stays so until its end.
  func currentProjections() throws(StoreError) -> LiveProjections {
    try StoreError.wrapping { () throws(SQLError) in
      let version = try connection.dataVersion()
      if let projections, version == projectionsVersion { return projections }
      let found = try LiveProjections(
        plans, schema: schema.events, previous: projections, connection)
      projections = found
      projectionsVersion = version
      return found
    }
  }

  /// Runs `body`, and once more where tables had to be made or streams folded before.
  func upToDate<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    // More than once only if an older build is making its own tables at the same time.
    for _ in 0..<3 {
      do throws(StoreError) {
        return try body()
      } catch {
        guard error.code == .outdated else { throw error }
      }
      try catchUp()
    }
    return try body()
  }

  /// Makes projections that are missing or of an older version, and folds the streams that are
  /// behind.
  /// - Throws: `unsupportedVersion` where a newer build has made one; `corrupt` for a log that is
  ///   not what was written; `interrupted`; as a write.
  package func catchUp() throws(StoreError) {
    projectionsVersion = -1
    let found = try currentProjections()
    if let newer = found.newer { throw Self.newerVersion(newer) }
    if !found.outdated.isEmpty {
      // A log that is not what was written is not folded: the rows there may be the last good copy.
      let reader = try StoreReader(
        at: paths, schema: schema, waitMilliseconds: settings.waitMilliseconds)
      if let problem = try reader.verifyLog().first {
        throw StoreError(
          .corrupt, operation: "rebuild", subject: "\(problem.code), \(problem.subject)")
      }
      _ = try rebuild(found.outdated.map(\.name), progress: settings.progress)
    }
    while try foldArrears() > 0 {}
    projectionsVersion = -1
  }

  static func newerVersion(_ generation: ProjectionGeneration) -> StoreError {
    StoreError(
      .unsupportedVersion, operation: "write",
      subject: "projection \(generation.name) version \(generation.version)")
  }

  /// Folds some of the streams that are behind.
  /// - Returns: how many they were.
  private func foldArrears() throws(StoreError) -> Int {
    try writing { () throws(StoreError) in
      projectionsVersion = -1
      let projections = try currentProjections()
      let streams = try StoreError.wrapping { () throws(SQLError) in
        try LiveProjections.arrears(
          projections.live, schema: schema.events, limit: Self.chunkStreamCount, connection)
      }
      let folded = try StoreError.wrapping { () throws(SQLError) in
        try ProjectionGeneration.all(connection).filter { generation in
          generation.state == .live && projections.live.contains { $0.name == generation.name }
        }
      }
      projections.discard()
      var changes = DigestChanges(count: projections.live.count)
      for stream in streams {
        try refold(stream, added: [], isLocal: false, projections, &changes)
        try StoreError.wrapping { () throws(SQLError) in
          for generation in folded {
            try statements.deleteRefold.run(
              generation.name, generation.generation, stream.bytes)
          }
        }
      }
      try write(changes, projections)
      return streams.count
    }
  }

  /// Folds the streams of new events again and changes their rows by difference.
  /// - Parameter isLocal: whether they are this device's own: then one that cannot be read is
  ///   refused, and so is one of a closed stream.
  /// - Throws: `outdated` if something has to be made first: ``catchUp()``.
  func project(_ events: [Event], isLocal: Bool) throws(StoreError) {
    let streams = Projecting.byStream(events)
    if streams.isEmpty { return }
    let projections = try currentProjections()
    if let newer = projections.newer { throw Self.newerVersion(newer) }
    guard projections.outdated.isEmpty, !projections.hasArrears else {
      throw StoreError(.outdated, operation: "write", subject: "projections")
    }
    projections.discard()
    var changes = DigestChanges(count: projections.live.count)
    for (stream, added) in streams {
      try refold(stream, added: added, isLocal: isLocal, projections, &changes)
      for follower in projections.followers {
        try StoreError.wrapping { () throws(SQLError) in
          try statements.insertRefold.run(follower.name, follower.generation, stream.bytes)
        }
      }
    }
    try write(changes, projections)
  }

  /// By how much the digests of the live projections changed.
  private struct DigestChanges {
    var values: [Bytes16?]

    init(count: Int) { values = Array(repeating: nil, count: count) }
  }

  private func write(
    _ changes: DigestChanges, _ projections: LiveProjections
  ) throws(StoreError) {
    try StoreError.wrapping { () throws(SQLError) in
      try projections.flush()
      for (plan, change) in zip(projections.live, changes.values) {
        guard let change, change != .zero else { continue }
        let old = try statements.selectDigest.first(plan.name) { $0.bytes16(0) } ?? .zero
        try statements.updateDigest.run(old &+ change, plan.name)
      }
    }
  }

  /// Folds a stream again for every live projection that reads one of the `added` events; for each
  /// one that reads any of its events where there are none.
  private func refold(
    _ stream: StreamID, added: [Event], isLocal: Bool, _ projections: LiveProjections,
    _ changes: inout DigestChanges
  ) throws(StoreError) {
    let isClosed = try StoreError.wrapping { () throws(SQLError) in
      try statements.unfolded.isClosed(stream)
    }
    if isLocal, isClosed == true {
      throw StoreError(.closedStream, operation: "append", subject: stream.hex)
    }
    let hadNotes = isClosed != nil
    var events = added
    var readers = projections.readers.places(of: events)
    var known = try digests(of: stream, readers, projections)
    if added.isEmpty || hadNotes || known.contains(where: { $0 != nil }) {
      events = try self.events(of: stream)
      if added.isEmpty {
        readers = projections.readers.places(of: events)
        known = try digests(of: stream, readers, projections)
      }
    }
    let all = StreamEvents(of: stream, events: events, schema: schema.events)
    if hadNotes || !all.unreadable.isEmpty {
      try StoreError.wrapping { () throws(SQLError) in
        try statements.unfolded.note(all, hadNotes: hadNotes)
      }
    }
    for (place, old) in zip(readers, known) {
      let projection = projections.live[place].projection
      let (rows, failure) = Projecting.rows(projection, of: all)
      if isLocal {
        for aside in rows.setAside where added.contains(where: { $0.id == aside.id }) {
          throw StoreError(kernel: aside.reason, subject: stream.hex)
        }
      }
      let new = try StoreError.wrapping { () throws(SQLError) in
        if hadNotes || !rows.setAside.isEmpty {
          try statements.unfolded.note(
            rows.setAside, of: all, by: projection.name, hadNotes: hadNotes)
        }
        return try projections.tables(at: place, connection).write(
          rows, failure: failure?.description, old: old)
      }
      changes.values[place] = (changes.values[place] ?? .zero) &+ (new &- (old ?? .zero))
    }
  }

  private func digests(
    of stream: StreamID, _ readers: [Int], _ projections: LiveProjections
  ) throws(StoreError) -> [Bytes16?] {
    try StoreError.wrapping { () throws(SQLError) in
      var result: [Bytes16?] = []
      for place in readers {
        result.append(try projections.tables(at: place, connection).known(stream))
      }
      return result
    }
  }
}
