import Scheduling

/// Names and apps that the tests use.
enum Fixture {
    static let app = AppIdentifier(checked: "com.example.app")
    static let tools = AppIdentifier(checked: "com.example.tools")
    static let firstBoot = BootIdentifier("first-boot")

    /// An identifier of the embedded app.
    static func task(_ name: String) -> TaskIdentifier {
        TaskIdentifier(checked: "com.example.app.\(name)")
    }

    /// An identifier of the app whose tasks are commands.
    static func tool(_ name: String) -> TaskIdentifier {
        TaskIdentifier(checked: "com.example.tools.\(name)")
    }

    /// An app that embeds the runner.
    static func embedded(
        _ names: [String] = ["refresh", "export", "upload"], patterns: [String] = ["jobs."],
        modes: Set<BackgroundMode> = [.fetch, .processing], tasks: [TaskSettings] = [], hash: String = "1"
    ) -> AppDescription {
        AppDescription(
            app: app, host: .embedded,
            permitted: names.map { .exact(task($0)) } + patterns.map { .prefix("com.example.app.\($0)") },
            modes: modes, tasks: tasks, bundleHash: hash)
    }

    /// An app whose tasks are commands.
    static func commands(_ tasks: [TaskSettings], hash: String = "1") -> AppDescription {
        AppDescription(
            app: tools, host: .commands, permitted: tasks.map { .exact($0.identifier) }, modes: [.fetch, .processing],
            tasks: tasks, bundleHash: hash)
    }

    /// A task of the commands app.
    static func command(
        _ name: String, kind: TaskKind? = nil, every: Duration? = nil, retries: Bool = false, budget: Duration? = nil,
        needsPower: Bool = false
    ) -> TaskSettings {
        TaskSettings(
            identifier: tool(name), kind: kind, every: every, retriesFailures: retries, budget: budget,
            requiresExternalPower: needsPower, hasCommand: true)
    }

    static func startFacts(boot: BootIdentifier = firstBoot, os: String = "12", runner: String = "1.0") -> StartFacts {
        StartFacts(bootIdentifier: boot, osVersion: os, runnerVersion: runner, utcOffsetSeconds: 0)
    }
}

extension Fixture {
    /// An app whose handlers run in a process; single tasks may be commands.
    static func plugin(
        _ names: [String] = ["refresh", "export", "upload"], patterns: [String] = ["jobs."],
        tasks: [TaskSettings] = [], hash: String = "1"
    ) -> AppDescription {
        AppDescription(
            app: app, host: .process,
            permitted: names.map { .exact(task($0)) } + patterns.map { .prefix("com.example.app.\($0)") },
            modes: [.fetch, .processing], tasks: tasks, bundleHash: hash)
    }
}
