// The columns of a food in tables that hold foods of their own: templates and a person's products.

extension ProjectionTable.Column {
  /// What a food's numbers refer to.
  static let basis: [Self] = [
    .required("basis", .text), .optional("servingAmount", .integer),
    .optional("servingUnit", .text),
  ]

  /// One column a nutrient, in the order of their numbers.
  static let nutrients: [Self] = MealProjection.nutrients.map {
    .optional($0.columnName, .integer)
  }

  /// The product a food is.
  static let product: [Self] = [
    .optional("productCatalog", .text), .optional("productCode", .text),
    .optional("productAskedCode", .text), .optional("productRevision", .integer),
  ]
}

extension ProjectionRows {
  /// The values of `basis`.
  mutating func append(_ snapshot: NutrientSnapshot) {
    append(snapshot.basis.name)
    append(snapshot.serving?.value)
    append(snapshot.serving?.unit.name)
  }

  /// The values of `product`, NULL where there is none.
  mutating func append(_ product: ProductReference?) {
    append(product?.catalog)
    append(product?.code)
    append(product?.askedCode)
    append(product?.revision)
  }

  /// One value for each nutrient column, NULL where unknown. Both lists ascend by number.
  mutating func append(_ amounts: [NutrientAmounts.Element]) {
    var next = 0
    for nutrient in MealProjection.nutrients {
      while next < amounts.count, amounts[next].number < nutrient.rawValue { next += 1 }
      if next < amounts.count, amounts[next].number == nutrient.rawValue {
        append(amounts[next].amount)
        next += 1
      } else {
        appendNull()
      }
    }
  }
}
