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
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Bottom to top.
    library("LarderHash", ["CSodium"]),
    library("LarderKernel", ["LarderHash"]),
    library("LarderFiles", []),
    library("LarderGzip", ["CZlib"]),
    library("LarderSQL", ["CSQLite", "LarderHash"]),
    library("LarderCrypto", ["CSodium", "LarderHash"]),
    library(
      "LarderStore", ["LarderCrypto", "LarderKernel", "LarderHash", "LarderFiles", "LarderSQL"]),
    library("LarderCapture", ["LarderKernel"]),
    library(
      "Larder",
      [
        "LarderHash", "LarderKernel", "LarderFiles", "LarderCrypto", "LarderStore", "LarderCapture",
      ]),
    .executableTarget(
      name: "LarderCommand", dependencies: ["LarderKernel", "LarderCapture"],
      path: "Tools/LarderCommand", swiftSettings: strict),
    library("LarderStore", ["LarderCrypto", "LarderKernel", "LarderHash", "LarderFiles", "LarderSQL"]),
    library("LarderCatalog", ["LarderHash", "LarderFiles", "LarderKernel", "LarderSQL"]),
    library(
      "LarderCatalogImport",
      ["LarderHash", "LarderFiles", "LarderGzip", "LarderKernel", "LarderCatalog"]),
    library("LarderCapture", ["LarderKernel", "LarderCatalog"]),

    // Tests.
    tests("LarderHashTests", ["LarderHash"]),
    tests("LarderGzipTests", ["LarderGzip"]),
    tests("LarderCatalogTests", ["LarderCatalog", "LarderKernel", "LarderHash"]),
    tests(
      "LarderCatalogImportTests",
      [
        "LarderCatalogImport", "LarderCatalog", "LarderGzip", "LarderKernel", "LarderHash",
        "LarderFiles",
      ]),
    tests(
      "LarderCaptureTests",
      ["LarderCapture", "LarderCatalogImport", "LarderCatalog", "LarderKernel"]),
    tests("LarderKernelTests", ["LarderKernel", "LarderHash"]),
    tests("LarderFilesTests", ["LarderFiles"]),
    tests("LarderSQLTests", ["LarderSQL", "LarderHash"]),
    tests(
      "LarderStoreTests",
      ["LarderStore", "LarderCrypto", "LarderKernel", "LarderHash", "LarderSQL"]),
    tests("LarderTests", ["Larder"]),
    tests("LarderCryptoTests", ["LarderCrypto", "LarderHash"]),
    tests("LarderCaptureTests", ["LarderCapture", "LarderKernel"]),
    tests("LarderCommandTests", ["LarderCommand", "LarderCapture", "LarderKernel"]),
    tests("CommandScriptTests", ["LarderCommand"]),
  ]
)
