// Finding each setting's value and origin.

extension Configuration {
  /// The settings of `invocation` in `context`. Reads the configuration file.
  /// - Throws: usage errors for settings that cannot be meant, naming where they stand.
  static func resolve(
    _ invocation: Invocation, in context: CommandContext
  ) throws(CommandError) -> Configuration {
    if let name = context.environment.invalid {
      throw .usage(
        .invalidConfiguration, "\(name.rawValue) is not UTF-8 text",
        hint: "unset it, or set it to UTF-8 text")
    }
    let folders = StandardFolders(environment: context.environment)
    let file = try ConfigurationFile.load(folders: folders, context: context)
    let finder = Finder(invocation: invocation, environment: context.environment, file: file)
    return Configuration(
      store: try folder(
        finder.find(option: .store, variable: .store, key: .store), folders: folders,
        fallback: folders.data, option: .store),
      state: try folder(
        finder.find(option: .state, variable: .state, key: .state), folders: folders,
        fallback: folders.state, option: .state),
      waitSeconds: try waitSeconds(finder.find(option: .wait, variable: .wait, key: .wait)),
      zone: finder.find(option: .zone, variable: .zone, key: .zone)
        ?? systemZone(context: context),
      warnings: file.warnings)
  }

  /// Looks through the places a setting can stand, in order.
  private struct Finder {
    let invocation: Invocation
    let environment: Environment
    let file: ConfigurationFile

    func find(
      option: OptionName, variable: Environment.Name, key: ConfigurationFile.Key
    ) -> Setting<String>? {
      if let value = invocation.value(option) {
        return Setting(value: value, origin: .option(option))
      }
      if let value = environment[variable] {
        return Setting(value: value, origin: .environment(variable))
      }
      return file[key]
    }
  }

  private static func folder(
    _ setting: Setting<String>?, folders: StandardFolders, fallback: String?, option: OptionName
  ) throws(CommandError) -> Setting<String> {
    if let setting {
      guard !setting.value.isEmpty else {
        throw .usage(
          .invalidArgument, "\(setting.origin.description) names no folder",
          hint: "write \(option.typed) FOLDER")
      }
      if case .file = setting.origin {
        let path = try folders.expanded(setting.value, origin: setting.origin)
        return Setting(value: path, origin: setting.origin)
      }
      return setting
    }
    guard let fallback else {
      throw .usage(
        .invalidConfiguration, "HOME is not set, so there is no default folder",
        hint: "write \(option.typed) FOLDER or set HOME")
    }
    return Setting(value: fallback + "/larder", origin: .byDefault)
  }

  private static func waitSeconds(
    _ setting: Setting<String>?
  ) throws(CommandError) -> Setting<Int> {
    guard let setting else { return Setting(value: waitSecondsDefault, origin: .byDefault) }
    guard let time = WaitTime(setting.value) else {
      throw .usage(
        .invalidConfiguration,
        "\(setting.origin.description) holds \(CommandError.quoted(setting.value))",
        hint: "a time to wait is \(WaitTime.expectation)")
    }
    return Setting(value: time.seconds, origin: setting.origin)
  }

  /// The machine's zone: `TZ`, else the file `/etc/localtime` links to, else UTC.
  private static func systemZone(context: CommandContext) -> Setting<String> {
    if let value = context.environment[.systemZone] {
      let name = value.first == ":" ? String(value.dropFirst()) : value
      return Setting(
        value: zoneName(ofPath: name) ?? fixedZone(name) ?? name, origin: .environment(.systemZone))
    }
    let link = "/etc/localtime"
    if let target = context.files.linkTarget(link), let name = zoneName(ofPath: target) {
      return Setting(value: name, origin: .system(link))
    }
    return Setting(value: "UTC", origin: .byDefault)
  }

  /// The zone that a POSIX `TZ` without summer time stands for, as `<+03>-3` does for `Etc/GMT-3`:
  /// both count hours to the west. Nil for parts of hours, which no zone has, and any other text.
  private static func fixedZone(_ text: String) -> String? {
    let isQuoted = text.first == "<"
    let end =
      isQuoted
      ? text.firstIndex(of: ">").map { text.index(after: $0) }
      : text.firstIndex { !$0.isASCII || !$0.isLetter }
    guard let end, text[..<end].count >= (isQuoted ? 5 : 3) else { return nil }
    let parts = text[end...].split(separator: ":", omittingEmptySubsequences: false)
    guard let hours = Int(parts[0]), (-14...12).contains(hours), parts.count <= 3,
      parts.dropFirst().allSatisfy({ $0 == "00" })
    else { return nil }
    return hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "+" : "")\(hours)"
  }

  /// The name in a path such as `/usr/share/zoneinfo/Europe/Berlin`.
  private static func zoneName(ofPath path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let root = parts.lastIndex(where: { $0 == "zoneinfo" }) else { return nil }
    var names = parts[(root + 1)...]
    if names.first == "posix" || names.first == "right" { names.removeFirst() }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }
}

/// The folders the XDG specification names. A relative path in its variables is ignored, as the
/// specification says.
struct StandardFolders {
  /// `$HOME`, without a slash at its end.
  let home: String?
  /// Where data is kept.
  let data: String?
  /// Where state is kept.
  let state: String?
  /// Where configuration is kept.
  let configuration: String?

  /// The folders of an environment.
  init(environment: Environment) {
    let home = environment[.home].flatMap(Self.absolute)
    self.home = home
    data = environment[.dataHome].flatMap(Self.absolute) ?? home.map { $0 + "/.local/share" }
    state = environment[.stateHome].flatMap(Self.absolute) ?? home.map { $0 + "/.local/state" }
    configuration =
      environment[.configurationHome].flatMap(Self.absolute) ?? home.map { $0 + "/.config" }
  }

  /// A path of the configuration file: absolute, or below the home folder with `~/`.
  func expanded(_ path: String, origin: SettingOrigin) throws(CommandError) -> String {
    if path.hasPrefix("/") { return path }
    if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    throw .usage(
      .invalidConfiguration, "\(origin.description) holds a folder that is not absolute",
      hint: "write it from / or ~/ on")
  }

  private static func absolute(_ path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    var path = path
    while path.count > 1, path.last == "/" { path.removeLast() }
    return path == "/" ? "" : path
  }
}
