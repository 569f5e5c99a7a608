// Finding a meal by what a person remembers of it: some digits, the slot of a day, "the last one".

internal import LarderHash
package import LarderKernel
internal import LarderSQL

/// A meal or an item some digits stand for.
package struct DigitMatch: Hashable, Sendable {
  /// The stream.
  package let stream: StreamID
  /// The item, where the digits are an item's.
  package let item: ItemID?
}

extension StoreReader {
  /// Meals and items whose identifiers begin or end with `digits` (4…48 lower-case hexadecimal
  /// digits), deleted meals too.
  /// - Returns: at most `limit`, meals first.
  package func matches(_ digits: String, limit: Int) throws(StoreError) -> [DigitMatch] {
    precondition(digits.utf8.allSatisfy(Self.isHexadecimal), "digits are hexadecimal")
    return try StoreError.wrapping { () throws(SQLError) in
      let isFirstFormat = try connection.currentVersion() < 2
      let streams: SQL.Identifier = isFirstFormat ? "_mealStreams" : "_folded_meals"
      let meals = try connection.prepare(
        """
        SELECT stream FROM \(streams)
        WHERE hex(stream) LIKE ?1 || '%' OR hex(stream) LIKE '%' || ?1 ORDER BY stream LIMIT ?2
        """
      ).map(digits, limit) { DigitMatch(stream: StreamID($0.bytes16(0)), item: nil) }
      let items = try connection.prepare(
        "SELECT id FROM NutritionLogs WHERE id LIKE '%' || ? ORDER BY id LIMIT ?"
      ).map(digits, limit) { row -> DigitMatch? in
        let id = row.text(0)
        guard let stream = StreamID(hex: id.prefix(32)), let item = ItemID(hex: id.dropFirst(32))
        else { return nil }
        return DigitMatch(stream: stream, item: item)
      }
      return Array((meals + items.compactMap(\.self)).prefix(limit))
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// The stream of the capture this device recorded last, deleted or not; nil if it has none.
  package func lastCapture() throws(StoreError) -> StreamID? {
    try connection.read { () throws(StoreError) in
      let walk = try StoreError.wrapping { () throws(SQLError) in try ChainWalk(connection) }
      var found: StreamID?
      for author in try incarnations().reversed() where found == nil {
        for chain in try walk.chains(of: author.author).reversed() where found == nil {
          _ = try walk.backwards(chain) { event in
            if event.header.kind == .mealCaptured { found = event.header.stream }
            return found == nil
          }
        }
      }
      return found
    }
  }

  /// The days of a range that have anything, with what they have.
  package func days(
    from first: CivilDay, to last: CivilDay
  ) throws(StoreError) -> [DiaryDay] {
    let policy = try dayStarts()
    let end = policy.civilDays(of: last).last ?? last
    let present = try StoreError.wrapping { () throws(SQLError) in
      try connection.prepare(
        """
        SELECT day FROM MealEntries WHERE day BETWEEN ?1 AND ?2
        UNION SELECT day FROM NutritionLogs WHERE day BETWEEN ?1 AND ?2 ORDER BY day
        """
      ).map(first.description, end.description) { CivilDay($0.text(0)) }
    }
    // What was eaten on a civil day is on that day of the diary, or on the one before.
    var wanted: Set<CivilDay> = []
    for case let civil? in present {
      wanted.insert(civil)
      wanted.insert(policy.diaryDay(of: civil, minute: 0))
    }
    var result: [DiaryDay] = []
    for day in wanted.sorted() where day >= first && day <= last {
      let found = try self.day(day)
      if !found.meals.isEmpty { result.append(found) }
    }
    return result
  }

  /// What a rebuild would change, without changing it.
  /// - Parameter progress: called now and then; false stops.
  package func compareWithFold(
    progress: (WorkProgress) -> Bool
  ) throws(StoreError) -> (report: RebuildReport, differences: RowDifferences) {
    var differences = RowDifferences()
    let found = try verify(progress: progress, differences: &differences)
    let doubts = found.problems.filter { !ExaminationFinding.isLogSound([$0]) }
    if let doubt = doubts.first {
      throw StoreError(
        .corrupt, operation: "rebuild", subject: "\(doubt.code), \(doubt.subject)")
    }
    var report = RebuildReport()
    report.streamCount = found.streamCount
    let live = try StoreError.wrapping { () throws(SQLError) in
      try ProjectionGeneration.all(connection).filter { $0.state == .live }
    }
    for plan in ProjectionPlan.all(of: schema) {
      guard let before = live.first(where: { $0.isMade(by: plan) }) else { continue }
      var projection = RebuildReport.Projection(name: plan.name)
      projection.digestBefore = before.digest
      projection.digestAfter = found.digest(of: plan.name)
      projection.changedStreamCount = differences.streamCounts[plan.name] ?? 0
      for table in plan.tables {
        let rowCount = try StoreError.wrapping { () throws(SQLError) in
          try connection.prepare("SELECT count(*) FROM \(plan.table(table, .live))").first {
            $0.int(0)
          }
        }
        projection.rowCounts.append(
          RebuildReport.Table(name: table.name, rowCount: rowCount ?? 0))
      }
      report.projections.append(projection)
    }
    return (report, differences)
  }
}
