// Where a catalog comes from and under which terms it may be shown.

/// A published collection of products.
public struct CatalogSource: Hashable, Sendable {
  /// The short name in events, tables and output: `off` for Open Food Facts.
  public let name: String
  /// What must be said wherever its contents are shown or exported.
  public let notice: String
  /// The licence's identifier (SPDX).
  public let licence: String

  /// A source.
  package init(name: String, notice: String, licence: String) {
    self.name = name
    self.notice = notice
    self.licence = licence
  }

  /// Open Food Facts.
  public static let openFoodFacts = CatalogSource(
    name: "off",
    notice: "Contains information from Open Food Facts, made available under the Open Database "
      + "License 1.0",
    licence: "ODbL-1.0")
}
