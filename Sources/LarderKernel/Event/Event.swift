// An event as it is stored and folded: its place, its header, its payload's bytes, its leaf.

public import LarderHash

/// An event of the log.
public struct Event: Hashable, Sendable {
  /// Who wrote it, and which of theirs it is.
  public let id: EventID
  /// The header.
  public let header: EventHeader
  /// The payload's canonical bytes; nil once it is erased.
  public let payload: [UInt8]?
  /// The hash of its leaf in the author's tree, or `noLeaf`.
  public let leaf: Bytes32

  /// Stands for a leaf that was not computed, because no other event has the same author and seq.
  public static let noLeaf = Bytes32(front: .zero, back: .zero)

  /// An event.
  public init(id: EventID, header: EventHeader, payload: [UInt8]?, leaf: Bytes32) {
    self.id = id
    self.header = header
    self.payload = payload
    self.leaf = leaf
  }

  /// The total order of all events: clock, author, seq, leaf. It extends causality, and no local
  /// number takes part, so every device sorts alike.
  public static func precedes(_ left: Event, _ right: Event) -> Bool {
    if left.header.hlc != right.header.hlc { return left.header.hlc < right.header.hlc }
    if left.id.author != right.id.author { return left.id.author < right.id.author }
    if left.id.seq != right.id.seq { return left.id.seq < right.id.seq }
    return left.leaf < right.leaf
  }
}

/// An event no fold can read, and why; the rest of its stream goes on.
public struct SetAside: Hashable, Sendable {
  /// The event.
  public let id: EventID
  /// Why its payload could not be read.
  public let reason: KernelError

  /// An event set aside.
  public init(id: EventID, reason: KernelError) {
    self.id = id
    self.reason = reason
  }
}
