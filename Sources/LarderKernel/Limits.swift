// Every limit of the formats, in one place; SPEC.md, "Limits", is the same table in words.

/// The limits of Larder's formats: what a decoder accepts and a writer may produce.
public enum Limits {
  /// The largest payload of an event, in bytes. Larger evidence is a blob.
  public static let payloadByteCountMaximum = 16 * 1024
  /// The largest header of an event, in bytes.
  public static let headerByteCountMaximum = 256
  /// The longest name of a kind, in bytes.
  public static let kindByteCountMaximum = 64
  /// The highest version of a kind.
  public static let kindVersionMaximum: UInt64 = 65_535
  /// The longest name, title, tag, label or code in an event, in bytes of UTF-8.
  public static let shortTextByteCountMaximum = 1024
  /// The longest note, transcript or `captureMeta`, in bytes of UTF-8.
  public static let longTextByteCountMaximum = 8 * 1024
  /// The most tags a meal has.
  public static let tagCountMaximum = 32
  /// The most lines a proposal or a template has.
  public static let lineCountMaximum = 64
  /// The largest amount of one item, in mg, µl or milliservings: a tonne, a cubic metre.
  public static let amountMaximum: Int64 = 1_000_000_000
  /// The largest nutrient amount, in its unit, of a snapshot and of what was eaten.
  public static let nutrientAmountMaximum: Int64 = 1_000_000_000_000
  /// The most nutrients of one snapshot.
  public static let nutrientCountMaximum = 128
  /// The highest nutrient number.
  public static let nutrientNumberMaximum: UInt64 = 1023
  /// Instants reach from the first to the last millisecond of the years 1 and 9999, UTC.
  public static let instantMinimum: Int64 = -62_135_596_800_000
  /// The last millisecond of year 9999, UTC.
  public static let instantMaximum: Int64 = 253_402_300_799_999
  /// The largest distance of a civil clock from UTC, in seconds, as RFC 9636 bounds it.
  public static let utcOffsetMaximum: Int64 = 93_599
  /// The most secret keys a device keeps, one for each of its authors.
  public static let deviceKeyCountMaximum = 64
  /// The most bytes of a path that a head record keeps, in UTF-8.
  public static let headPathByteCountMaximum = 700
  /// How many events make a block.
  public static let blockEventCount: UInt64 = 512
  /// The most events of one operation.
  public static let operationEventCountMaximum = 512
  /// The largest event sequence, in bytes: 512 events, each of the largest header and payload.
  public static let sequenceByteCountMaximum =
    512 * (headerByteCountMaximum + payloadByteCountMaximum + 8)
  /// The largest batch, in bytes: the largest event sequence, and 512 salts.
  public static let batchByteCountMaximum = sequenceByteCountMaximum + 16 * 1024
}
