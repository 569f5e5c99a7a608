// Where a store lies: on which machine, as which file, under which path. A store cannot tell from
// its own contents that it is a copy; its place can. SPEC.md, "The head record".

package import LarderFiles
package import LarderHash
internal import LarderKernel

/// Where a store lies.
package struct StorePlace: Hashable, Sendable {
  /// Which machine, as a hash.
  package let machine: Bytes16
  /// Which file on it the database is.
  package let file: Files.Mark
  /// The folder, for people: the beginning of it, where it is longer than what is kept.
  package let path: String
  /// BLAKE2b-128 of the whole path.
  package let pathHash: Bytes16

  /// The place of the folder at `path`, which is absolute and without links.
  package init(machine: Bytes16, file: Files.Mark, path: String) {
    self.init(
      machine: machine, file: file, keptPath: Self.kept(path),
      pathHash: BLAKE2b.hash128(Array(path.utf8)))
  }

  /// The place with these parts, as a record has them.
  init(machine: Bytes16, file: Files.Mark, keptPath: String, pathHash: Bytes16) {
    self.machine = machine
    self.file = file
    self.path = keptPath
    self.pathHash = pathHash
  }

  /// The place of the store in `paths`. Its database is asked for, and not opened.
  /// - Throws: `notFound` if there is none, `denied`, `ioFailure`.
  package init(of paths: StorePaths, machine: Bytes16) throws(StoreError) {
    let (file, path) = try StoreError.filing { () throws(FileError) in
      (try Files.mark(of: paths.database), try Files.absolutePath(of: paths.folder))
    }
    self.init(machine: machine, file: file, path: path)
  }

  /// Whether the store's file is still in the folder whose path was kept; false where that was too
  /// long to be kept whole.
  var isThere: Bool {
    guard pathHash == BLAKE2b.hash128(Array(path.utf8)) else { return false }
    return (try? Files.mark(of: StorePaths(folder: path).database)) == file
  }

  /// As much of the beginning of `path` as is kept, in whole characters of Unicode.
  private static func kept(_ path: String) -> String {
    guard path.utf8.count > Limits.headPathByteCountMaximum else { return path }
    var end = path.utf8.index(path.startIndex, offsetBy: Limits.headPathByteCountMaximum)
    while end.samePosition(in: path.unicodeScalars) == nil { end = path.utf8.index(before: end) }
    return String(path.unicodeScalars[..<end])
  }
}
