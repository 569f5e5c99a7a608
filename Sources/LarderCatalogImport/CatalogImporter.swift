// Installs a catalog from a dump: Open Food Facts JSONL, plain or gzip, as it streams.
//
// Invariants: every record is accounted for, as a product, as a duplicate, or set aside with its
// line and reason; memory does not grow with the file; whatever fails, the installed catalog stays.

import FoundationEssentials
public import LarderCatalog
import LarderFiles
import LarderHash
public import LarderKernel

/// How far an install has come.
public struct CatalogImportProgress: Hashable, Sendable {
  /// How many bytes of the file were read.
  public let readByteCount: Int64
  /// How many bytes the file has.
  public let fileByteCount: Int64
  /// How many records were read.
  public let recordCount: Int64
}

/// What an install came to.
public enum CatalogImportOutcome: Hashable, Sendable {
  /// A catalog was installed. `isNewer` says whether a record of it is newer than all of the
  /// catalog before; true where there was none, nil where either does not say.
  case installed(CatalogInstall, isNewer: Bool?)
  /// The file is the one that is installed already, read under the same rules: nothing was changed.
  case sameFile(CatalogInstall)
}

/// Installs catalogs into the store at a location.
public struct CatalogImporter: Sendable {
  /// The version of the rules by which records become products. It grows with every change of a
  /// rule that could change a number, a name or a flag; the same file is then read again.
  public static let rulesVersion: Int64 = 2
  /// The longest line that is read as a record, in bytes.
  public static let lineByteCountMaximum = 4 * 1024 * 1024

  private let location: CatalogLocation

  /// An importer for the store at `location`.
  public init(_ location: CatalogLocation) {
    self.location = location
  }

  /// Installs the Open Food Facts dump at `path`, JSONL or gzip of it, in place of what is
  /// installed.
  ///
  /// When this returns the new catalog is durable and every `Catalog.open` sees it. Takes about
  /// 0.05 s a megabyte of plain text.
  /// - Parameters:
  ///   - path: the file.
  ///   - installedAt: the time to record.
  ///   - progress: called after every thousand records or so.
  ///   - isCancelled: asked as often; true stops the install.
  /// - Throws: `notFound`, `notRegular`, `unreadable`, `wrongEncoding`, `noProducts`, `busy`,
  ///   `cancelled`, `full`, `ioFailure`.
  ///   After an error the installed catalog is as it was.
  public func install(
    _ path: String, installedAt: Instant, progress: (CatalogImportProgress) -> Void,
    isCancelled: () -> Bool
  ) throws(CatalogError) -> CatalogImportOutcome {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let installed = installedBefore()
    if let installed, try isSame(installed, path: path, name: name, isCancelled: isCancelled) {
      return .sameFile(installed)
    }
    let install = try CatalogBuilder.install(at: location, isCancelled: isCancelled) {
      (builder) throws(CatalogError) in
      let file = try Self.open(path)
      let byteCount = file.byteCount
      var lines = LineReader(
        SourceReader(file, name: name), byteCountMaximum: Self.lineByteCountMaximum)
      var isAtEnd = false
      while !isAtEnd {
        isAtEnd = try !Self.readSome(&lines, into: &builder)
        progress(
          CatalogImportProgress(
            readByteCount: lines.takenByteCount, fileByteCount: byteCount,
            recordCount: builder.recordCount))
        if isCancelled() { throw Self.cancelled(name) }
      }
      return CatalogInstallSource(
        source: .openFoodFacts, fileName: name, fileByteCount: lines.takenByteCount,
        fileHash: lines.finishHash(), installedAt: installedAt, rulesVersion: Self.rulesVersion)
    }
    return .installed(install, isNewer: Self.isNewer(install, than: installed))
  }

  /// What is installed now; nil where nothing readable is, for installing mends that.
  private func installedBefore() -> CatalogInstall? {
    try? Catalog.open(location).status()
  }

  /// Whether the file at `path` is the installed one, byte by byte, read under today's rules. Files
  /// of another length are not read for this.
  private func isSame(
    _ installed: CatalogInstall, path: String, name: String, isCancelled: () -> Bool
  ) throws(CatalogError) -> Bool {
    let file = try Self.open(path)
    guard file.byteCount == installed.fileByteCount,
      installed.rulesVersion == Self.rulesVersion
    else { return false }
    var hash = BLAKE2b(byteCount: 32)
    var piece: [UInt8] = []
    do {
      while try file.read(into: &piece, count: 1024 * 1024) > 0 {
        hash.update(piece)
        piece.removeAll(keepingCapacity: true)
        if isCancelled() { throw Self.cancelled(name) }
      }
    } catch let error as CatalogError {
      throw error
    } catch {
      throw CatalogError(
        .unreadable, operation: "read catalog file", subject: name, underlying: error)
    }
    return hash.finalize() == installed.fileHash.bytes
  }

  private static func open(_ path: String) throws(CatalogError) -> ReadableFile {
    do {
      return try ReadableFile(path: path)
    } catch {
      let code: CatalogError.Code =
        switch error.code {
        case .notFound: .notFound
        case .isFolder, .notRegular: .notRegular
        default: .unreadable
        }
      throw CatalogError(
        code, operation: "open catalog file", subject: path, underlying: error)
    }
  }

  /// Reads about a thousand records.
  /// - Returns: false at the end of the file.
  private static func readSome(
    _ lines: inout LineReader, into builder: inout CatalogBuilder
  ) throws(CatalogError) -> Bool {
    let decoder = JSONDecoder()
    for _ in 0..<1000 {
      guard let line = try lines.next() else { return false }
      switch line {
      case .tooLong(let number): builder.setAside(line: number, .lineTooLong)
      case .complete(let number, let bytes):
        switch OpenFoodFactsRecord.read(bytes, with: decoder) {
        case .product(let product): try builder.add(product)
        case .setAside(let reason): builder.setAside(line: number, reason)
        }
      }
    }
    return true
  }

  /// Whether `install` has a newer record than the one before.
  private static func isNewer(_ install: CatalogInstall, than before: CatalogInstall?) -> Bool? {
    guard let before else { return true }
    guard let new = install.newestModifiedAt, let old = before.newestModifiedAt else { return nil }
    return new > old
  }

  private static func cancelled(_ name: String) -> CatalogError {
    CatalogError(.cancelled, operation: "install catalog", subject: name)
  }
}
