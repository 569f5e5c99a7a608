// Fields that several kinds share, each read and written in one place.

internal import LarderHash

/// Numbers of fields that mean the same in every kind.
enum PayloadField {
  /// A label the app sets for who did it.
  static let by: UInt64 = 23
}

extension Moment {
  /// Writes fields 0…3.
  func write(to writer: inout PayloadWriter) {
    writer.field(0, integer: consumedAt.milliseconds)
    writer.field(1, text: zone.rawValue)
    writer.field(2, integer: Int64(utcOffset.seconds))
    writer.field(3, integer: Int64(day.daysSince1970))
  }
}

extension Occasion {
  /// Writes fields 0…4.
  func write(to writer: inout PayloadWriter) {
    moment.write(to: &writer)
    writer.field(4, text: mealType.rawValue)
  }
}

/// Fields 0…4 while they are being read.
struct OccasionFields {
  private var consumedAt: Instant?
  private var zone: ZoneName?
  private var utcOffset: UTCOffset?
  private var day: CivilDay?
  private(set) var mealType: MealType?

  mutating func read(
    _ field: UInt64, from reader: inout PayloadReader, in bytes: Span<UInt8>
  ) throws(KernelError) {
    switch field {
    case 0:
      let range = Limits.instantMinimum...Limits.instantMaximum
      consumedAt = Instant(milliseconds: try reader.integer(within: range, in: bytes))
    case 1:
      zone = ZoneName(try reader.text(in: bytes))
      if zone == nil { throw reader.fault(.invalidText) }
    case 2:
      let range = -Limits.utcOffsetMaximum...Limits.utcOffsetMaximum
      utcOffset = UTCOffset(seconds: try reader.integer(within: range, in: bytes))
    case 3: day = try reader.civilDay(in: bytes)
    default:
      mealType = MealType(rawValue: try reader.text(in: bytes))
      if mealType == nil { throw reader.fault(.invalidText) }
    }
  }

  /// All five, or the error that one is missing.
  func complete(_ reader: PayloadReader) throws(KernelError) -> Occasion {
    let moment = try reader.require(try moment(reader), field: 0)
    return Occasion(moment: moment, mealType: try reader.require(mealType, field: 4))
  }

  /// Fields 0…3 if any of them is there; all or none is the rule.
  func moment(_ reader: PayloadReader) throws(KernelError) -> Moment? {
    if consumedAt == nil, zone == nil, utcOffset == nil, day == nil { return nil }
    return Moment(
      consumedAt: try reader.require(consumedAt, field: 0),
      zone: try reader.require(zone, field: 1),
      utcOffset: try reader.require(utcOffset, field: 2), day: try reader.require(day, field: 3))
  }
}

extension PayloadReader {
  /// A note, transcript or the like: ≤ 8 KiB.
  mutating func longText(in bytes: Span<UInt8>) throws(KernelError) -> String {
    try text(upTo: Limits.longTextByteCountMaximum, in: bytes)
  }

  /// Null, or what `value` reads.
  mutating func change<Value: Hashable & Sendable>(
    in bytes: Span<UInt8>,
    _ value: (inout PayloadReader, Span<UInt8>) throws(KernelError) -> Value
  ) throws(KernelError) -> Change<Value> {
    try isNull(in: bytes) ? .clear : .set(try value(&self, bytes))
  }

  /// Null, or text of at most `maximum` bytes.
  mutating func textChange(
    upTo maximum: Int = Limits.shortTextByteCountMaximum, in bytes: Span<UInt8>
  ) throws(KernelError) -> Change<String> {
    try change(in: bytes) { r, b throws(KernelError) in try r.text(upTo: maximum, in: b) }
  }

  /// Tags.
  mutating func tags(in bytes: Span<UInt8>) throws(KernelError) -> [String] {
    try array(upTo: Limits.tagCountMaximum, in: bytes) { r, b throws(KernelError) in
      try r.text(in: b)
    }
  }

  /// A civil date as days since 1970-01-01.
  mutating func civilDay(in bytes: Span<UInt8>) throws(KernelError) -> CivilDay {
    let first = Int64(CivilDay.minimum.daysSince1970)
    let last = Int64(CivilDay.maximum.daysSince1970)
    let days = try integer(within: first...last, in: bytes)
    guard let day = CivilDay(daysSince1970: days) else { throw fault(.outOfRange) }
    return day
  }

  /// An item's identifier: a byte string of eight.
  mutating func itemID(in bytes: Span<UInt8>) throws(KernelError) -> ItemID {
    ItemID(try bytes8(in: bytes))
  }

  /// A blob's address.
  mutating func address(in bytes: Span<UInt8>) throws(KernelError) -> BlobAddress {
    BlobAddress(try bytes32(in: bytes))
  }

  /// Addresses of blobs.
  mutating func addresses(in bytes: Span<UInt8>) throws(KernelError) -> [BlobAddress] {
    try array(upTo: Limits.lineCountMaximum, in: bytes) { r, b throws(KernelError) in
      try r.address(in: b)
    }
  }
}

extension PayloadWriter {
  /// A field that can be cleared.
  mutating func field(_ key: UInt64, change: Change<String>) {
    switch change {
    case .keep: return
    case .clear: fieldNull(key)
    case .set(let text): field(key, text: text)
    }
  }

  /// Addresses of blobs.
  mutating func field(_ key: UInt64, addresses: [BlobAddress]?) {
    field(key, array: addresses) { $0.append($1.bytes) }
  }
}
