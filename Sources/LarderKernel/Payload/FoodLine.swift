// A food with its amount and its numbers: what an item, a template's line and a proposal's line
// have in common, encoded by the same fields wherever it stands. SPEC.md, "Kinds".

/// Where the numbers of a food come from.
public enum NumbersOrigin: UInt8, Sendable, CaseIterable {
  /// The installed catalog.
  case catalog = 0
  /// A package's label, read by a person or a camera.
  case label = 1
  /// Typed by a person.
  case user = 2
  /// Estimated by a model.
  case ai = 3

  /// The name in tables and output.
  public var name: String {
    switch self {
    case .catalog: "catalog"
    case .label: "label"
    case .user: "user"
    case .ai: "ai"
    }
  }
}

/// Which catalog product a food is.
public struct ProductReference: Hashable, Sendable {
  /// The catalog: `off` for Open Food Facts, `own` for a person's own foods, or another's name.
  public var catalog: String
  /// The canonical code or the catalog's identifier.
  public var code: String
  /// The code as it was asked for, where that differs.
  public var askedCode: String?
  /// The revision of the catalog's record.
  public var revision: Int64?

  /// A reference.
  public init(catalog: String, code: String, askedCode: String? = nil, revision: Int64? = nil) {
    self.catalog = catalog
    self.code = code
    self.askedCode = askedCode
    self.revision = revision
  }
}

/// A food, how much of it, and its numbers.
public struct FoodLine: Hashable, Sendable {
  /// The name, 1 byte to 1 KiB.
  public var name: String
  /// How much was eaten: what the numbers apply to.
  public var quantity: Quantity
  /// The full numbers of the food.
  public var snapshot: NutrientSnapshot
  /// The product, where it is one.
  public var product: ProductReference?
  /// Where the numbers come from.
  public var origin: NumbersOrigin
  /// How sure the analysis was, in thousandths, 0…1000.
  public var confidence: UInt16?
  /// What was on the plate in mg, where the numbers apply to another state (dry, raw).
  public var servedMass: Int64?

  /// A line.
  public init(
    name: String, quantity: Quantity, snapshot: NutrientSnapshot,
    product: ProductReference? = nil, origin: NumbersOrigin, confidence: UInt16? = nil,
    servedMass: Int64? = nil
  ) {
    self.name = name
    self.quantity = quantity
    self.snapshot = snapshot
    self.product = product
    self.origin = origin
    self.confidence = confidence
    self.servedMass = servedMass
  }

  /// Writes fields 6…16.
  func write(to writer: inout PayloadWriter) {
    writer.field(6, text: name)
    writer.field(quantity: quantity)
    writer.field(snapshot: snapshot)
    writer.field(product: product)
    writer.field(14, unsigned: UInt64(origin.rawValue))
    writer.field(15, unsigned: confidence.map(UInt64.init))
    writer.field(16, integer: servedMass)
  }

  /// Appends fields 6…16 as a map of their own, with `item` as field 5 where there is one.
  func append(to writer: inout CBORWriter, item: ItemID?) {
    PayloadWriter.append(to: &writer) { fields in
      fields.field(5, word: item?.rawValue)
      write(to: &fields)
    }
  }
}

/// Fields 6…16 while they are being read; a change has only some of them.
struct FoodLineFields {
  var name: String?
  private var amount: Int64?
  private var unit: QuantityUnit?
  private var basis: Basis?
  private var servingValue: Int64?
  private var servingUnit: QuantityUnit?
  private var nutrients: NutrientAmounts?
  var product: Change<ProductReference> = .keep
  var origin: NumbersOrigin?
  var confidence: UInt16?
  var servedMass: Int64?

  mutating func read(
    _ field: UInt64, from reader: inout PayloadReader, in bytes: Span<UInt8>
  ) throws(KernelError) {
    let amounts = 1...Limits.amountMaximum
    switch field {
    case 6:
      name = try reader.text(in: bytes)
      if name?.isEmpty == true { throw reader.fault(.invalidText) }
    case 7: amount = try reader.integer(within: amounts, in: bytes)
    case 8: unit = try reader.choice(QuantityUnit.self, in: bytes)
    case 9: basis = try reader.choice(Basis.self, in: bytes)
    case 10: servingValue = try reader.integer(within: amounts, in: bytes)
    case 11:
      servingUnit = try reader.choice(QuantityUnit.self, in: bytes)
      if servingUnit == .milliserving { throw reader.fault(.outOfRange) }
    case 12: nutrients = try NutrientAmounts(from: &reader, in: bytes)
    case 13:
      product = try reader.change(in: bytes) { r, b throws(KernelError) in
        try ProductReference(from: &r, in: b)
      }
    case 14: origin = try reader.choice(NumbersOrigin.self, in: bytes)
    case 15: confidence = UInt16(try reader.unsigned(upTo: 1000, in: bytes))
    case 16: servedMass = try reader.integer(within: amounts, in: bytes)
    default: throw reader.unknownField()
    }
  }

  /// The amount if it is there; amount and unit go together.
  func quantity(_ reader: PayloadReader) throws(KernelError) -> Quantity? {
    if amount == nil, unit == nil { return nil }
    let value = try reader.require(amount, field: 7)
    return try Quantity(value, try reader.require(unit, field: 8))
  }

  /// The snapshot if it is there; basis and nutrients go together, as do the serving's two fields.
  func snapshot(_ reader: PayloadReader) throws(KernelError) -> NutrientSnapshot? {
    if basis == nil, nutrients == nil, servingValue == nil, servingUnit == nil { return nil }
    var serving: Quantity?
    if servingValue != nil || servingUnit != nil {
      let value = try reader.require(servingValue, field: 10)
      serving = try Quantity(value, try reader.require(servingUnit, field: 11))
    }
    return try NutrientSnapshot(
      basis: try reader.require(basis, field: 9), serving: serving,
      nutrients: try reader.require(nutrients, field: 12))
  }

  /// A whole line, or the error that a part is missing or cleared.
  func complete(_ reader: PayloadReader) throws(KernelError) -> FoodLine {
    let reference: ProductReference?
    switch product {
    case .keep: reference = nil
    case .clear: throw reader.fault(.malformed, field: 13)
    case .set(let value): reference = value
    }
    return FoodLine(
      name: try reader.require(name, field: 6),
      quantity: try reader.require(try quantity(reader), field: 7),
      snapshot: try reader.require(try snapshot(reader), field: 9),
      product: reference, origin: try reader.require(origin, field: 14),
      confidence: confidence, servedMass: servedMass)
  }
}

extension ProductReference {
  /// Appends a map of what is there, under the numbers 0…3.
  fileprivate func append(to writer: inout CBORWriter) {
    writer.beginMap(count: 2 + (askedCode == nil ? 0 : 1) + (revision == nil ? 0 : 1))
    writer.append(unsigned: 0)
    writer.append(text: catalog)
    writer.append(unsigned: 1)
    writer.append(text: code)
    if let askedCode {
      writer.append(unsigned: 2)
      writer.append(text: askedCode)
    }
    if let revision {
      writer.append(unsigned: 3)
      writer.append(integer: revision)
    }
  }

  init(from reader: inout PayloadReader, in bytes: Span<UInt8>) throws(KernelError) {
    var catalog: String?
    var code: String?
    var askedCode: String?
    var revision: Int64?
    try reader.map(in: bytes) { r, field, bytes throws(KernelError) in
      switch field {
      case 0: catalog = try r.text(in: bytes)
      case 1: code = try r.text(in: bytes)
      case 2: askedCode = try r.text(in: bytes)
      case 3: revision = try r.integer(within: Int64.min...Int64.max, in: bytes)
      default: throw r.unknownField()
      }
    }
    self.init(
      catalog: try reader.require(catalog, field: 0), code: try reader.require(code, field: 1),
      askedCode: askedCode, revision: revision)
  }
}

extension PayloadWriter {
  /// Fields 7 and 8.
  mutating func field(quantity: Quantity?) {
    field(7, integer: quantity?.value)
    field(8, unsigned: quantity.map { UInt64($0.unit.rawValue) })
  }

  /// Fields 9…12.
  mutating func field(snapshot: NutrientSnapshot?) {
    guard let snapshot else { return }
    field(9, unsigned: UInt64(snapshot.basis.rawValue))
    field(10, integer: snapshot.serving?.value)
    field(11, unsigned: snapshot.serving.map { UInt64($0.unit.rawValue) })
    field(12) { snapshot.nutrients.encode(into: &$0) }
  }

  /// Field 13.
  mutating func field(product: ProductReference?) {
    guard let product else { return }
    field(13) { product.append(to: &$0) }
  }
}
