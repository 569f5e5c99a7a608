// `larder init`: makes a store.

import Larder

/// Makes a store.
enum InitCommand {
  /// Makes a store where the settings say.
  static func run(_ access: StoreAccess) async throws(CommandError) -> Answer {
    let name = Platform.hostName()
    let history = try await access.storing { () async throws(StoreError) in
      try await MealHistory.create(
        at: access.location, deviceName: name, schema: .standard,
        waitMilliseconds: access.waitMilliseconds, platform: access.platform)
    }
    let device = try await access.storing { () async throws(StoreError) in
      try await history.device()
    }
    let store = access.configuration.store
    return Answer(
      result: {
        .object(of: [
          ("store", .string(store.value)), ("store_origin", .string(store.origin.description)),
          ("device", .string(device.name)), ("author", .string(device.author.hex)),
        ])
      },
      lines: { _ in
        [
          StyledText("A new diary is in ") + StyledText(store.value, .bold),
          StyledText("Its key is in the same folder: keep the folder to yourself."),
          StyledText("next: larder catalog install FILE, or larder log WORDS --unknown", .dim),
        ]
      })
  }
}
