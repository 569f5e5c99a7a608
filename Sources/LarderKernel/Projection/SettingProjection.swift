// Settings of the diary, and from which day on a day begins when. The last change counts: of a
// setting by its name, of the start of days by the first day it holds for. SPEC.md, "Tables of the
// diary".

/// `Settings` and `DayStarts`.
public enum SettingProjection: Projection {
  /// The name.
  public static let name = "settings"
  /// The version of the rows.
  public static let version: UInt32 = 1
  /// Changes of both.
  public static let kinds: [EventKind] = [.settingChanged, .dayStartChanged]
  /// The settings, and the starts of days.
  public static let tables = [
    ProjectionTable(
      "Settings",
      columns: [.required("name", .text), .required("value", .text), .optional("loggedBy", .text)]
    ),
    ProjectionTable(
      "DayStarts",
      columns: [
        .required("fromDay", .text), .required("startMinute", .integer),
        .optional("loggedBy", .text),
      ], indexes: [["fromDay", "startMinute"]]),
  ]

  /// Gives the row of a setting, or one for each day from which a start holds.
  public static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {
    var setting: SettingChanged?
    var starts: [CivilDay: DayStartChanged] = [:]
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      switch event.kind {
      case .settingChanged: setting = try event.decode(SettingChanged.self)
      case .dayStartChanged:
        let change = try event.decode(DayStartChanged.self)
        starts[change.fromDay] = change
      default: break
      }
    }
    if let setting, setting.value != .null {
      rows.begin(table: 0)
      rows.append(setting.name)
      rows.append(setting.value.diagnosticNotation)
      rows.append(setting.by)
    }
    for (day, start) in starts.sorted(by: { $0.key < $1.key }) {
      // Days before 1970 are negative: they come first all the same.
      let number = UInt64(bitPattern: Int64(day.daysSince1970)) ^ 1 << 63
      rows.begin(table: 1, item: ItemID(number))
      rows.append(day.description)
      rows.append(Int64(start.startMinute))
      rows.append(start.by)
    }
  }
}
