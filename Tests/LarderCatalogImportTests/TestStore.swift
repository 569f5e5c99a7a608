import Foundation
import LarderCatalog
import LarderCatalogImport
import LarderKernel

/// A store's folder for one test, and dumps to install into it.
final class TestStore: Sendable {
  let folder: String
  var location: CatalogLocation { CatalogLocation(folder: folder) }

  init() throws {
    folder = NSTemporaryDirectory() + "larder-catalog-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Writes a file of `lines` into the folder.
  func file(_ name: String, _ lines: [String]) throws -> String {
    try file(name, Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @discardableResult
  func install(_ path: String) throws -> CatalogImportOutcome {
    guard let now = Instant(milliseconds: 1_777_000_000_000) else {
      preconditionFailure("an instant of this century")
    }
    return try CatalogImporter(location).install(
      path, installedAt: now, progress: { _ in }, isCancelled: { false })
  }

  @discardableResult
  func install(_ name: String, _ lines: [String]) throws -> CatalogImportOutcome {
    try install(try file(name, lines))
  }

  func product(_ code: String) throws -> CatalogProduct? {
    try Catalog.open(location).product(code: try ProductCode(code))
  }

  func status() throws -> CatalogInstall {
    try Catalog.open(location).status()
  }

  /// Whether nothing but the lock is left in the folder for temporary files.
  func isTidy() throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [
      "catalog-install.lock"
    ]
  }
}

/// The product one record becomes; a record without a code is given one.
func imported(_ record: String) throws -> CatalogProduct {
  let line = record.contains("\"code\"") ? record : "{\"code\":\"20000015\"," + record.dropFirst()
  switch OpenFoodFactsRecord.read(Data(line.utf8), with: JSONDecoder()) {
  case .product(let product): return product
  case .setAside(let reason): throw Refused(reason: reason)
  }
}

struct Refused: Error {
  let reason: SetAsideReason
}
