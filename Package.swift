// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A library target of ours; every one is built with the same settings.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A module with the name of one of Apple's, for files that say `import os`, `import UIKit` or `import SwiftUI`.
func shim(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/AppleShims/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// A program that a user could have written: it sees only what is public.
func example(
    _ name: String, _ dependencies: [Target.Dependency] = ["Runner"], path: String, exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: exclude, packageAccess: false,
        swiftSettings: settings)
}

/// The same for a library.
func exampleLibrary(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .target(name: name, dependencies: dependencies, path: path, packageAccess: false, swiftSettings: settings)
}

let package = Package(
    name: "runner",
    products: [
        .library(name: "Runner", targets: ["Runner"]),
        .library(name: "Plugins", targets: ["Plugins"]),
        .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
        .library(name: "RunnerTesting", targets: ["RunnerTesting"]),
        .library(name: "AppleShims", targets: ["os", "UIKit", "SwiftUI"]),
        // An example: what runner-plugin-host loads.
        .library(name: "Mail", type: .dynamic, targets: ["MailLibrary"]),
        .executable(name: "runnerd", targets: ["runnerd"]),
        .executable(name: "runnerctl", targets: ["runnerctl"]),
        .executable(name: "runner-plugin-host", targets: ["runner-plugin-host"]),
    ],
    targets: [
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),

        library("Scheduling"),
        library("Recording", ["Scheduling"]),
        library("Platform", ["CLinux"]),
        library("SystemPlatform", ["Platform", "CLinux", "CSystemd"]),
        library("RPC", ["Scheduling", "CJansson"]),
        library("Storage", ["Scheduling", "Platform", "CSQLite"]),
        library("Plugins", ["Scheduling", "RPC", "Platform"]),
        library("Simulation", ["Scheduling", "RPC", "Plugins"]),
        library(
            "Runner",
            ["Scheduling", "Recording", "RPC", "Platform", "SystemPlatform", "Storage", "Plugins"]),
        library("Hosting", ["Scheduling", "RPC", "Platform", "SystemPlatform", "Plugins", "Runner"]),

        library("BackgroundTasks", ["Scheduling", "Platform", "Plugins", "Runner"]),
        .target(name: "CTaskHook"),
        library("RunnerTesting", ["Scheduling", "Platform", "Plugins", "BackgroundTasks", "CTaskHook"]),
        shim("os", ["Platform"]),
        shim("_Testing_UIKit", []),
        shim("UIKit", ["BackgroundTasks", "_Testing_UIKit"]),
        shim("SwiftUI", ["BackgroundTasks", "Scheduling"]),

        library("Arguments", ["Scheduling"]),
        library(
            "RunnerDaemon",
            [
                "Scheduling", "Recording", "RPC", "Platform", "SystemPlatform", "Storage", "Plugins", "Runner",
                "Hosting", "Arguments",
            ]),
        library(
            "RunnerControl", ["Scheduling", "Recording", "RPC", "Platform", "Plugins", "Simulation", "Arguments"]),
        .executableTarget(name: "runnerd", dependencies: ["RunnerDaemon"], exclude: ["Units"], swiftSettings: settings),
        .executableTarget(name: "runnerctl", dependencies: ["RunnerControl"], swiftSettings: settings),
        // Swift's start-up code would need Swift's library, which this program must not have.
        .executableTarget(
            name: "runner-plugin-host", dependencies: ["CLinux"], cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.unsafeFlags(["-nostartfiles"])]),

        example("quickstart", path: "examples/quickstart", exclude: ["README.md"]),

        exampleLibrary("MailHandlers", ["Plugins"], path: "examples/plugin-swift/Handlers"),
        exampleLibrary("MailLibrary", ["MailHandlers", "Plugins"], path: "examples/plugin-swift/Library"),
        example("mail-plugin", ["MailHandlers"], path: "examples/plugin-swift/Program"),
        example("mail-embedded", ["MailHandlers", "Runner"], path: "examples/plugin-swift/Embedded"),

        .executableTarget(
            name: "explorer-bench", dependencies: ["Plugins", "RunnerTesting", "HandlerFixtures"],
            path: "Benchmarks/ExplorerBench", swiftSettings: settings),
        .executableTarget(
            name: "runner-bench",
            dependencies: ["Scheduling", "Platform", "SystemPlatform", "Storage", "Plugins", "Runner"],
            path: "Benchmarks/RunnerBench", swiftSettings: settings),
        .executableTarget(
            name: "simulation-bench", dependencies: ["Scheduling", "Simulation"], path: "Benchmarks/SimulationBench",
            swiftSettings: settings),
        example("bench-plugin", ["Plugins"], path: "Benchmarks/BenchPlugin"),

        .target(name: "CCoverage", path: "Tests/CCoverage"),
        .executableTarget(
            name: "runner-fuzz",
            dependencies: [
                "Scheduling", "Platform", "SystemPlatform", "RPC", "Storage", "Runner", "TestSupport", "CCoverage",
            ],
            path: "Tests/Fuzz", swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["Scheduling", "Platform"], path: "Tests/TestSupport",
            swiftSettings: settings),
        example("breathless-plugin", ["Plugins"], path: "Tests/Programs/BreathlessPlugin"),
        example(
            "ReaderApp", ["BackgroundTasks", "UIKit", "os"], path: "examples/ios-app-on-linux/Sources/ReaderApp",
            exclude: ["Info.plist"]),
        .testTarget(
            name: "ReaderAppTests", dependencies: ["ReaderApp", "BackgroundTasks", "RunnerTesting"],
            path: "examples/ios-app-on-linux/Tests/ReaderAppTests", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        exampleLibrary("FeedApp", ["BackgroundTasks"], path: "examples/testing-background-tasks/Sources/FeedApp"),
        .testTarget(
            name: "FeedAppTests", dependencies: ["FeedApp", "RunnerTesting"],
            path: "examples/testing-background-tasks/Tests/FeedAppTests", packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "HandlerFixtures", dependencies: ["Plugins", "BackgroundTasks", "RunnerTesting"],
            path: "Tests/Fixtures/handlers", swiftSettings: settings),
        tests(
            "RunnerTestingTests",
            ["Scheduling", "Platform", "Plugins", "BackgroundTasks", "RunnerTesting", "HandlerFixtures"]),
        example("scheduler-app", ["BackgroundTasks", "os"], path: "Tests/Programs/SchedulerApp"),
        example("misuse-app", ["BackgroundTasks"], path: "Tests/Programs/MisuseApp"),
        example("delegate-app", ["BackgroundTasks", "UIKit", "os"], path: "Tests/Programs/DelegateApp"),
        example("swiftui-app", ["BackgroundTasks", "SwiftUI", "os"], path: "Tests/Programs/SwiftUIApp"),
        tests("SchedulingTests", ["Scheduling", "Simulation", "TestSupport"]),
        tests("SimulationTests", ["Scheduling", "RPC", "Plugins", "Simulation"]),
        tests("RecordingTests", ["Scheduling", "Recording"]),
        tests("PlatformTests", ["Platform", "SystemPlatform", "CLinux"]),
        tests("RPCTests", ["Scheduling", "RPC"]),
        tests("StorageTests", ["Scheduling", "Platform", "Storage", "CSQLite"]),
        tests("PluginsTests", ["Scheduling", "RPC", "Platform", "Plugins", "TestSupport"]),
        tests(
            "RunnerTests",
            [
                "Scheduling", "Recording", "RPC", "Platform", "SystemPlatform", "Storage", "Plugins", "Runner",
                "TestSupport",
            ]),
        tests(
            "BackgroundTasksTests",
            ["Scheduling", "Platform", "Storage", "Plugins", "Runner", "BackgroundTasks", "TestSupport"]),
        .testTarget(
            name: "BackgroundTasksSwift5Tests", dependencies: ["BackgroundTasks", "SwiftUI", "os"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        tests("AppleShimsTests", ["os", "UIKit", "SwiftUI", "BackgroundTasks", "Scheduling"]),
        tests(
            "HostingTests",
            ["Scheduling", "Platform", "SystemPlatform", "Storage", "Plugins", "Runner", "Hosting", "TestSupport"]),
        tests("ArgumentsTests", ["Scheduling", "Arguments"]),
        tests("RunnerDaemonTests", ["Scheduling", "RPC", "Platform", "SystemPlatform", "Plugins", "RunnerDaemon"]),
        tests(
            "RunnerControlTests",
            ["Scheduling", "Recording", "RPC", "Platform", "Plugins", "Simulation", "Arguments", "RunnerControl"]),
        tests(
            "EndToEndTests", [],
            exclude: [
                "Support/check_discovery.py", "Support/broken_pages.py", "Support/check_pictures.py",
                "Support/check_replies.py", "Support/headless_browser.py",
                "Support/picture_scripts.py", "Support/kill_rounds.py",
                "Support/other_user.py", "Support/reply_schemas.py", "Support/runner_client.py",
            ]),
    ]
)

// Under the thread sanitizer only what has threads of ours to look at is built.
if Context.environment["RUNNER_SANITIZER"] == "thread" {
    let unneeded: Set = [
        "EndToEndTests", "runner-bench", "explorer-bench", "simulation-bench", "runner-fuzz", "SchedulingTests",
        "SimulationTests",
    ]
    package.targets.removeAll { unneeded.contains($0.name) }
}
