import LarderCrypto
import LarderHash
import LarderKernel
import Testing

@Suite("Batches")
struct BatchTests {
  private let count = 5

  private func key(_ text: String = "author") throws -> AuthorSecretKey {
    let seed = BLAKE2b.hash256(Array(text.utf8)).bytes
    guard let key = AuthorSecretKey(seed: seed.span) else { throw CancellationError() }
    return key
  }

  private func header(_ index: Int) throws -> [UInt8] {
    EventHeader(
      hlc: HLC(milliseconds: 1_777_777_777_000 + Int64(index)),
      recordedAt: Instant(clamping: 1_777_777_777_000),
      stream: StreamID(Bytes16(high: 1, low: UInt64(index))), kind: .mealRestored, version: 1,
      flags: []
    ).bytes
  }

  /// A batch of `count` events from `first` on; the event `erased` without its payload.
  private func batch(
    first: UInt64 = 100, erased: Int? = nil, isExplicit: Bool = false
  ) throws -> Batch {
    let key = try key()
    let seed = BLAKE2b.hash256([7])
    var salts = BlockSalts(seed: seed)
    var leaves: [Bytes32] = []
    var explicit: [Bytes16?] = []
    var events = CBORWriter()
    let payload: [UInt8] = [0xa0]
    for index in 0..<count {
      let header = try header(index)
      let salt = salts.salt(at: Int(first % 512) + index)
      let commitment = PayloadCommitment.of(salt: salt, payload: payload.span)
      leaves.append(MerkleLeaf.hash(header: header.span, commitment: commitment))
      if index == erased {
        events.append(eventHeader: header.span, commitment: commitment)
        explicit.append(nil)
      } else {
        events.append(eventHeader: header.span, payload: payload.span)
        explicit.append(salt)
      }
    }
    let edge = Edge(
      author: AuthorID(key.publicKey.authorID), first: first, count: UInt64(count),
      rootBefore: BLAKE2b.hash256([1]), rootAfter: BLAKE2b.hash256([2]),
      leavesRoot: MerkleTree.root(of: leaves))
    return Batch(
      publicKey: key.publicKey.bytes, edge: key.sign(edge),
      salts: isExplicit ? .explicit(explicit) : .seed(seed), events: events.bytes)
  }

  // [EDGE-2]
  @Test("an edge is signed with its name and all its parts")
  func signing() throws {
    let key = try key()
    let edge = try batch().edge.edge
    #expect(Array(edge.signedBytes.prefix(16)) == [0x87, 0x6e] + Array("larder edge v1".utf8))
    let signed = key.sign(edge)
    #expect(key.publicKey.verify(signed))
    #expect(try !self.key("another").publicKey.verify(signed))
    let other = Edge(
      author: edge.author, first: edge.first + 1, count: edge.count, rootBefore: edge.rootBefore,
      rootAfter: edge.rootAfter, leavesRoot: edge.leavesRoot)
    #expect(!key.publicKey.verify(SignedEdge(edge: other, signature: signed.signature)))
  }

  // [EDGE-1]
  @Test("a run has 1 to 512 events of one block")
  func runs() throws {
    func edge(_ first: UInt64, _ count: UInt64) -> Edge {
      Edge(
        author: AuthorID(.zero), first: first, count: count, rootBefore: BLAKE2b.hash256([]),
        rootAfter: BLAKE2b.hash256([]), leavesRoot: BLAKE2b.hash256([]))
    }
    for (first, count) in [(0, 1), (0, 512), (511, 1), (512, 512), (1 << 62 - 512, 512)] {
      #expect(edge(UInt64(first), UInt64(count)).isPossible)
    }
    for (first, count) in [(0, 0), (0, 513), (511, 2), (1, 512), (1 << 62, 1)] {
      #expect(!edge(UInt64(first), UInt64(count)).isPossible)
    }
    #expect(!edge(.max, 1).isPossible && !edge(0, .max).isPossible)
  }

  // [BATCH-1], [EDGE-3], [BATCH-3]
  @Test("a batch is read as it was written, and holds", arguments: [nil, 0, 3])
  func coding(erased: Int?) throws {
    try expectCoding(of: batch(erased: erased, isExplicit: true))
    if erased == nil { try expectCoding(of: batch()) }
  }

  private func expectCoding(of batch: Batch) throws {
    let bytes = batch.bytes
    let read = try Batch(bytes.span)
    #expect(read == batch && read.bytes == bytes)
    #expect(try read.check().entries.count == count)
  }

  private func code(of batch: Batch) -> KernelError.Code? {
    do throws(KernelError) {
      _ = try batch.check()
      return nil
    } catch {
      return error.code
    }
  }

  // [BATCH-5]
  @Test("an erased event has no salt, and every other event has one")
  func salts() throws {
    #expect(code(of: try batch(erased: 1)) == .outOfRange)
    let erased = try batch(erased: 1, isExplicit: true)
    #expect(code(of: erased) == nil)
    guard case .explicit(let salts) = erased.salts else {
      Issue.record("a block's seed beside an erased event")
      return
    }
    func changed(_ place: Int, _ salt: Bytes16?) -> Batch {
      var salts = salts
      salts[place] = salt
      return Batch(
        publicKey: erased.publicKey, edge: erased.edge, salts: .explicit(salts),
        events: erased.events)
    }
    #expect(code(of: changed(1, Bytes16(high: 1, low: 2))) == .outOfRange)
    #expect(code(of: changed(1, .zero)) == .outOfRange)
    for place in [0, 2, 4] {
      #expect(code(of: changed(place, nil)) == .outOfRange)
      #expect(code(of: changed(place, .zero)) == .outOfRange)
    }
  }

  // [BATCH-2]
  @Test("only another format is a version that is not supported")
  func formats() throws {
    let bytes = try batch().bytes
    for format in [0, 2, 23] as [UInt8] {
      let error = #expect(throws: KernelError.self) { try Batch([0x81, format].span) }
      #expect(error?.code == .unsupportedVersion)
    }
    // A tag in the place of the public key.
    var tagged = bytes
    tagged[2] = 0xd8
    let error = #expect(throws: KernelError.self) { try Batch(tagged.span) }
    #expect(error?.code == .malformed)
  }

  // [BATCH-2], [BATCH-3], [BATCH-4]
  @Test("any change of a bit is refused")
  func changes() throws {
    let bytes = try batch(erased: 2, isExplicit: true).bytes
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        let isRefused =
          (try? Batch(changed.span)).map { batch in (try? batch.check()) == nil } ?? true
        #expect(isRefused, "byte \(place), bit \(bit)")
      }
    }
    var newer = bytes
    newer[1] = 2
    let error = #expect(throws: KernelError.self) { try Batch(newer.span) }
    #expect(error?.code == .unsupportedVersion)
    for end in bytes.indices {
      #expect(throws: KernelError.self) { try Batch(Array(bytes[..<end]).span) }
    }
    #expect(throws: KernelError.self) { try Batch((bytes + [0]).span) }
  }
}
