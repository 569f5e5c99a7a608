// swift-tools-version: 6.2
// An app that keeps what was drunk in the same history as the meals, with a kind, a projection and
// a summary of its own.
import PackageDescription

let package = Package(
  name: "WaterApp",
  dependencies: [.package(name: "Larder", path: "../../..")],
  targets: [
    .executableTarget(
      name: "WaterApp", dependencies: [.product(name: "Larder", package: "Larder")])
  ])
