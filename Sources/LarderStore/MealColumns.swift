// The columns of the meal projection's tables and the one order in which a row's values are given,
// whether to a statement that writes them or to a fingerprint that checks them.

internal import LarderHash
internal import LarderKernel
internal import LarderSQL

enum MealColumns {
  /// A column and what it holds.
  struct Column: Sendable {
    let name: String
    let isInteger: Bool

    fileprivate static func text(_ names: String...) -> [Column] {
      names.map { Column(name: $0, isInteger: false) }
    }

    fileprivate static func integer(_ names: String...) -> [Column] {
      names.map { Column(name: $0, isInteger: true) }
    }
  }

  /// Columns of `MealEntries` in the order of `MealEntryRow.put`.
  static let entries: [Column] =
    Column.text("id") + Column.integer("consumedAt")
    + Column.text("mealType", "title", "source", "photoPath", "photoThumbPath")
    + Column.text("voiceTranscript", "captureMeta", "day") + Column.integer("minute")
    + Column.text("zone") + Column.integer("utcOffset")
    + Column.text("note", "tags", "copiedFrom", "captureId", "loggedBy")

  /// Columns of `NutritionLogs` in the order of `NutritionLogRow.put`.
  static let logs: [Column] =
    Column.text("id", "mealEntryId") + Column.integer("consumedAt")
    + Column.text("mealType", "name") + Column.integer("amount")
    + Column.text("unit", "productCode", "day") + Column.integer("minute") + Column.text("zone")
    + Column.integer("utcOffset", "position") + Column.text("basis")
    + Column.integer("servingAmount") + Column.text("servingUnit", "productCatalog")
    + Column.text("productAskedCode") + Column.integer("productRevision") + Column.text("origin")
    + Column.integer("confidence", "servedMg") + Column.text("note", "loggedBy")
    + StoreTables.nutrients.map { Column(name: $0.columnName, isInteger: true) }
}

/// Takes the values of a row, one for each column, in order.
protocol RowSink: ~Copyable {
  mutating func bind(_ value: Int64)
  mutating func bind(_ value: String)
  mutating func bindNull()
}

extension StatementValues: RowSink {}

extension RowSink where Self: ~Copyable {
  mutating func bind(optional value: String?) {
    if let value { bind(value) } else { bindNull() }
  }

  mutating func bind(optional value: Int64?) {
    if let value { bind(value) } else { bindNull() }
  }

  /// Day, minute, zone and offset.
  fileprivate mutating func bind(moment: Moment) {
    bind(moment.day.description)
    bind(Int64(moment.minuteOfDay))
    bind(moment.zone.rawValue)
    bind(Int64(moment.utcOffset.seconds))
  }

  /// One value for each nutrient column, null where unknown. Both lists ascend by number.
  fileprivate mutating func bind(eaten: [NutrientAmounts.Element]) {
    var next = 0
    for nutrient in StoreTables.nutrients {
      if next < eaten.count, eaten[next].number == nutrient.rawValue {
        bind(eaten[next].amount)
        next += 1
      } else {
        bindNull()
      }
    }
  }
}

extension MealEntryRow {
  /// Gives the row's values in the order of `MealColumns.entries`.
  func put(into values: inout some RowSink & ~Copyable) {
    values.bind(id)
    values.bind(occasion.moment.consumedAt.milliseconds)
    values.bind(occasion.mealType.rawValue)
    values.bind(optional: title)
    values.bind(source.name)
    values.bind(optional: photoPath)
    values.bind(optional: photoThumbPath)
    values.bind(optional: voiceTranscript)
    values.bind(optional: captureMeta)
    values.bind(moment: occasion.moment)
    values.bind(optional: note)
    values.bind(optional: tags.isEmpty ? nil : JSONText.array(of: tags))
    values.bind(optional: copiedFrom?.hex)
    values.bind(optional: captureID)
    values.bind(optional: by)
  }
}

extension NutritionLogRow {
  /// Gives the row's values in the order of `MealColumns.logs`.
  func put(into values: inout some RowSink & ~Copyable) {
    values.bind(id)
    values.bind(optional: mealEntryID)
    values.bind(occasion.moment.consumedAt.milliseconds)
    values.bind(occasion.mealType.rawValue)
    values.bind(line.name)
    values.bind(line.quantity.value)
    values.bind(line.quantity.unit.name)
    values.bind(optional: line.product?.code)
    values.bind(moment: occasion.moment)
    values.bind(Int64(position))
    values.bind(line.snapshot.basis.name)
    values.bind(optional: line.snapshot.serving?.value)
    values.bind(optional: line.snapshot.serving?.unit.name)
    values.bind(optional: line.product?.catalog)
    values.bind(optional: line.product?.askedCode)
    values.bind(optional: line.product?.revision)
    values.bind(line.origin.name)
    values.bind(optional: line.confidence.map(Int64.init))
    values.bind(optional: line.servedMass)
    values.bind(optional: note)
    values.bind(optional: by)
    values.bind(eaten: eaten)
  }
}

/// The values of rows as canonical bytes: two lists of rows are alike if these are.
struct RowFingerprint: RowSink {
  private var writer = CBORWriter()

  var bytes: [UInt8] { writer.bytes }

  mutating func bind(_ value: Int64) { writer.append(integer: value) }
  mutating func bind(_ value: String) { writer.append(text: value) }
  mutating func bindNull() { writer.appendNull() }

  /// The values of a row that has `columns`, as a table holds it.
  mutating func bind(_ row: borrowing Row, _ columns: [MealColumns.Column]) {
    for place in columns.indices {
      if row.isNull(place) {
        writer.appendNull()
      } else if columns[place].isInteger {
        writer.append(integer: row.int64(place))
      } else {
        row.withText(place) { writer.append(utf8: $0) }
      }
    }
  }

  mutating func removeAll() { writer.removeAll(keepingCapacity: true) }
}
