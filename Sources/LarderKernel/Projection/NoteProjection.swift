// Notes about days. The last one of a day counts. SPEC.md, "Tables of the diary".

/// `DayNotes`.
public enum NoteProjection: Projection {
  /// The name.
  public static let name = "notes"
  /// The version of the rows.
  public static let version: UInt32 = 1
  /// Noting, which clears too.
  public static let kinds: [EventKind] = [.dayNoted]
  /// One row a day.
  public static let tables = [
    ProjectionTable(
      "DayNotes",
      columns: [.required("day", .text), .required("note", .text), .optional("loggedBy", .text)],
      indexes: [["day"]])
  ]

  /// Gives the row of a day; none where its note was cleared last.
  public static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {
    var last: DayNoted?
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      if event.kind == .dayNoted { last = try event.decode(DayNoted.self) }
    }
    guard let last, case .set(let note) = last.note else { return }
    rows.begin(table: 0)
    rows.append(last.day.description)
    rows.append(note)
    rows.append(last.by)
  }
}
