// Templates: meals to reuse. The last save of a template counts. SPEC.md, "Tables of the diary".

/// `Meals` and `MealItems`.
public enum TemplateProjection: Projection {
  /// The name.
  public static let name = "templates"
  /// The version of the rows.
  public static let version: UInt32 = 1
  /// Saving and deleting.
  public static let kinds: [EventKind] = [.templateSaved, .templateDeleted]
  /// The templates, and their foods.
  public static let tables = [
    ProjectionTable(
      "Meals",
      columns: [
        .required("name", .text), .optional("mealType", .text), .optional("note", .text),
        .optional("tags", .text), .optional("loggedBy", .text),
      ], indexes: [["name"]]),
    ProjectionTable(
      "MealItems",
      columns: [
        .reference("mealId", to: "Meals"), .required("position", .integer),
        .required("name", .text), .required("amount", .integer), .required("unit", .text),
      ] + ProjectionTable.Column.basis + ProjectionTable.Column.product + [
        .required("origin", .text), .optional("confidence", .integer),
        .optional("servedMg", .integer),
      ] + ProjectionTable.Column.nutrients, indexes: [["mealId"]]),
  ]

  /// Gives the rows of a template; none where it was deleted last.
  public static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {
    var last: TemplateSaved?
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      switch event.kind {
      case .templateSaved: last = try event.decode(TemplateSaved.self)
      case .templateDeleted:
        _ = try event.decode(TemplateDeleted.self)
        last = nil
      default: break
      }
    }
    guard let last else { return }
    rows.begin(table: 0)
    rows.append(last.name)
    rows.append(last.mealType?.rawValue)
    rows.append(last.note)
    rows.append(last.tags.flatMap { $0.isEmpty ? nil : JSONText.array(of: $0) })
    rows.append(last.by)
    for (position, line) in last.lines.enumerated() {
      rows.begin(table: 1, item: ItemID(UInt64(position)))
      rows.append(events.stream.hex)
      rows.append(Int64(position))
      rows.append(line.name)
      rows.append(line.quantity.value)
      rows.append(line.quantity.unit.name)
      rows.append(line.snapshot)
      rows.append(line.product)
      rows.append(line.origin.name)
      rows.append(line.confidence.map(Int64.init))
      rows.append(line.servedMass)
      rows.append(line.snapshot.eaten(line.quantity))
    }
  }
}
