import Foundation
import LarderFiles
import LarderHash
import LarderKernel
import Testing

@testable import LarderStore

@Suite("Incarnation")
struct IncarnationTests {
  private static let here = place()
  private static let roots: [UInt64: Bytes32] = Dictionary(
    uniqueKeysWithValues: (0...20).map { ($0, BLAKE2b.hash256(Array("root \($0)".utf8))) })

  private static func place(
    machine: UInt64 = 1, inode: UInt64 = 2, birth: UInt64 = 3, path: String = "/home/a/larder"
  ) -> StorePlace {
    StorePlace(
      machine: Bytes16(high: 0, low: machine),
      file: Files.Mark(inode: inode, birthNanoseconds: birth), path: path)
  }

  /// A record of that size, with the root that the chain had then unless another is given.
  private static func found(
    _ size: UInt64, root: Bytes32? = nil, at place: StorePlace = here
  ) -> HeadRecord.Reading {
    let record = HeadRecord(
      author: AuthorID(.zero), size: size,
      root: root ?? roots[size] ?? Bytes32(front: .zero, back: .zero),
      place: place)
    return .found(HeadRecord.Stored(record: record, counter: 1, slot: 0))
  }

  private static let other = BLAKE2b.hash256([])
  private static let longPath = "/" + String(repeating: "x", count: 800)

  /// What the record says, the size of the chain, and what is to be done.
  static let rules: [(String, HeadRecord.Reading, UInt64, Incarnation.Verdict)] = [
    // [INC-1]
    ("no record, nothing written", .absent, 0, .renew(.noRecord)),
    ("no record, one event", .absent, 1, .renew(.noRecord)),
    ("no record, many events", .absent, 20, .renew(.noRecord)),
    // [INC-2]
    ("damaged, nothing written", .damaged, 0, .renew(.damagedRecord)),
    ("damaged", .damaged, 9, .renew(.damagedRecord)),
    // [INC-3]
    ("another machine, same tip", found(9, at: place(machine: 7)), 9, .renew(.otherMachine)),
    ("another machine, nothing written", found(0, at: place(machine: 7)), 0, .renew(.otherMachine)),
    ("another machine, behind", found(8, at: place(machine: 7)), 9, .renew(.otherMachine)),
    ("another machine, ahead", found(10, at: place(machine: 7)), 9, .renew(.otherMachine)),
    (
      "another machine, another root", found(9, root: other, at: place(machine: 7)), 9,
      .renew(.otherMachine)
    ),
    // [INC-4]
    ("ahead by one", found(10), 9, .renew(.ahead)),
    ("ahead of an empty chain", found(1), 0, .renew(.ahead)),
    ("ahead, with a root of its own", found(10, root: other), 9, .renew(.ahead)),
    ("ahead, elsewhere", found(10, at: place(path: "/copy")), 9, .renew(.copied)),
    // [INC-5]
    ("another root at the same size", found(9, root: other), 9, .renew(.otherRoot)),
    ("another root before", found(8, root: other), 9, .renew(.otherRoot)),
    ("a root that cannot be told", found(21 - 1), 21, .renew(.otherRoot)),
    (
      "another root, elsewhere", found(9, root: other, at: place(path: "/copy")), 9,
      .renew(.otherRoot)
    ),
    // [INC-6]
    ("equal", found(9), 9, .goOn),
    ("equal, nothing written", found(0), 0, .goOn),
    ("behind by one", found(8), 9, .goOn),
    ("far behind", found(0), 9, .goOn),
    ("another path", found(9, at: place(path: "/old")), 9, .moved(from: "/old")),
    ("another inode", found(9, at: place(inode: 7)), 9, .moved(from: "/home/a/larder")),
    ("made at another time", found(9, at: place(birth: 7)), 9, .moved(from: "/home/a/larder")),
    ("another path, behind", found(8, at: place(path: "/old")), 9, .moved(from: "/old")),
    (
      "a path that differs behind what is kept", found(9, at: place(path: longPath)), 9,
      .moved(from: String(longPath.prefix(700)))
    ),
  ]

  // [INC-1] [INC-2] [INC-3] [INC-4] [INC-5] [INC-6]
  @Test("every rule decides as it is written", arguments: rules.indices)
  func table(_ index: Int) throws {
    let (name, record, size, expected) = Self.rules[index]
    let root = try #require(Self.roots[min(size, 20)])
    let verdict = try Incarnation.judge(
      record: record, size: size, root: root,
      rootAtRecord: { (earlier: UInt64) throws(StoreError) in
        #expect(earlier < size, "\(name)")
        return size > 20 ? nil : Self.roots[earlier]
      }, place: Self.here, isOriginalThere: { _ in false })
    #expect(verdict == expected, "\(name)")
  }

  // [INC-6]
  @Test("beside the file of the record it is a copy; in its place it is the store itself")
  func besideTheOriginal() throws {
    func verdict(_ path: String) throws -> Incarnation.Verdict {
      try Incarnation.judge(
        record: Self.found(9, at: Self.place(path: path)), size: 9,
        root: try #require(Self.roots[9]), rootAtRecord: { (_) throws(StoreError) in nil },
        place: Self.here, isOriginalThere: { $0 == Self.place(path: path) })
    }
    #expect(try verdict("/old") == .renew(.copied))
    #expect(try verdict(Self.here.path) == .goOn)
  }

  // [INC-6]
  @Test("two paths that begin alike for 700 bytes are two places")
  func longPaths() throws {
    let verdict = try Incarnation.judge(
      record: Self.found(9, at: Self.place(path: Self.longPath)), size: 9,
      root: try #require(Self.roots[9]), rootAtRecord: { (_) throws(StoreError) in nil },
      place: Self.place(path: Self.longPath + "y"), isOriginalThere: { _ in false })
    #expect(verdict == .moved(from: String(Self.longPath.prefix(700))))
  }

  @Test("an earlier root that cannot be read is an error, and no verdict")
  func unreadableRoot() throws {
    let error = #expect(throws: StoreError.self) {
      try Incarnation.judge(
        record: Self.found(8), size: 9, root: try #require(Self.roots[9]),
        rootAtRecord: { (_) throws(StoreError) in
          throw StoreError(.corrupt, operation: "read root", subject: "test")
        }, place: Self.here, isOriginalThere: { _ in false })
    }
    #expect(error?.code == .corrupt)
  }

  // [INC-6]
  @Test("a store's place follows its folder, and a copy has another")
  func places() throws {
    let sample = SampleStore()
    _ = try sample.create()
    let machine = Bytes16(high: 1, low: 1)
    let place = try StorePlace(of: sample.paths, machine: machine)
    let moved = sample.paths.folder + "-moved"
    defer { try? FileManager.default.removeItem(atPath: moved) }
    try FileManager.default.moveItem(atPath: sample.paths.folder, toPath: moved)
    let after = try StorePlace(of: StorePaths(folder: moved), machine: machine)
    #expect(after.file == place.file && after.pathHash != place.pathHash)
    try FileManager.default.copyItem(atPath: moved, toPath: sample.paths.folder)
    let copy = try StorePlace(of: sample.paths, machine: machine)
    #expect(copy.file != place.file && copy.pathHash == place.pathHash)
    let missing = #expect(throws: StoreError.self) {
      try StorePlace(of: StorePaths(folder: moved + "/none"), machine: machine)
    }
    #expect(missing?.code == .notFound)
  }
}
