// Where the files of a store are. SPEC.md, "What is on disk". Every path kept in a table is
// relative to the folder.

/// The files of a store.
public struct StorePaths: Hashable, Sendable {
  /// The store's folder.
  public let folder: String

  /// The files of the store in `folder`, which may end in a slash.
  public init(folder: String) {
    var trimmed = folder
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.folder = trimmed
  }

  /// Log and projections.
  public var database: String { folder + "/larder.sqlite" }
  /// The writers' lock.
  public var lock: String { folder + "/larder.lock" }
  /// The secret keys of this device.
  public var deviceKey: String { folder + "/device.key" }
  /// Temporary files, SQLite's too.
  public var temporary: String { folder + "/tmp" }
  /// The installed catalog.
  public var catalog: String { folder + "/catalog.sqlite" }
}
