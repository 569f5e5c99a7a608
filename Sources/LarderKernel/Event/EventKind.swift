// Names of kinds. Those with a `/` belong to apps; the others are Larder's. SPEC.md, "Events".

/// The name of a kind of event: `MealCaptured`, or an app's `example.water/WaterDrunk`.
public struct EventKind: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name.
  public let name: String

  /// The kind of that name: 1…64 ASCII letters, digits, `.`, `_`, `-`, and at most one `/`, which
  /// makes it an app's; nil for anything else.
  public init?(_ name: String) {
    var slashCount = 0
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        continue
      case UInt8(ascii: "/"): slashCount += 1
      default: return nil
      }
    }
    let length = name.utf8.count
    guard (1...Limits.kindByteCountMaximum).contains(length), slashCount <= 1,
      name.utf8.first != UInt8(ascii: "/"), name.utf8.last != UInt8(ascii: "/")
    else { return nil }
    self.name = name
  }

  private init(known name: String) {
    self.name = name
  }

  /// Whether an app, not Larder, defines the kind.
  public var belongsToApp: Bool { name.utf8.contains(UInt8(ascii: "/")) }

  /// The name.
  public var description: String { name }

  /// Bytewise order of the names.
  public static func < (left: EventKind, right: EventKind) -> Bool {
    left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  /// A meal was captured.
  public static let mealCaptured = EventKind(known: "MealCaptured")
  /// Facts of a meal changed.
  public static let mealChanged = EventKind(known: "MealChanged")
  /// A meal was deleted.
  public static let mealDeleted = EventKind(known: "MealDeleted")
  /// A deleted meal came back.
  public static let mealRestored = EventKind(known: "MealRestored")
  /// An item was added.
  public static let itemAdded = EventKind(known: "ItemAdded")
  /// A person changed an item.
  public static let itemChanged = EventKind(known: "ItemChanged")
  /// An item was removed.
  public static let itemRemoved = EventKind(known: "ItemRemoved")
  /// An item's numbers were corrected.
  public static let itemRevalued = EventKind(known: "ItemRevalued")
  /// A photo was attached.
  public static let photoAttached = EventKind(known: "PhotoAttached")
  /// A photo was taken off.
  public static let photoDetached = EventKind(known: "PhotoDetached")
  /// A full-size photo was given up.
  public static let photoReduced = EventKind(known: "PhotoReduced")
  /// A photo got another preview.
  public static let previewReplaced = EventKind(known: "PreviewReplaced")
  /// An analysis proposed items.
  public static let reanalysed = EventKind(known: "Reanalysed")
  /// Lines of a proposal were taken over.
  public static let proposalAccepted = EventKind(known: "ProposalAccepted")
  /// A template was saved.
  public static let templateSaved = EventKind(known: "TemplateSaved")
  /// A template was deleted.
  public static let templateDeleted = EventKind(known: "TemplateDeleted")
  /// A person's own word about a product.
  public static let productOverridden = EventKind(known: "ProductOverridden")
  /// A setting of the diary changed.
  public static let settingChanged = EventKind(known: "SettingChanged")
  /// The diary day starts at another minute.
  public static let dayStartChanged = EventKind(known: "DayStartChanged")
  /// A note about a day.
  public static let dayNoted = EventKind(known: "DayNoted")
  /// Something left the device.
  public static let dataSent = EventKind(known: "DataSent")
  /// Other authors' tips were seen.
  public static let headsWitnessed = EventKind(known: "HeadsWitnessed")
  /// Payloads are to be destroyed.
  public static let payloadErased = EventKind(known: "PayloadErased")
  /// Another build began to write.
  public static let softwareChanged = EventKind(known: "SoftwareChanged")
}

extension EventKind {
  /// A kind written out in the source code, an app's with its name in front: `"water/Drunk"`.
  /// Another form is a programmer error.
  public init(literal: StaticString) {
    guard let kind = EventKind("\(literal)") else {
      preconditionFailure("\(literal) is no name of a kind")
    }
    self = kind
  }
}
