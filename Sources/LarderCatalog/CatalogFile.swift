// Where a catalog lies, how its file is laid out, and how it is opened.
//
// `catalog.sqlite` is written once and only read afterwards: an install builds a new file in the
// store's `tmp` and renames it into place, so a kill at any point leaves the old catalog or the new
// one, and a process that has the old one open keeps reading it. Therefore the finished file has no
// WAL (a `-wal` beside the name would belong to the old file), and nobody opens it for writing.

import LarderSQL

/// The folder of a store, as the catalog sees it.
public struct CatalogLocation: Hashable, Sendable {
  /// The store's folder, an absolute path.
  public let folder: String

  /// The catalog of the store in `folder`, an absolute path.
  public init(folder: String) {
    self.folder = folder
  }

  /// The installed catalog.
  package var databasePath: String { folder + "/catalog.sqlite" }
  /// Temporary files, the lock of an install among them.
  package var temporaryFolder: String { folder + "/tmp" }
  /// The catalog an install is building.
  package var buildPath: String { temporaryFolder + "/catalog-install.sqlite" }
  /// Held by an install.
  package var lockPath: String { temporaryFolder + "/catalog-install.lock" }
}

/// The layout of the file.
enum CatalogFile {
  /// "LrdC", and the newest version this build knows.
  static let format = Connection.Format(applicationID: 0x4c72_6443, version: 1)

  /// How it is opened: the content is synced once, at the end, by the install.
  static func settings(_ location: CatalogLocation) -> Connection.Settings {
    Connection.Settings(
      synchronous: .off, temporaryFolder: location.temporaryFolder,
      cacheByteCount: 16 * 1024 * 1024, busyMillisecondsMax: 5000,
      valueByteCountMax: 16 * 1024 * 1024)
  }

  /// The tables. `products.basis` and `servingUnit` are numbers of the Kernel's enumerations; names
  /// are CBOR maps from language to name, nutrients and limits CBOR maps from nutrient to amount,
  /// fields CBOR maps from nutrient to `fieldNames.id`.
  static let tables: SQL = """
    CREATE TABLE installs (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL, notice TEXT NOT NULL, licence TEXT NOT NULL,
      fileName TEXT NOT NULL, fileHash BLOB NOT NULL, fileByteCount INTEGER NOT NULL,
      installedAt INTEGER NOT NULL, rulesVersion INTEGER NOT NULL,
      newestModifiedAt INTEGER, recordCount INTEGER NOT NULL, productCount INTEGER NOT NULL,
      duplicateCount INTEGER NOT NULL, flaggedCount INTEGER NOT NULL, digest BLOB NOT NULL
    ) STRICT;
    CREATE TABLE installFlags (
      install INTEGER NOT NULL REFERENCES installs(id), flag INTEGER NOT NULL,
      name TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (install, flag)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE setAsideCounts (
      install INTEGER NOT NULL REFERENCES installs(id), reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (install, reason)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE setAside (line INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT;
    CREATE TABLE fieldNames (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE products (
      id INTEGER PRIMARY KEY,
      code TEXT NOT NULL UNIQUE, givenCode TEXT NOT NULL,
      modifiedAt INTEGER NOT NULL, revision INTEGER NOT NULL, contentHash BLOB NOT NULL,
      names BLOB NOT NULL, genericNames BLOB, mainLanguage TEXT NOT NULL,
      brand TEXT, quantityText TEXT, servingText TEXT,
      basis INTEGER NOT NULL, servingValue INTEGER, servingUnit INTEGER,
      nutrients BLOB NOT NULL, upperLimits BLOB, fields BLOB NOT NULL,
      flags INTEGER NOT NULL, completeness INTEGER NOT NULL, popularity INTEGER NOT NULL
    ) STRICT;
    """

  /// What search needs, made when all products are in. A place is a product's rank among all: a
  /// search that reads places in order meets complete, often-used foods first. Row p << 6 | n of
  /// `nameIndex` is the n-th searchable name of the product at place p.
  static let searchTables: SQL = """
    CREATE TABLE places (place INTEGER PRIMARY KEY, product INTEGER NOT NULL) STRICT;
    CREATE TABLE nameKeys (
      key INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (key, place)
    ) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE nameIndex USING fts5(
      name, brand, content='', columnsize=0, prefix='2 3',
      tokenize='unicode61 remove_diacritics 2'
    );
    INSERT INTO places (product)
      SELECT id FROM products ORDER BY completeness DESC, popularity DESC, code;
    """
}
