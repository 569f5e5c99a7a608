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
    case accepted(FoodLine)
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
      // What lay on the plate belonged to the amount that was replaced.
      facts?.line.servedMass = nil
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
    guard let pins = facts?.pins else {
      waiting.append(.accepted(line))
      return
    }
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
      case .accepted(let line): accept(line)
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

  /// Nothing known, with room for that many items.
  init(itemCapacity: Int) {
    items.reserveCapacity(itemCapacity)
    itemIDs.reserveCapacity(itemCapacity)
  }

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

  /// A deletion that keeps the items gives them the entry's time, so that they stay where they
  /// were. Where there is no entry any more, it leaves their time alone: it may have been changed
  /// since.
  mutating func apply(_ deletion: MealDeleted) {
    if life == .alive, deletion.items == .keep, let occasion {
      for place in items.indices { items[place].facts?.occasion = occasion }
    }
    life = max(life, deletion.items == .keep ? .keep : .delete)
  }

  mutating func apply(_ addition: ItemAdded) {
    add(
      addition.item, occasion: addition.occasion, line: addition.line, note: addition.note,
      by: addition.by)
  }

  mutating func apply(_ change: ItemChanged) {
    items[place(of: change.item)].apply(change)
  }

  mutating func apply(_ revaluation: ItemRevalued) {
    items[place(of: revaluation.item)].apply(revaluation)
  }

  mutating func remove(_ id: ItemID) {
    items[place(of: id)].isRemoved = true
  }

  /// Where the item stands in `items`, made if need be.
  private mutating func place(of id: ItemID) -> Int {
    if let known = itemIDs.firstIndex(of: id) { return known }
    itemIDs.append(id)
    items.append(ItemState(id: id))
    return items.count - 1
  }

  /// Makes the item, unless it was made before: the first one counts.
  private mutating func add(
    _ id: ItemID, occasion: Occasion, line: FoodLine, note: String?, by: String?
  ) {
    let place = place(of: id)
    guard items[place].facts == nil else { return }
    items[place].add(
      ItemState.Facts(
        position: addedCount, occasion: occasion, line: line, note: note, by: by))
    addedCount += 1
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
        items[place(of: target)].accept(proposed.line)
      } else if let occasion = occasion ?? firstItemOccasion {
        add(
          ItemID(derivedFrom: acceptance.analysis.bytes, index: index), occasion: occasion,
          line: proposed.line, note: nil, by: acceptance.by)
      }
    }
  }

  /// The time of the item that was made first, for what joins a meal without a readable capture.
  private var firstItemOccasion: Occasion? {
    items.compactMap(\.facts).min { $0.position < $1.position }?.occasion
  }

  /// A photo attached again is whole again: its bytes were durable before the event was.
  mutating func apply(_ attachment: PhotoAttached) {
    let address = attachment.photo.address
    guard let place = photos.firstIndex(where: { $0.photo.address == address }) else {
      photos.append(PhotoState(photo: attachment.photo, preview: attachment.preview))
      return
    }
    photos[place].isReduced = false
    if photos[place].preview == nil { photos[place].preview = attachment.preview }
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
