// The projection of meals: the two tables of the diary, and the one order in which a row's values
// are given. SPEC.md, "Tables of the diary".

public import LarderHash

/// `MealEntries` and `NutritionLogs`.
public enum MealProjection: Projection {
  /// The name.
  public static let name = "meals"
  /// The version of the rows.
  public static let version: UInt32 = 2
  /// Everything that is said about a meal.
  public static let kinds = MealFold.kinds
  /// The entries, and the logs that refer to them.
  public static let tables = [entries, logs]

  /// The nutrient columns of the logs, in the order of their numbers.
  package static let nutrients = Nutrient.allCases.sorted()

  private static let entries = ProjectionTable(
    "MealEntries",
    columns: [
      .required("consumedAt", .integer), .required("mealType", .text), .optional("title", .text),
      .required("source", .text), .optional("photoPath", .text),
      .optional("photoThumbPath", .text), .optional("voiceTranscript", .text),
      .optional("captureMeta", .text), .required("day", .text), .required("minute", .integer),
      .required("zone", .text), .required("utcOffset", .integer), .optional("note", .text),
      .optional("tags", .text), .optional("copiedFrom", .text), .optional("captureId", .text),
      .optional("loggedBy", .text),
    ], indexes: [["day", "consumedAt"]])

  private static let logs = ProjectionTable(
    "NutritionLogs",
    columns: [
      .reference("mealEntryId", to: "MealEntries"), .required("consumedAt", .integer),
      .required("mealType", .text), .required("name", .text), .required("amount", .integer),
      .required("unit", .text), .optional("productCode", .text), .required("day", .text),
      .required("minute", .integer), .required("zone", .text), .required("utcOffset", .integer),
      .required("position", .integer), .required("basis", .text),
      .optional("servingAmount", .integer), .optional("servingUnit", .text),
      .optional("productCatalog", .text), .optional("productAskedCode", .text),
      .optional("productRevision", .integer), .required("origin", .text),
      .optional("confidence", .integer), .optional("servedMg", .integer), .optional("note", .text),
      .optional("loggedBy", .text),
    ] + ProjectionTable.Column.nutrients,
    indexes: [["day", "consumedAt"], ["mealEntryId"]])

  /// Gives the rows of a meal.
  public static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {
    let meal = MealFold.rows(of: events)
    rows.setAside += meal.setAside
    meal.put(into: &rows)
  }
}

extension MealRows {
  /// The digest of the rows as the tables hold them; zero where there are none.
  public var digest: Bytes16 {
    guard let stream = entry?.stream ?? logs.first?.stream else { return .zero }
    var rows = ProjectionRows(of: stream, in: MealProjection.tables, rowCount: logs.count + 1)
    put(into: &rows)
    rows.finish()
    return rows.digest
  }

  /// Gives the rows, those of the logs by item.
  fileprivate func put(into rows: inout ProjectionRows) {
    entry?.put(into: &rows)
    if logs.count < 2 || zip(logs, logs.dropFirst()).allSatisfy({ $0.item < $1.item }) {
      for place in logs.indices { logs[place].put(into: &rows) }
    } else {
      for place in logs.indices.sorted(by: { logs[$0].item < logs[$1].item }) {
        logs[place].put(into: &rows)
      }
    }
  }
}

extension ProjectionRows {
  /// Day, minute, zone and offset.
  fileprivate mutating func append(_ moment: Moment) {
    append(moment.day.description)
    append(Int64(moment.minuteOfDay))
    append(moment.zone.rawValue)
    append(Int64(moment.utcOffset.seconds))
  }
}

extension MealEntryRow {
  fileprivate func put(into rows: inout ProjectionRows) {
    rows.begin(table: 0)
    rows.append(occasion.moment.consumedAt.milliseconds)
    rows.append(occasion.mealType.rawValue)
    rows.append(title)
    rows.append(source.name)
    rows.append(photoPath)
    rows.append(photoThumbPath)
    rows.append(voiceTranscript)
    rows.append(captureMeta)
    rows.append(occasion.moment)
    rows.append(note)
    rows.append(tags.isEmpty ? nil : JSONText.array(of: tags))
    rows.append(copiedFrom?.hex)
    rows.append(captureID)
    rows.append(by)
  }
}

extension NutritionLogRow {
  fileprivate func put(into rows: inout ProjectionRows) {
    rows.begin(table: 1, item: item)
    rows.append(mealEntryID)
    rows.append(occasion.moment.consumedAt.milliseconds)
    rows.append(occasion.mealType.rawValue)
    rows.append(line.name)
    rows.append(line.quantity.value)
    rows.append(line.quantity.unit.name)
    rows.append(line.product?.code)
    rows.append(occasion.moment)
    rows.append(Int64(position))
    rows.append(line.snapshot.basis.name)
    rows.append(line.snapshot.serving?.value)
    rows.append(line.snapshot.serving?.unit.name)
    rows.append(line.product?.catalog)
    rows.append(line.product?.askedCode)
    rows.append(line.product?.revision)
    rows.append(line.origin.name)
    rows.append(line.confidence.map(Int64.init))
    rows.append(line.servedMass)
    rows.append(note)
    rows.append(by)
    rows.append(eaten)
  }
}
