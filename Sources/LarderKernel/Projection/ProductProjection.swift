// What a person says about products: other numbers, another name, which of several records is
// meant, and foods of their own. The last save of a code counts. SPEC.md, "Tables of the diary".

/// `ProductOverrides`.
public enum ProductProjection: Projection {
  /// The name.
  public static let name = "products"
  /// The version of the rows.
  public static let version: UInt32 = 1
  /// Overriding, which resets too.
  public static let kinds: [EventKind] = [.productOverridden]
  /// One row a code.
  public static let tables = [
    ProjectionTable(
      "ProductOverrides",
      columns: [
        .required("code", .text), .optional("name", .text), .optional("brand", .text),
      ] + ProjectionTable.Column.product + [
        .optional("basis", .text), .optional("servingAmount", .integer),
        .optional("servingUnit", .text), .optional("loggedBy", .text),
      ] + ProjectionTable.Column.nutrients, indexes: [["code"]])
  ]

  /// Gives the row of a code; none where it was reset last.
  public static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {
    var last: ProductOverridden?
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      if event.kind == .productOverridden { last = try event.decode(ProductOverridden.self) }
    }
    guard let last,
      last.name != nil || last.brand != nil || last.snapshot != nil || last.choice != nil
    else { return }
    rows.begin(table: 0)
    rows.append(last.code)
    rows.append(last.name)
    rows.append(last.brand)
    rows.append(last.choice)
    if let snapshot = last.snapshot {
      rows.append(snapshot)
    } else {
      for _ in 0..<3 { rows.appendNull() }
    }
    rows.append(last.by)
    rows.append(last.snapshot?.nutrients.elements ?? [])
  }
}
