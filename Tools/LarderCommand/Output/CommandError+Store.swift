// What a person reads when the store or the catalog could not do what was asked.

import Larder
import LarderCatalog
import LarderFiles

extension FileError {
  /// What a person reads behind "it": `is a folder`.
  var reason: String {
    switch code {
    case .notFound: "does not exist"
    case .isFolder: "is a folder, not a file"
    case .notRegular: "is a pipe, a socket or a device, not a file"
    case .denied: "may not be read: the permission is missing"
    case .limitExceeded: "is too large"
    default: "failed to be read: \(systemText)"
    }
  }
}

extension CommandError {
  /// The error of the store, for the store a setting names.
  init(_ error: StoreError, store: Setting<String>) {
    let place = Self.quotedPath(store.value)
    if let unsound = Self.unsound(error, place: place) {
      self = unsound
      return
    }
    switch error.code {
    case .notFound where error.operation == "open store":
      self.init(
        .noStore, "there is no store in \(place) (\(store.origin))",
        hint: "`larder init` makes one there", exit: .notFound)
    case .notFound where error.operation == "mkdir":
      self.init(
        .denied, "the folder for \(place) cannot be made here",
        hint: "name another place with --store or LARDER_STORE", exit: .failed)
    case .exists:
      self.init(
        .alreadyExists, "there is a store in \(place) already; it was not changed",
        hint: "`larder --store PATH init` makes another elsewhere", exit: .failed)
    case .busy:
      self.init(
        .busy, "another writer has the store: \(error.subject)",
        hint: "try again, or wait longer with --wait SECONDS", exit: .busy)
    case .full:
      self.init(
        .full, "there is no space left for \(place); the diary is as it was",
        hint: "free some space and try again", exit: .failed)
    case .denied:
      self.init(
        .denied, "the permission to use \(place) is missing",
        hint: "look at the owner and mode of the folder", exit: .failed)
    case .interrupted:
      self.init(
        .interrupted, "stopped: \(error.operation), \(error.subject)",
        hint: error.operation == "verify"
          ? "`larder verify --continue` goes on where it stopped"
          : "the same command goes on where it stopped", exit: .interrupted)
    case .notFound:
      self.init(
        .notFound, "not found: \(error.operation)", hint: "`larder meal list` shows what there is",
        exit: .notFound)
    case .invalidEvent, .limitExceeded:
      self.init(
        .invalidArgument, "this cannot be recorded: \(error)",
        hint: "`larder help log` lists what fits", exit: .usage)
    default:
      self.init(
        .storeFailed, "the store in \(place) failed: \(error)",
        hint: "`larder verify` checks it", exit: .failed)
    }
  }

  /// The error of a store that is damaged, of another version or without its key; nil for others.
  private static func unsound(_ error: StoreError, place: String) -> CommandError? {
    switch error.code {
    case .keyMissing:
      return CommandError(
        .keyMissing,
        "the key of this diary, device.key in \(place), cannot be used: \(error.subject)",
        hint: "put the folder's own device.key back; reading works without it", exit: .notEntitled)
    case .obstructed:
      return CommandError(
        .obstructed, "\(quotedPath(error.subject)) is in the way",
        hint: "look at what it is; nothing was changed", exit: .failed)
    case .unexpected:
      return RebuildCommand.unexpected(error.subject.replacing("digest ", with: ""))
    case .corrupt where error.operation == "rebuild":
      return CommandError(
        .damaged, "the events are not what was written: \(error.subject)",
        hint: "nothing was rebuilt: the tables may be the last good copy. Restore from a backup",
        exit: .integrity)
    case .corrupt:
      return CommandError(
        .damaged, "the store in \(place) is damaged: \(error.operation), \(error.subject)",
        hint: "`larder verify` says what is wrong; copy the folder before you mend it",
        exit: .integrity)
    case .unsupportedVersion where error.subject.hasPrefix("projection "):
      return CommandError(
        .newerFormat, "a newer Larder has made the tables in \(place): \(error.subject)",
        hint: "reading works; update Larder on this device to write", exit: .notEntitled)
    case .unsupportedVersion:
      return CommandError(
        .newerFormat, "\(place) is not a store this version of Larder can use",
        hint: "a newer Larder may have written it; update, or name another store",
        exit: .notEntitled)
    case .closedStream:
      return CommandError(
        .newerFormat, "this meal was changed by a newer Larder in a way this one must not touch",
        hint: "update Larder on this device", exit: .notEntitled)
    default: return nil
    }
  }

  /// The error of the catalog.
  init(_ error: CatalogError) {
    let reason = (error.underlying as? FileError)?.reason
    let detail = error.underlying.map { ": \(reason.map { "it \($0)" } ?? "\($0)")" } ?? ""
    switch error.code {
    case .notFound:
      self.init(
        .notFound, "there is no file \(Self.quotedPath(error.subject))",
        hint: "give the path of an Open Food Facts export", exit: .notFound)
    case .busy:
      self.init(
        .busy, "another install of a catalog is under way", hint: "try again when it is done",
        exit: .busy)
    case .full:
      self.init(
        .full, "there is no space left; what was installed before is as it was",
        hint: "free some space and try again", exit: .failed)
    case .noProducts:
      self.init(
        .invalidArgument,
        "\(Self.quotedPath(error.subject)) has no product; what was installed before is as it was",
        hint: "an Open Food Facts export has one JSON record a line", exit: .failed)
    case .notRegular:
      self.init(
        .invalidArgument,
        "\(Self.quotedPath(error.subject)) \(reason ?? "is not a file"); nothing was installed",
        hint: "give the path of an Open Food Facts export: one file, plain or gzip", exit: .usage)
    case .wrongEncoding:
      self.init(
        .invalidArgument,
        "\(Self.quotedPath(error.subject)) is UTF-16 or UTF-32, and an export is UTF-8; "
          + "nothing was installed",
        hint: "iconv -f UTF-16 -t UTF-8 FILE > NEW, then `larder catalog install NEW`",
        exit: .failed)
    case .unreadable where (error.underlying as? FileError)?.code == .denied:
      self.init(
        .denied,
        "the permission to read \(Self.quotedPath(error.subject)) is missing; nothing was "
          + "installed",
        hint: "look at its owner and mode", exit: .failed)
    case .unreadable:
      self.init(
        .invalidArgument,
        "\(Self.quotedPath(error.subject)) cannot be read to its end\(detail); the installed "
          + "catalog is as it was", hint: "get the file again", exit: .failed)
    case .corrupt, .unsupportedVersion:
      self.init(
        .damaged, "the installed catalog cannot be used: \(error.code.rawValue)",
        hint: "`larder catalog install FILE` installs it again", exit: .integrity)
    default:
      self.init(
        .storeFailed, "the catalog failed: \(error)",
        hint: "`larder catalog install FILE` renews it",
        exit: .failed)
    }
  }
}
