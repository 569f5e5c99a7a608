// What a rebuild would change, counted by table and column, and by how much the days' sums would
// move. Only rows that differ come here.

internal import LarderKernel

/// Differences between the rows there are and those the folds give.
package struct RowDifferences: Hashable, Sendable {
  /// What would become of the rows of one table.
  package struct Table: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Rows that would come, and go.
    package var addedCount = 0
    package var removedCount = 0
    /// Rows that would change.
    package var changedCount = 0
    /// Columns that would change, with the number of their rows.
    package var columns: [String: Int] = [:]
  }

  /// How a day's sum of a column would move.
  package struct Day: Hashable, Sendable {
    /// The civil date, `YYYY-MM-DD`.
    package let day: String
    /// The sums before and after, of every nutrient column that moves.
    package var changes: [String: Change] = [:]
  }

  /// A sum before and after, of the rows that differ.
  package struct Change: Hashable, Sendable {
    package var before: Int64 = 0
    package var after: Int64 = 0
  }

  /// The tables that differ, by name.
  package private(set) var tables: [String: Table] = [:]
  /// Streams whose rows differ, by projection.
  package internal(set) var streamCounts: [String: Int] = [:]
  private var days: [String: Day] = [:]

  /// Nothing differs.
  package init() {}

  /// The days whose sums would move, those whose energy moves most first.
  package var movedDays: [Day] {
    let energy = Nutrient.energy.columnName
    func distance(_ day: Day) -> UInt64 {
      guard let change = day.changes[energy] else { return 0 }
      return change.after.subtractingReportingOverflow(change.before).partialValue.magnitude
    }
    let moved = days.values.map { day -> Day in
      var moved = day
      moved.changes = day.changes.filter { $0.value.before != $0.value.after }
      return moved
    }
    return moved.filter { !$0.changes.isEmpty }.sorted {
      (distance($1), $0.day) < (distance($0), $1.day)
    }
  }

  /// Notes the rows of one stream in one table: those a fold gives and those that are there, in the
  /// encoding of folds.
  mutating func add(_ table: ProjectionTable, expected: [UInt8], found: [UInt8]) {
    let names = table.columnNames
    let new = Self.rows(expected)
    let old = Self.rows(found)
    var entry = tables[table.name] ?? Table(name: table.name)
    for (id, values) in new where old[id] == nil {
      entry.addedCount += 1
      move(values, names, isAfter: true)
    }
    for (id, values) in old {
      guard let other = new[id] else {
        entry.removedCount += 1
        move(values, names, isAfter: false)
        continue
      }
      if values == other { continue }
      entry.changedCount += 1
      for (name, (left, right)) in zip(names, zip(values, other)) where left != right {
        entry.columns[name, default: 0] += 1
      }
      move(values, names, isAfter: false)
      move(other, names, isAfter: true)
    }
    tables[table.name] = entry
  }

  /// Counts a row in the sums of its day, if it has one.
  private mutating func move(_ values: [CBORValue], _ names: [String], isAfter: Bool) {
    guard let place = names.firstIndex(of: "day"), case .text(let day) = values[place] else {
      return
    }
    let columns = Set(MealProjection.nutrients.map(\.columnName))
    for (name, value) in zip(names, values) where columns.contains(name) {
      let number: Int64
      switch value {
      case .unsigned(let magnitude): number = Int64(bitPattern: magnitude)
      case .negative(let magnitude): number = ~Int64(bitPattern: magnitude)
      default: continue
      }
      var change = days[day, default: Day(day: day)].changes[name] ?? Change()
      if isAfter { change.after &+= number } else { change.before &+= number }
      days[day, default: Day(day: day)].changes[name] = change
    }
  }

  /// The rows by identifier, each with the values of all its columns.
  private static func rows(_ bytes: [UInt8]) -> [String: [CBORValue]] {
    var result: [String: [CBORValue]] = [:]
    var reader = CBORReader()
    while reader.offset < bytes.count {
      let start = reader.offset
      do throws(CBORError) {
        try reader.skip(in: bytes.span)
        let row = try CBORValue.decode(bytes.span.extracting(start..<reader.offset))
        guard case .array(let values) = row, values.count > 1, case .text(let id) = values[1]
        else { continue }
        result[id] = Array(values.dropFirst())
      } catch {
        // Text that is no text, which somebody else wrote: the stream counts as changed all the
        // same.
        return result
      }
    }
    return result
  }
}
