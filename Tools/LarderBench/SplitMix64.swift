// The only source of chance here: the same seed draws the same diary on every machine.

/// The SplitMix64 generator of Steele, Lea and Flood (OOPSLA 2014).
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `count`−1.
  mutating func below(_ count: Int) -> Int {
    Int(next() % UInt64(count))
  }

  /// True in `percent` of a hundred draws.
  mutating func happens(_ percent: Int) -> Bool {
    below(100) < percent
  }
}
