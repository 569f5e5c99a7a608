// What is known of a meal while its events are walked in the total order. Pure values.

internal import LarderHash

/// Whether a meal and its items are in the diary; deletions only raise it, a restoration resets it.
package enum MealLife: UInt8, Comparable, Sendable {
  case alive = 0
  /// Deleted, its items kept.
  case keep = 1
  /// Deleted with its items.
  case delete = 2

  package static func < (left: MealLife, right: MealLife) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What is known of an item.
package struct ItemState: Sendable {
  /// What a person set by hand: an accepted proposal leaves it alone.
  struct Pins: OptionSet, Sendable {
    let rawValue: UInt8
    static let name = Pins(rawValue: 1)
    static let quantity = Pins(rawValue: 2)
    static let numbers = Pins(rawValue: 4)
  }

  /// A change that came, in the total order, before the item itself.
  enum Waiting: Sendable {
    case changed(ItemChanged)
    case revalued(ItemRevalued)
  }

  package let id: ItemID
  /// Everything about it; nil while only changes of it are known.
  package var facts: Facts?
  package var isRemoved = false
  var waiting: [Waiting] = []

  package struct Facts: Sendable {
    package var position: Int
    package var occasion: Occasion
    package var line: FoodLine
    package var note: String?
    package var by: String?
    var pins: Pins = []
  }

  init(id: ItemID) {
    self.id = id
  }

  mutating func apply(_ change: ItemChanged) {
    guard facts != nil else {
      waiting.append(.changed(change))
      return
    }
    if let moment = change.moment { facts?.occasion.moment = moment }
    if let mealType = change.mealType { facts?.occasion.mealType = mealType }
    if let name = change.name {
      facts?.line.name = name
      facts?.pins.insert(.name)
    }
    if let quantity = change.quantity {
      facts?.line.quantity = quantity
      facts?.pins.insert(.quantity)
    }
    if let snapshot = change.snapshot { facts?.line.snapshot = snapshot }
    if let origin = change.origin { facts?.line.origin = origin }
    if !change.product.isKeep {
      let old = facts?.line.product
      facts?.line.product = change.product.applied(to: old)
    }
    if change.snapshot != nil || change.origin != nil || !change.product.isKeep {
      facts?.pins.insert(.numbers)
      facts?.line.confidence = nil
    }
    let oldNote = facts?.note
    facts?.note = change.note.applied(to: oldNote)
  }

  mutating func apply(_ revaluation: ItemRevalued) {
    guard facts != nil else {
      waiting.append(.revalued(revaluation))
      return
    }
    facts?.line.snapshot = revaluation.snapshot
    facts?.line.origin = revaluation.origin
    facts?.line.confidence = nil
    if let product = revaluation.product { facts?.line.product = product }
    facts?.pins.insert(.numbers)
  }

  /// Takes a proposed line over, all but what a person set by hand.
  mutating func accept(_ line: FoodLine) {
    guard let pins = facts?.pins else { return }
    if !pins.contains(.name) { facts?.line.name = line.name }
    if !pins.contains(.quantity) {
      facts?.line.quantity = line.quantity
      facts?.line.servedMass = line.servedMass
    }
    if !pins.contains(.numbers) {
      facts?.line.snapshot = line.snapshot
      facts?.line.product = line.product
      facts?.line.origin = line.origin
      facts?.line.confidence = line.confidence
    }
  }

  /// Makes the item, then applies what was waiting for it.
  mutating func add(_ facts: Facts) {
    self.facts = facts
    let changes = waiting
    waiting = []
    for change in changes {
      switch change {
      case .changed(let change): apply(change)
      case .revalued(let revaluation): apply(revaluation)
      }
    }
  }
}

/// What is known of a photo.
struct PhotoState: Sendable {
  var photo: StoredImage
  var preview: StoredImage?
  var isReduced = false
}

/// What is known of a meal.
package struct MealState: Sendable {
  package var life = MealLife.alive
  /// The first readable capture.
  package var captured: MealCaptured?
  /// What changes say, whichever side of the capture they lie on.
  package var changes = MealChanged()
  package var items: [ItemState] = []
  /// The identifiers of `items`, side by side, because they are searched.
  private var itemIDs: [ItemID] = []
  /// How many items were ever made: the next item's position.
  private var addedCount = 0
  var photos: [PhotoState] = []
  private var proposals: [Bytes16: Reanalysed] = [:]

  /// The entry's time and slot, once there is a capture.
  package var occasion: Occasion? {
    guard var result = captured?.occasion else { return nil }
    if let moment = changes.moment { result.moment = moment }
    if let mealType = changes.mealType { result.mealType = mealType }
    return result
  }

  mutating func apply(_ change: MealChanged) {
    if let moment = change.moment { changes.moment = moment }
    if let mealType = change.mealType { changes.mealType = mealType }
    if !change.title.isKeep { changes.title = change.title }
    if !change.voiceTranscript.isKeep { changes.voiceTranscript = change.voiceTranscript }
    if !change.captureMeta.isKeep { changes.captureMeta = change.captureMeta }
    if !change.note.isKeep { changes.note = change.note }
    if !change.tags.isKeep { changes.tags = change.tags }
    if !change.cover.isKeep { changes.cover = change.cover }
  }

  /// A deletion that keeps the items gives them the entry's time, so that they stay where they were.
  mutating func apply(_ deletion: MealDeleted) {
    life = max(life, deletion.items == .keep ? .keep : .delete)
    guard deletion.items == .keep, let occasion else { return }
    for place in items.indices { items[place].facts?.occasion = occasion }
  }

  mutating func apply(_ addition: ItemAdded) {
    withItem(addition.item) { item, position in
      guard item.facts == nil else { return false }
      item.add(
        ItemState.Facts(
          position: position, occasion: addition.occasion, line: addition.line,
          note: addition.note, by: addition.by))
      return true
    }
  }

  mutating func apply(_ change: ItemChanged) {
    withItem(change.item) { item, _ in
      item.apply(change)
      return false
    }
  }

  mutating func apply(_ revaluation: ItemRevalued) {
    withItem(revaluation.item) { item, _ in
      item.apply(revaluation)
      return false
    }
  }

  mutating func remove(_ id: ItemID) {
    withItem(id) { item, _ in
      item.isRemoved = true
      return false
    }
  }

  /// Runs `body` on the item, made if need be; true from `body` means a position was taken.
  private mutating func withItem(_ id: ItemID, _ body: (inout ItemState, Int) -> Bool) {
    let place: Int
    if let known = itemIDs.firstIndex(of: id) {
      place = known
    } else {
      place = items.count
      itemIDs.append(id)
      items.append(ItemState(id: id))
    }
    if body(&items[place], addedCount) { addedCount += 1 }
  }

  mutating func apply(_ proposal: Reanalysed) {
    if proposals[proposal.analysis] == nil { proposals[proposal.analysis] = proposal }
  }

  /// Lines that name an item change it; the others make the item their analysis and index derive.
  mutating func apply(_ acceptance: ProposalAccepted) {
    guard let proposal = proposals[acceptance.analysis] else { return }
    for index in acceptance.lines where index < UInt64(proposal.lines.count) {
      let proposed = proposal.lines[Int(index)]
      if let target = proposed.item {
        withItem(target) { item, _ in
          item.accept(proposed.line)
          return false
        }
        continue
      }
      guard let occasion = occasion ?? items.lazy.compactMap(\.facts?.occasion).first else {
        continue
      }
      let id = ItemID(derivedFrom: acceptance.analysis.bytes, index: index)
      withItem(id) { item, position in
        guard item.facts == nil else { return false }
        item.add(
          ItemState.Facts(
            position: position, occasion: occasion, line: proposed.line, note: nil,
            by: acceptance.by))
        return true
      }
    }
  }

  mutating func apply(_ attachment: PhotoAttached) {
    guard !photos.contains(where: { $0.photo.address == attachment.photo.address }) else { return }
    photos.append(PhotoState(photo: attachment.photo, preview: attachment.preview))
  }

  mutating func detach(_ address: BlobAddress) {
    photos.removeAll { $0.photo.address == address }
  }

  mutating func reduce(_ address: BlobAddress) {
    for place in photos.indices where photos[place].photo.address == address {
      photos[place].isReduced = photos[place].preview != nil
    }
  }

  mutating func apply(_ replacement: PreviewReplaced) {
    for place in photos.indices where photos[place].photo.address == replacement.photo {
      photos[place].preview = replacement.preview
    }
  }

  /// The photo shown for the meal: the one chosen, else the first attached.
  var cover: PhotoState? {
    if case .set(let address) = changes.cover,
      let chosen = photos.first(where: { $0.photo.address == address })
    {
      return chosen
    }
    return photos.first
  }
}
