// The file in which a verification that was stopped is remembered, outside of the store: verifying
// changes nothing of that. SPEC.md, "Verifying".

internal import LarderFiles
package import LarderKernel

/// Where the verification of a store is remembered.
package struct VerificationFile: Sendable {
  private let folder: String
  private let path: String

  /// The file of the store that `author` writes, in a folder of head records.
  package init(stateFolder: String, author: AuthorID) {
    folder = stateFolder
    path = "\(stateFolder)/\(author.hex).verification"
  }

  /// The point that was kept; nil if there is none or it cannot be read, for then verifying begins
  /// anew.
  package func read() -> VerificationPoint? {
    do throws(FileError) {
      let bytes = try Files.read(path, upTo: VerificationPoint.byteCountMax)
      return VerificationPoint(bytes.span)
    } catch {
      return nil
    }
  }

  /// Keeps a point, readable by its owner alone.
  /// - Throws: `denied`, `full`, `ioFailure`; then what was kept before still is.
  package func write(_ point: VerificationPoint) throws(StoreError) {
    try StoreError.filing { () throws(FileError) in
      try Files.createFolder(folder)
      try Files.write(point.bytes, to: path, mode: 0o600)
    }
  }

  /// Forgets what was kept.
  /// - Throws: `denied`, `ioFailure`.
  package func remove() throws(StoreError) {
    try StoreError.filing { () throws(FileError) in try Files.remove(path) }
  }
}
