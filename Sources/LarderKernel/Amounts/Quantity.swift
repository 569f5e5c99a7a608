// How much of a food was eaten, in whole numbers.

/// The unit of an item's amount.
public enum QuantityUnit: UInt8, Sendable, CaseIterable {
  /// Milligrams.
  case milligram = 0
  /// Microlitres.
  case microlitre = 1
  /// Thousandths of a serving.
  case milliserving = 2

  /// The name in tables and output: `mg`, `ul`, `mserving`.
  public var name: String {
    switch self {
    case .milligram: "mg"
    case .microlitre: "ul"
    case .milliserving: "mserving"
    }
  }
}

/// An amount of food: 1…10⁹ mg, µl or milliservings.
public struct Quantity: Hashable, Sendable {
  /// How many of the unit, 1…10⁹.
  public let value: Int64
  /// The unit.
  public let unit: QuantityUnit

  /// An amount.
  /// - Throws: `outOfRange` outside 1…10⁹.
  public init(_ value: Int64, _ unit: QuantityUnit) throws(KernelError) {
    guard (1...Limits.amountMaximum).contains(value) else {
      throw KernelError(.outOfRange, operation: "make quantity", subject: "amount")
    }
    self.value = value
    self.unit = unit
  }
}
