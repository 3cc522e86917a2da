import Scheduling

/// An app on a virtual device: what its manifest says, and its neighbours of the scheduler.
struct VirtualApp: Sendable {
    let scenario: ScenarioApp
    var pushes: SilentPushes
    var fetch: LegacyFetch?
    var transfers = DiscretionaryTransfers()
    /// The reports of pushes that are held, and of transfers, by their numbers.
    var pushReports: [Int64: Int] = [:]
    var transferReports: [Int64: Int] = [:]
    var runsInFlight = 0
    /// Until when it is awake by what woke it, beside its runs.
    var awakeUntil = Int64.min
    var isRefreshOn = true
    /// Transfers that ended while the device was locked, so that the app does not know.
    var lockedTransfers = 0
    /// The process of its handlers, if it is a plugin's and up.
    var process: ProcessNumber?

    init(_ scenario: ScenarioApp) {
        self.scenario = scenario
        pushes = SilentPushes()
        fetch = scenario.fetch.map { LegacyFetch(minimumInterval: $0.minimumInterval) }
    }

    /// What its manifest says.
    var description: AppDescription {
        AppDescription(
            app: scenario.app, host: scenario.isPlugin ? .process : .commands,
            permitted: scenario.tasks.map { .exact($0.identifier) },
            modes: [.fetch, .processing],
            tasks: scenario.tasks.map { task in
                var settings = TaskSettings(
                    identifier: task.identifier, kind: task.kind, every: task.every,
                    retriesFailures: task.retriesFailures,
                    requiresNetworkConnectivity: task.requiresNetworkConnectivity,
                    requiresExternalPower: task.requiresExternalPower, hasCommand: !scenario.isPlugin)
                settings.cost = task.cost == 1 ? nil : task.cost
                return settings
            }, bundleHash: "1")
    }
}

/// A run whose code is at work on a virtual device.
struct VirtualRun: Sendable {
    var app: Int
    var task: Int
    /// Whether it is one of a plugin's process, and not a command.
    var isInProcess: Bool
}
