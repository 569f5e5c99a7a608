// Guesses about the folder of head records, for advice to people: nothing depends on them.

internal import LarderFiles

/// What can be told of a folder of head records.
package enum StateFolder {
  /// Whether what is written at `path`, which need not be there yet, outlasts a restart: it lies
  /// neither in memory nor in the upper layer of a container.
  /// - Throws: `denied`, `ioFailure`.
  package static func isLasting(_ path: String) throws(StoreError) -> Bool {
    try StoreError.filing { () throws(FileError) in try Files.isLasting(path) }
  }

  /// Whether this looks like a container: by the files that Docker and Podman leave in it, or by
  /// `environment`, the variable `container`, which others set.
  /// - Throws: `denied`, `ioFailure`.
  package static func isInContainer(
    environment: String?, marks: [String] = ["/.dockerenv", "/run/.containerenv"]
  ) throws(StoreError) -> Bool {
    if environment?.isEmpty == false { return true }
    return try StoreError.filing { () throws(FileError) in
      for path in marks where try Files.identity(of: path) != nil { return true }
      return false
    }
  }
}
