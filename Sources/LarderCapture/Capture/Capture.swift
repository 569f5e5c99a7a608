// Where every entrance ends: what was eaten, as a value, and the payloads it becomes. Pure.

public import LarderKernel

/// A meal as one entrance saw it, ready to be logged as one operation.
public struct Capture: Hashable, Sendable {
  /// A food of the meal.
  public struct Item: Hashable, Sendable {
    /// The food, the amount, the numbers.
    public var line: FoodLine
    /// A note, ≤ 8 KiB.
    public var note: String?
    /// The item it was copied from.
    public var copiedFrom: ItemAdded.ItemCopy?

    /// An item.
    public init(line: FoodLine, note: String? = nil, copiedFrom: ItemAdded.ItemCopy? = nil) {
      self.line = line
      self.note = note
      self.copiedFrom = copiedFrom
    }
  }

  /// When, and as which meal.
  public var occasion: Occasion
  /// The entrance.
  public var source: CaptureSource
  /// The foods, in order; at most 511.
  public var items: [Item]
  /// A title, ≤ 1 KiB.
  public var title: String?
  /// A note, ≤ 8 KiB.
  public var note: String?
  /// Tags, at most 32.
  public var tags: [String]
  /// What was said, ≤ 8 KiB.
  public var voiceTranscript: String?
  /// An app's own text, ≤ 8 KiB.
  public var captureMeta: String?
  /// An idempotency key: the same key, on whichever device, is the same meal.
  public var captureID: String?
  /// The meal it was copied from.
  public var copiedFrom: StreamID?
  /// Who logs it, as the app says.
  public var by: String?

  /// A capture of `items`; everything else is absent until it is set.
  public init(occasion: Occasion, source: CaptureSource, items: [Item]) {
    self.occasion = occasion
    self.source = source
    self.items = items
    tags = []
  }

  /// The beginning of the meal.
  package var captured: MealCaptured {
    MealCaptured(
      occasion: occasion, source: source, title: title, voiceTranscript: voiceTranscript,
      captureMeta: captureMeta, captureID: captureID, note: note, tags: tags.isEmpty ? nil : tags,
      copiedFrom: copiedFrom, by: by)
  }

  /// The items, with identifiers derived from `captureID` where there is one, so that two devices
  /// that log the same capture make the same items; else those `newID` draws.
  package func added(newID: () -> ItemID) -> [ItemAdded] {
    items.enumerated().map { index, item in
      let id =
        captureID.map { ItemID(derivedFrom: Array($0.utf8), index: UInt64(index)) } ?? newID()
      return ItemAdded(
        occasion: occasion, item: id, line: item.line, note: item.note,
        copiedFrom: item.copiedFrom, by: by)
    }
  }
}
