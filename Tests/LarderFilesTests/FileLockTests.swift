import Foundation
import LarderFiles
import Testing

@Suite("FileLock")
struct FileLockTests {
  private func temporaryPath() -> String {
    NSTemporaryDirectory() + "larder-lock-" + UUID().uuidString
  }

  @Test("a second holder waits, then gets it, or is told who has it")
  func waiting() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try FileLock(path: path)
    let second = try FileLock(path: path)
    try first.acquire(waitingAtMost: 0, holder: "first 1")
    let error = #expect(throws: FileError.self) {
      try second.acquire(waitingAtMost: 30, holder: "second 2")
    }
    #expect(error?.code == .busy)
    #expect(second.lastHolder() == "first 1")
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { first.release() }
    try second.acquire(waitingAtMost: 10_000, holder: "second 2")
    #expect(first.lastHolder() == "second 2")
    let again = #expect(throws: FileError.self) {
      try first.acquire(waitingAtMost: 0, holder: "first 1")
    }
    #expect(again?.code == .busy)
    second.release()
    try first.acquire(waitingAtMost: 10_000, holder: "first 1")
    first.release()
    first.release()
  }
}

@Suite("Files")
struct FilesTests {
  @Test("a file is written whole, read back, limited and removed")
  func wholeFiles() throws {
    let folder = NSTemporaryDirectory() + "larder-files-" + UUID().uuidString + "/a/b"
    try Files.createFolder(folder)
    try Files.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/x"
    #expect(try Files.identity(of: path) == nil)
    try Files.write([1, 2, 3], to: path, mode: 0o600)
    try Files.write(Array(repeating: 7, count: 100_000), to: path, mode: 0o600)
    let identity = try #require(try Files.identity(of: path))
    #expect(identity.byteCount == 100_000 && identity.mode == 0o600 && !identity.isFolder)
    #expect(try Files.read(path, upTo: 100_000).count == 100_000)
    let tooLong = #expect(throws: FileError.self) { try Files.read(path, upTo: 99_999) }
    #expect(tooLong?.code == .limitExceeded)
    #expect(try Files.names(in: folder) == ["x"])
    let overFile = #expect(throws: FileError.self) { try Files.createFolder(path) }
    #expect(overFile?.code == .exists)
    try Files.remove(path)
    try Files.remove(path)
    let gone = #expect(throws: FileError.self) { try Files.read(path, upTo: 1) }
    #expect(gone?.code == .notFound)
  }
}
