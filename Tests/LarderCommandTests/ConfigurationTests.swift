import Testing

@testable import LarderCommand

@Suite struct ConfigurationTests {
  private func resolve(
    _ options: [OptionName: [String]] = [:], environment: [Environment.Name: String] = [:],
    files: [String: String] = [:]
  ) throws(CommandError) -> Configuration {
    var environment = environment
    if environment[.home] == nil { environment[.home] = "/home/ada" }
    let world = TestWorld(environment: environment, files: files)
    return try Configuration.resolve(
      Invocation(verb: .log, arguments: [], options: options), in: world.context)
  }

  private func error(
    environment: [Environment.Name: String] = [:], files: [String: String] = [:]
  ) -> CommandError? {
    do throws(CommandError) {
      _ = try resolve(environment: environment, files: files)
      return nil
    } catch {
      return error
    }
  }

  private let path = "/home/ada/.config/larder/config"

  @Test("nothing set: the XDG defaults")
  func defaults() throws {
    let configuration = try resolve()
    #expect(
      configuration.store == Setting(value: "/home/ada/.local/share/larder", origin: .byDefault))
    #expect(
      configuration.state == Setting(value: "/home/ada/.local/state/larder", origin: .byDefault))
    #expect(configuration.waitSeconds == Setting(value: 10, origin: .byDefault))
    #expect(configuration.zone == Setting(value: "UTC", origin: .byDefault))
    #expect(configuration.warnings.isEmpty)
    let moved = try resolve(environment: [.dataHome: "/data/", .stateHome: "relative"])
    #expect(moved.store.value == "/data/larder")
    #expect(moved.state.value == "/home/ada/.local/state/larder")
  }

  @Test("option beats environment beats file beats default, and each says so")
  func order() throws {
    let file = [path: "store = /from/file\nwait = 2min # comments have lines of their own\n"]
    #expect(error(files: file)?.message.contains("line 2") == true)
    let files = [path: "# mine\nstore = ~/from/file\nwait = 2min\nzone=Europe/Berlin\n"]
    let fromFile = try resolve(files: files)
    #expect(fromFile.store.value == "/home/ada/from/file")
    #expect(fromFile.store.origin.description == "line 2 of \(path)")
    #expect(fromFile.waitSeconds.value == 120)
    #expect(fromFile.zone.value == "Europe/Berlin")
    let environment: [Environment.Name: String] = [.store: "env", .wait: "3", .zone: "Asia/Tokyo"]
    let fromEnvironment = try resolve(environment: environment, files: files)
    #expect(fromEnvironment.store == Setting(value: "env", origin: .environment(.store)))
    #expect(fromEnvironment.waitSeconds == Setting(value: 3, origin: .environment(.wait)))
    #expect(fromEnvironment.zone.origin.description == "LARDER_ZONE")
    let options: [OptionName: [String]] = [.store: ["opt"], .wait: ["4s"], .zone: ["UTC"]]
    let fromOptions = try resolve(options, environment: environment, files: files)
    #expect(fromOptions.store == Setting(value: "opt", origin: .option(.store)))
    #expect(fromOptions.waitSeconds == Setting(value: 4, origin: .option(.wait)))
    #expect(fromOptions.zone.origin.description == "--zone")
  }

  @Test("a variable that is not text is refused by its name")
  func invalidVariable() {
    let environment = Environment([.home: "/home/ada"], invalid: .store)
    let invocation = Invocation(verb: .log, arguments: [], options: [:])
    #expect(throws: CommandError.self) {
      _ = try Configuration.resolve(invocation, in: TestWorld(environment).context)
    }
  }

  @Test("an empty variable is no variable, an empty option is an error")
  func empty() throws {
    #expect(try resolve(environment: [.store: ""]).store.origin == .byDefault)
    #expect(throws: CommandError.self) { _ = try resolve([.store: [""]]) }
  }

  @Test("the machine's zone: TZ, else where /etc/localtime points")
  func systemZone() throws {
    let link = ["/etc/localtime": "/usr/share/zoneinfo/Europe/Athens"]
    #expect(try resolve(files: link).zone.value == "Europe/Athens")
    #expect(try resolve(files: link).zone.origin.description == "/etc/localtime")
    #expect(
      try resolve(environment: [.systemZone: "Asia/Tokyo"], files: link).zone.value == "Asia/Tokyo")
    #expect(try resolve(environment: [.systemZone: ":America/Lima"]).zone.value == "America/Lima")
    #expect(
      try resolve(environment: [.systemZone: ":/usr/share/zoneinfo/posix/America/Lima"]).zone.value
        == "America/Lima")
    for (text, zone) in [
      ("<+03>-3", "Etc/GMT-3"), ("<-0500>+05:00", "Etc/GMT+5"), ("EST5", "Etc/GMT+5"),
      ("UTC0", "UTC"), ("XYZ-14", "Etc/GMT-14"), ("CET-1CEST", "CET-1CEST"),
      ("<+0530>-5:30", "<+0530>-5:30"), ("XYZ-15", "XYZ-15"), ("EST5EDT", "EST5EDT"),
      ("Etc/GMT+3", "Etc/GMT+3"), ("<+03", "<+03"), ("AB3", "AB3"), ("3", "3"),
    ] {
      #expect(try resolve(environment: [.systemZone: text]).zone.value == zone)
    }
    #expect(try resolve(files: ["/etc/localtime": "/somewhere/else"]).zone.value == "UTC")
  }

  @Test("a file that cannot be meant is refused with its line")
  func badFiles() {
    let cases = [
      ("store /x\n", "line 1"), ("\n\nstore =\n", "line 3"), ("store=/a\nstore=/b", "second time"),
      ("stroe = /x", "\"stroe\""), ("store = relative/x", "not absolute"), ("wait = soon", "soon"),
    ]
    for (text, part) in cases {
      let error = error(files: [path: text])
      #expect(error?.exit == .usage, "\(text)")
      #expect(error?.message.contains(part) == true, "\(text): \(error?.message ?? "")")
    }
    #expect(error(files: [path: "stroe = /x"])?.hint == "did you mean store?")
    #expect(error(environment: [.configuration: "/none"])?.message.contains("/none") == true)
    let long = String(repeating: "#", count: 70_000)
    #expect(error(files: [path: long])?.message.contains("larger") == true)
  }

  @Test("a key of a newer version is a warning; BOM, CRLF and spaces do no harm")
  func tolerance() throws {
    let text = "\u{FEFF}  store  =  /a b/c = d \r\n\r\nfuture_setting = 1\r\n"
    let configuration = try resolve(files: [path: text])
    #expect(configuration.store.value == "/a b/c = d")
    #expect(configuration.warnings.map(\.code) == ["unknown_setting"])
    #expect(throws: CommandError.self) {
      _ = try ConfigurationFile(bytes: [0x73, 0xFF], path: "x")
    }
  }

  @Test("LARDER_CONFIG names the file; without HOME a folder must be named")
  func places() throws {
    let named = try resolve(
      environment: [.configuration: "/etc/larder"], files: ["/etc/larder": "store = /x"])
    #expect(named.store.value == "/x")
    let world = TestWorld(environment: [:])
    let nothing = Invocation(verb: .diary, arguments: [], options: [:])
    #expect(throws: CommandError.self) { _ = try Configuration.resolve(nothing, in: world.context) }
    let both = Invocation(
      verb: .diary, arguments: [], options: [.store: ["/a"], .state: ["/b"]])
    #expect(try Configuration.resolve(both, in: world.context).store.value == "/a")
  }
}
