// Where a scenario happens, and how its store is opened: the same way every time.

import LarderCrypto
import LarderHash
import LarderKernel
import LarderStore

/// The folders of a scenario.
struct Place {
  let paths: StorePaths
  /// What belongs to this machine, outside of the store.
  let state: String

  init(folder: String, state: String) {
    paths = StorePaths(folder: folder)
    self.state = state
  }

  /// The holder has a fixed name: the lock's file is written too.
  private static let settings = Store.Settings(
    schema: .standard, waitMilliseconds: 20_000, holder: "crash")

  func create(now: Int64) throws -> Store {
    let seed = BLAKE2b.hash256(Array("device".utf8))
    guard let key = AuthorSecretKey(seed: seed.bytes.span) else { throw CrashError("no key") }
    return try Store.create(
      at: paths, deviceName: "crash", key: key, now: now, settings: Self.settings)
  }

  func open() throws -> Store {
    try Store(at: paths, settings: Self.settings)
  }

  func reader() throws -> StoreReader {
    try StoreReader(
      at: paths, schema: Self.settings.schema, waitMilliseconds: Self.settings.waitMilliseconds)
  }
}
