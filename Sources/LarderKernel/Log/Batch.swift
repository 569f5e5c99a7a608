// A run of an author's events as one device gives it to another, before any sealing: with all that
// is needed to check it by itself. SPEC.md, "Batches".

package import LarderHash

/// Events of one block, with their author's word for them.
package struct Batch: Hashable, Sendable {
  /// How the leaves are made.
  package enum Salts: Hashable, Sendable {
    /// Of the block's seed.
    case seed(Bytes32)
    /// One by one, in the order of the events; nil for an erased one.
    case explicit([Bytes16?])

    /// The salts of the events from the seq `first` on.
    package func source(first: UInt64) -> SaltSource { SaltSource(self, first: first) }
  }

  static let format: UInt64 = 1

  /// The author's Ed25519 key.
  package let publicKey: Bytes32
  /// The edge.
  package let edge: SignedEdge
  /// The salts.
  package let salts: Salts
  /// The event sequence.
  package let events: [UInt8]

  /// A batch, not checked.
  package init(publicKey: Bytes32, edge: SignedEdge, salts: Salts, events: [UInt8]) {
    self.publicKey = publicKey
    self.edge = edge
    self.salts = salts
    self.events = events
  }

  /// CBOR `[1, publicKey, edge, salts, events]`.
  package var bytes: [UInt8] {
    var writer = CBORWriter(reserving: events.count + 512)
    writer.beginArray(count: 5)
    writer.append(unsigned: Self.format)
    writer.append(publicKey)
    edge.append(to: &writer)
    switch salts {
    case .seed(let seed): writer.append(seed)
    case .explicit(let salts):
      writer.beginArray(count: salts.count)
      for salt in salts {
        if let salt { writer.append(salt) } else { writer.appendNull() }
      }
    }
    writer.append(bytes: events)
    return writer.bytes
  }

  /// Reads a batch that is exactly `bytes`; it is not checked yet.
  /// - Throws: `unsupportedVersion` for another format; `malformed`, `outOfRange`,
  ///   `limitExceeded`.
  package init(_ bytes: Span<UInt8>) throws(KernelError) {
    guard bytes.count <= Limits.batchByteCountMaximum else {
      throw KernelError(.limitExceeded, operation: "decode batch", subject: "byte count")
    }
    var format = Self.format
    do throws(CBORError) {
      var reader = CBORReader()
      let count = try reader.arrayCount(in: bytes)
      format = try reader.unsigned(in: bytes)
      guard format == Self.format, count == 5 else {
        throw CBORError(code: .unexpectedType, offset: 0)
      }
      publicKey = try reader.bytes32(in: bytes)
      edge = try SignedEdge(&reader, in: bytes)
      salts = try Self.readSalts(&reader, in: bytes, count: Int(edge.edge.count))
      let sequence = bytes.extracting(try reader.byteString(in: bytes))
      var events: [UInt8] = []
      events.append(addingCapacity: sequence.count) { $0.append(contentsOf: sequence) }
      self.events = events
      try reader.finish(in: bytes)
    } catch {
      if format != Self.format {
        throw KernelError(.unsupportedVersion, operation: "decode batch", subject: "format")
      }
      throw KernelError(
        KernelError.Code(error), operation: "decode batch", subject: "batch", underlying: error)
    }
  }

  private static func readSalts(
    _ reader: inout CBORReader, in bytes: Span<UInt8>, count: Int
  ) throws(CBORError) -> Salts {
    guard try reader.peek(in: bytes) == .array else { return .seed(try reader.bytes32(in: bytes)) }
    let start = reader.offset
    guard try reader.arrayCount(in: bytes) == count else {
      throw CBORError(code: .unexpectedType, offset: start)
    }
    var salts: [Bytes16?] = []
    for _ in 0..<count {
      salts.append(try reader.null(in: bytes) ? nil : try reader.bytes16(in: bytes))
    }
    return .explicit(salts)
  }
}

/// A batch whose events are those its author signed.
package struct CheckedBatch: Sendable {
  /// An event of it.
  package struct Entry: Sendable {
    /// The header.
    package let header: EventHeader
    /// Where it lies.
    package let place: EventSequenceReader.Entry
    /// The leaf.
    package let leaf: Bytes32
  }

  /// The batch.
  package let batch: Batch
  /// Its events.
  package let entries: [Entry]

  /// The edge.
  package var edge: Edge { batch.edge.edge }
}

extension Batch {
  /// Checks everything that can be checked of a batch by itself: author, signature, headers, leaves
  /// and their root.
  /// - Parameter isSigned: whether the author with this public key made this signature.
  /// - Throws: `malformed`, `limitExceeded`, `unsupportedVersion` of the sequence or a header;
  ///   `outOfRange` where author, signature, salts or leaves are not those of the edge.
  package func check(
    isSigned: (Bytes32, SignedEdge) -> Bool
  ) throws(KernelError) -> CheckedBatch {
    let edge = edge.edge
    guard edge.isPossible else { throw Self.contradiction("range") }
    guard AuthorID(BLAKE2b.hash128(publicKey.bytes)) == edge.author else {
      throw Self.contradiction("author")
    }
    guard isSigned(publicKey, self.edge) else { throw Self.contradiction("signature") }
    var reader = try EventSequenceReader(count: Int(edge.count))
    var entries: [CheckedBatch.Entry] = []
    var salts = salts.source(first: edge.first)
    let bytes = events.span
    while let place = try reader.next(in: bytes) {
      let header = try EventHeader(bytes.extracting(place.header))
      let leaf = try leaf(of: place, at: entries.count, &salts)
      entries.append(CheckedBatch.Entry(header: header, place: place, leaf: leaf))
    }
    guard MerkleTree.root(of: entries.map(\.leaf)) == edge.leavesRoot else {
      throw Self.contradiction("leaves")
    }
    return CheckedBatch(batch: self, entries: entries)
  }

  private func leaf(
    of place: EventSequenceReader.Entry, at index: Int, _ salts: inout SaltSource
  ) throws(KernelError) -> Bytes32 {
    let header = events.span.extracting(place.header)
    switch place.body {
    case .erased(let commitment):
      // With its salt, a guess at what was erased could be confirmed.
      guard salts.salt(at: index) == nil else { throw Self.contradiction("salts") }
      return MerkleLeaf.hash(header: header, commitment: commitment)
    case .payload(let payload):
      // Zeros stand for no salt where salts are kept.
      guard let salt = salts.salt(at: index), salt != .zero else {
        throw Self.contradiction("salts")
      }
      return MerkleLeaf.hash(
        header: header, salt: salt, payload: events.span.extracting(payload))
    }
  }

  private static func contradiction(_ part: String) -> KernelError {
    KernelError(.outOfRange, operation: "check batch", subject: part)
  }
}

/// The salts of a batch's events.
package struct SaltSource: Sendable {
  private var seeded: BlockSalts?
  private let explicit: [Bytes16?]
  private let offset: Int

  fileprivate init(_ salts: Batch.Salts, first: UInt64) {
    offset = Int(first % Limits.blockEventCount)
    switch salts {
    case .seed(let seed):
      seeded = BlockSalts(seed: seed)
      explicit = []
    case .explicit(let values):
      explicit = values
    }
  }

  /// The salt of the batch's event `index`, from 0; nil for an erased one.
  package mutating func salt(at index: Int) -> Bytes16? {
    if let salt = seeded?.salt(at: offset + index) { return salt }
    return index < explicit.count ? explicit[index] : nil
  }
}
