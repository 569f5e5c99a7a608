// Amounts of nutrients by number. Unknown is absent, never 0. Numbers this build has no name for
// are kept, so that a newer writer's snapshot survives an older reader.

/// Amounts of nutrients, each in its own unit, ordered by number.
public struct NutrientAmounts: Hashable, Sendable {
  /// One nutrient's amount.
  public struct Element: Hashable, Sendable {
    /// The nutrient's number, 0…1023.
    public let number: UInt16
    /// The amount in the nutrient's unit, 0…10¹².
    public let amount: Int64

    /// An amount of the nutrient with that number.
    public init(number: UInt16, amount: Int64) {
      self.number = number
      self.amount = amount
    }
  }

  /// The elements, numbers strictly ascending.
  public private(set) var elements: [Element]

  /// Nothing known.
  public init() {
    elements = []
  }

  /// The amounts of a dictionary.
  /// - Throws: `outOfRange` for an amount outside 0…10¹².
  public init(_ amounts: [Nutrient: Int64]) throws(KernelError) {
    self.init()
    for (nutrient, amount) in amounts.sorted(by: { $0.key < $1.key }) {
      try set(nutrient, to: amount)
    }
  }

  /// Whether nothing is known.
  public var isEmpty: Bool { elements.isEmpty }

  /// The amount of `nutrient`, nil where unknown.
  public subscript(nutrient: Nutrient) -> Int64? {
    for element in elements where element.number == nutrient.rawValue { return element.amount }
    return nil
  }

  /// Sets or, with nil, forgets one amount.
  /// - Throws: `outOfRange` for an amount outside 0…10¹².
  public mutating func set(_ nutrient: Nutrient, to amount: Int64?) throws(KernelError) {
    if let amount, !(0...Limits.nutrientAmountMaximum).contains(amount) {
      throw KernelError(.outOfRange, operation: "set nutrient", subject: nutrient.name)
    }
    let place = elements.firstIndex { $0.number >= nutrient.rawValue } ?? elements.endIndex
    let isThere = place < elements.endIndex && elements[place].number == nutrient.rawValue
    if isThere { elements.remove(at: place) }
    if let amount {
      elements.insert(Element(number: nutrient.rawValue, amount: amount), at: place)
    }
  }

  package func encode(into writer: inout CBORWriter) {
    Self.encode(elements, into: &writer)
  }

  /// Appends `elements`, whose numbers ascend, as a map from number to amount.
  static func encode(_ elements: [Element], into writer: inout CBORWriter) {
    writer.append(numbers: elements) { ($0.number, UInt64($0.amount)) }
  }

  init(from reader: inout PayloadReader, in bytes: Span<UInt8>) throws(KernelError) {
    elements = try reader.numbers(
      countUpTo: Limits.nutrientCountMaximum, keysUpTo: Limits.nutrientNumberMaximum,
      valuesUpTo: UInt64(Limits.nutrientAmountMaximum), in: bytes
    ) { Element(number: UInt16($0), amount: Int64($1)) }
  }
}
