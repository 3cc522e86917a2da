// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "feed",
    dependencies: [
        // In a repository of your own: .package(url: "…/runner.git", from: "…")
        .package(name: "runner", path: "../..")
    ],
    targets: [
        .target(name: "FeedApp", dependencies: [.product(name: "BackgroundTasks", package: "runner")]),
        .testTarget(
            name: "FeedAppTests", dependencies: ["FeedApp", .product(name: "RunnerTesting", package: "runner")]),
    ]
)
