// One chain of the log while its events go by: its tree, its marks, its edges.

internal import LarderCrypto
internal import LarderHash
internal import LarderKernel
internal import LarderSQL

/// Recomputes a chain.
struct ChainCheck {
  let chain: Chain
  /// The trees up to where branches leave this chain, by the branches' numbers.
  private(set) var prefixes: [Int64: CompactRange] = [:]
  private var range: CompactRange
  /// Whether events are missing, so that no further root can be computed.
  private var isBroken = false
  /// Seqs at which an edge begins or ends, or a branch leaves; then the root there.
  private var roots: [UInt64: Bytes32?] = [:]
  private let branches: [UInt64: [Int64]]
  private let edges: [SignedEdge]
  /// Whose signatures the edges have; nil if the key is not here.
  private let key: AuthorPublicKey?
  /// Whether this device wrote it, and may sign it later.
  private let isOwn: Bool
  /// Edges that have been checked.
  private var edgePlace = 0
  /// The leaves of the block that goes by, from `leavesStart` on.
  private var leaves: [Bytes32] = []
  private var leavesStart: UInt64
  /// A run of changed events that is not written down yet.
  private var changed: Range<UInt64>?

  init(
    _ chain: Chain, prefix: CompactRange?, edges: [SignedEdge], key: AuthorPublicKey?,
    isOwn: Bool, children: [Chain]
  ) {
    self.chain = chain
    self.isOwn = isOwn
    self.edges = edges
    self.key = key
    range =
      chain.isAttached ? prefix ?? CompactRange() : CompactRange(begin: chain.start)
    leavesStart = chain.start
    for edge in edges where edge.edge.isPossible {
      roots[edge.edge.first] = .some(nil)
      roots[edge.edge.end] = .some(nil)
    }
    branches = Dictionary(grouping: children, by: \.start).mapValues { $0.map(\.id) }
  }

  private var author: String { chain.author.hex }

  private func run(_ seqs: Range<UInt64>) -> String {
    let last = seqs.upperBound - 1
    return seqs.count == 1 ? "\(author):\(seqs.lowerBound)" : "\(author):\(seqs.lowerBound)-\(last)"
  }

  /// Looks at where the chain begins.
  mutating func begin(_ report: inout VerificationReport) {
    if key == nil { report.note("missingKey", "\(author):\(chain.start)") }
    if chain.isAttached {
      if range.end != chain.start || range.root != chain.startRoot {
        report.note("branchMismatch", "\(author):\(chain.start)")
        range = CompactRange(begin: chain.start)
        isBroken = true
      }
    }
    noteRoot()
  }

  /// What is needed to go on with the block `nextBlock`, everything before being settled.
  func progress(nextBlock: Int64) -> ChainProgress {
    ChainProgress(chain: chain.id, nextBlock: nextBlock, range: range, isBroken: isBroken)
  }

  /// Goes on behind the events of `known`, which were checked before.
  mutating func resume(_ known: ChainProgress) {
    range = known.range
    isBroken = known.isBroken
    leavesStart = range.end
    edgePlace = edges.firstIndex { $0.edge.first >= range.end } ?? edges.count
    noteRoot()
  }

  /// Notes that seqs are missing, if the next event is not the one that is due.
  mutating func skip(to seq: UInt64, _ report: inout VerificationReport) {
    if seq == range.end { return }
    finishRun(&report)
    if seq > range.end {
      report.note("missingEvent", run(range.end..<seq))
    } else {
      report.note("repeatedEvent", "\(author):\(seq)")
    }
    finishLeaves(&report)
    range = CompactRange(begin: seq)
    leavesStart = seq
    isBroken = true
  }

  /// Gives up the rest of the chain: a row that cannot be read is in the way.
  mutating func stop(_ report: inout VerificationReport) {
    finishRun(&report)
    report.note("rowUnreadable", "\(author):\(range.end)")
    isBroken = true
  }

  /// Goes over a block that cannot be read.
  mutating func skipUnreadable(
    count: Int, root: Bytes32, _ report: inout VerificationReport
  ) {
    finishRun(&report)
    finishLeaves(&report)
    let boundary = (range.end / Limits.blockEventCount + 1) * Limits.blockEventCount
    let end = min(
      range.end + UInt64(min(max(count, 1), Int(Limits.blockEventCount))), boundary)
    report.note("blockUnreadable", run(range.end..<end))
    if count == Int(Limits.blockEventCount), range.end % Limits.blockEventCount == 0 {
      range.append(subtree: root, level: Limits.blockEventCount.trailingZeroBitCount)
      noteRoot()
    } else {
      range = CompactRange(begin: end)
      isBroken = true
    }
    leavesStart = range.end
  }

  /// Takes a packed block.
  mutating func take(
    _ content: BlockContent, salts: inout ChainSalts?, marks: [UInt8], root: Bytes32,
    _ report: inout VerificationReport
  ) {
    finishLeaves(&report)
    leavesStart = content.first
    var mismatched: [UInt64] = []
    for index in content.entries.indices {
      let leaf = leaf(of: content, at: index, salts: &salts)
      if BlockBuilder.mark(at: index, in: marks) != BlockBuilder.mark(of: leaf) {
        mismatched.append(content.first + UInt64(index))
      }
      add(leaf)
    }
    report.eventCount += content.entries.count
    if marks.count != content.entries.count * BlockBuilder.markByteCount {
      report.note("marksMismatch", run(content.seqs))
    }
    if salts == nil {
      report.note("missingSeed", run(content.seqs))
    } else if mismatched.count == content.entries.count, mismatched.count > 1 {
      report.note("seedMismatch", run(content.seqs))
    } else {
      for seq in mismatched { noteChanged(seq, &report) }
      finishRun(&report)
      if mismatched.isEmpty, MerkleTree.root(of: leaves) != root {
        report.note("blockRootMismatch", run(content.seqs))
      }
    }
  }

  private func leaf(
    of content: BlockContent, at index: Int, salts: inout ChainSalts?
  ) -> Bytes32 {
    guard var known = salts else { return Event.noLeaf }
    let leaf = content.leaf(at: index, salts: &known)
    salts = known
    return leaf ?? Event.noLeaf
  }

  /// Takes a tail row: seq, stream, header, payload, commitment, leaf.
  mutating func take(
    _ row: borrowing Row, salt: Bytes16?, _ report: inout VerificationReport
  ) {
    report.eventCount += 1
    let seq = range.end
    let stream = row.bytes16(1)
    let isProvable = salt != nil || !row.isNull(4)
    let leaf = row.withBlob(2) { header -> Bytes32 in
      do throws(KernelError) {
        if try EventHeader(header).stream.bytes != stream {
          report.note("streamMismatch", "\(author):\(seq)")
        }
      } catch {
        report.note("headerMalformed", "\(author):\(seq)")
      }
      if let commitment = row.optionalBytes32(4) {
        return MerkleLeaf.hash(header: header, commitment: commitment)
      }
      guard let salt else {
        report.note("missingSeed", "\(author):\(seq)")
        return Event.noLeaf
      }
      if row.isNull(3) { return MerkleLeaf.hash(header: header, salt: salt, payload: Span()) }
      return row.withBlob(3) { MerkleLeaf.hash(header: header, salt: salt, payload: $0) }
    }
    if isProvable, leaf != row.bytes32(5) { noteChanged(seq, &report) }
    add(leaf)
  }

  private mutating func add(_ leaf: Bytes32) {
    leaves.append(leaf)
    range.append(leaf)
    noteRoot()
  }

  /// Keeps the root here if somebody asks for it.
  private mutating func noteRoot() {
    if isBroken { return }
    if chain.isAttached, roots[range.end] != nil { roots[range.end] = .some(range.root) }
    for branch in branches[range.end] ?? [] { prefixes[branch] = range }
  }

  private mutating func noteChanged(_ seq: UInt64, _ report: inout VerificationReport) {
    if let known = changed, known.upperBound == seq {
      changed = known.lowerBound..<(seq + 1)
    } else {
      finishRun(&report)
      changed = seq..<(seq + 1)
    }
  }

  private mutating func finishRun(_ report: inout VerificationReport) {
    guard let seqs = changed else { return }
    changed = nil
    report.note("eventChanged", run(seqs))
  }

  /// Checks what can be checked now that the events so far end where a block does.
  mutating func settle(_ report: inout VerificationReport) {
    finishRun(&report)
    finishLeaves(&report)
  }

  /// Checks the edges over leaves that are at hand, and those before.
  private mutating func finishLeaves(_ report: inout VerificationReport) {
    let end = leavesStart + UInt64(leaves.count)
    while edgePlace < edges.count, edges[edgePlace].edge.first < end {
      check(edges[edgePlace], &report)
      edgePlace += 1
    }
    leaves.removeAll(keepingCapacity: true)
    leavesStart = end
  }

  /// Compares the end of the chain with its row, and what is left of the edges.
  mutating func finish(_ report: inout VerificationReport) {
    settle(&report)
    if range.end < chain.size {
      report.note("missingEvent", run(range.end..<chain.size))
    } else if range.end > chain.size {
      report.note("chainSizeMismatch", "\(author):\(chain.size)-\(range.end - 1)")
    } else if !isBroken {
      if chain.isAttached, range.root != chain.signedRoot {
        report.note("rootMismatch", "\(author):\(chain.size)")
      } else if range.frontier != chain.range.frontier {
        report.note("frontierMismatch", "\(author):\(chain.size)")
      }
    }
    for signed in edges[edgePlace...] { check(signed, &report) }
    if !isOwn { noteUnsigned(&report) }
  }

  /// What came from others came signed.
  private func noteUnsigned(_ report: inout VerificationReport) {
    var covered = chain.start
    for signed in edges where signed.edge.isPossible {
      let edge = signed.edge
      if edge.first > covered { report.note("edgeMissing", run(covered..<edge.first)) }
      covered = max(covered, edge.end)
    }
    if covered < chain.size { report.note("edgeMissing", run(covered..<chain.size)) }
  }

  private func check(_ signed: SignedEdge, _ report: inout VerificationReport) {
    report.edgeCount += 1
    let edge = signed.edge
    guard edge.isPossible else {
      report.note("edgeInvalid", "\(author):\(edge.first)")
      return
    }
    let seqs = run(edge.first..<edge.end)
    // That it is missing is said once.
    guard let key else { return }
    if !key.verify(signed) {
      report.note("edgeInvalid", seqs)
      return
    }
    let before = roots[edge.first]?.map { $0 == edge.rootBefore } ?? true
    let after = roots[edge.end]?.map { $0 == edge.rootAfter } ?? true
    if !before || !after || !isLeavesRootRight(edge) { report.note("edgeMismatch", seqs) }
  }

  /// Whether the leaves at hand have the root that was signed; true if they are not at hand.
  private func isLeavesRootRight(_ edge: Edge) -> Bool {
    // Where an edge begins before the branch, its first leaves are the parent's.
    guard edge.first >= leavesStart, edge.end <= leavesStart + UInt64(leaves.count) else {
      return true
    }
    let part = leaves[Int(edge.first - leavesStart)..<Int(edge.end - leavesStart)]
    return MerkleTree.root(of: Array(part)) == edge.leavesRoot
  }
}
