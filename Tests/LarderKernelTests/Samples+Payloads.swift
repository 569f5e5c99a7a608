// A random valid payload of each kind.

import LarderHash
import LarderKernel

extension Samples {
  /// A payload of `kind`; nil for a kind that is not in the catalogue.
  mutating func payload(of kind: EventKind) throws -> (any EventPayload)? {
    switch kind {
    case .mealCaptured: try mealCaptured()
    case .mealChanged: try mealChanged()
    case .mealDeleted: MealDeleted(items: pick(MealDeleted.Items.allCases), by: label())
    case .mealRestored: MealRestored(by: label())
    case .itemAdded: try itemAdded()
    case .itemChanged: try itemChanged(itemID())
    case .itemRemoved: ItemRemoved(item: itemID(), by: label())
    case .itemRevalued: try itemRevalued(itemID())
    case .photoAttached:
      PhotoAttached(
        photo: image(), preview: maybe { $0.image() }, role: pick(PhotoRole.allCases), by: label())
    case .photoDetached: PhotoDetached(photo: address(), by: label())
    case .photoReduced: PhotoReduced(photo: address(), by: label())
    case .previewReplaced: PreviewReplaced(photo: address(), preview: image(), by: label())
    case .reanalysed: try reanalysed(items: [])
    case .proposalAccepted: proposalAccepted(bytes16())
    default: try otherPayload(of: kind)
    }
  }

  private mutating func otherPayload(of kind: EventKind) throws -> (any EventPayload)? {
    switch kind {
    case .templateSaved: try templateSaved()
    case .templateDeleted: TemplateDeleted(by: label())
    case .productOverridden:
      ProductOverridden(
        code: text(), name: maybe { $0.name() }, brand: maybe { $0.text() },
        snapshot: try maybe { try $0.snapshot() }, choice: maybe { $0.product() }, by: label())
    case .settingChanged: try SettingChanged(name: text(), value: value(), by: label())
    case .dayStartChanged:
      DayStartChanged(fromDay: try day(), startMinute: UInt16(number(0, 1439)), by: label())
    case .dayNoted:
      DayNoted(day: try day(), note: chance(30) ? .clear : .set(longText()), by: label())
    case .dataSent:
      DataSent(
        entrance: text(), destination: text(), inputs: tags(), byteCount: UInt64(number(0, .max)),
        digest: bytes32(), by: label())
    case .headsWitnessed: headsWitnessed()
    case .payloadErased:
      PayloadErased(leaves: (0..<below(20)).map { _ in bytes32() }, by: label())
    case .softwareChanged:
      SoftwareChanged(software: text(), softwareVersion: text(), by: label())
    default: nil
    }
  }

  mutating func mealCaptured() throws -> MealCaptured {
    MealCaptured(
      occasion: try occasion(), source: pick(CaptureSource.allCases), title: maybe { $0.text() },
      voiceTranscript: maybe(20) { $0.longText() }, captureMeta: maybe(20) { $0.longText() },
      captureID: maybe(20) { $0.text() }, note: maybe(20) { $0.longText() },
      tags: maybe(30) { $0.tags() }, copiedFrom: maybe(10) { $0.stream() }, by: label())
  }

  mutating func mealChanged(covers: [BlobAddress] = []) throws -> MealChanged {
    MealChanged(
      moment: try maybe(30) { try $0.moment() }, mealType: try maybe(30) { try $0.mealType() },
      title: change { $0.text() }, voiceTranscript: change { $0.longText() },
      captureMeta: change { $0.longText() }, note: change { $0.longText() },
      tags: change { $0.tags() },
      cover: change { covers.isEmpty ? $0.address() : $0.pick(covers) }, by: label())
  }

  mutating func itemAdded(_ item: ItemID? = nil) throws -> ItemAdded {
    ItemAdded(
      occasion: try occasion(), item: item ?? itemID(), line: try line(),
      note: maybe(20) { $0.longText() },
      copiedFrom: maybe(10) { ItemAdded.ItemCopy(stream: $0.stream(), item: $0.itemID()) },
      by: label())
  }

  mutating func itemChanged(_ item: ItemID) throws -> ItemChanged {
    ItemChanged(
      item: item, moment: try maybe(20) { try $0.moment() },
      mealType: try maybe(20) { try $0.mealType() }, name: maybe(30) { $0.name() },
      quantity: try maybe(40) { try $0.quantity() }, snapshot: try maybe(30) { try $0.snapshot() },
      product: chance(70) ? .keep : chance(30) ? .clear : .set(product()),
      origin: maybe(20) { $0.pick(NumbersOrigin.allCases) }, note: change { $0.longText() },
      by: label())
  }

  mutating func itemRevalued(_ item: ItemID) throws -> ItemRevalued {
    ItemRevalued(
      item: item, snapshot: try snapshot(), product: maybe { $0.product() },
      origin: pick(NumbersOrigin.allCases), reason: maybe { $0.text() }, by: label())
  }

  mutating func reanalysed(items: [ItemID], analysis: Bytes16? = nil) throws -> Reanalysed {
    let lines = try (0..<below(5)).map { _ in
      let target = items.isEmpty ? maybe(30) { $0.itemID() } : maybe(60) { $0.pick(items) }
      return ProposedLine(item: target, line: try line())
    }
    return Reanalysed(
      analysis: analysis ?? bytes16(), provider: text(), model: text(), promptVersion: text(),
      inputs: (0..<below(3)).map { _ in address() }, lines: lines,
      score: UInt8(number(0, 100)), issues: tags(), evidence: (0..<below(3)).map { _ in address() },
      by: label())
  }

  mutating func proposalAccepted(_ analysis: Bytes16) -> ProposalAccepted {
    ProposalAccepted(
      analysis: analysis, lines: (0..<6).filter { _ in chance(50) }.map(UInt64.init), by: label())
  }

  private mutating func templateSaved() throws -> TemplateSaved {
    TemplateSaved(
      name: name(), lines: try (0..<below(4)).map { _ in try line() },
      mealType: try maybe { try $0.mealType() }, note: maybe { $0.longText() },
      tags: maybe { $0.tags() }, by: label())
  }

  private mutating func headsWitnessed() -> HeadsWitnessed {
    HeadsWitnessed(
      tips: (0..<below(20)).map { _ in
        HeadsWitnessed.Tip(
          author: AuthorID(bytes16()), size: UInt64(number(0, .max)), root: bytes32())
      }, by: label())
  }
}
