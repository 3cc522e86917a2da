/// The keys that manifests share with iOS, and our own.
enum ManifestKey {
    static let identifier = "CFBundleIdentifier"
    static let permitted = "BGTaskSchedulerPermittedIdentifiers"
    static let modes = "UIBackgroundModes"
    static let plugin = "RunnerPlugin"
    static let tasks = "RunnerTasks"
    static let limits = "RunnerLimits"
    static let isolation = "RunnerIsolation"

    /// Keys that begin with this are ours, and an unknown one is an error; all others belong to somebody else.
    static let ownPrefix = "Runner"
    static let own = [plugin, tasks, limits, isolation]
    static let read = [identifier, permitted, modes] + own
}

/// The members of a task in `RunnerTasks`.
enum TaskKey {
    static let command = "command"
    static let kind = "kind"
    static let every = "every"
    static let retry = "retry"
    static let budget = "budget"
    static let grace = "grace"
    static let network = "requiresNetworkConnectivity"
    static let power = "requiresExternalPower"
    static let environment = "environment"
    static let workingDirectory = "workingDirectory"
    static let user = "user"

    static let all = [
        command, kind, every, retry, budget, grace, network, power, environment, workingDirectory, user,
    ]
    /// What only a command can use.
    static let ofCommands = [environment, workingDirectory, user]
}

/// The members of `RunnerPlugin`.
enum PluginKey {
    static let executable = "executable"
    static let arguments = "arguments"
    static let library = "library"
    static let user = "user"

    static let all = [executable, arguments, library, user]
}

/// The members of `RunnerLimits`.
enum LimitKey {
    static let memory = "memory"
    static let cpuSeconds = "cpuSeconds"
    static let openFiles = "openFiles"
    static let processes = "processes"
    static let pendingRefresh = "pendingRefresh"
    static let pendingProcessing = "pendingProcessing"

    static let all = [memory, cpuSeconds, openFiles, processes, pendingRefresh, pendingProcessing]
}
