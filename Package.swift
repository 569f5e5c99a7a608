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
  fuzzer("BatchFuzz", ["LarderKernel", "LarderCrypto", "LarderHash"]),
  fuzzer("BlockFuzz", ["LarderCompression", "LarderKernel", "LarderHash"]),
  fuzzer("HeadRecordFuzz", ["LarderStore", "LarderCrypto", "LarderKernel", "LarderHash"]),
  fuzzer("HexFuzz", ["LarderHash"]),
  fuzzer("CBORFuzz", ["LarderKernel"]),
  fuzzer("CatalogRecordFuzz", ["LarderCatalogImport", "LarderCatalog", "LarderKernel"]),
  fuzzer("EventFuzz", ["LarderKernel", "LarderHash"]),
  fuzzer("GzipFuzz", ["LarderGzip"]),
  fuzzer("ProofFuzz", ["LarderKernel", "LarderHash"]),
  fuzzer("TypedFuzz", ["LarderCapture", "LarderKernel"]),
  fuzzer("VerificationFuzz", ["LarderStore", "LarderHash"]),
  fuzzer("ZoneFuzz", ["LarderKernel"]),
]

let package = Package(
  name: "Larder",
  products: [
    .library(name: "Larder", targets: ["Larder"]),
    .executable(name: "larder", targets: ["LarderCommand"]),
  ],
  targets: [
    // System libraries.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Bottom to top.
    library("LarderHash", ["CSodium"]),
    library("LarderKernel", ["LarderHash"]),
    library("LarderFiles", ["CLinux"]),
    library("LarderCompression", ["CLZ4"]),
    library("LarderGzip", ["CZlib"]),
    library("LarderSQL", ["CSQLite", "LarderHash"]),
    library("LarderCrypto", ["CSodium", "LarderHash", "LarderKernel"]),
    library(
      "LarderStore",
      [
        "LarderHash", "LarderKernel", "LarderFiles", "LarderSQL", "LarderCrypto",
        "LarderCompression",
      ]),
    library("LarderCatalog", ["LarderHash", "LarderKernel", "LarderFiles", "LarderSQL"]),
    library(
      "LarderCatalogImport",
      ["LarderHash", "LarderKernel", "LarderFiles", "LarderGzip", "LarderCatalog"]),
    library("LarderCapture", ["LarderKernel", "LarderCatalog"]),
    library(
      "Larder",
      [
        "LarderHash", "LarderKernel", "LarderFiles", "LarderSQL", "LarderCrypto", "LarderStore",
        "LarderCatalog", "LarderCapture",
      ]),
    .executableTarget(
      name: "LarderCommand",
      dependencies: [
        "LarderHash", "LarderKernel", "LarderFiles", "LarderSQL", "LarderStore", "LarderCatalog",
        "LarderCatalogImport", "LarderCapture", "Larder",
      ], path: "Tools/LarderCommand", swiftSettings: strict),
    .executableTarget(
      name: "LarderBench",
      dependencies: [
        "LarderHash", "LarderKernel", "LarderFiles", "LarderSQL", "LarderCrypto", "LarderStore",
        "LarderCatalog", "LarderCatalogImport",
      ], path: "Tools/LarderBench", swiftSettings: strict),
    .executableTarget(
      name: "LarderCrash",
      dependencies: ["LarderHash", "LarderKernel", "LarderCrypto", "LarderStore"],
      path: "Tools/LarderCrash", swiftSettings: strict),
    .executableTarget(
      name: "LarderVectors",
      dependencies: [
        "LarderHash", "LarderKernel", "LarderFiles", "LarderCrypto", "LarderCompression",
        "LarderStore",
      ], path: "Tools/LarderVectors", swiftSettings: strict),

    // Tests.
    tests("LarderHashTests", ["LarderHash"]),
    tests("LarderKernelTests", ["LarderKernel", "LarderHash"]),
    tests("LarderFilesTests", ["LarderFiles"]),
    tests("LarderGzipTests", ["LarderGzip"]),
    tests("LarderSQLTests", ["LarderSQL", "LarderHash"]),
    tests("LarderCompressionTests", ["LarderCompression"]),
    tests("LarderCryptoTests", ["LarderCrypto", "LarderKernel", "LarderHash"]),
    tests(
      "LarderStoreTests",
      [
        "LarderStore", "LarderCrypto", "LarderKernel", "LarderHash", "LarderSQL", "LarderFiles",
        "LarderCompression", "CSQLite",
      ]),
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
    tests("LarderTests", ["Larder"]),
    tests("LarderCommandTests", ["LarderCommand", "LarderCapture", "LarderKernel"]),
    tests("CommandScriptTests", ["LarderCommand"]),
    tests(
      "LarderVectorsTests",
      [
        "LarderVectors", "LarderStore", "LarderFiles", "LarderCrypto", "LarderCompression",
        "LarderKernel", "LarderHash",
      ]),
    tests("HouseTests", []),
  ] + (Context.environment["LARDER_FUZZ"] == "1" ? fuzzers : [])
)
