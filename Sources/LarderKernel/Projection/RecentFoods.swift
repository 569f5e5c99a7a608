// Which foods were logged, how often and when last: what a person most likely logs next.

/// `RecentFoods`: the foods of `NutritionLogs`, one row for each product or name.
public enum RecentFoods: Summary {
  /// The table.
  public static let name = "RecentFoods"
  /// The version of the sums.
  public static let version: UInt32 = 1
  /// What it sums up.
  public static let table = "NutritionLogs"
  /// The product, if it is one, and the name.
  public static let keys = ["name", "productCode", "productCatalog"]
  /// How often and when last.
  public static let values: [SummaryValue] = [
    .count(as: "uses"), .largest(of: "consumedAt", as: "lastConsumedAt"),
  ]
}
