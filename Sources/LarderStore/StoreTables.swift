// The tables of larder.sqlite. Promised ones are in SPEC.md, "Tables", and in Schemas/Tables; all
// others begin with an underscore. The file's identity stands here too.

internal import LarderKernel
package import LarderSQL

package enum StoreTables {
  /// "Lard" in ASCII: what `file` and SQLite call the application id.
  package static let format = Connection.Format(applicationID: 0x4c61_7264, version: 2)

  /// The log and the device.
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
    """

  /// What is known of projections: their generations of tables, streams a generation has not folded
  /// since they changed, and events no fold could read.
  package static let bookkeeping: SQL = """
    CREATE TABLE _projections(
      name TEXT NOT NULL,
      generation INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('live', 'building', 'kept')),
      version INTEGER NOT NULL,
      shape BLOB NOT NULL,
      digest BLOB NOT NULL,
      cursor BLOB,
      tables TEXT NOT NULL,
      PRIMARY KEY (name, generation)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _refolds(
      name TEXT NOT NULL,
      generation INTEGER NOT NULL,
      stream BLOB NOT NULL,
      PRIMARY KEY (name, generation, stream)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE _unfolded(
      stream BLOB NOT NULL,
      projection TEXT NOT NULL,
      author BLOB NOT NULL,
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL,
      version INTEGER NOT NULL,
      reason TEXT NOT NULL,
      isCritical INTEGER NOT NULL,
      PRIMARY KEY (stream, projection, author, seq)
    ) STRICT, WITHOUT ROWID;
    """

  /// The indexes of the log's tables.
  package static let logIndexes: SQL = """
    CREATE INDEX IF NOT EXISTS _chainsByAuthor ON _chains(author);
    CREATE INDEX IF NOT EXISTS _tailByStream ON _tail(stream);
    """

  /// The names of the log's indexes.
  package static let logIndexNames = ["_chainsByAuthor", "_tailByStream"]

  /// From format 1, which knew one projection: its rows stay, and its tables are made again before
  /// the first write.
  package static let fromFormat1: SQL = """
    DROP TABLE IF EXISTS NutritionLogs_new;
    DROP TABLE IF EXISTS MealEntries_new;
    DROP TABLE IF EXISTS _mealStreams_new;
    DROP TABLE IF EXISTS NutritionLogs_old;
    DROP TABLE IF EXISTS MealEntries_old;
    DROP TABLE IF EXISTS _mealStreams_old;
    DROP TABLE _rebuild;
    DROP TABLE _rebuildLater;
    DROP TABLE _unfolded;
    ALTER TABLE _projections RENAME TO _projections1;
    ALTER TABLE _mealStreams RENAME TO _folded_meals;
    \(bookkeeping)
    INSERT INTO _projections(name, generation, state, version, shape, digest, tables)
      SELECT 'meals', generation, 'live', version, zeroblob(16), digest,
        'MealEntries NutritionLogs _folded_meals' FROM _projections1;
    DROP TABLE _projections1;
    """
}
