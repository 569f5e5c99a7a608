// The foods a diary is drawn from: real records of a dump where there is one, read by the rules of
// the catalog, kept as lines with their full numbers. What is kept is a file of payloads, so that a
// measured process reads no dump and parses no JSON.

import FoundationEssentials
import LarderCatalog
import LarderCatalogImport
import LarderFiles
import LarderKernel

/// Foods by rank: how often each is eaten falls with its place.
struct Foods {
  /// How many foods a person eats, at most.
  static let countMax = 200

  let lines: [FoodLine]
  /// Sums of 1/rank, ascending, to draw a food by.
  private let sums: [Double]

  init(_ lines: [FoodLine]) {
    self.lines = lines
    var total = 0.0
    sums = lines.indices.map { rank in
      total += 1 / Double(rank + 1)
      return total
    }
  }

  /// A food; the one of rank r comes up in proportion to 1/r, as Zipf's law has it.
  func draw(_ random: inout SplitMix64) -> FoodLine {
    let wanted = Double(random.next() >> 11) / Double(1 << 53) * (sums.last ?? 0)
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > wanted { high = middle } else { low = middle + 1 }
    }
    return lines[low]
  }

  // MARK: Reading a dump

  /// The foods of a JSONL dump with the fullest numbers first come, up to `countMax`, in the dump's
  /// order: those that know 8 nutrients or more, filled up with others where there are too few.
  static func reading(dump path: String) throws -> Foods {
    let bytes = try Files.read(path, upTo: 1 << 30)
    let decoder = JSONDecoder()
    var full: [FoodLine] = []
    var others: [FoodLine] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard case .product(let product) = OpenFoodFactsRecord.read(Data(line), with: decoder),
        let food = try Self.line(of: product)
      else { continue }
      let count = food.snapshot.nutrients.elements.count
      if count >= 8 { full.append(food) } else if count > 0 { others.append(food) }
    }
    let lines = Array((full + others).prefix(countMax))
    guard !lines.isEmpty else { throw BenchError("\(path) holds no food") }
    return Foods(lines)
  }

  private static func line(of product: CatalogProduct) throws -> FoodLine? {
    let unit: QuantityUnit =
      switch product.snapshot.basis {
      case .per100Grams: .milligram
      case .per100Millilitres: .microlitre
      case .perServing: .milliserving
      }
    return FoodLine(
      name: product.shownName(["en"]), quantity: try Quantity(1000, unit),
      snapshot: product.snapshot,
      product: ProductReference(
        catalog: "off", code: product.code.canonical, revision: product.revision.modifiedAt),
      origin: .catalog)
  }

  // MARK: The file of payloads

  /// Writes the foods to a file.
  func write(to path: String, occasion: Occasion) throws {
    var bytes: [UInt8] = []
    for line in lines {
      let payload = try ItemAdded(occasion: occasion, item: ItemID(0), line: line).checkedBytes()
      bytes.append(UInt8(payload.count >> 8))
      bytes.append(UInt8(payload.count & 0xff))
      bytes += payload
    }
    try Files.write(bytes, to: path, mode: 0o644)
  }

  /// Reads the foods `write` wrote.
  static func reading(_ path: String) throws -> Foods {
    let bytes = try Files.read(path, upTo: 64 << 20)
    var lines: [FoodLine] = []
    var place = 0
    while place < bytes.count {
      let end = place + 2 + (Int(bytes[place]) << 8 | Int(bytes[place + 1]))
      lines.append(try ItemAdded(bytes.span.extracting((place + 2)..<end)).line)
      place = end
    }
    return Foods(lines)
  }
}
