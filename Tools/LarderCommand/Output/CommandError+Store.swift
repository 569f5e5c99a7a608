// What a person reads when the store or the catalog could not do what was asked.

import Larder
import LarderCatalog

extension CommandError {
  /// The error of the store, for the store a setting names.
  init(_ error: StoreError, store: Setting<String>) {
    let place = Self.quotedPath(store.value)
    switch error.code {
    case .notFound where error.operation == "open store":
      self.init(
        .noStore, "there is no store in \(place) (\(store.origin))",
        hint: "`larder init` makes one there", exit: .notFound)
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
        .full, "there is no space left for \(place); nothing was written",
        hint: "free some space and try again", exit: .failed)
    case .denied:
      self.init(
        .denied, "the permission to use \(place) is missing",
        hint: "look at the owner and mode of the folder", exit: .failed)
    case .corrupt:
      self.init(
        .damaged, "the store in \(place) is damaged: \(error.operation), \(error.subject)",
        hint: "`larder verify` says what is wrong; `larder rebuild` makes the tables again",
        exit: .integrity)
    case .unsupportedVersion:
      self.init(
        .newerFormat, "\(place) is not a store this version of Larder can use",
        hint: "a newer Larder may have written it; update, or name another store",
        exit: .notEntitled)
    case .closedStream:
      self.init(
        .newerFormat, "this meal was changed by a newer Larder in a way this one must not touch",
        hint: "update Larder on this device", exit: .notEntitled)
    case .interrupted:
      self.init(
        .interrupted, "stopped: \(error.operation), \(error.subject)",
        hint: "the same command goes on where it stopped", exit: .interrupted)
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

  /// The error of the catalog.
  init(_ error: CatalogError) {
    let detail = error.underlying.map { ": \($0)" } ?? ""
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
        .full, "there is no space left; the installed catalog is as it was",
        hint: "free some space and try again", exit: .failed)
    case .noProducts:
      self.init(
        .invalidArgument,
        "\(Self.quotedPath(error.subject)) has no product; the installed catalog is as it was",
        hint: "an Open Food Facts export has one JSON record a line", exit: .failed)
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
