import LarderHash
import LarderKernel
import LarderVectors
import Testing

@Suite("Vector")
struct VectorTests {
  @Test("the checked-in vectors are those the code makes now")
  func current() throws {
    let made = try Vector.all()
    #expect(try VectorFiles.paths() == made.map(\.path).sorted())
    for vector in made {
      let isCurrent = try VectorFiles.text(vector.path) == vector.text
      #expect(isCurrent, "\(vector.path): swift run LarderVectors Schemas/Vectors")
    }
  }

  @Test("every area has vectors, all of them together below a megabyte, each with its description")
  func size() throws {
    var byteCount = 0
    var areas: [String: Int] = [:]
    for path in try VectorFiles.paths() {
      let text = try VectorFiles.text(path)
      byteCount += text.utf8.count
      areas[String(path.prefix { $0 != "/" }), default: 0] += 1
      #expect(text.contains("\"description\": \""))
      #expect(path == path.lowercased() || path.hasPrefix("payload/"))
    }
    #expect(byteCount < 1_000_000)
    #expect(
      areas.keys.sorted() == [
        "amounts", "batch", "block", "cbor", "civil", "fold", "head", "header", "hlc", "identity",
        "key",
        "merkle", "payload", "sequence",
      ])
  }

  // [CBOR-1] [CBOR-2] [CBOR-3] [CBOR-4] [CBOR-5] [CBOR-6] [CBOR-7] [CBOR-8] [CBOR-9] [CBOR-10]
  @Test("items are accepted and refused as their vectors say, at the byte they say")
  func cbor() throws {
    for (path, vector) in try VectorFiles.read("cbor", as: CBORCase.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      do throws(CBORError) {
        let value = try CBORValue.decode(bytes.span)
        #expect(vector.diagnostic == value.diagnosticNotation, "\(path)")
        #expect(try value.encode() == bytes, "\(path)")
      } catch {
        #expect(vector.error == "\(error.code)", "\(path)")
        #expect(vector.offset == error.offset, "\(path)")
      }
    }
  }

  @Test("headers are accepted and refused as their vectors say")
  func headers() throws {
    for (path, vector) in try VectorFiles.read("header", as: HeaderCase.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      do {
        let header = try EventHeader(bytes.span)
        let expected = try #require(vector.header)
        #expect(expected.format == EventHeader.currentFormat, "\(path)")
        #expect(expected.hlc == String(header.hlc.rawValue), "\(path)")
        #expect(expected.recordedAt == header.recordedAt.milliseconds, "\(path)")
        #expect(expected.stream == header.stream.hex, "\(path)")
        #expect(expected.kind == header.kind.name, "\(path)")
        #expect(expected.version == header.version, "\(path)")
        #expect(expected.flags == header.flags.rawValue, "\(path)")
        #expect(header.bytes == bytes, "\(path)")
      } catch let error as KernelError {
        #expect(vector.error == error.code.rawValue, "\(path)")
      }
    }
  }

  // [KIND-1]
  @Test("payloads are accepted and refused as their vectors say; every kind has good and bad ones")
  func payloads() throws {
    var accepted: [String: Int] = [:]
    var refused: [String: Int] = [:]
    for (path, vector) in try VectorFiles.read("payload", as: PayloadCase.self) {
      let bytes = try #require([UInt8](hex: vector.input))
      let kind = try #require(EventKind(vector.kind))
      do {
        try EventSchema.standard.check(kind: kind, version: vector.version, payload: bytes)
        accepted[vector.kind, default: 0] += 1
        let value = try CBORValue.decode(bytes.span)
        #expect(vector.diagnostic == value.diagnosticNotation, "\(path)")
      } catch let error as KernelError {
        refused[vector.kind, default: 0] += 1
        #expect(vector.error == error.code.rawValue, "\(path)")
      }
    }
    for kind in EventSchema.standard.kinds {
      #expect(accepted[kind.name, default: 0] >= 1, "\(kind)")
      #expect(refused[kind.name, default: 0] >= 2, "\(kind)")
    }
  }

  // [IDENT-2] [IDENT-3] [IDENT-5] [IDENT-6] [IDENT-8] [SALT-1] [LEAF-1]
  @Test("identifiers, addresses, salts and leaves are what their vectors say")
  func identity() throws {
    for (path, vector) in try VectorFiles.read("identity", as: IdentityCase.self) {
      for one in vector.shared ?? [] {
        let sharedClass = try #require(StreamID.SharedClass(rawValue: one.class))
        #expect(StreamID(shared: sharedClass, key: one.key).hex == one.stream, "\(path)")
      }
      for one in vector.fresh ?? [] {
        let stream = StreamID(
          milliseconds: try #require(Int64(one.milliseconds)),
          random: try #require(Bytes16(hex: one.random)))
        #expect(stream.hex == one.stream, "\(path)")
      }
      for one in vector.items ?? [] {
        let source = try #require([UInt8](hex: one.source))
        #expect(ItemID(derivedFrom: source, index: one.index).hex == one.item, "\(path)")
      }
      for one in vector.authors ?? [] {
        let key = try #require(Bytes32(hex: one.publicKey))
        #expect(AuthorID(publicKey: key).hex == one.author, "\(path)")
      }
      for one in vector.blobs ?? [] {
        let address = BlobAddress(BLAKE2b.hash256(try #require([UInt8](hex: one.bytes))))
        let type = try #require(MediaType.allCases.first { $0.name == one.mediaType })
        #expect(address.hex == one.address, "\(path)")
        #expect(address.path(mediaType: type) == one.path, "\(path)")
      }
      if let seed = vector.seed {
        var block = BlockSalts(seed: try #require(Bytes32(hex: seed)))
        for one in vector.salts ?? [] { #expect(block.salt(at: one.index).hex == one.salt) }
      }
      for one in vector.leaves ?? [] {
        let header = try #require([UInt8](hex: one.header))
        let payload = try #require([UInt8](hex: one.payload))
        let salt = try #require(Bytes16(hex: one.salt))
        let commitment = PayloadCommitment.of(salt: salt, payload: payload.span)
        #expect(commitment.hex == one.commitment, "\(path)")
        #expect(
          MerkleLeaf.hash(header: header.span, commitment: commitment).hex == one.leaf, "\(path)")
      }
    }
  }

  // [HLC-2] [HLC-3] [HLC-4] [DAY-1] [DAY-2] [DAY-4] [DAY-5]
  @Test("clocks and days are what their vectors say")
  func clocks() throws {
    for (path, vector) in try VectorFiles.read("hlc", as: ClockCase.self) {
      for step in vector.steps ?? [] {
        let last = try #require(UInt64(step.last).flatMap { HLC(rawValue: $0) })
        let next = last.next(now: try #require(Int64(step.now)))
        #expect(String(next.rawValue) == step.next, "\(path)")
      }
      for one in vector.received ?? [] {
        let last = try #require(UInt64(one.last).flatMap { HLC(rawValue: $0) })
        let remote = try #require(UInt64(one.remote).flatMap { HLC(rawValue: $0) })
        #expect(String(last.received(remote).rawValue) == one.result, "\(path)")
      }
    }
    for (path, vector) in try VectorFiles.read("civil", as: CivilCase.self) {
      for one in vector.days ?? [] {
        let day = try #require(CivilDay(daysSince1970: one.number))
        #expect(day.description == one.date && day.weekday == one.weekday, "\(path)")
      }
      for one in vector.texts ?? [] {
        #expect(CivilDay(one.text).map { Int64($0.daysSince1970) } == one.number, "\(path)")
      }
      for one in vector.moments ?? [] {
        let instant = try #require(Instant(milliseconds: one.milliseconds))
        let offset = try #require(UTCOffset(seconds: one.utcOffset))
        let (day, minute) = instant.civil(utcOffset: offset)
        #expect(day.description == one.day && minute == one.minuteOfDay, "\(path)")
        #expect(instant.rfc3339(utcOffset: offset) == one.text, "\(path)")
      }
    }
  }

  // [TREE-1] [TREE-2] [TREE-3] [TREE-4]
  @Test("proofs prove what their vectors say, and nothing else")
  func merkle() throws {
    for (path, vector) in try VectorFiles.read("merkle", as: MerkleCase.self) {
      for proof in vector.inclusion ?? [] {
        let nodes = try #require([UInt8](hex: proof.path))
        let isProved = InclusionProof(path: try MerklePath(nodes.span)).proves(
          leaf: try #require(Bytes32(hex: proof.leaf)), index: try #require(UInt64(proof.index)),
          size: try #require(UInt64(proof.size)), root: try #require(Bytes32(hex: proof.root)))
        #expect(isProved == proof.proves, "\(path)")
        #expect(isProved == !path.contains("inclusion_") || path.contains("300"), "\(path)")
      }
      for proof in vector.consistency ?? [] {
        let nodes = try #require([UInt8](hex: proof.path))
        let isProved = ConsistencyProof(path: try MerklePath(nodes.span)).proves(
          earlier: try #require(UInt64(proof.earlier)),
          earlierRoot: try #require(Bytes32(hex: proof.earlierRoot)),
          later: try #require(UInt64(proof.later)),
          laterRoot: try #require(Bytes32(hex: proof.laterRoot)))
        #expect(isProved == proof.proves, "\(path)")
        #expect(isProved == !path.contains("consistency_"), "\(path)")
      }
      if let error = vector.error {
        let digits = try #require(vector.path)
        let nodes = try #require([UInt8](hex: digits))
        let thrown = #expect(throws: CBORError.self) { try MerklePath(nodes.span) }
        #expect(thrown.map { "\($0.code)" } == error, "\(path)")
      }
    }
  }

  // [AMT-1] [AMT-2] [AMT-3] [AMT-4] [AMT-5]
  @Test("amounts are what their vectors say")
  func amounts() throws {
    let bases = Dictionary(uniqueKeysWithValues: Basis.allCases.map { ($0.name, $0) })
    let units = Dictionary(uniqueKeysWithValues: QuantityUnit.allCases.map { ($0.name, $0) })
    func quantity(_ amount: AmountCase.Amount) throws -> Quantity {
      try Quantity(amount.value, #require(units[amount.unit]))
    }
    for (path, vector) in try VectorFiles.read("amounts", as: AmountCase.self) {
      for sum in vector.amounts ?? [] {
        let snapshot = try NutrientSnapshot(
          basis: #require(bases[sum.basis]), serving: sum.serving.map(quantity),
          nutrients: NutrientAmounts([.fat: sum.per]))
        #expect(try snapshot.amount(of: .fat, in: quantity(sum.eaten)) == sum.amount, "\(path)")
      }
    }
  }

  // [MEAL-1] [MEAL-16] [DIG-1] [DIG-2] [NUT-2] [LEAF-1]
  @Test("streams fold to the rows their vectors say, and every leaf is its event's")
  func folds() throws {
    for (path, vector) in try VectorFiles.read("fold", as: FoldCase.self) {
      let stream = try #require(StreamID(hex: vector.stream))
      let events = try vector.events.map { try event($0, in: stream) }
      let rows = MealFold.rows(of: stream, events: events, schema: .standard)
      #expect(rows.digest.hex == vector.digest, "\(path)")
      let value = try CBORValue.decode(rows.encoded.span)
      #expect(value.diagnosticNotation == vector.rows, "\(path)")
      #expect(rows.isClosedToWriting == vector.isClosedToWriting, "\(path)")
      let aside = rows.setAside.map {
        FoldCase.Aside(event: $0.id.description, code: $0.reason.code.rawValue)
      }
      #expect(aside == vector.setAside, "\(path)")
    }
  }

  private func event(_ stored: FoldCase.StoredEvent, in stream: StreamID) throws -> Event {
    let header = try #require([UInt8](hex: stored.header))
    let payload = try stored.payload.map { try #require([UInt8](hex: $0)) }
    let leaf = try #require(Bytes32(hex: stored.leaf))
    if let payload {
      let digits = try #require(stored.salt)
      let salt = try #require(Bytes16(hex: digits))
      #expect(
        MerkleLeaf.hash(header: header.span, salt: salt, payload: payload.span) == leaf)
    }
    let author = AuthorID(try #require(Bytes16(hex: stored.author)))
    let decoded = try EventHeader(header.span)
    #expect(decoded.stream == stream)
    return Event(
      id: EventID(author: author, seq: try #require(UInt64(stored.seq))), header: decoded,
      payload: payload, leaf: leaf)
  }
}
