// From what was typed to the foods that are recorded: by words, by code, by hand, or once more.

import Larder
import LarderCapture
import LarderCatalog

/// Finds the foods of one command line.
struct FoodFinder {
  let command: LogCommand
  let numbers: TypedNumbers?
  let isUnknownAllowed: Bool
  let pick: Int?

  private var access: StoreAccess { command.access }

  /// Finds one food and adds its items to `found`.
  func find(
    _ food: TypedFood, typed: String, into found: inout FoundMeal
  ) async throws(CommandError) {
    switch food.what {
    case .words(let words):
      try addWords(words, amount: food.amount, typed: typed, to: &found)
    case .code(let digits):
      found.hasBarcode = true
      try addCode(digits, amount: food.amount, typed: typed, to: &found)
    case .item(let reference), .meal(let reference):
      let isMeal = if case .meal = food.what { true } else { false }
      try await addCopy(
        of: reference, wholeMeal: isMeal, amount: food.amount, typed: typed, to: &found)
    case .template(let name):
      throw CommandError(
        .notFound, "there is no template \(CommandError.quoted(name))",
        hint: "log its foods, or copy a meal with meal:REF", exit: .notFound)
    }
  }

  // MARK: Words

  private func addWords(
    _ words: String, amount: Quantity?, typed: String, to found: inout FoundMeal
  ) throws(CommandError) {
    guard !words.contains("=") else {
      throw CommandError.usage(
        .invalidArgument, "WHAT \(CommandError.quoted(typed)): what follows = is not an amount",
        hint: "an amount is a number and a unit, as in 'porridge oats=60g'")
    }
    if let numbers {
      let quantity = try Self.orOneServing(amount)
      let line = FoodLine(
        name: words, quantity: quantity, snapshot: try snapshot(numbers, for: quantity),
        origin: .user)
      return add(line, asked: typed, found: words, how: "your numbers", to: &found)
    }
    guard let catalog = try access.catalog() else {
      guard isUnknownAllowed else {
        if access.hasCatalogFile { _ = try access.requiredCatalog() }
        throw CommandError(
          .notFound,
          "no catalog is installed, so \(CommandError.quoted(words)) cannot be looked up",
          hint: "`larder catalog install FILE`, or --numbers LIST, or --unknown", exit: .notFound)
      }
      return try addUnknown(words, amount: amount, typed: typed, to: &found)
    }
    let outcome = try match(words, in: catalog)
    if case .one = outcome {} else { try checkStrayAmount(words, typed: typed, in: catalog) }
    switch outcome {
    case .one(let candidate) where isUnknownAllowed && pick == nil && candidate.quality < .exact:
      // What is not known is not guessed.
      try addUnknown(words, amount: amount, typed: typed, to: &found)
    case .one(let candidate):
      let candidate = pick == nil ? candidate : try choose([candidate], words: words)
      try checkStrayNumbers(words, typed: typed, candidate)
      try add(
        candidate.product, name: candidate.name, amount: amount, code: nil, typed: typed,
        how: "\(candidate.quality.rawValue) match", to: &found)
    case .several(let candidates):
      if isUnknownAllowed, pick == nil {
        return try addUnknown(words, amount: amount, typed: typed, to: &found)
      }
      let chosen = try choose(candidates, words: words)
      try add(
        chosen.product, name: chosen.name, amount: amount, code: nil, typed: typed, how: "chosen",
        to: &found)
    case .none:
      guard isUnknownAllowed else {
        throw CommandError(
          .notFound, "the catalog has no food like \(CommandError.quoted(words))",
          hint: Self.hint(forUnfound: words), exit: .notFound)
      }
      try addUnknown(words, amount: amount, typed: typed, to: &found)
    }
  }

  /// What was probably meant by words that are no food.
  private static func hint(forUnfound words: String) -> String {
    if (try? ProductCode(words)) != nil { return "a code is written code:\(words)" }
    if (try? TypedAmount.read(words)) != nil {
      return "an amount stands behind its food, as in \(shellQuoted("porridge oats=\(words)"))"
    }
    return "other words, --numbers energy=420kcal, or --unknown"
  }

  /// What the matcher says, with what a search finds among the choices: nobody should have to know
  /// which of the two finds a food.
  private func match(
    _ words: String, in catalog: borrowing Catalog
  ) throws(CommandError) -> FoodMatcher.Outcome {
    let languages = access.languages
    do throws(CatalogError) {
      var candidates: [FoodMatcher.Candidate] = []
      switch try FoodMatcher(languages: languages).match(words, in: catalog) {
      case .one(let candidate): return .one(candidate)
      case .several(let found): candidates = found
      case .none: break
      }
      let limit = FoodMatcher.candidateCountMaximum
      for match in try catalog.search(words, languages: languages, limit: limit)
      where candidates.count < limit
        && !candidates.contains(where: { $0.product.code == match.product.code })
      {
        candidates.append(
          FoodMatcher.Candidate(product: match.product, name: match.name, similarity: 0))
      }
      return candidates.isEmpty ? .none : .several(candidates)
    } catch {
      throw CommandError(error)
    }
  }

  /// Refuses words that would be one food without an amount among them.
  private func checkStrayAmount(
    _ words: String, typed: String, in catalog: borrowing Catalog
  ) throws(CommandError) {
    let all = words.split(whereSeparator: \.isWhitespace).map(String.init)
    let names = all.filter { (try? TypedAmount.read($0)) == nil }
    guard !names.isEmpty, names.count < all.count,
      case .one(let candidate) = try match(names.joined(separator: " "), in: catalog)
    else { return }
    try checkStrayNumbers(words, typed: typed, candidate)
  }

  /// Refuses words with a number that is no part of the food's name: it was meant as an amount.
  private func checkStrayNumbers(
    _ words: String, typed: String, _ candidate: FoodMatcher.Candidate
  ) throws(CommandError) {
    let names = candidate.product.names.elements.map { $0.name.lowercased() }
    for word in words.lowercased().split(whereSeparator: \.isWhitespace) {
      let hasNumber = word.unicodeScalars.contains { $0.properties.numericType != nil }
      guard hasNumber, !names.contains(where: { $0.contains(word) }) else { continue }
      throw CommandError.usage(
        .invalidArgument,
        "WHAT \(CommandError.quoted(typed)): \(CommandError.quoted(String(word))) is no part of "
          + "the name \(CommandError.quoted(candidate.name))",
        hint: "write the amount behind =, as in \(Self.shellQuoted(candidate.name + "=60g"))")
    }
  }

  private func choose(
    _ candidates: [FoodMatcher.Candidate], words: String
  ) throws(CommandError) -> FoodMatcher.Candidate {
    if let pick {
      guard candidates.indices.contains(pick - 1) else {
        throw CommandError.usage(
          .invalidArgument,
          "--pick \(pick): "
            + (candidates.count == 1
              ? "there is one food to choose"
              : "there are \(candidates.count) foods to choose from"),
          hint: "without --pick they are listed")
      }
      return candidates[pick - 1]
    }
    let labels = candidates.map { candidate in
      candidate.name + (candidate.product.brand.map { ", \($0)" } ?? "")
    }
    let prompt = ChoicePrompt(
      question: StyledText("Which \(CommandError.quoted(words))?"),
      choices: labels.map { StyledText($0) })
    if case .index(let index) = prompt.ask(command.invocation, in: access.context) {
      return candidates[index]
    }
    throw CommandError(
      .ambiguous, "\(CommandError.quoted(words)) names no single food of the catalog",
      hint: "repeat it with --pick N or with code:DIGITS", exit: .notFound,
      candidates: zip(labels, candidates).map { label, candidate in
        CommandError.Candidate(label: label, argument: "code:\(candidate.product.code.canonical)")
      })
  }

  // MARK: Codes

  private func addCode(
    _ digits: String, amount: Quantity?, typed: String, to found: inout FoundMeal
  ) throws(CommandError) {
    let code = try ProductLookup.code(digits)
    if let numbers {
      let quantity = try Self.orOneServing(amount)
      let line = FoodLine(
        name: code.canonical, quantity: quantity, snapshot: try snapshot(numbers, for: quantity),
        product: reference(code), origin: .user)
      return add(line, asked: typed, found: code.canonical, how: "your numbers", to: &found)
    }
    if isUnknownAllowed, try isMissing(code) {
      let line = FoodLine(
        name: code.canonical, quantity: try Self.orOneServing(amount),
        snapshot: try Self.noNumbers(), product: reference(code), origin: .user)
      return add(line, asked: typed, found: code.canonical, how: "numbers unknown", to: &found)
    }
    let catalog = try access.requiredCatalog()
    let product = try ProductLookup.product(code, typed: digits, in: catalog)
    try add(
      product, name: product.shownName(access.languages), amount: amount, code: code, typed: typed,
      how: "by code", to: &found)
  }

  private func isMissing(_ code: ProductCode) throws(CommandError) -> Bool {
    guard let catalog = try access.catalog() else { return true }
    do throws(CatalogError) {
      return try catalog.product(code: code) == nil
    } catch {
      throw CommandError(error)
    }
  }

  private func reference(_ code: ProductCode) -> ProductReference {
    ProductReference(
      catalog: "own", code: code.canonical,
      askedCode: code.asked == code.canonical ? nil : code.asked)
  }

  // MARK: Once more

  private func addCopy(
    of reference: TypedReference, wholeMeal: Bool, amount: Quantity?, typed: String,
    to found: inout FoundMeal
  ) async throws(CommandError) {
    let resolver = ReferenceResolver(
      history: command.history, access: access, arguments: command.arguments)
    let target = try await resolver.resolve(reference, typed: typed)
    let rows = try await access.storing { () async throws(StoreError) in
      try await command.history.rows(of: target.stream)
    }
    var logs = rows.logs
    if !wholeMeal {
      if let item = target.item { logs = logs.filter { $0.item == item } }
      guard logs.count == 1 || target.item != nil else {
        throw CommandError(
          .ambiguous, "\(CommandError.quoted(typed)) is a meal of \(logs.count) items",
          hint: "use meal:REF for all of them, or the reference of one item", exit: .notFound)
      }
    }
    guard !logs.isEmpty else {
      throw CommandError(
        .notFound, "\(CommandError.quoted(typed)) has nothing that could be copied",
        hint: "it may have been deleted; `larder meal list` shows what is there", exit: .notFound)
    }
    for log in logs {
      var line = log.line
      if let amount { line.quantity = amount }
      try checkNumbers(line, typed: typed)
      found.items.append(
        Capture.Item(
          line: line, note: log.note,
          copiedFrom: ItemAdded.ItemCopy(stream: log.stream, item: log.item)))
    }
    if wholeMeal { found.copiedFrom = target.stream }
    found.answers.append(
      FoundMeal.Answered(
        asked: typed, found: "\(logs.count) items of \(ReferenceResolver.shown(target.stream))",
        how: "copied, numbers as they were"))
  }

  // MARK: Lines

  private func add(
    _ product: CatalogProduct, name: String, amount: Quantity?, code: ProductCode?, typed: String,
    how: String, to found: inout FoundMeal
  ) throws(CommandError) {
    let snapshot = product.snapshot
    let hasServing = snapshot.serving != nil || snapshot.basis == .perServing
    guard amount != nil || hasServing else {
      throw CommandError.usage(
        .amountMissing, "how much of \(CommandError.quoted(typed))? It has no serving size",
        hint: "add the amount: \(Self.shellQuoted(typed + "=40g"))")
    }
    let quantity = try Self.orOneServing(amount)
    let asked = code.flatMap { $0.asked == $0.canonical ? nil : $0.asked }
    let line = FoodLine(
      name: name, quantity: quantity, snapshot: snapshot,
      product: ProductReference(
        catalog: product.source.name, code: product.code.canonical, askedCode: asked,
        revision: product.revision.modifiedAt == 0 ? nil : product.revision.modifiedAt),
      origin: .catalog)
    try checkNumbers(line, typed: typed)
    found.warnings += ProductLookup.warnings(product, code: code)
    let servings = amount == nil ? ", one serving" : ""
    add(
      line, asked: typed, found: "\(name), \(product.code.canonical)", how: how + servings,
      to: &found)
  }

  /// Refuses an amount that the numbers say nothing about, unless that was allowed: mass against
  /// volume, or servings of a size nobody knows.
  private func checkNumbers(_ line: FoodLine, typed: String) throws(CommandError) {
    guard !line.snapshot.nutrients.isEmpty, line.snapshot.eaten(line.quantity).isEmpty,
      !isUnknownAllowed
    else { return }
    let basis = line.snapshot.basis
    let unit =
      switch basis {
      case .per100Grams: "grams"
      case .per100Millilitres: "millilitres"
      case .perServing: "servings"
      }
    throw CommandError.usage(
      .numbersUnknown,
      "\(CommandError.quoted(typed)): the numbers are per \(basis.name), and nothing says how much "
        + "of that \(line.quantity.text) is",
      hint: "give the amount in \(unit), or --unknown to record it without numbers")
  }

  private func add(
    _ line: FoodLine, asked: String, found name: String, how: String, to found: inout FoundMeal
  ) {
    found.items.append(Capture.Item(line: line))
    found.answers.append(FoundMeal.Answered(asked: asked, found: name, how: how))
  }

  private func addUnknown(
    _ words: String, amount: Quantity?, typed: String, to found: inout FoundMeal
  ) throws(CommandError) {
    let line = FoodLine(
      name: words, quantity: try Self.orOneServing(amount), snapshot: try Self.noNumbers(),
      origin: .user)
    add(line, asked: typed, found: words, how: "numbers unknown", to: &found)
  }

  private func snapshot(
    _ numbers: TypedNumbers, for quantity: Quantity
  ) throws(CommandError) -> NutrientSnapshot {
    do throws(CaptureError) {
      return try numbers.snapshot(for: quantity)
    } catch {
      throw CommandError(
        error, argument: command.invocation.value(.numbers) ?? "", place: OptionName.numbers.typed)
    }
  }

  /// The amount, or one serving where none was given.
  private static func orOneServing(_ amount: Quantity?) throws(CommandError) -> Quantity {
    if let amount { return amount }
    return try kernel { () throws(KernelError) in try Quantity(1000, .milliserving) }
  }

  private static func noNumbers() throws(CommandError) -> NutrientSnapshot {
    try kernel { () throws(KernelError) in
      try NutrientSnapshot(basis: .perServing, serving: nil, nutrients: NutrientAmounts())
    }
  }

  private static func kernel<Value>(
    _ make: () throws(KernelError) -> Value
  ) throws(CommandError) -> Value {
    do throws(KernelError) {
      return try make()
    } catch {
      throw CommandError(.storeFailed, "\(error)", hint: nil, exit: .failed)
    }
  }

  private static func shellQuoted(_ text: String) -> String {
    text.contains(" ") ? "'\(text)'" : text
  }
}
