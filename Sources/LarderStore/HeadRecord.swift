// The head record: how far a store's own chain had come, and where the store lay then, kept outside
// of the store. SPEC.md, "The head record". Here are its bytes; HeadRecordFile has the file.
//
// Invariant: a slot has one encoding, and its checksum lies at the same place in every version, so
// that a torn slot is told from one that a newer version wrote.

internal import LarderFiles
package import LarderHash
package import LarderKernel

/// The newest size and root of an author's chain that was written from a place.
package struct HeadRecord: Hashable, Sendable {
  /// How many bytes a slot has.
  package static let slotByteCount = 1024
  /// How many slots a file has.
  package static let slotCount = 2
  /// How many bytes of a file are read.
  package static let fileByteCount = slotCount * slotByteCount
  /// The highest counter of a slot.
  package static let counterMaximum: UInt64 = 1 << 63 - 1

  /// Whose chain.
  package let author: AuthorID
  /// How many events it has.
  package let size: UInt64
  /// The root of the tree of these events.
  package let root: Bytes32
  /// Where the store lay that wrote them.
  package let place: StorePlace

  /// A record with all its parts.
  package init(author: AuthorID, size: UInt64, root: Bytes32, place: StorePlace) {
    self.author = author
    self.size = size
    self.root = root
    self.place = place
  }

  /// A record as it lies in a file.
  package struct Stored: Hashable, Sendable {
    /// The record.
    package let record: HeadRecord
    /// How many records were written until this one, 1 for the first.
    package let counter: UInt64
    /// The slot it lies in, 0 or 1.
    package let slot: Int

    /// A record with its counter and slot.
    package init(record: HeadRecord, counter: UInt64, slot: Int) {
      self.record = record
      self.counter = counter
      self.slot = slot
    }
  }

  /// What a file of records says.
  package enum Reading: Hashable, Sendable {
    /// Nothing: no record was ever written.
    case absent
    /// Nothing any more: there are bytes, and no slot is whole.
    case damaged
    /// The newest record.
    case found(Stored)
  }

  /// The newest record of `author` in the bytes of a file, `subject` in errors. Slots that are
  /// torn, damaged or of another author are passed over.
  /// - Throws: `unsupportedVersion` if a whole slot is of another version.
  package static func read(
    _ bytes: Span<UInt8>, of author: AuthorID, subject: String
  ) throws(StoreError) -> Reading {
    if bytes.isEmpty { return .absent }
    var newest: Stored?
    for slot in 0..<min(slotCount, bytes.count / slotByteCount) {
      let found = try stored(
        bytes.extracting((slot * slotByteCount)..<((slot + 1) * slotByteCount)), in: slot,
        subject: subject)
      guard let found, found.record.author == author else { continue }
      if found.counter > newest?.counter ?? 0 { newest = found }
    }
    return newest.map(Reading.found) ?? .damaged
  }

  /// The 1024 bytes of the slot that holds this record.
  package func slot(counter: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.slotByteCount)
    bytes += Layout.magic
    bytes.appendBigEndian(Layout.version)
    bytes.appendBigEndian(counter)
    author.bytes.append(to: &bytes)
    bytes.appendBigEndian(size)
    root.append(to: &bytes)
    place.machine.append(to: &bytes)
    bytes.appendBigEndian(place.file.inode)
    bytes.appendBigEndian(place.file.birthNanoseconds)
    place.pathHash.append(to: &bytes)
    bytes.appendBigEndian(UInt64(place.path.utf8.count))
    assert(bytes.count == Layout.path, "the fields do not end where the path begins")
    bytes += place.path.utf8
    bytes += repeatElement(0, count: Layout.checksum - bytes.count)
    BLAKE2b.hash128(bytes).append(to: &bytes)
    return bytes
  }

  /// Where the fields of a slot begin.
  private enum Layout {
    static let magic: [UInt8] = Array("LRDRHEAD".utf8)
    static let version: UInt64 = 1
    static let (versionStart, counter, author, size, root) = (8, 16, 24, 40, 48)
    static let (machine, inode, birth, pathHash, pathByteCount) = (80, 96, 104, 112, 128)
    static let (path, checksum) = (136, slotByteCount - Bytes16.byteCount)
  }

  /// The record in a slot; nil if the slot is torn or damaged.
  private static func stored(
    _ bytes: Span<UInt8>, in slot: Int, subject: String
  ) throws(StoreError) -> Stored? {
    let checked = bytes.extracting(0..<Layout.checksum)
    guard bytes16(bytes, at: Layout.checksum) == BLAKE2b.hash128(checked),
      Layout.magic.indices.allSatisfy({ bytes[$0] == Layout.magic[$0] })
    else { return nil }
    let version = bytes.bigEndianWord(at: Layout.versionStart)
    guard version == Layout.version else {
      throw StoreError(
        .unsupportedVersion, operation: "read head record version \(version)", subject: subject)
    }
    let counter = bytes.bigEndianWord(at: Layout.counter)
    let size = bytes.bigEndianWord(at: Layout.size)
    guard (1...counterMaximum).contains(counter), size <= MerkleTree.sizeMax,
      let path = path(checked),
      let root = Bytes32(bytes.extracting(Layout.root..<Layout.machine))
    else { return nil }
    let file = Files.Mark(
      inode: bytes.bigEndianWord(at: Layout.inode),
      birthNanoseconds: bytes.bigEndianWord(at: Layout.birth))
    let place = StorePlace(
      machine: bytes16(bytes, at: Layout.machine), file: file, keptPath: path,
      pathHash: bytes16(bytes, at: Layout.pathHash))
    let record = HeadRecord(
      author: AuthorID(bytes16(bytes, at: Layout.author)), size: size, root: root, place: place)
    return Stored(record: record, counter: counter, slot: slot)
  }

  /// The path in a slot without its checksum; nil if it is too long, no UTF-8, or not followed by
  /// zeros alone.
  private static func path(_ bytes: Span<UInt8>) -> String? {
    let byteCount = bytes.bigEndianWord(at: Layout.pathByteCount)
    guard byteCount <= UInt64(Limits.headPathByteCountMaximum) else { return nil }
    let end = Layout.path + Int(byteCount)
    guard (end..<bytes.count).allSatisfy({ bytes[$0] == 0 }) else { return nil }
    return String(validating: (Layout.path..<end).map { bytes[$0] }, as: UTF8.self)
  }

  private static func bytes16(_ bytes: Span<UInt8>, at offset: Int) -> Bytes16 {
    Bytes16(
      high: bytes.bigEndianWord(at: offset), low: bytes.bigEndianWord(at: offset + 8))
  }
}
