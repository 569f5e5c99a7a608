// A folder of its own for each test, deleted afterwards, and connections to the file in it.

import Glibc
import LarderSQL

final class ScratchFolder {
  let path: String
  static let format = Connection.Format(applicationID: 0x4c61_7264, version: 3)

  init() {
    // The template is a mutable, NUL-terminated copy of our own.
    var template = Array("/tmp/larder-sql-XXXXXX\0".utf8)
    let isMade = unsafe template.withUnsafeMutableBytes { bytes in
      guard let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else {
        return false
      }
      return unsafe mkdtemp(start) != nil
    }
    precondition(isMade, "no scratch folder")
    path = String(decoding: template.dropLast(), as: UTF8.self)
    precondition(unsafe mkdir(path + "/tmp", 0o700) == 0, "no scratch folder")
  }

  deinit {
    for folder in [path + "/tmp", path] {
      for name in Self.names(in: folder) { _ = unsafe unlink(folder + "/" + name) }
      _ = unsafe rmdir(folder)
    }
  }

  /// The database file.
  var file: String { path + "/test.sqlite" }

  var temporaryFolder: String { path + "/tmp" }

  func settings(
    busyMillisecondsMax: Int32 = 0, valueByteCountMax: Int32 = 1 << 24,
    cacheByteCount: Int = 1 << 20, temporaryFolder: String? = nil
  ) -> Connection.Settings {
    Connection.Settings(
      synchronous: .normal, temporaryFolder: temporaryFolder ?? self.temporaryFolder,
      cacheByteCount: cacheByteCount, busyMillisecondsMax: busyMillisecondsMax,
      valueByteCountMax: valueByteCountMax)
  }

  /// Opens the database with the usual settings.
  func open(
    _ mode: Connection.Mode = .create, settings: Connection.Settings? = nil
  ) throws(SQLError) -> Connection {
    try Connection(
      path: file, mode: mode, format: Self.format, settings: settings ?? self.settings())
  }

  /// Names in a folder, without `.` and `..`.
  static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // The name is NUL-terminated within the entry, which lives until the next `readdir`.
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Overwrites bytes of a file nobody has open.
  static func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
    precondition(descriptor >= 0, "the file cannot be opened")
    let written = unsafe pwrite(descriptor, bytes, bytes.count, off_t(offset))
    precondition(written == bytes.count, "the file cannot be written")
    close(descriptor)
  }
}

/// The error `body` throws, nil if it throws none.
func failure<Result: ~Copyable>(_ body: () throws(SQLError) -> Result) -> SQLError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

/// An error of the layer above, as a store has one.
enum LayerError: WrapsSQLError, Equatable {
  case refused
  case sql(SQLError.Code)

  init(sql error: SQLError) {
    self = .sql(error.code)
  }
}
