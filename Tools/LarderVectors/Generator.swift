// Writes the golden vectors: `swift run LarderVectors Schemas/Vectors`. A test regenerates them in
// memory and compares, so a change of format shows as a change of files.

import FoundationEssentials

@main
struct Generator {
  static func main() throws {
    guard let folder = CommandLine.arguments.dropFirst().first, CommandLine.arguments.count == 2
    else {
      print("usage: swift run LarderVectors FOLDER\n")
      print("Writes every golden vector below FOLDER and removes the .json files that are none.")
      return
    }
    let vectors = try Vector.all()
    let files = FileManager.default
    for area in Set(vectors.map(\.area)) {
      try files.createDirectory(
        atPath: "\(folder)/\(area)", withIntermediateDirectories: true)
    }
    var written = 0
    for vector in vectors {
      let path = "\(folder)/\(vector.path)"
      let data = Data(vector.text.utf8)
      if files.contents(atPath: path) == data { continue }
      try data.write(to: URL(filePath: path))
      written += 1
    }
    let paths = Set(vectors.map(\.path))
    var removed = 0
    for path in try files.subpathsOfDirectory(atPath: folder)
    where path.hasSuffix(".json") && !paths.contains(path) {
      try files.removeItem(atPath: "\(folder)/\(path)")
      removed += 1
    }
    print("\(vectors.count) vectors, \(written) written, \(removed) removed")
  }
}
