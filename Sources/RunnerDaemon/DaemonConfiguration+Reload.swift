import Platform
import Plugins
import Scheduling

extension DaemonConfiguration {
    var bundleLoader: BundleLoader {
        BundleLoader(
            folders: pluginFolders, trust: trustBundles, definitions: definitions,
            daemonUser: ProcessEnvironment.effectiveUser, searchPath: ProcessEnvironment.variable("PATH"))
    }

    /// Plugin folders that need not be there.
    var optionalFolders: [String] { pluginFoldersAreDefault ? pluginFolders : [] }

    /// What another configuration changes that cannot change while the daemon runs.
    func fixedWhileRunning(_ new: DaemonConfiguration) -> [Finding] {
        let changes = [
            ("socket", socketPath != new.socketPath), ("state", stateFolder != new.stateFolder),
            ("connectionLimits", connectionLimits != new.connectionLimits), ("record", recordFile != new.recordFile),
        ]
        return changes.filter(\.1).map { key, _ in
            Finding(
                .warning, "needsRestart",
                message: "The configuration changes \(key), which holds from the next start on.",
                fix: "Restart the daemon.")
        }
    }
}
