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

  /// Another device's store beside this one.
  var other: Place { Place(folder: paths.folder + ".other", state: state + ".other") }

  /// The holder has a fixed name: the lock's file is written too.
  private var settings: Store.Settings {
    Store.Settings(
      schema: .standard, waitMilliseconds: 20_000, holder: "crash",
      state: Store.State(folder: state, machine: .zero, elapsed: { 0 }))
  }

  func create(now: Int64) throws -> Store {
    let name = paths.folder.hasSuffix(".other") ? "other" : "device"
    let seed = BLAKE2b.hash256(Array(name.utf8))
    guard let key = AuthorSecretKey(seed: seed.bytes.span) else { throw CrashError("no key") }
    return try Store.create(
      at: paths, deviceName: "crash", key: key, now: now, settings: settings)
  }

  func open() throws -> Store {
    try Store(at: paths, settings: settings)
  }

  func reader() throws -> StoreReader {
    try StoreReader(
      at: paths, schema: settings.schema, waitMilliseconds: settings.waitMilliseconds)
  }
}
