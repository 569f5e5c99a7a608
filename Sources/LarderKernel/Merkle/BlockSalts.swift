// The salts of one block, drawn out of its seed (SPEC: salts).
//
// Invariant: a seed never leaves here again, not even into a description. Erasing in the block
// destroys the seed first; what remains readable is stored salt by salt, by whoever stores the
// block.

package import LarderHash

/// The salts of a block's events: four from each hash, so that they cost a quarter hash an event.
package struct BlockSalts: Sendable {
  /// Events in a block.
  package static let eventCount = 512

  private let seed: Bytes32
  /// The group of four that `salts` holds; −1 before the first.
  private var group = -1
  private var salts: (Bytes16, Bytes16, Bytes16, Bytes16) = (.zero, .zero, .zero, .zero)

  /// The salts that come from `seed`.
  package init(seed: Bytes32) {
    self.seed = seed
  }

  /// The salt of the block's event `index`, from 0 to 511: the quarter `index` mod 4 of
  /// BLAKE2b-512(key: seed, be64(`index` div 4)). Asked in order, every fourth call hashes.
  package mutating func salt(at index: Int) -> Bytes16 {
    precondition((0..<Self.eventCount).contains(index), "a block has 512 events")
    if index / 4 != group {
      group = index / 4
      var message: [UInt8] = []
      message.appendBigEndian(UInt64(group))
      let (first, second) = BLAKE2b.hash512(message, key: seed)
      salts = (first.front, first.back, second.front, second.back)
    }
    switch index % 4 {
    case 0: return salts.0
    case 1: return salts.1
    case 2: return salts.2
    default: return salts.3
    }
  }
}

extension BlockSalts: CustomStringConvertible, CustomReflectable {
  /// Says what it is and nothing of what it holds.
  package var description: String { "BlockSalts" }

  /// No children: a seed is not for logs.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
