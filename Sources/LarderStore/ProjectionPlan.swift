// A projection with what SQL needs of it: the names of its tables in each generation, and the
// statements that make, rename and drop them.
//
// Invariant: a live table has the name its projection gives it; that of another generation has the
// generation's number in front, so that any number of them lie beside each other.

internal import LarderHash
package import LarderKernel
package import LarderSQL

/// A projection of this build.
struct ProjectionPlan: Sendable {
  let projection: any Projection.Type
  let tables: [ProjectionTable]
  let kinds: Set<EventKind>
  /// What is summed up of each table.
  let summaries: [[SummaryPlan]]
  /// BLAKE2b-128 of the SQL of its live tables and indexes: tables of another shape are made again.
  let shape: Bytes16

  /// Where tables stand.
  enum Place: Hashable, Sendable {
    case live
    case generation(Int64)
  }

  /// - Parameter summaries: those of the projection's tables.
  init(_ projection: any Projection.Type, summaries: [any Summary.Type] = []) {
    let draft = ProjectionPlan(projection, summaries, shape: .zero)
    var sql = draft.create(.live).text + draft.index(.live, generation: 0).text
    for plan in draft.summaries.joined() { sql += "\(plan.name) \(plan.summary.version);" }
    self.init(projection, summaries, shape: BLAKE2b.hash128(Array(sql.utf8)))
  }

  private init(
    _ projection: any Projection.Type, _ all: [any Summary.Type], shape: Bytes16
  ) {
    self.projection = projection
    tables = projection.tables
    kinds = Set(projection.kinds)
    summaries = projection.tables.map { table in
      all.filter { $0.table == table.name }.map { SummaryPlan($0, of: table) }
    }
    self.shape = shape
  }

  var name: String { projection.name }
  var version: Int64 { Int64(projection.version) }

  /// The plans of a schema's projections, in its order.
  static func all(of schema: Schema) -> [ProjectionPlan] {
    // Nothing can be taken away from Larder's own, so a schema with as many is that.
    let own = Schema.standard
    if schema.projections.count == own.projections.count,
      schema.summaries.count == own.summaries.count
    {
      return standard
    }
    return make(schema)
  }

  private static let standard = make(.standard)

  private static func make(_ schema: Schema) -> [ProjectionPlan] {
    schema.projections.map { ProjectionPlan($0, summaries: schema.summaries) }
  }

  // MARK: Names

  /// The table `table`.
  func table(_ table: ProjectionTable, _ place: Place) -> SQL.Identifier {
    Self.identifier(table.name, place)
  }

  /// The table of the streams that were folded, and their digests.
  func streams(_ place: Place) -> SQL.Identifier {
    Self.identifier(streamsName, place)
  }

  private var streamsName: String {
    "_folded_" + name.split(separator: "/").joined(separator: "_")
  }

  /// The live names of all tables, one that refers to another behind it.
  var names: [String] {
    tables.map(\.name) + summaries.joined().map(\.name) + [streamsName]
  }

  /// The name a live table has in `place`.
  static func identifier(_ name: String, _ place: Place) -> SQL.Identifier {
    let whole =
      switch place {
      case .live: name
      case .generation(let number): "_g\(number)" + (name.hasPrefix("_") ? "" : "_") + name
      }
    guard let identifier = SQL.Identifier(whole) else {
      preconditionFailure("\(whole) is no name of a table")
    }
    return identifier
  }

  // MARK: SQL

  /// Makes the tables without their indexes.
  func create(_ place: Place) -> SQL {
    var text = ""
    for table in tables {
      let columns = table.columns.map { column -> String in
        let rule =
          column.target.map {
            " REFERENCES \"\(Self.identifier($0, place).name)\"(id) ON DELETE SET NULL"
          } ?? (column.isOptional ? "" : " NOT NULL")
        return ",\n  \(column.name) \(column.type.rawValue)\(rule)"
      }
      text += """
        CREATE TABLE "\(self.table(table, place).name)"(
          id TEXT PRIMARY KEY\(columns.joined())
        ) STRICT, WITHOUT ROWID;

        """
    }
    for summary in summaries.joined() { text += summary.create(place).text }
    return SQL(
      trusted: text + """
        CREATE TABLE "\(streams(place).name)"(
          stream BLOB PRIMARY KEY,
          digest BLOB NOT NULL,
          failure TEXT
        ) STRICT, WITHOUT ROWID;
        """)
  }

  /// The names and columns of the indexes of a generation.
  private func indexes(generation: Int64) -> [(name: String, table: ProjectionTable, [String])] {
    zip(tables, summaries).flatMap { table, summaries in
      (table.indexes + summaries.flatMap(\.indexes)).enumerated().map { place, columns in
        ("_\(table.name)\(generation)_\(place)", table, columns)
      }
    }
  }

  /// The names of the indexes of a generation.
  func indexNames(generation: Int64) -> [String] {
    indexes(generation: generation).map(\.name)
  }

  /// Makes the indexes that are not there of the tables that stand in `place`.
  func index(_ place: Place, generation: Int64) -> SQL {
    SQL(
      trusted: indexes(generation: generation).map { name, table, columns in
        """
        CREATE INDEX IF NOT EXISTS "\(name)" ON "\(self.table(table, place).name)"(\
        \(columns.joined(separator: ", ")));

        """
      }.joined())
  }

  /// Renames tables from one place to another, those that are referred to first.
  static func rename(_ names: [String], from source: Place, to target: Place) -> SQL {
    names.reduce("" as SQL) { sql, name in
      """
      \(sql)ALTER TABLE \(identifier(name, source)) RENAME TO \(identifier(name, target));

      """
    }
  }

  /// Drops tables, those that refer first.
  static func drop(_ names: [String], _ place: Place) -> SQL {
    names.reversed().reduce("" as SQL) { sql, name in
      "\(sql)DROP TABLE IF EXISTS \(identifier(name, place));\n"
    }
  }
}

extension StoreTables {
  /// The SQL by which a projection comes about and is made again, for whoever does the same without
  /// this module.
  package struct Scripts {
    /// The live tables with their indexes, and the row that says so.
    package let create: SQL
    /// The tables of the second generation, and their indexes.
    package let createNext: SQL
    package let indexNext: SQL
    /// Renames the second generation in, and drops the first.
    package let swap: SQL

    /// Those of `projection`.
    package init(_ projection: any Projection.Type) {
      let plan = ProjectionPlan(projection)
      let row = SQL(
        trusted: """
          INSERT INTO _projections(name, generation, state, version, shape, digest, tables)
            VALUES ('\(plan.name)', 1, 'live', \(plan.version), zeroblob(16), zeroblob(16), '');

          """)
      create = "\(plan.create(.live))\n\(plan.index(.live, generation: 1))\(row)"
      createNext = plan.create(.generation(2))
      indexNext = plan.index(.generation(2), generation: 2)
      let (old, new) = (ProjectionPlan.Place.generation(1), ProjectionPlan.Place.generation(2))
      swap = """
        \(ProjectionPlan.rename(plan.names, from: .live, to: old))
        \(ProjectionPlan.rename(plan.names, from: new, to: .live))
        \(ProjectionPlan.drop(plan.names, old))
        """
    }
  }
}
