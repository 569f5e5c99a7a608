// What tells a file from a copy of it, where a path really leads, and whether what is written there
// outlasts a restart.

internal import CLinux
internal import Glibc

extension Files {
  /// What stays with a file while it is moved within its file system, and a copy does not have. It
  /// does not name the device, whose number may change with every start of the machine.
  package struct Mark: Hashable, Sendable {
    /// The file's number on its device.
    package let inode: UInt64
    /// When it was made, in ns since 1970; 0 where the file system does not say.
    package let birthNanoseconds: UInt64

    /// The mark with both.
    package init(inode: UInt64, birthNanoseconds: UInt64) {
      self.inode = inode
      self.birthNanoseconds = birthNanoseconds
    }
  }

  /// The mark of what there is at `path`, following links. Nothing is opened.
  /// - Throws: `notFound`, `denied`, `ioFailure`.
  package static func mark(of path: String) throws(FileError) -> Mark {
    var (inode, birth) = (UInt64(0), UInt64(0))
    // The path lives for the call, which writes the two numbers.
    guard unsafe larder_file_mark(path, &inode, &birth) == 0 else {
      throw FileError.last("statx", path)
    }
    return Mark(inode: inode, birthNanoseconds: birth)
  }

  /// The absolute path of what there is at `path`, without links.
  /// - Throws: `notFound`, `denied`, `ioFailure`.
  package static func absolutePath(of path: String) throws(FileError) -> String {
    // Allocated by the call, NUL-terminated, freed once it is copied.
    guard let resolved = unsafe realpath(path, nil) else { throw FileError.last("realpath", path) }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// Whether the file system of `path`, or of the nearest folder above it that is there, keeps
  /// what is written: not one in memory, nor the upper layer of a container.
  /// - Throws: `denied`, `ioFailure`.
  package static func isLasting(_ path: String) throws(FileError) -> Bool {
    var number: UInt32 = 0
    var place = path
    // The path lives for the call, which writes the number.
    while unsafe larder_file_system(place, &number) != 0 {
      let error = FileError.last("statfs", place)
      guard error.code == .notFound, let folder = parent(of: place) else { throw error }
      place = folder
    }
    return !fleeting.contains(number)
  }

  /// The folder that `path` lies in; nil for the root and the working folder.
  private static func parent(of path: String) -> String? {
    if path == "/" || path == "." { return nil }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The numbers of `tmpfs`, `ramfs`, `overlayfs` and `aufs`.
  private static let fleeting: Set<UInt32> = [0x0102_1994, 0x8584_58f6, 0x794c_7630, 0x6175_6673]
}
