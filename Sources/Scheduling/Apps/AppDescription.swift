/// What an app's manifest says, as far as the scheduler needs it.
package struct AppDescription: Hashable, Sendable, Codable {
    package var app: AppIdentifier
    package var host: AppHost
    package var permitted: [PermittedIdentifier]
    package var modes: Set<BackgroundMode>
    /// What the manifest says of single tasks; ordered by identifier.
    package var tasks: [TaskSettings]
    /// The manifest's own limits of pending requests; they can only lower the runner's.
    package var pendingRefreshLimit: Int?
    package var pendingProcessingLimit: Int?
    /// Changes when the bundle's files change.
    package var bundleHash: String

    package init(
        app: AppIdentifier, host: AppHost, permitted: [PermittedIdentifier], modes: Set<BackgroundMode>,
        tasks: [TaskSettings] = [], bundleHash: String = ""
    ) {
        self.app = app
        self.host = host
        self.permitted = permitted
        self.modes = modes
        self.tasks = tasks
        self.bundleHash = bundleHash
    }
}

/// How an app's handlers run.
package enum AppHost: String, Sendable, Codable, CaseIterable {
    /// Every task is a command; its handlers are registered when the bundle is loaded.
    case commands
    /// Handlers are closures in the program that embeds the runner.
    case embedded
    /// Handlers run in a process of the app's own, which speaks the plugin protocol; single tasks may be commands.
    case process

    /// Whether continued processing that waits ends with the process that asked for it (B29).
    var endsWithProcess: Bool {
        switch self {
        case .commands: false
        case .embedded, .process: true
        }
    }
}

/// What a manifest says of one task (`RunnerTasks`).
package struct TaskSettings: Hashable, Sendable, Codable {
    package var identifier: TaskIdentifier
    package var kind: TaskKind?
    /// The interval of a declared recurrence (B38).
    package var every: Duration?
    /// Whether a run that failed comes again after a backoff (B38).
    package var retriesFailures: Bool
    package var budget: Duration?
    package var grace: Duration?
    package var requiresNetworkConnectivity: Bool
    package var requiresExternalPower: Bool
    /// What a second of its run takes of its app's energy budget, in seconds; `nil` is 1.
    package var cost: Double?
    /// Whether the manifest itself names the handler (a command).
    package var hasCommand: Bool

    package init(
        identifier: TaskIdentifier, kind: TaskKind? = nil, every: Duration? = nil, retriesFailures: Bool = false,
        budget: Duration? = nil, grace: Duration? = nil, requiresNetworkConnectivity: Bool = false,
        requiresExternalPower: Bool = false, hasCommand: Bool = false
    ) {
        self.identifier = identifier
        self.kind = kind
        self.every = every
        self.retriesFailures = retriesFailures
        self.budget = budget
        self.grace = grace
        self.requiresNetworkConnectivity = requiresNetworkConnectivity
        self.requiresExternalPower = requiresExternalPower
        self.hasCommand = hasCommand
    }
}

/// Where an app's handlers are in their life.
package enum AppPhase: String, Sendable, Codable, CaseIterable {
    /// Known, its handlers not yet asked for. Can transition to `registering`, `missing`.
    case starting
    /// Handlers may be registered (B5). Can transition to `launched`, `missing`.
    case registering
    /// Registration is closed and runs may start (B8). Can transition to `registering` (reload), `missing`.
    case launched
    /// Its bundle is gone (B42). Can transition to `registering` when it comes back.
    case missing
}
