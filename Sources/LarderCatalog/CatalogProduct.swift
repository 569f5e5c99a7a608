// A product as the catalog has it: what an import kept of one record, with where it is from.
//
// Invariant: numbers are as SPEC.md, "Amounts", wants them; unknown is absent; every number names
// the field of the record it came from. Equal content has equal hashes, whatever float noise the
// record had, so "changed" means changed.

package import LarderHash
public import LarderKernel

/// A product of a catalog.
public struct CatalogProduct: Hashable, Sendable {
  /// A state of the source's record.
  public struct Revision: Hashable, Comparable, Sendable {
    /// When the source changed the record last, in seconds since 1970; 0 where it does not say.
    public let modifiedAt: Int64
    /// The source's own count of changes; 0 where it has none.
    public let number: Int64

    /// A revision.
    public init(modifiedAt: Int64, number: Int64) {
      self.modifiedAt = modifiedAt
      self.number = number
    }

    /// Older before newer: by time, then by count.
    public static func < (left: Revision, right: Revision) -> Bool {
      (left.modifiedAt, left.number) < (right.modifiedAt, right.number)
    }

    /// As text for events and output: `1682726341.17`.
    public var text: String { "\(modifiedAt).\(number)" }
  }

  /// Where one number came from.
  public struct Field: Hashable, Sendable {
    /// The nutrient.
    public let nutrient: Nutrient
    /// The field of the record, with what was done to it: `energy_100g/4.184`.
    public let field: String

    /// A nutrient's field.
    public init(nutrient: Nutrient, field: String) {
      self.nutrient = nutrient
      self.field = field
    }
  }

  /// The code; `asked` is the code as the record has it.
  public let code: ProductCode
  /// Which state of the record this is.
  public let revision: Revision
  /// The names by language, as given.
  public let names: ProductNames
  /// What kind of food it is, by language, as given.
  public let genericNames: ProductNames
  /// The main language of the label, empty where unknown.
  public let mainLanguage: String
  /// The brand, as given; nil where there is none, as for generic foods.
  public let brand: String?
  /// The quantity of the pack, as given.
  public let quantityText: String?
  /// The serving size, as given. What it states is `snapshot.serving`.
  public let servingText: String?
  /// The numbers, what they refer to, and the serving.
  public let snapshot: NutrientSnapshot
  /// Numbers that were given as limits only ("< 0.5"): on the same basis, never in `snapshot`.
  public let upperLimits: NutrientAmounts
  /// Which field each number of `snapshot` and `upperLimits` came from, by nutrient.
  public let fields: [Field]
  /// What the import noticed.
  public let flags: CatalogFlags
  /// How often the source's users look at it, 0 where unknown: for ranking only.
  public let popularity: Int64
  /// The catalog it is from, with the notice to show.
  public let source: CatalogSource

  /// A product with all its parts.
  package init(
    code: ProductCode, revision: Revision, names: ProductNames, genericNames: ProductNames,
    mainLanguage: String, brand: String?, quantityText: String?, servingText: String?,
    snapshot: NutrientSnapshot, upperLimits: NutrientAmounts, fields: [Field],
    flags: CatalogFlags, popularity: Int64, source: CatalogSource
  ) {
    self.code = code
    self.revision = revision
    self.names = names
    self.genericNames = genericNames
    self.mainLanguage = mainLanguage
    self.brand = brand
    self.quantityText = quantityText
    self.servingText = servingText
    self.snapshot = snapshot
    self.upperLimits = upperLimits
    self.fields = fields.sorted { $0.nutrient < $1.nutrient }
    self.flags = flags
    self.popularity = popularity
    self.source = source
  }

  /// The name to show: by the rule of `ProductNames.preferred`, else what kind of food it is, else
  /// the brand, else the code. Never empty.
  public func shownName(_ languages: [String]) -> String {
    names.preferred(languages, main: mainLanguage)?.name
      ?? genericNames.preferred(languages, main: mainLanguage)?.name ?? brand ?? code.canonical
  }

  /// The notice that must be shown with it.
  public var notice: String { source.notice }

  /// How many of energy, fat, carbohydrates and protein are known.
  package var completeness: Int {
    [Nutrient.energy, .fat, .carbohydrates, .protein].count { snapshot.nutrients[$0] != nil }
  }

  /// The hash of everything that is stored of it but its popularity, which changes by itself.
  package var contentHash: Bytes16 {
    var writer = CBORWriter(reserving: 512)
    writer.beginArray(count: 15)
    writer.append(text: code.canonical)
    writer.append(text: code.asked)
    writer.append(integer: revision.modifiedAt)
    writer.append(integer: revision.number)
    names.encode(into: &writer)
    genericNames.encode(into: &writer)
    writer.append(text: mainLanguage)
    for text in [brand, quantityText, servingText] {
      if let text { writer.append(text: text) } else { writer.appendNull() }
    }
    encodeNumbers(into: &writer)
    writer.append(integer: flags.rawValue)
    return BLAKE2b.hash128(writer.bytes)
  }

  /// The last parts of what is hashed: basis, serving, nutrients and limits with their fields.
  private func encodeNumbers(into writer: inout CBORWriter) {
    writer.append(unsigned: UInt64(snapshot.basis.rawValue))
    if let serving = snapshot.serving {
      writer.beginArray(count: 2)
      writer.append(integer: serving.value)
      writer.append(unsigned: UInt64(serving.unit.rawValue))
    } else {
      writer.appendNull()
    }
    writer.beginArray(count: 2)
    snapshot.nutrients.encode(into: &writer)
    upperLimits.encode(into: &writer)
    writer.beginArray(count: fields.count)
    for field in fields {
      writer.beginArray(count: 2)
      writer.append(unsigned: UInt64(field.nutrient.rawValue))
      writer.append(text: field.field)
    }
  }
}
