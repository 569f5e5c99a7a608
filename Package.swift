// swift-tools-version: 6.2
// The map of the package: targets stand bottom to top, and a module imports only what its row names.
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

let package = Package(
  name: "Larder",
  products: [
    .executable(name: "larder", targets: ["LarderCommand"])
  ],
  targets: [
    // System libraries.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

    // Bottom to top.
    library("LarderHash", ["CSodium"]),
    library("LarderKernel", ["LarderHash"]),
    library("LarderFiles", []),
    library("LarderSQL", ["CSQLite", "LarderHash"]),
    library("LarderCrypto", ["CSodium", "LarderHash"]),
    library("LarderStore", ["LarderCrypto", "LarderKernel", "LarderHash", "LarderFiles", "LarderSQL"]),
    library("LarderCapture", ["LarderKernel"]),
    .executableTarget(
      name: "LarderCommand", dependencies: ["LarderKernel", "LarderFiles", "LarderCapture"],
      path: "Tools/LarderCommand", swiftSettings: strict),

    // Tests.
    tests("LarderHashTests", ["LarderHash"]),
    tests("LarderKernelTests", ["LarderKernel", "LarderHash"]),
    tests("LarderFilesTests", ["LarderFiles"]),
    tests("LarderSQLTests", ["LarderSQL", "LarderHash"]),
    tests("LarderStoreTests", ["LarderStore", "LarderKernel", "LarderHash", "LarderSQL"]),
    tests("LarderCaptureTests", ["LarderCapture", "LarderKernel"]),
    tests("LarderCommandTests", ["LarderCommand", "LarderCapture", "LarderKernel"]),
    tests("CommandScriptTests", ["LarderCommand"]),
  ]
)
