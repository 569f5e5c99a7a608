// `larder catalog …`: the installed food catalog.

import Larder
import LarderCatalog
import LarderCatalogImport
import LarderHash
import LarderKernel

/// The verbs of the catalog.
enum CatalogCommands {
  // MARK: install

  /// Installs a file.
  static func install(
    _ invocation: Invocation, _ access: StoreAccess
  ) throws(CommandError) -> Answer {
    guard access.exists else {
      throw CommandError(
        StoreError(.notFound, operation: "open store", subject: access.location.folder),
        store: access.configuration.store)
    }
    let path = invocation.arguments[0]
    let line = ProgressLine(
      "catalog", unit: .bytes, context: access.context, isQuiet: invocation.has(.quiet))
    let outcome: CatalogImportOutcome
    do throws(CatalogError) {
      outcome = try CatalogImporter(access.catalogLocation).install(
        path, installedAt: access.now,
        progress: { line.update(done: $0.readByteCount, total: $0.fileByteCount) },
        isCancelled: { false })
    } catch {
      line.finish()
      throw CommandError(error)
    }
    line.finish()
    switch outcome {
    case .sameFile(let install):
      return answer(install, status: "same_file", isNewer: nil, details: [])
    case .installed(let install, let isNewer):
      let details = invocation.has(.verbose) ? try setAside(access) : []
      return answer(install, status: "installed", isNewer: isNewer, details: details)
    }
  }

  private static func setAside(_ access: StoreAccess) throws(CommandError) -> [SetAsideRecord] {
    let catalog = try access.requiredCatalog()
    var records: [SetAsideRecord] = []
    do throws(CatalogError) {
      while true {
        let page = try catalog.setAside(offset: records.count, limit: 1000)
        if page.isEmpty { return records }
        records += page.map { SetAsideRecord(line: $0.line, reason: $0.reason.rawValue) }
      }
    } catch {
      throw CommandError(error)
    }
  }

  private struct SetAsideRecord {
    let line: Int64
    let reason: String
  }

  private static func answer(
    _ install: CatalogInstall, status: String, isNewer: Bool?, details: [SetAsideRecord]
  ) -> Answer {
    var warnings: [Warning] = []
    if status == "same_file" {
      warnings.append(
        Warning(
          code: "same_file", message: "this file is installed already; nothing was changed"))
    } else if isNewer == false {
      warnings.append(
        Warning(
          code: "not_newer",
          message: "no record of this file is newer than the catalog that was installed before"))
    }
    return Answer(
      warnings: warnings,
      result: {
        let aside = details.map { record -> JSONValue in
          ["line": .integer(record.line), "reason": .string(record.reason)]
        }
        return .object(of: [
          ("status", .string(status)), ("is_newer", isNewer.map(JSONValue.bool)),
          ("catalog", document(install)), ("set_aside", aside.isEmpty ? nil : .array(aside)),
        ])
      },
      lines: { _ in
        lines(install, title: status == "installed" ? "installed" : "already installed")
          + details.map { StyledText("  line \($0.line): \($0.reason)") }
      })
  }

  private static func document(_ install: CatalogInstall) -> JSONValue {
    let aside = install.setAsideCounts.sorted { $0.key.rawValue < $1.key.rawValue }
    let flags = install.flagCounts.sorted { $0.key.rawValue < $1.key.rawValue }
    return .object(of: [
      ("source", .string(install.source.name)), ("file", .string(install.fileName)),
      ("file_blake2b256", .string(install.fileHash.hex)),
      ("file_bytes", .integer(install.fileByteCount)),
      ("installed_at", .string(install.installedAt.rfc3339(utcOffset: .zero))),
      (
        "newest_record",
        install.newestModifiedAt.map { seconds in
          .string(Instant(clamping: seconds * 1000).rfc3339(utcOffset: .zero))
        }
      ),
      ("records", .integer(install.recordCount)), ("products", .integer(install.productCount)),
      ("duplicates", .integer(install.duplicateCount)),
      ("set_aside_records", .integer(install.setAsideCount)),
      ("set_aside_reasons", .object(of: aside.map { ($0.key.rawValue, .integer($0.value)) })),
      ("flagged_products", .integer(install.flaggedCount)),
      ("flags", .object(of: flags.map { ($0.key.name, .integer($0.value)) })),
      ("digest", .string(install.digest.hex)), ("licence", .string(install.source.licence)),
      ("notice", .string(install.source.notice)),
    ])
  }

  private static func lines(_ install: CatalogInstall, title: String) -> [StyledText] {
    var lines = [
      StyledText("\(title): ", .bold) + StyledText(install.fileName),
      StyledText(
        "  \(ProgressLine.grouped(install.recordCount)) records read: "
          + "\(ProgressLine.grouped(install.productCount)) products, "
          + "\(ProgressLine.grouped(install.duplicateCount)) duplicates, "
          + "\(ProgressLine.grouped(install.setAsideCount)) set aside"),
    ]
    for (reason, count) in install.setAsideCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where count > 0 {
      lines.append(StyledText("  set aside, \(reason.rawValue): \(count)"))
    }
    lines.append(
      StyledText("  \(ProgressLine.grouped(install.flaggedCount)) products have a flag:"))
    for (flag, count) in install.flagCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where count > 0 {
      lines.append(StyledText("    \(flag.name) \(ProgressLine.grouped(count))", .dim))
    }
    return lines + [StyledText(install.source.notice, .dim)]
  }

  // MARK: status

  /// Shows what is installed.
  static func status(_ access: StoreAccess) throws(CommandError) -> Answer {
    let install = try access.requiredCatalog().status()
    return Answer(
      result: { document(install) }, lines: { _ in lines(install, title: "catalog") })
  }

  // MARK: search

  /// Finds products by words.
  static func search(
    _ invocation: Invocation, _ access: StoreAccess
  ) throws(CommandError) -> Answer {
    let catalog = try access.requiredCatalog()
    let words = invocation.arguments.joined(separator: " ")
    let limit = invocation.number(.limit) ?? 20
    let matches: [CatalogMatch]
    do throws(CatalogError) {
      matches = try catalog.search(words, languages: access.languages, limit: limit)
    } catch {
      throw CommandError(error)
    }
    guard !matches.isEmpty else {
      throw CommandError(
        .notFound, "the catalog has no food with all of these words",
        hint: "try fewer words, or `larder catalog show CODE` for a barcode", exit: .notFound)
    }
    let notice = catalog.status().source.notice
    return Answer(
      elements: { matches.map(element) },
      result: {
        .object(of: [
          ("foods", .array(matches.map(element))), ("notice", .string(notice)),
        ])
      },
      lines: { width in
        var table = TextTable([
          TextTable.Column("code"), TextTable.Column("name", overflow: .wrap),
          TextTable.Column("brand", overflow: .truncate),
          TextTable.Column("kcal/100", isRightAligned: true),
        ])
        for match in matches {
          let energy =
            match.product.snapshot.basis == .perServing
            ? nil : match.product.snapshot.nutrients[.energy]
          table.append([
            StyledText(match.product.code.canonical), StyledText(match.name),
            StyledText(match.product.brand ?? "", .dim),
            StyledText(energy.map { NutrientFigure(nutrient: .energy).number($0) } ?? "?"),
          ])
        }
        return table.lines(width: width) + [StyledText(notice, .dim)]
      })
  }

  private static func element(_ match: CatalogMatch) -> JSONValue {
    guard case .object(let members) = product(match.product, name: match.name) else { return .null }
    let fit = JSONValue.Member(key: "fit", value: .string(String(describing: match.fit)))
    return .object(members + [fit])
  }

  // MARK: show

  /// Shows a product by its code.
  static func show(
    _ invocation: Invocation, _ access: StoreAccess
  ) throws(CommandError) -> Answer {
    let catalog = try access.requiredCatalog()
    let typed = invocation.arguments[0]
    let code = try ProductLookup.code(typed)
    let product = try ProductLookup.product(code, typed: typed, in: catalog)
    let name = product.shownName(access.languages)
    let warnings = ProductLookup.warnings(product, code: code)
    return Answer(
      warnings: warnings, result: { Self.product(product, name: name) },
      lines: { width in lines(product, name: name, width: width) })
  }

  private static func product(_ product: CatalogProduct, name: String) -> JSONValue {
    let snapshot = product.snapshot
    let names = product.names.elements.map { ($0.language, JSONValue?.some(.string($0.name))) }
    let fields = product.fields.map { field in
      (NutrientFigure(nutrient: field.nutrient).key, JSONValue?.some(.string(field.field)))
    }
    return .object(of: [
      ("code", .string(product.code.canonical)), ("name", .string(name)),
      ("names", .object(of: names)), ("brand", product.brand.map(JSONValue.string)),
      ("main_language", .string(product.mainLanguage)),
      ("pack", product.quantityText.map(JSONValue.string)),
      ("serving", product.servingText.map(JSONValue.string)),
      (
        snapshot.serving.map { "serving_\($0.key)" } ?? "serving_amount",
        snapshot.serving.map { .decimal($0.decimal) }
      ),
      ("basis", .string(snapshot.basis.name)), ("nutrients", .nutrients(snapshot.nutrients)),
      ("upper_limits", product.upperLimits.isEmpty ? nil : .nutrients(product.upperLimits)),
      ("fields", .object(of: fields)),
      ("flags", .array(product.flags.flags.map { .string($0.name) })),
      ("revision", .string(product.revision.text)), ("source", .string(product.source.name)),
      ("notice", .string(product.notice)),
    ])
  }

  private static func lines(
    _ product: CatalogProduct, name: String, width: Int?
  ) -> [StyledText] {
    var lines = [StyledText(name, .bold)]
    for (label, value) in [
      ("brand", product.brand), ("pack", product.quantityText), ("serving", product.servingText),
      ("code", product.code.canonical),
    ] {
      if let value { lines.append(StyledText("  \(label)  ", .dim) + StyledText(value)) }
    }
    lines.append(StyledText("  per \(product.snapshot.basis.name)"))
    var table = TextTable(
      [
        TextTable.Column(""), TextTable.Column("", isRightAligned: true),
        TextTable.Column("", overflow: .truncate),
      ], indent: 4)
    for nutrient in Nutrient.allCases.sorted() {
      guard let amount = product.snapshot.nutrients[nutrient] else { continue }
      let figure = NutrientFigure(nutrient: nutrient)
      let field = product.fields.first { $0.nutrient == nutrient }?.field ?? ""
      table.append([
        StyledText(figure.label), StyledText(figure.text(amount)), StyledText(field, .dim),
      ])
    }
    lines += table.lines(width: width)
    if !product.flags.isEmpty {
      let flags = product.flags.flags.map(\.name).joined(separator: ", ")
      lines.append(StyledText("  flags: \(flags)", .yellow))
    }
    return lines + [StyledText(product.notice, .dim)]
  }
}
