import Larder

/// A drink, as version 1 of the app recorded it: in glasses.
struct GlassesDrunk: EventPayload {
  static let kind = EventKind(literal: "water/Drunk")
  var day: CivilDay
  var glasses: UInt64

  init(_ day: CivilDay, glasses: UInt64) { (self.day, self.glasses) = (day, glasses) }

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    (day, glasses) = try readDrink(bytes, kind: Self.kind)
  }

  func write(to writer: inout PayloadWriter) { writeDrink(day, glasses, to: &writer) }
}

/// The same in version 2: in millilitres.
struct WaterDrunk: EventPayload {
  static let kind = GlassesDrunk.kind
  static let version: UInt16 = 2
  static let upcaster = Upcaster(kind: kind, from: 1) { (old) throws(KernelError) in
    guard case .map(let entries) = old else { return old }
    return .map(
      entries.map { entry in
        guard entry.key == .unsigned(1), case .unsigned(let glasses) = entry.value else {
          return entry
        }
        return .init(key: entry.key, value: .unsigned(glasses * 250))
      })
  }
  var day: CivilDay
  var millilitres: UInt64

  init(_ day: CivilDay, millilitres: UInt64) { (self.day, self.millilitres) = (day, millilitres) }

  init(_ bytes: Span<UInt8>) throws(KernelError) {
    (day, millilitres) = try readDrink(bytes, kind: Self.kind)
  }

  func write(to writer: inout PayloadWriter) { writeDrink(day, millilitres, to: &writer) }
}

private func readDrink(
  _ bytes: Span<UInt8>, kind: EventKind
) throws(KernelError) -> (CivilDay, UInt64) {
  var reader = try PayloadReader(bytes, kind: kind)
  var day: CivilDay?
  var amount: UInt64?
  while let field = try reader.nextField(in: bytes) {
    switch field {
    case 0: day = CivilDay(try reader.text(in: bytes))
    case 1: amount = try reader.unsigned(upTo: 100_000, in: bytes)
    default: throw reader.unknownField()
    }
  }
  return (try reader.require(day, field: 0), try reader.require(amount, field: 1))
}

private func writeDrink(_ day: CivilDay, _ amount: UInt64, to writer: inout PayloadWriter) {
  writer.field(0, text: day.description)
  writer.field(1, unsigned: amount)
}

/// One row a drink.
enum WaterLog: Projection {
  static let name = "water/log"
  static let version: UInt32 = 1
  static let kinds = [WaterDrunk.kind]
  static let tables = [
    ProjectionTable(
      "water_Log", columns: [.required("day", .text), .required("millilitres", .integer)])
  ]

  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {
    var drink: WaterDrunk?
    events.forEach(settingAsideIn: &rows) { (event) throws(KernelError) in
      if event.kind == WaterDrunk.kind { drink = try event.decode(WaterDrunk.self) }
    }
    guard let drink else { return }
    rows.begin(table: 0)
    rows.append(drink.day.description)
    rows.append(Int64(drink.millilitres))
  }
}

/// What was drunk on each day.
enum WaterPerDay: Summary {
  static let name = "water_PerDay"
  static let version: UInt32 = 1
  static let table = "water_Log"
  static let keys = ["day"]
  static let values: [SummaryValue] = [
    .count(as: "drinks"), .sum(of: "millilitres", as: "millilitres"),
  ]
}
