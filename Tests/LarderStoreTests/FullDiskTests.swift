import CSQLite
import Glibc
import LarderStore
import Testing

/// A disk on which no file of SQLite's grows beyond a limit. It is the process's default, so each
/// test has a process of its own, with one thread that uses it.
private enum SmallDisk {
  nonisolated(unsafe) static var byteCountMaximum = sqlite3_int64.max
  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?
  nonisolated(unsafe) private static var write:
    (
      @convention(c) (
        UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64
      ) -> Int32
    )?

  /// Makes it the default. What is allocated is never freed: SQLite keeps pointers to it.
  static func install() throws {
    let found = unsafe try #require(sqlite3_vfs_find(nil))
    unsafe system = found
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe vfs.initialize(to: found.pointee)
    unsafe vfs.pointee.zName = UnsafePointer(strdup("small"))
    unsafe vfs.pointee.xOpen = { _, name, file, flags, answer in
      let result = unsafe SmallDisk.system?.pointee.xOpen(
        SmallDisk.system, name, file, flags, answer)
      guard let methods = unsafe file?.pointee.pMethods else { return result ?? SQLITE_ERROR }
      // The open file gets a copy of its functions, of which one is ours.
      let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      unsafe copy.initialize(to: methods.pointee)
      unsafe SmallDisk.write = methods.pointee.xWrite
      unsafe copy.pointee.xWrite = { file, bytes, count, offset in
        if unsafe offset + sqlite3_int64(count) > SmallDisk.byteCountMaximum { return SQLITE_FULL }
        return unsafe SmallDisk.write?(file, bytes, count, offset) ?? SQLITE_ERROR
      }
      unsafe file?.pointee.pMethods = UnsafePointer(copy)
      return result ?? SQLITE_ERROR
    }
    let result = unsafe sqlite3_vfs_register(vfs, 1)
    try #require(result == SQLITE_OK)
  }
}

@Suite("A full disk")
struct FullDiskTests {
  @Test("room in the write-ahead log is made and used before a write is given up")
  func retry() async {
    await #expect(processExitsWith: .success) {
      try SmallDisk.install()
      let sample = SampleStore()
      let store = try sample.create()
      for number in 1...60 as ClosedRange<UInt64> {
        _ = try sample.append(try sample.meal(sample.stream(number)), to: store)
      }
      let before = store.walByteCount
      unsafe SmallDisk.byteCountMaximum = sqlite3_int64(before)
      _ = try sample.append(try sample.meal(sample.stream(61)), to: store)
      #expect(store.walByteCount < before)
      let report = try sample.reader().verify { _ in true }
      #expect(report.problems.isEmpty && report.streamCount == 61)
    }
  }

  @Test("a disk without any room is told, and nothing is written")
  func full() async {
    await #expect(processExitsWith: .success) {
      try SmallDisk.install()
      let sample = SampleStore()
      let store = try sample.create()
      _ = try sample.append(try sample.meal(sample.stream(1)), to: store)
      unsafe SmallDisk.byteCountMaximum = 8192
      let error = #expect(throws: StoreError.self) {
        try sample.append(try sample.meal(sample.stream(2)), to: store)
      }
      #expect(error?.code == .full)
      unsafe SmallDisk.byteCountMaximum = .max
      _ = try sample.append(try sample.meal(sample.stream(3)), to: store)
      let report = try sample.reader().verify { _ in true }
      #expect(report.problems.isEmpty && report.streamCount == 2)
    }
  }
}
