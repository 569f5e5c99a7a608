import Foundation
import LarderFiles
import Testing

@Suite("RandomAccessFile")
struct RandomAccessFileTests {
  private let folder = NSTemporaryDirectory() + "larder-random-" + UUID().uuidString

  @Test("bytes are written at offsets, read back, and end where the file ends")
  func readAndWrite() throws {
    try Files.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/x"
    let missing = #expect(throws: FileError.self) {
      _ = try RandomAccessFile(path: path, isCreating: false)
    }
    #expect(missing?.code == .notFound)
    let file = try RandomAccessFile(path: path, isCreating: true)
    #expect(try file.read(at: 0, upTo: 10).isEmpty)
    try file.write([5, 6, 7], at: 4)
    try file.write([1], at: 0)
    try file.synchronize()
    #expect(try file.read(at: 0, upTo: 100) == [1, 0, 0, 0, 5, 6, 7])
    #expect(try file.read(at: 5, upTo: 1) == [6])
    #expect(try Files.identity(of: path)?.mode == 0o600)
    let again = try RandomAccessFile(path: path, isCreating: true)
    #expect(try again.read(at: 6, upTo: 9) == [7])
  }

  @Test("a file that was removed or replaced is not in its place any more")
  func inPlace() throws {
    try Files.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/x"
    let file = try RandomAccessFile(path: path, isCreating: true)
    #expect(try file.isInPlace())
    try Files.remove(path)
    #expect(try !file.isInPlace())
    try Files.write([1], to: path, mode: 0o600)
    #expect(try !file.isInPlace())
  }

  @Test("folders and pipes are refused")
  func notRegular() throws {
    try Files.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: FileError.self) {
      _ = try RandomAccessFile(path: folder, isCreating: false)
    }
    // The path lives for the call.
    let made = unsafe mkfifo(folder + "/pipe", 0o600)
    #expect(made == 0)
    #expect(throws: FileError.self) {
      _ = try RandomAccessFile(path: folder + "/pipe", isCreating: false)
    }
  }

  @Test("a mark stays when a file is moved, and a copy has another")
  func marks() throws {
    try Files.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.write([1], to: folder + "/a", mode: 0o600)
    let mark = try Files.mark(of: folder + "/a")
    #expect(mark.inode == (try Files.identity(of: folder + "/a")?.inode))
    try Files.rename(folder + "/a", to: folder + "/b")
    #expect(try Files.mark(of: folder + "/b") == mark)
    try FileManager.default.copyItem(atPath: folder + "/b", toPath: folder + "/c")
    #expect(try Files.mark(of: folder + "/c") != mark)
    let missing = #expect(throws: FileError.self) { try Files.mark(of: folder + "/a") }
    #expect(missing?.code == .notFound)
  }

  @Test("an absolute path has no links and no dots")
  func absolutePaths() throws {
    try Files.createFolder(folder + "/real")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "real")
    let real = try Files.absolutePath(of: folder + "/real")
    #expect(try Files.absolutePath(of: folder + "/./link/") == real)
    #expect(real.hasPrefix("/") && real.hasSuffix("/real"))
  }

  @Test("memory does not last, and what is not there yet lasts as the folder above it does")
  func lasting() throws {
    #expect(try Files.isLasting("larder-not-there") == Files.isLasting("."))
    #expect(try Files.isLasting("/proc"))
    let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    guard mounts.contains(" /dev/shm tmpfs ") else {
      print("skipped: no memory is mounted at /dev/shm")
      return
    }
    #expect(try !Files.isLasting("/dev/shm"))
    #expect(try !Files.isLasting("/dev/shm/larder-not-there/state"))
  }
}
