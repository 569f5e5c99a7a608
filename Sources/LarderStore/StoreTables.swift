// The tables of larder.sqlite. Promised ones are in SPEC.md, "Tables", and in Schemas/Tables; all
// others begin with an underscore. The file's identity stands here too.

internal import LarderKernel
package import LarderSQL

package enum StoreTables {
  /// "Lard" in ASCII: what `file` and SQLite call the application id.
  package static let format = Connection.Format(applicationID: 0x4c61_7264, version: 1)

  /// The log, the device and the bookkeeping of projections.
  package static let log: SQL = """
    CREATE TABLE _device(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      device BLOB NOT NULL,
      author BLOB NOT NULL,
      name TEXT NOT NULL,
      hlc INTEGER NOT NULL,
      renewal TEXT
    ) STRICT;
    CREATE TABLE _authors(
      author BLOB PRIMARY KEY,
      publicKey BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _incarnations(
      number INTEGER PRIMARY KEY,
      author BLOB NOT NULL UNIQUE,
      since INTEGER NOT NULL,
      reason TEXT
    ) STRICT;
    CREATE TABLE _chains(
      id INTEGER PRIMARY KEY,
      author BLOB NOT NULL,
      parent INTEGER,
      start INTEGER NOT NULL,
      startRoot BLOB NOT NULL,
      size INTEGER NOT NULL,
      root BLOB NOT NULL,
      frontier BLOB NOT NULL,
      isAttached INTEGER NOT NULL,
      isWitnessed INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE _seeds(
      chain INTEGER NOT NULL,
      block INTEGER NOT NULL,
      seed BLOB,
      salts BLOB,
      PRIMARY KEY (chain, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _tail(
      chain INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      stream BLOB NOT NULL,
      header BLOB NOT NULL,
      payload BLOB,
      commitment BLOB,
      leaf BLOB NOT NULL,
      PRIMARY KEY (chain, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _blocks(
      id INTEGER PRIMARY KEY,
      chain INTEGER NOT NULL,
      block INTEGER NOT NULL,
      first INTEGER NOT NULL,
      count INTEGER NOT NULL,
      root BLOB NOT NULL,
      marks BLOB NOT NULL,
      byteCount INTEGER NOT NULL,
      data BLOB NOT NULL,
      UNIQUE (chain, block)
    ) STRICT;
    CREATE TABLE _streams(
      stream BLOB NOT NULL,
      chain INTEGER NOT NULL,
      block INTEGER NOT NULL,
      PRIMARY KEY (stream, chain, block)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _edges(
      chain INTEGER NOT NULL,
      first INTEGER NOT NULL,
      count INTEGER NOT NULL,
      rootBefore BLOB NOT NULL,
      rootAfter BLOB NOT NULL,
      leavesRoot BLOB NOT NULL,
      signature BLOB NOT NULL,
      PRIMARY KEY (chain, first, count)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _projections(
      name TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      digest BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _unfolded(
      stream BLOB NOT NULL,
      author BLOB NOT NULL,
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL,
      version INTEGER NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (stream, author, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _rebuild(
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      cursor BLOB,
      digest BLOB NOT NULL
    ) STRICT;
    CREATE TABLE _rebuildLater(stream BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
    """

  /// Names of the meal projection's tables, live or beside the live ones.
  package struct Meal: Sendable {
    let entries: SQL.Identifier
    let logs: SQL.Identifier
    let streams: SQL.Identifier

    package static let live = Meal(
      entries: "MealEntries", logs: "NutritionLogs", streams: "_mealStreams")
    package static let shadow = live.suffixed("_new")
    package static let old = live.suffixed("_old")

    private func suffixed(_ suffix: StaticString) -> Meal {
      Meal(
        entries: entries.suffixed(suffix), logs: logs.suffixed(suffix),
        streams: streams.suffixed(suffix))
    }
  }

  /// The nutrient columns of the logs, in the order of their numbers.
  static let nutrients = Nutrient.allCases.sorted()

  /// Creates the meal projection's tables without their indexes.
  package static func create(_ meal: Meal) -> SQL {
    let amounts = SQL(trusted: nutrients.map { ",\n  \($0.columnName) INTEGER" }.joined())
    return """
      CREATE TABLE \(meal.entries)(
        id TEXT PRIMARY KEY,
        consumedAt INTEGER NOT NULL,
        mealType TEXT NOT NULL,
        title TEXT,
        source TEXT NOT NULL,
        photoPath TEXT,
        photoThumbPath TEXT,
        voiceTranscript TEXT,
        captureMeta TEXT,
        day TEXT NOT NULL,
        minute INTEGER NOT NULL,
        zone TEXT NOT NULL,
        utcOffset INTEGER NOT NULL,
        note TEXT,
        tags TEXT,
        copiedFrom TEXT,
        captureId TEXT,
        loggedBy TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE \(meal.logs)(
        id TEXT PRIMARY KEY,
        mealEntryId TEXT REFERENCES \(meal.entries)(id) ON DELETE SET NULL,
        consumedAt INTEGER NOT NULL,
        mealType TEXT NOT NULL,
        name TEXT NOT NULL,
        amount INTEGER NOT NULL,
        unit TEXT NOT NULL,
        productCode TEXT,
        day TEXT NOT NULL,
        minute INTEGER NOT NULL,
        zone TEXT NOT NULL,
        utcOffset INTEGER NOT NULL,
        position INTEGER NOT NULL,
        basis TEXT NOT NULL,
        servingAmount INTEGER,
        servingUnit TEXT,
        productCatalog TEXT,
        productAskedCode TEXT,
        productRevision INTEGER,
        origin TEXT NOT NULL,
        confidence INTEGER,
        servedMg INTEGER,
        note TEXT,
        loggedBy TEXT\(amounts)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE \(meal.streams)(
        stream BLOB PRIMARY KEY,
        digest BLOB NOT NULL,
        isClosed INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """
  }

  /// The indexes of the log's tables.
  package static let logIndexes: SQL = """
    CREATE INDEX IF NOT EXISTS _chainsByAuthor ON _chains(author);
    CREATE INDEX IF NOT EXISTS _tailByStream ON _tail(stream);
    """

  /// The names of all indexes that are made by name; `generation` is that of the live tables.
  package static func indexNames(generation: Int64) -> [String] {
    ["_chainsByAuthor", "_tailByStream"]
      + ["_MealEntriesByDay", "_NutritionLogsByDay", "_NutritionLogsByEntry"].map {
        $0 + String(generation)
      }
  }

  /// Creates the indexes of the meal projection; each generation of the tables has its own names.
  package static func index(_ meal: Meal, generation: Int64) -> SQL {
    let suffix = SQL(trusted: String(generation))
    return """
      CREATE INDEX IF NOT EXISTS _MealEntriesByDay\(suffix) ON \(meal.entries)(day, consumedAt);
      CREATE INDEX IF NOT EXISTS _NutritionLogsByDay\(suffix) ON \(meal.logs)(day, consumedAt);
      CREATE INDEX IF NOT EXISTS _NutritionLogsByEntry\(suffix) ON \(meal.logs)(mealEntryId);
      """
  }

  /// Drops the meal projection's tables, the referring one first.
  package static func drop(_ meal: Meal) -> SQL {
    """
    DROP TABLE IF EXISTS \(meal.logs);
    DROP TABLE IF EXISTS \(meal.entries);
    DROP TABLE IF EXISTS \(meal.streams);
    """
  }

  /// Renames the live tables away and the shadow ones in; their indexes go with them.
  package static let swap: SQL = {
    let (live, shadow, old) = (Meal.live, Meal.shadow, Meal.old)
    return """
      ALTER TABLE \(live.logs) RENAME TO \(old.logs);
      ALTER TABLE \(live.entries) RENAME TO \(old.entries);
      ALTER TABLE \(live.streams) RENAME TO \(old.streams);
      ALTER TABLE \(shadow.entries) RENAME TO \(live.entries);
      ALTER TABLE \(shadow.logs) RENAME TO \(live.logs);
      ALTER TABLE \(shadow.streams) RENAME TO \(live.streams);
      """
  }()
}
