import Platform
package import Plugins
import RPC
package import Scheduling

/// The environment of commands: a clean one, with what document 04 names and what the manifest adds.
package struct CommandEnvironment: Sendable {
    /// Names one start of one run of one store, so that what it leaves behind can be found after a crash.
    package static let launchVariable = "RUNNER_LAUNCH"
    private static let inherited = ["PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR"]
    /// Which iOS programs that import BackgroundTasks imitate; commands know nothing of it.
    private static let compatibility = "RUNNER_COMPAT"

    private let base: [String: String]
    private let socket: String
    private let store: String
    private let imitated: String?

    /// - Parameters:
    ///   - variable: looks up a variable of the daemon's own environment.
    ///   - socket: the path of the control socket.
    ///   - store: the store's own name.
    package init(variable: (String) -> String?, socket: String, store: String) {
        var base: [String: String] = [:]
        for name in Self.inherited { base[name] = variable(name) }
        base["PATH"] = base["PATH"] ?? ExecutableLookup.defaultPath
        self.base = base
        imitated = variable(Self.compatibility)
        self.socket = socket
        self.store = store
    }

    package func variables(for task: CommandTask, _ order: LaunchOrder) -> [String: String] {
        var variables = base(for: task.user)
        variables.merge(task.environment) { _, own in own }
        variables["RUNNER_TASK_IDENTIFIER"] = order.identifier.text
        variables["RUNNER_RUN"] = String(order.run.number)
        variables["RUNNER_TASK_KIND"] = order.kind.rawValue
        variables["RUNNER_ORIGIN"] = order.origin.rawValue
        variables["RUNNER_ATTEMPT"] = String(order.attempt)
        variables["RUNNER_SOCKET"] = socket
        variables[Self.launchVariable] = launchName(order.run)
        if let budget = order.budget {
            let deadline = SystemClock.milliseconds(.wall) + budget.wholeMilliseconds
            variables["RUNNER_DEADLINE"] = RFC3339.format(deadline)
        }
        return variables
    }

    /// The environment of a plugin's process (04, *The plugin protocol*).
    func variables(for bundle: PluginBundle) -> [String: String] {
        var variables = base(for: bundle.user)
        variables["RUNNER_PLUGIN_FD"] = "3"
        variables[Self.compatibility] = imitated
        variables[Self.launchVariable] = launchName(bundle.app)
        return variables
    }

    /// Never that of a run, whatever the app is called.
    func launchName(_ app: AppIdentifier) -> String {
        "\(store).app.\(app)"
    }

    func launchName(_ run: RunIdentifier) -> String {
        "\(store).\(run.number)"
    }

    // MARK: - Private

    private func base(for user: String?) -> [String: String] {
        var variables = base
        if let user = user.flatMap({ UserDatabase.user(named: $0) }) {
            variables["HOME"] = user.home
            variables["USER"] = user.name
        }
        return variables
    }
}
