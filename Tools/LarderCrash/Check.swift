// What is there after a fault: the seqs of every author, whether all of it is sound, and whether
// the store can be written to again.

import LarderHash
import LarderKernel
import LarderStore

struct Check {
  let place: Place

  /// Prints `has AUTHOR:FIRST-LAST` for each run of seqs, `problem …` for each finding, and last
  /// `sound` or `unsound`; where there is no store, `none`.
  func run() throws {
    guard let before = try heads() else {
      Line.write("none")
      let store = try place.create()
      try place.append([try place.meal(2000)], to: store, at: 100)
      return Line.write(try isSound() ? "sound" : "unsound")
    }
    for head in before where head.start < head.size {
      Line.write("has \(head.author.hex):\(head.start)-\(head.size - 1)")
    }
    var isSound = try isSound()
    let store = try place.open()
    try place.append([try place.meal(2000)], to: store, at: 100)
    try store.signFullBlocks()
    try store.checkpoint()
    isSound = try self.isSound() && isSound
    Line.write(isSound ? "sound" : "unsound")
  }

  /// What is there; nil if there is no store.
  private func heads() throws(StoreError) -> [StoreReader.Head]? {
    let reader: StoreReader
    do throws(StoreError) {
      reader = try StoreReader(at: place.paths, schema: .standard, waitMilliseconds: 10_000)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
    return try reader.heads()
  }

  /// Everything recomputed: leaves, trees, edges, the index, and every row against a fresh fold.
  private func isSound() throws -> Bool {
    let report = try place.reader().verify { _ in true }
    for problem in report.problems { Line.write("problem \(problem.code) \(problem.subject)") }
    return report.problems.isEmpty
  }
}
