// The environment variables the command line reads, and no others.

/// The environment, as far as it is read.
struct Environment: Hashable, Sendable {
  /// A variable that is read.
  enum Name: String, CaseIterable, Sendable {
    case store = "LARDER_STORE"
    case state = "LARDER_STATE"
    case configuration = "LARDER_CONFIG"
    case wait = "LARDER_WAIT"
    case zone = "LARDER_ZONE"
    case noColor = "NO_COLOR"
    case term = "TERM"
    case columns = "COLUMNS"
    case home = "HOME"
    case dataHome = "XDG_DATA_HOME"
    case stateHome = "XDG_STATE_HOME"
    case configurationHome = "XDG_CONFIG_HOME"
    case systemZone = "TZ"
    case localeAll = "LC_ALL"
    case localeMessages = "LC_MESSAGES"
    case language = "LANG"
  }

  private let values: [Name: String]
  /// A variable that is set to something that is not UTF-8, nil where there is none.
  let invalid: Name?

  /// An environment of these values.
  init(_ values: [Name: String] = [:], invalid: Name? = nil) {
    self.values = values
    self.invalid = invalid
  }

  /// The value of `name`. An empty one counts as absent.
  subscript(name: Name) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
