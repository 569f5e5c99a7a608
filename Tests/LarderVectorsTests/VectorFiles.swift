// The checked-in vectors, as a reader that knows nothing of the generator sees them.

import FoundationEssentials
import Testing

/// The folder of the checked-in vectors.
enum VectorFiles {
  static let folder: String = {
    let here = URL(filePath: #filePath)
    return here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Schemas/Vectors").path
  }()

  /// The paths of all vectors below the folder, sorted.
  static func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") }.sorted()
  }

  /// The text of one.
  static func text(_ path: String) throws -> String {
    let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(path)"))
    return String(decoding: data, as: UTF8.self)
  }

  /// Every vector of an area, with its path.
  static func read<Content: Decodable>(
    _ area: String, as _: Content.Type
  ) throws -> [(path: String, content: Content)] {
    try paths().filter { $0.hasPrefix(area + "/") }.map { path in
      let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(path)"))
      return (path, try JSONDecoder().decode(Content.self, from: data))
    }
  }
}

struct CBORCase: Decodable {
  var input: String
  var diagnostic: String?
  var error: String?
  var offset: Int?
}

struct HeaderCase: Decodable {
  struct Header: Decodable {
    var format: UInt64
    var hlc: String
    var recordedAt: Int64
    var stream: String
    var kind: String
    var version: UInt16
    var flags: UInt8
  }
  var input: String
  var header: Header?
  var error: String?
}

struct PayloadCase: Decodable {
  var kind: String
  var version: UInt16
  var input: String
  var diagnostic: String?
  var error: String?
}

struct MerkleCase: Decodable {
  struct Root: Decodable {
    var size: Int
    var root: String
  }
  struct Inclusion: Decodable {
    var leaf: String
    var index: String
    var size: String
    var root: String
    var path: String
    var proves: Bool
  }
  struct Consistency: Decodable {
    var earlier: String
    var earlierRoot: String
    var later: String
    var laterRoot: String
    var path: String
    var proves: Bool
  }
  var roots: [Root]?
  var inclusion: [Inclusion]?
  var consistency: [Consistency]?
  var path: String?
  var error: String?
}

struct FoldCase: Decodable {
  struct StoredEvent: Decodable {
    var author: String
    var seq: String
    var header: String
    var payload: String?
    var leaf: String
    var salt: String?
  }
  struct Aside: Decodable, Hashable {
    var event: String
    var code: String
  }
  var stream: String
  var events: [StoredEvent]
  var rows: String
  var digest: String
  var setAside: [Aside]
  var isClosedToWriting: Bool
}

struct AmountCase: Decodable {
  struct Amount: Decodable {
    var value: Int64
    var unit: String
  }
  struct Sum: Decodable {
    var basis: String
    var serving: Amount?
    var per: Int64
    var eaten: Amount
    var amount: Int64?
  }
  var amounts: [Sum]?
}

struct IdentityCase: Decodable {
  struct Shared: Decodable {
    var `class`: String
    var key: String
    var stream: String
  }
  struct Fresh: Decodable {
    var milliseconds: String
    var random: String
    var stream: String
  }
  struct Item: Decodable {
    var source: String
    var index: UInt64
    var item: String
  }
  struct Author: Decodable {
    var publicKey: String
    var author: String
  }
  struct Blob: Decodable {
    var bytes: String
    var address: String
    var mediaType: String
    var path: String
  }
  struct Salt: Decodable {
    var index: Int
    var salt: String
  }
  struct Leaf: Decodable {
    var header: String
    var salt: String
    var payload: String
    var commitment: String
    var leaf: String
  }
  var shared: [Shared]?
  var fresh: [Fresh]?
  var items: [Item]?
  var authors: [Author]?
  var blobs: [Blob]?
  var seed: String?
  var salts: [Salt]?
  var leaves: [Leaf]?
}

struct ClockCase: Decodable {
  struct Step: Decodable {
    var last: String
    var now: String
    var next: String
  }
  struct Received: Decodable {
    var last: String
    var remote: String
    var result: String
  }
  var steps: [Step]?
  var received: [Received]?
}

struct CivilCase: Decodable {
  struct Day: Decodable {
    var number: Int64
    var date: String
    var weekday: Int
  }
  struct Text: Decodable {
    var text: String
    var number: Int64?
  }
  struct Moment: Decodable {
    var milliseconds: Int64
    var utcOffset: Int64
    var day: String
    var minuteOfDay: Int
    var text: String
  }
  var days: [Day]?
  var texts: [Text]?
  var moments: [Moment]?
}
