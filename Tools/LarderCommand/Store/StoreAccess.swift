// Opens what a command works on: the store, the catalog, the zone; and says in a person's words why
// one cannot be had.

import Larder
import LarderCapture
import LarderCatalog

/// What a command works on, opened as it is asked for.
struct StoreAccess: Sendable {
  /// The settings of this run.
  let configuration: Configuration
  /// The world.
  let context: CommandContext
  private let invocation: Invocation

  /// The access of one run.
  init(_ invocation: Invocation, in context: CommandContext) throws(CommandError) {
    self.invocation = invocation
    self.context = context
    configuration = try Configuration.resolve(invocation, in: context)
  }

  /// Where the store is.
  var location: StoreLocation {
    StoreLocation(folder: configuration.store.value, state: configuration.state.value)
  }

  /// Where the catalog is.
  var catalogLocation: CatalogLocation { CatalogLocation(folder: configuration.store.value) }

  /// Whether there is a store.
  var exists: Bool { context.files.exists(location.folder + "/larder.sqlite") }

  /// Whether there is a file for the catalog, usable or not.
  var hasCatalogFile: Bool { context.files.exists(location.folder + "/catalog.sqlite") }

  /// How long to wait for another writer.
  var waitMilliseconds: Int { configuration.waitSeconds.value * 1000 }

  /// The time, as an instant.
  var now: Instant { Instant(clamping: context.now()) }

  /// Opens the history.
  func history() async throws(CommandError) -> MealHistory {
    let line = progress("new tables", "streams")
    return try await storing { () async throws(StoreError) in
      try await MealHistory.open(
        at: location, schema: .standard, waitMilliseconds: waitMilliseconds, platform: platform
      ) {
        line.update(done: Int64($0.done), total: Int64($0.total))
        if $0.done == $0.total { line.finish() }
        return !context.isInterrupted()
      }
    }
  }

  /// The machine, with the time of this run.
  var platform: Platform {
    var platform = Platform.system
    platform.now = context.now
    return platform
  }

  /// Moves what was written into the database, after the answer. That it could not be done now is
  /// no fault: the next command will do it.
  func upkeep(of history: MealHistory) -> @Sendable () async -> Void {
    { try? await history.tidy(isLast: true) }
  }

  /// What was noticed while writing about where the diary is.
  func identityWarnings(_ history: MealHistory) async -> [Warning] {
    await history.identityNotices.map { notice in
      switch notice {
      case .moved(let from):
        let advice = Advice(ExaminationFinding(kind: .moved(from: from), isLogSound: true))
        return Warning(code: advice.code, message: advice.text)
      case .renewed(let reason):
        return Warning(
          code: "renewed",
          message: "\(DeviceCommands.why(reason.rawValue)): this device writes on in a new life; "
            + "`larder doctor` says more")
      case .notKept(let code, _):
        let advice = Advice(ExaminationFinding(kind: .stateUnusable(code), isLogSound: true))
        return Warning(code: advice.code, message: advice.text)
      }
    }
  }

  /// Opens the catalog; nil if none is installed that this build can use.
  func catalog() throws(CommandError) -> Catalog? {
    do throws(CatalogError) {
      return try Catalog.open(catalogLocation)
    } catch {
      switch error.code {
      case .notInstalled, .corrupt, .unsupportedVersion: return nil
      default: throw CommandError(error)
      }
    }
  }

  /// Opens the catalog, or says how to get one.
  func requiredCatalog() throws(CommandError) -> Catalog {
    do throws(CatalogError) {
      return try Catalog.open(catalogLocation)
    } catch {
      guard error.code == .notInstalled else { throw CommandError(error) }
      throw CommandError(
        .notFound, "no catalog is installed",
        hint: "`larder catalog install FILE` installs an Open Food Facts export", exit: .notFound)
    }
  }

  /// The languages in which names are shown, best first.
  var languages: [String] {
    for name in [Environment.Name.localeAll, .localeMessages, .language] {
      guard let value = context.environment[name] else { continue }
      let tag = value.prefix { $0 != "." && $0 != "@" && $0 != "_" }.lowercased()
      return tag.count == 2 || tag.count == 3 ? [tag, "en"] : ["en"]
    }
    return ["en"]
  }

  /// The person's zone.
  func zone() throws(CommandError) -> (name: ZoneName, clock: ZoneClock) {
    let setting = configuration.zone
    guard let name = ZoneName(setting.value), Self.meansTheSameElsewhere(name),
      let clock = ZoneDatabase.system.clock(of: name)
    else {
      let quoted = CommandError.quoted(setting.value)
      let isSystems = setting.origin == .environment(.systemZone)
      throw CommandError.usage(
        .invalidArgument, "\(setting.origin): there is no time zone \(quoted)",
        hint: "zones are named like Europe/Berlin, America/Lima or UTC"
          + (isSystems ? "; LARDER_ZONE names one where TZ must be something else" : ""))
    }
    return (name, clock)
  }

  /// Whether a name is one of the zone database, not of this machine's settings.
  private static func meansTheSameElsewhere(_ name: ZoneName) -> Bool {
    let first = name.rawValue.prefix { $0 != "/" }
    return !["localtime", "posixrules", "Factory", "posix", "right"].contains(first)
  }

  /// Reads arguments against now and, where it matters, the person's zone.
  func arguments() -> ArgumentReader {
    ArgumentReader(
      now: now, clock: Result { () throws(CommandError) in try zone().clock })
  }

  /// Reads arguments as ``arguments()`` does, with days that begin when the diary says.
  func arguments(_ history: MealHistory) async throws(CommandError) -> ArgumentReader {
    var reader = arguments()
    reader.policy = try await storing { () async throws(StoreError) in
      try await history.dayStarts()
    }
    return reader
  }

  /// Runs a step on the store and says in the words of the command line why it failed.
  func storing<Value: Sendable>(
    _ step: () async throws(StoreError) -> Value
  ) async throws(CommandError) -> Value {
    do throws(StoreError) {
      return try await step()
    } catch {
      throw CommandError(error, store: configuration.store)
    }
  }

  /// A progress line for long work on events.
  func progress(_ label: String, _ unit: String) -> ProgressLine {
    ProgressLine(
      label, unit: .things(unit), context: context, isQuiet: invocation.has(.quiet))
  }
}
