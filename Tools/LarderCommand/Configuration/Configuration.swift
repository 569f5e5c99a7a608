// The settings of a device, each with where it comes from: an option, the environment, the
// configuration file, the default, in this order. Nothing here belongs to the diary.

/// A value and where it comes from.
struct Setting<Value: Sendable & Hashable>: Sendable, Hashable {
  /// The value.
  let value: Value
  /// Where it comes from.
  let origin: SettingOrigin
}

/// Where a setting comes from.
enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
  /// An option of this command line.
  case option(OptionName)
  /// An environment variable.
  case environment(Environment.Name)
  /// A line of the configuration file, counted from 1.
  case file(path: String, line: Int)
  /// The machine's own setting.
  case system(String)
  /// Larder's default.
  case byDefault

  /// A few words: `--store`, `LARDER_STORE`, `line 3 of …/config`, `default`.
  var description: String {
    switch self {
    case .option(let name): name.typed
    case .environment(let name): name.rawValue
    case .file(let path, let line): "line \(line) of \(path)"
    case .system(let place): place
    case .byDefault: "default"
    }
  }
}

/// What a run of the command line works with.
struct Configuration: Sendable {
  /// The seconds to wait for the write lock where nothing is set.
  static let waitSecondsDefault = 10

  /// The folder of the store.
  let store: Setting<String>
  /// The folder of what is kept outside the store.
  let state: Setting<String>
  /// How many seconds to wait while another process writes.
  let waitSeconds: Setting<Int>
  /// The name of the zone people mean when they give a time; not yet checked against zone data.
  let zone: Setting<String>
  /// What was odd about the configuration file.
  let warnings: [Warning]
}
