import LarderHash
import LarderKernel
import Testing

@Suite("Schema")
struct SchemaTests {
  // [PROJ-12]
  @Test("Larder's names have no underscore and no slash")
  func ownNames() {
    let schema = Schema.standard
    let names =
      schema.events.kinds.map(\.name) + schema.projections.map { $0.name }
      + schema.projections.flatMap { $0.tables }.map(\.name) + schema.summaries.map { $0.name }
    #expect(names.count > 25)
    for name in names { #expect(!name.contains("_") && !name.contains("/"), "\(name)") }
  }

  // [PROJ-12]
  @Test("an app's projection, with its summary, is registered beside Larder's")
  func appNames() {
    let schema = Schema.standard(
      adding: [], projections: [Steps.self], summaries: [StepsPerDay.self])
    #expect(schema.projections.last?.name == "walk/steps")
    #expect(schema.summaries.last?.name == "walk_PerDay")
    #expect(schema.projections.count == Schema.standard.projections.count + 1)
  }

  // [PROJ-12]
  @Test("names of Larder's form, names that are taken and columns there are not are refused")
  func collisions() async {
    await #expect(processExitsWith: .failure) {
      _ = Schema.standard(adding: [], projections: [Steps.self, Steps.self])
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema.standard(adding: [], projections: [StepsNamedAsOurs.self])
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema.standard(adding: [], projections: [Steps.self, StepsInOtherCase.self])
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema.standard(adding: [], summaries: [StepsPerDay.self])
    }
    await #expect(processExitsWith: .failure) {
      _ = Schema.standard(
        adding: [], projections: [Steps.self], summaries: [StepsWithoutCount.self])
    }
  }

  // [PROJ-1], [DIG-1], [DIG-2]
  @Test("rows stand by table and item, and each has its columns")
  func rows() async throws {
    let stream = StreamID(milliseconds: 1, random: .zero)
    var rows = ProjectionRows(of: stream, in: Steps.tables, rowCount: 2)
    #expect(rows.digest == .zero)
    for item in [ItemID(9), ItemID(3)] {
      rows.begin(table: 0, item: item)
      rows.append("2026-05-02")
      rows.append(Int64(-5))
    }
    rows.begin(table: 0)
    rows.append("2026-05-02")
    rows.append(Int64(7))
    rows.finish()
    #expect(rows.rows.map(\.item) == [nil, ItemID(3), ItemID(9)])
    #expect(rows.id(of: rows.rows[1]) == stream.hex + "0000000000000003")
    var values: [String] = []
    for row in rows.rows {
      row.forEachValue(in: rows.encoded.span) { value in
        switch value {
        case .integer(let number): values.append("\(number)")
        case .text(let range):
          values.append(String(decoding: rows.encoded[range], as: UTF8.self))
        case .blob, .null: values.append("-")
        }
      }
    }
    #expect(values[0] == stream.hex && values[3] == stream.hex + "0000000000000003")
    #expect(values.enumerated().filter { $0.offset % 3 == 2 }.map(\.element) == ["7", "-5", "-5"])
    await #expect(processExitsWith: .failure) {
      var rows = ProjectionRows(
        of: StreamID(milliseconds: 1, random: .zero), in: Steps.tables, rowCount: 1)
      rows.begin(table: 0)
      rows.append("2026-05-02")
      rows.finish()
    }
    await #expect(processExitsWith: .failure) {
      var rows = ProjectionRows(
        of: StreamID(milliseconds: 1, random: .zero), in: Steps.tables, rowCount: 1)
      for _ in 0..<2 {
        rows.begin(table: 0)
        rows.append("2026-05-02")
        rows.append(Int64(1))
      }
      rows.finish()
    }
  }
}

private enum Steps: Projection {
  static let name = "walk/steps"
  static let version: UInt32 = 1
  static let kinds: [EventKind] = []
  static let tables = [
    ProjectionTable(
      "walk_Steps", columns: [.required("day", .text), .required("count", .integer)])
  ]
  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {}
}

private enum StepsNamedAsOurs: Projection {
  static let name = "walk/ours"
  static let version: UInt32 = 1
  static let kinds: [EventKind] = []
  static let tables = [ProjectionTable("Steps", columns: [])]
  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {}
}

private enum StepsInOtherCase: Projection {
  static let name = "walk/other"
  static let version: UInt32 = 1
  static let kinds: [EventKind] = []
  static let tables = [ProjectionTable("WALK_steps", columns: [])]
  static func fold(_ events: StreamEvents, into rows: inout ProjectionRows) {}
}

private enum StepsPerDay: Summary {
  static let name = "walk_PerDay"
  static let version: UInt32 = 1
  static let table = "walk_Steps"
  static let keys = ["day"]
  static let values: [SummaryValue] = [.count(as: "walks"), .sum(of: "count", as: "steps")]
}

private enum StepsWithoutCount: Summary {
  static let name = "walk_Sums"
  static let version: UInt32 = 1
  static let table = "walk_Steps"
  static let keys = ["day"]
  static let values: [SummaryValue] = [.sum(of: "count", as: "steps")]
}
