// What a build knows: kinds with their upcasters, projections, summaries. SPEC.md, "Projections".
//
// Invariants: names are unlike each other whatever their case; Larder's own names have no
// underscore and no slash, an app's have both where they belong, so that no later version of Larder
// can collide with them.

/// The kinds, projections and summaries of a build.
public struct Schema: Sendable {
  /// The kinds and upcasters.
  public private(set) var events = EventSchema()
  /// The projections, in the order they are made.
  public private(set) var projections: [any Projection.Type] = []
  /// The summaries.
  public private(set) var summaries: [any Summary.Type] = []
  private var names: Set<String> = []

  /// Nothing.
  public init() {}

  /// What Larder itself knows.
  public static let standard: Schema = {
    var schema = Schema()
    schema.register(
      kinds: EventSchema.standardKinds, upcasters: [],
      projections: [
        MealProjection.self, TemplateProjection.self, ProductProjection.self,
        SettingProjection.self, NoteProjection.self,
      ], summaries: [RecentFoods.self])
    return schema
  }()

  /// What Larder itself knows, and an app's own.
  ///
  /// Names that collide, that are not of their form, and versions without upcasters are programmer
  /// errors.
  public static func standard(
    adding kinds: [any EventPayload.Type], upcasters: [Upcaster] = [],
    projections: [any Projection.Type] = [], summaries: [any Summary.Type] = []
  ) -> Schema {
    var schema = standard
    for kind in kinds {
      precondition(kind.kind.name.contains("/"), "an app's kind is called app/Kind")
    }
    for projection in projections {
      precondition(projection.name.contains("/"), "an app's projection is called app/projection")
      for table in projection.tables {
        precondition(isAppTable(table.name), "an app's table is called app_Table")
      }
    }
    for summary in summaries {
      precondition(isAppTable(summary.name), "an app's summary is called app_Summary")
    }
    schema.register(
      kinds: kinds, upcasters: upcasters, projections: projections, summaries: summaries)
    return schema
  }

  private static func isAppTable(_ name: String) -> Bool {
    guard let place = name.firstIndex(of: "_") else { return false }
    return place != name.startIndex && name.index(after: place) != name.endIndex
  }

  /// Adds kinds, projections and summaries.
  package mutating func register(
    kinds: [any EventPayload.Type], upcasters: [Upcaster], projections: [any Projection.Type],
    summaries: [any Summary.Type]
  ) {
    for kind in kinds {
      events.register(kind, upcasters: upcasters.filter { $0.kind == kind.kind })
    }
    for projection in projections { add(projection) }
    for summary in summaries { add(summary) }
  }

  private mutating func add(_ projection: any Projection.Type) {
    precondition(projection.version >= 1, "versions begin at 1")
    precondition(!projection.tables.isEmpty, "a projection has a table")
    // Its own table is called by the name with underscores.
    claim(projection.name, as: "_" + projection.name.replacing("/", with: "_"))
    for table in projection.tables {
      claim(table.name, as: table.name)
      var columns: Set = ["id"]
      for column in table.columns {
        precondition(Self.isName(column.name), "\(column.name) is no name of a column")
        precondition(columns.insert(column.name.lowercased()).inserted, "a column is there twice")
        precondition(
          column.target.map { name in projection.tables.contains { $0.name == name } } ?? true,
          "a reference leads to a table of its own projection")
      }
      let names = Set(table.columnNames)
      precondition(
        table.indexes.allSatisfy { !$0.isEmpty && names.isSuperset(of: $0) },
        "an index is of columns of its table")
    }
    projections.append(projection)
  }

  private mutating func add(_ summary: any Summary.Type) {
    precondition(summary.version >= 1, "versions begin at 1")
    claim(summary.name, as: summary.name)
    let tables = projections.flatMap { $0.tables }
    guard let table = tables.first(where: { $0.name == summary.table }) else {
      preconditionFailure("a summary is of the table of a projection that is registered")
    }
    let names = Set(table.columnNames)
    let integers = Set(table.columns.filter { $0.type == .integer }.map(\.name))
    precondition(
      !summary.keys.isEmpty && names.isSuperset(of: summary.keys), "a key is a column of the table")
    var hasCount = false
    for value in summary.values {
      precondition(Self.isName(value.column), "\(value.column) is no name of a column")
      if let source = value.source {
        precondition(integers.contains(source), "what is summed is an integer column of the table")
      } else {
        hasCount = true
      }
    }
    precondition(hasCount, "a summary counts its rows, so that it knows when the last one is gone")
    summaries.append(summary)
  }

  /// Names are compared without case, as SQLite does.
  private mutating func claim(_ name: String, as table: String) {
    precondition(
      name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { Self.isName($0) },
      "\(name) is no name: letters, digits and underscores, not first")
    precondition(names.insert(table.lowercased()).inserted, "the name \(name) is taken")
  }

  private static func isName(_ name: some StringProtocol) -> Bool {
    guard (1...40).contains(name.utf8.count), let first = name.utf8.first else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
      && isLetter(first)
  }

  private static func isLetter(_ unit: UInt8) -> Bool {
    (0x41...0x5a).contains(unit) || (0x61...0x7a).contains(unit)
  }
}
