// swift-tools-version: 6.2
// The map of the package: targets stand bottom to top, and a module imports only what its row in
// the table of layers names.
import PackageDescription

/// Settings every target shares: the strictest the toolchain has, warnings as errors.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// A library target of ours.
func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A Swift Testing target of ours.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A fuzz target of ours, under `Tests/Fuzz`, with its first inputs in `Seeds`.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/Fuzz/\(name)", exclude: ["Seeds"],
    swiftSettings: strict)
}

/// The fuzz targets have libFuzzer's `main`, so that only `Tools/fuzz` can link them.
let fuzzers: [Target] = [
  fuzzer("HexFuzz", ["LarderHash"])
]

let package = Package(
  name: "Larder",
  products: [],
  targets: [
    // System libraries.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

    // Bottom to top.
    library("LarderHash", ["CSodium"]),

    // Tests.
    tests("LarderHashTests", ["LarderHash"]),
    tests("HouseTests", []),
  ] + (Context.environment["LARDER_FUZZ"] == "1" ? fuzzers : [])
)
