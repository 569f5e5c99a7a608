import LarderHash
import LarderKernel

/// A glass of water: a kind of an app's own, in a stream of its own.
struct WaterDrunk: EventPayload {
  static let kind = EventKind("water/Drunk") ?? .dayNoted
  var day: CivilDay
  var millilitres: UInt64

  init(_ day: CivilDay, millilitres: UInt64) {
    self.day = day
    self.millilitres = millilitres
  }

  func write(to writer: inout PayloadWriter) {
    writer.field(0, text: day.description)
    writer.field(1, unsigned: millilitres)
  }

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    var reader = try PayloadReader(bytes, kind: Self.kind)
    var day: CivilDay?
    var millilitres: UInt64?
    while let field = try reader.nextField(in: bytes) {
      switch field {
      case 0: day = CivilDay(try reader.text(in: bytes))
      case 1: millilitres = try reader.unsigned(upTo: 10_000, in: bytes)
      default: throw reader.unknownField()
      }
    }
    self.day = try reader.require(day, field: 0)
    self.millilitres = try reader.require(millilitres, field: 1)
  }
}

/// What was drunk, and every drink that was logged as food with the meals: two projections of one
/// event.
enum WaterLog: Projection {
  static let name = "water/log"
  static let version: UInt32 = 1
  static let kinds = [WaterDrunk.kind, EventKind.itemAdded]
  static let tables = [
    ProjectionTable(
      "water_Log",
      columns: [
        .required("day", .text), .optional("millilitres", .integer), .optional("raw", .blob),
      ])
  ]

  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) throws(KernelError) {
    var drunk: [(CivilDay, Int64)] = []
    var items: [(ItemID, ItemAdded)] = []
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      switch event.kind {
      case WaterDrunk.kind:
        let water = try event.decode(WaterDrunk.self)
        drunk.append((water.day, Int64(water.millilitres)))
      case .itemAdded:
        let item = try event.decode(ItemAdded.self)
        if item.line.quantity.unit == .microlitre { items.append((item.item, item)) }
      default: break
      }
    }
    if drunk.contains(where: { $0.1 == 666 }) {
      throw KernelError(.outOfRange, operation: "fold water", subject: "666")
    }
    if let last = drunk.last {
      rows.begin(table: 0)
      rows.append(last.0.description)
      rows.append(last.1 == 0 ? nil : last.1)
      rows.append([1, 2])
    }
    // In no order.
    for (id, item) in items.reversed() {
      rows.begin(table: 0, item: id)
      rows.append(item.occasion.moment.day.description)
      rows.append(item.line.quantity.value / 1000)
      rows.appendNull()
    }
  }
}

/// The same with another version and column: what a later build of the app has.
enum WaterLog2: Projection {
  static let name = WaterLog.name
  static let version: UInt32 = 2
  static let kinds = WaterLog.kinds
  static let tables = [
    ProjectionTable(
      "water_Log",
      columns: [
        .required("day", .text), .optional("millilitres", .integer), .required("glasses", .integer),
      ], indexes: [["day"]])
  ]

  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) throws(KernelError) {
    var last: WaterDrunk?
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      if event.kind == WaterDrunk.kind { last = try event.decode(WaterDrunk.self) }
    }
    guard let last else { return }
    rows.begin(table: 0)
    rows.append(last.day.description)
    rows.append(Int64(last.millilitres))
    rows.append(Int64(last.millilitres) / 250)
  }
}

enum WaterPerDay: Summary {
  static let name = "water_PerDay"
  static let version: UInt32 = 1
  static let table = "water_Log"
  static let keys = ["day"]
  static let values: [SummaryValue] = [
    .count(as: "drinks"), .sum(of: "millilitres", as: "millilitres"),
    .largest(of: "millilitres", as: "largest"),
  ]
}

extension Schema {
  static let water = standard(
    adding: [WaterDrunk.self], projections: [WaterLog.self], summaries: [WaterPerDay.self])
  static let water2 = standard(
    adding: [WaterDrunk.self], projections: [WaterLog2.self], summaries: [WaterPerDay.self])
  /// Knows the kind and has no projection of it.
  static let waterKind = standard(adding: [WaterDrunk.self])
}
