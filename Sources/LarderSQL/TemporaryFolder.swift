// Where SQLite puts its temporary files, decided for each connection.
//
// SQLite asks its operating system layer (VFS) for "a temporary file" without a name, and that
// layer picks a folder for the whole process: a global variable, the environment, /var/tmp. Neither
// global is ours to set inside somebody's app, and two stores of one process have two folders. So a
// connection gets a VFS of its own: the system's, but a file without a name gets one in the folder.
//
// Invariant: everything else, and the temporary file once it is open, is the system's VFS itself.
// Registered once for each folder and never removed, because SQLite keeps pointers to it: a few
// hundred bytes for every folder a process has used.

import CSQLite

enum TemporaryFolder {
  /// The name of the VFS that puts temporary files into `folder`.
  static func vfs(for folder: String, path: String) throws(SQLError) -> String {
    let name = "larder:" + folder
    // SQLite's registry has its own lock and never forgets what we put in, so a VFS that is found
    // stays. Two threads may both register one for the same folder: both work.
    guard unsafe sqlite3_vfs_find(name) == nil else { return name }
    guard !folder.isEmpty, !folder.utf8.contains(0), let system = unsafe sqlite3_vfs_find(nil),
      unsafe folder.utf8.count + nameByteCount < Int(system.pointee.mxPathname)
    else {
      throw SQLError(
        code: .cannotOpen, operation: "temporary folder", resultCode: SQLITE_CANTOPEN,
        message: "the path of the temporary folder is empty, too long or holds NUL", path: path)
    }
    // A copy of the system's VFS with our name and opener. It is never freed.
    let context = UnsafeMutablePointer<Context>.allocate(capacity: 1)
    unsafe context.initialize(to: Context(system: system, folder: copy(folder)))
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    unsafe vfs.initialize(to: sqlite3_vfs())
    unsafe vfs.pointee.iVersion = 2
    unsafe vfs.pointee.zName = UnsafePointer(copy(name))
    unsafe vfs.pointee.pAppData = UnsafeMutableRawPointer(context)
    unsafe vfs.pointee.mxPathname = system.pointee.mxPathname
    // The name of a temporary file must live as long as its file object, so it lies behind it.
    unsafe vfs.pointee.szOsFile = system.pointee.szOsFile + Int32(folder.utf8.count + nameByteCount)
    unsafe forward(vfs)
    let result = unsafe sqlite3_vfs_register(vfs, 0)
    guard result == SQLITE_OK else {
      throw SQLError(
        code: .outOfMemory, operation: "sqlite3_vfs_register", resultCode: result,
        message: "the temporary folder could not be registered", path: path)
    }
    return name
  }

  /// `/larder-`, sixteen digits, and the NUL.
  private static let nameByteCount = 8 + 16 + 1

  /// What our VFS needs to know; lives as long as the process.
  @unsafe
  private struct Context {
    let system: UnsafeMutablePointer<sqlite3_vfs>
    let folder: UnsafeMutablePointer<CChar>
  }

  /// A NUL-terminated copy that is never freed.
  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    let characters = text.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
    _ = unsafe copy.initialize(fromContentsOf: characters)
    // The buffer is not empty: it holds at least the NUL.
    return unsafe copy.baseAddress.unsafelyUnwrapped
  }

  /// What the VFS that called us was registered with.
  private static func context(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> Context {
    // SQLite calls the functions below with the VFS they were found in, which has a context.
    unsafe vfs.unsafelyUnwrapped.pointee.pAppData.unsafelyUnwrapped
      .assumingMemoryBound(to: Context.self).pointee
  }

  /// Opens a named file as the system does, and one without a name under a new one in the folder.
  private static func open(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ flagsOut: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    let context = unsafe context(vfs)
    let system = unsafe context.system
    guard unsafe name == nil, let file = unsafe file else {
      return unsafe system.pointee.xOpen?(system, name, file, flags, flagsOut) ?? SQLITE_CANTOPEN
    }
    // SQLite allocated `szOsFile` bytes: the system's file object, then room for this name.
    let room = unsafe UnsafeMutableRawPointer(file) + Int(system.pointee.szOsFile)
    var end = unsafe room.assumingMemoryBound(to: CChar.self)
    func append(_ character: CChar) {
      unsafe end.pointee = character
      unsafe end += 1
    }
    var folder = unsafe UnsafePointer(context.folder)
    while unsafe folder.pointee != 0 {
      unsafe append(folder.pointee)
      unsafe folder += 1
    }
    for character in "/larder-".utf8 { append(CChar(character)) }
    var random: UInt64 = 0
    unsafe sqlite3_randomness(8, &random)
    for shift in stride(from: 0, to: 64, by: 4) {
      // The letters a…p. A name that exists is refused: SQLite opens temporary files exclusively.
      append(CChar(UInt8(ascii: "a") + UInt8(random >> UInt64(shift) & 15)))
    }
    append(0)
    return unsafe system.pointee.xOpen?(
      system, room.assumingMemoryBound(to: CChar.self), file, flags, flagsOut) ?? SQLITE_CANTOPEN
  }

  /// Fills in the functions. All but the opener pass the call on, with the system's own VFS.
  private static func forward(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
    unsafe vfs.pointee.xOpen = { unsafe TemporaryFolder.open($0, $1, $2, $3, $4) }
    unsafe vfs.pointee.xDelete = { vfs, name, syncsFolder in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xDelete?(system, name, syncsFolder) ?? SQLITE_IOERR
    }
    unsafe vfs.pointee.xAccess = { vfs, name, flags, answer in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xAccess?(system, name, flags, answer) ?? SQLITE_IOERR
    }
    unsafe vfs.pointee.xFullPathname = { vfs, name, byteCount, answer in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xFullPathname?(system, name, byteCount, answer)
        ?? SQLITE_CANTOPEN
    }
    unsafe vfs.pointee.xRandomness = { vfs, byteCount, answer in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xRandomness?(system, byteCount, answer) ?? 0
    }
    unsafe vfs.pointee.xSleep = { vfs, microseconds in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xSleep?(system, microseconds) ?? 0
    }
    unsafe vfs.pointee.xCurrentTime = { vfs, answer in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xCurrentTime?(system, answer) ?? SQLITE_ERROR
    }
    unsafe vfs.pointee.xCurrentTimeInt64 = { vfs, answer in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xCurrentTimeInt64?(system, answer) ?? SQLITE_ERROR
    }
    unsafe vfs.pointee.xGetLastError = { vfs, byteCount, answer in
      let system = unsafe TemporaryFolder.context(vfs).system
      return unsafe system.pointee.xGetLastError?(system, byteCount, answer) ?? 0
    }
    // Extensions are never loaded, so the four functions for them stay empty.
  }
}
