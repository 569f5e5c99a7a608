// The files of a run of the benchmark, the stores in it, and what both sides agree on: seeds,
// clock, settings. Everything lies below one folder that Tools/bench makes and removes.

import LarderCrypto
import LarderHash
import LarderKernel
import LarderStore

/// The folder of a run.
struct Workplace {
  let folder: String

  /// Where the diary is worked out once, before anything is measured.
  var reference: StorePaths { StorePaths(folder: folder + "/reference") }
  /// The store that is measured.
  var measured: StorePaths { StorePaths(folder: folder + "/larder") }
  /// The store that is given the log alone.
  var logOnly: StorePaths { StorePaths(folder: folder + "/larder-log") }
  /// The store of a device that receives what the measured one wrote.
  var receiver: StorePaths { StorePaths(folder: folder + "/larder-receiver") }
  var foods: String { folder + "/foods" }
  var chunks: String { folder + "/chunks" }
  var captures: String { folder + "/captures" }
  var rebuilt: String { folder + "/rebuilt" }
  var days: String { folder + "/days" }
  func script(_ name: String) -> String { "\(folder)/\(name).sql" }

  /// Bytes of the write-ahead log after which a bulk load moves it into the database.
  static let walByteCountMax = 16 << 20
  /// The same between single captures.
  static let captureWALByteCountMax = 4 << 20
  /// Captures at the beginning that are not counted.
  static let warmingCaptureCount = 32
  /// 2026-05-02, noon: the recording device's clock at the beginning.
  private static let clock: Int64 = 1_777_723_200_000

  var settings: Store.Settings {
    Store.Settings(
      schema: .standard, waitMilliseconds: 10_000, holder: "bench",
      state: Store.State(folder: folder + "/state", machine: .zero, elapsed: { 0 }))
  }

  /// A new store, the same every time.
  func create(_ paths: StorePaths, named name: String = "device") throws -> Store {
    let seed = BLAKE2b.hash256(Array(name.utf8))
    guard let key = AuthorSecretKey(seed: seed.bytes.span) else { throw BenchError("no key") }
    return try Store.create(
      at: paths, deviceName: "bench", key: key, now: 0, settings: settings)
  }

  /// Opens a store for reading.
  static func reader(_ paths: StorePaths) throws -> StoreReader {
    try StoreReader(at: paths, schema: .standard, waitMilliseconds: 10_000)
  }

  /// Draws the history that is appended in bulk.
  func history() throws -> DiaryScript {
    try DiaryScript(try Foods.reading(foods), seed: 1, firstDay: 0, now: Self.clock)
  }

  /// Draws the captures that follow a history of `eventCount` events.
  func captures(after eventCount: Int) throws -> DiaryScript {
    try DiaryScript(
      try Foods.reading(foods), seed: 2, firstDay: Int64(eventCount / 8),
      now: Self.clock + Int64(eventCount) * 1000)
  }
}

/// Draws the seeds of blocks: the hash of "seed " and the block's number, as the floor does.
struct BlockSeeds {
  private var block: Int

  /// - Parameter eventCount: how many events the chain has already.
  init(after eventCount: Int = 0) {
    block = (eventCount + 511) / 512
  }

  mutating func next() -> Bytes32 {
    defer { block += 1 }
    return BLAKE2b.hash256(Array("seed \(block)".utf8))
  }
}
