// Items and proposals in a fold.

import LarderHash
import LarderKernel

extension FoldVectors {
  static let items: [Scenario] = [
    (
      "removed_for_good", "a removed item never comes back and keeps its place",
      { s in
        try begin(&s)
        try s.add(ItemRemoved(item: Fixed.item(1)))
        try s.add(ItemChanged(item: Fixed.item(1), name: "zombie"), by: FoldStream.tablet)
        try s.add(try added(1, "again"), by: FoldStream.tablet)
        try s.add(try added(2, "Milk"))
      }
    ),
    (
      "removed_before_added", "a removal that comes before its item",
      { s in
        try s.add(ItemRemoved(item: Fixed.item(1)), by: FoldStream.tablet)
        try begin(&s)
        try s.add(try added(2, "Milk"))
      }
    ),
    (
      "first_item", "of two items with one id the first counts",
      { s in
        try begin(&s)
        try s.add(try added(1, "other", energy: 1), by: FoldStream.tablet)
      }
    ),
    (
      "changes_wait", "changes before their item wait for it",
      { s in
        try s.add(
          ItemChanged(
            item: Fixed.item(1), name: "brown rice", quantity: try Quantity(50_000, .milligram)))
        try s.add(
          ItemRevalued(item: Fixed.item(1), snapshot: try Fixed.energy(100_000), origin: .label))
        try s.add(ItemChanged(item: Fixed.item(1), product: .set(Fixed.product), note: .set("n")))
        try begin(&s)
      }
    ),
    (
      "fieldwise", "two devices change different fields, and one field both",
      { s in
        try begin(&s)
        try s.add(
          ItemChanged(item: Fixed.item(1), quantity: try Quantity(100_000, .milligram)))
        try s.add(ItemChanged(item: Fixed.item(1), name: "theirs"), by: FoldStream.tablet)
        try s.add(
          ItemChanged(item: Fixed.item(1), quantity: try Quantity(150_000, .milligram)),
          by: FoldStream.tablet)
        try s.add(MealChanged(note: .set("mine")))
      }
    ),
    (
      "revalued", "a correction of the past leaves the amount and, without one, the product",
      { s in
        try begin(&s)
        try s.add(ItemChanged(item: Fixed.item(1), product: .set(Fixed.product)))
        try s.add(
          ItemRevalued(
            item: Fixed.item(1), snapshot: try Fixed.energy(300_000), origin: .catalog,
            reason: "catalog v2"))
      }
    ),
    (
      "cleared_product", "a product cleared, the numbers staying",
      { s in
        try s.add(MealCaptured(occasion: try Fixed.occasion(), source: .barcode))
        try s.add(
          ItemAdded(
            occasion: try Fixed.occasion(), item: Fixed.item(1), line: try Fixed.fullLine()))
        try s.add(ItemChanged(item: Fixed.item(1), product: .clear))
      }
    ),
    (
      "amount_drops_served", "another amount by hand makes what lay on the plate unknown",
      { s in
        try s.add(
          ItemAdded(
            occasion: try Fixed.occasion(), item: Fixed.item(1), line: try Fixed.fullLine()))
        try s.add(ItemChanged(item: Fixed.item(1), quantity: try Quantity(2000, .milliserving)))
      }
    ),
    ("units", "every pair of basis and unit, and what is unknown", { s in try units(&s) }),
    (
      "unnamed_nutrient", "a nutrient's number without a name is kept and not summed",
      { s in
        var fields = try PayloadFlaw.fields(of: try added(1, "Rice"))
        fields[12] = .fields([0: .unsigned(400_000), 999: .unsigned(5)])
        try s.add(.itemAdded, try CBORValue.fields(fields).encode())
      }
    ),
  ]

  static let proposals: [Scenario] = [
    (
      "proposed", "a proposal changes nothing, even twice",
      { s in
        try begin(&s)
        try s.add(try brownRice())
        try s.add(try brownRice(), by: FoldStream.tablet)
      }
    ),
    (
      "accepted", "an accepted line that names an item changes it; a line there is not is left out",
      { s in
        try begin(&s)
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [0, 63]))
      }
    ),
    (
      "accepted_pinned", "what a person set by hand stays",
      { s in
        try begin(&s)
        try s.add(ItemChanged(item: Fixed.item(1), quantity: try Quantity(180_000, .milligram)))
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [0]))
      }
    ),
    (
      "accepted_pinned_numbers", "the numbers are a person's once any of them is",
      { s in
        try begin(&s)
        try s.add(ItemChanged(item: Fixed.item(1), name: "my rice", origin: .user))
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [0]))
      }
    ),
    (
      "accepted_new", "accepted lines that name no item make the same items everywhere, once",
      { s in
        try begin(&s)
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [1], by: "mum"))
        try s.add(
          ProposalAccepted(analysis: Fixed.analysis, lines: [1, 2], by: "dad"),
          by: FoldStream.tablet)
      }
    ),
    (
      "accepted_unknown", "an acceptance of what was never proposed does nothing",
      { s in
        try begin(&s)
        try s.add(ProposalAccepted(analysis: .pattern(0xee), lines: [0]))
        try s.add(try brownRice())
      }
    ),
    (
      "accepted_waits", "an acceptance before its item waits for it",
      { s in
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [0, 1]))
        try begin(&s)
      }
    ),
    (
      "accepted_no_capture", "a line accepted without a capture takes the first item's time",
      { s in
        try s.add(
          ItemAdded(
            occasion: try Fixed.occasion(hour: 20, .snack), item: Fixed.item(4),
            line: try Fixed.line("Apple")))
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [1]))
      }
    ),
    (
      "accepted_deleted", "accepted after the meal was deleted, shown once it is restored",
      { s in
        try begin(&s)
        try s.add(MealDeleted(items: .delete))
        try s.add(try brownRice())
        try s.add(ProposalAccepted(analysis: Fixed.analysis, lines: [0, 1]))
        try s.add(MealRestored(), by: FoldStream.tablet)
      }
    ),
  ]

  /// A capture with item 1.
  static func begin(_ s: inout FoldStream) throws {
    try s.add(MealCaptured(occasion: try Fixed.occasion(), source: .manual, title: "Lunch"))
    try s.add(try added(1, "Rice"))
  }

  static func added(_ number: UInt64, _ name: String, energy: Int64 = 400_000) throws -> ItemAdded {
    ItemAdded(
      occasion: try Fixed.occasion(), item: Fixed.item(number),
      line: try Fixed.line(name, energy: energy))
  }

  /// A proposal that changes item 1 and adds two more.
  private static func brownRice() throws -> Reanalysed {
    var rice = try Fixed.line("Brown rice", grams: 250, energy: 350_000, origin: .ai)
    rice.confidence = 700
    rice.servedMass = 600_000
    return Fixed.proposal([
      ProposedLine(item: Fixed.item(1), line: rice),
      ProposedLine(item: nil, line: try Fixed.line("Egg", grams: 50, origin: .ai)),
      ProposedLine(item: nil, line: try Fixed.line("Oil", grams: 5, origin: .ai)),
    ])
  }

  private static func units(_ s: inout FoldStream) throws {
    let servings: [Quantity?] = [
      nil, try Quantity(45_000, .milligram), try Quantity(330_000, .microlitre),
    ]
    var number: UInt64 = 0
    for basis in Basis.allCases {
      for serving in servings {
        for unit in QuantityUnit.allCases {
          number += 1
          let snapshot = try NutrientSnapshot(
            basis: basis, serving: serving,
            nutrients: try NutrientAmounts([.energy: 42_121, .fat: 1, .salt: 0]))
          try s.add(
            ItemAdded(
              occasion: try Fixed.occasion(), item: Fixed.item(number),
              line: FoodLine(
                name: "food \(number)", quantity: try Quantity(1500, unit), snapshot: snapshot,
                origin: .label)))
        }
      }
    }
  }
}
