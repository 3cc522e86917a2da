package import Plugins
package import Runner
package import Scheduling

/// The bundles of the plugin folders: loads them, hosts their commands, and reads them again on request (B42).
///
/// Unchecked because it is used on the loop only.
package final class BundleHosting: BundleDirectory, @unchecked Sendable {
    private let loader: BundleLoader
    private let host: CommandHost
    private let output: OutputStore
    /// Folders that need not be there.
    private let optionalFolders: Set<String>
    private var bundles: [AppIdentifier: LoadedBundle] = [:]
    package private(set) var findings: [Finding] = []

    package init(loader: BundleLoader, optionalFolders: [String], host: CommandHost, output: OutputStore) {
        self.loader = loader
        self.optionalFolders = Set(optionalFolders)
        self.host = host
        self.output = output
    }

    package func bundlePath(of app: AppIdentifier) -> String? {
        bundles[app]?.path
    }

    package func reload() -> [Event] {
        let result = loader.load()
        findings = result.problems.compactMap { finding($0) }
        let loaded = Dictionary(result.bundles.map { ($0.app, $0) }, uniquingKeysWith: { first, _ in first })
        var events: [Event] = bundles.keys.filter { loaded[$0] == nil }.sorted().map { .appRemoved($0) }
        for bundle in result.bundles where bundles[bundle.app]?.bundleHash != bundle.bundleHash {
            events.append(.appLoaded(bundle.appDescription))
        }
        bundles = loaded
        var commands: [TaskIdentifier: CommandHost.Command] = [:]
        for bundle in result.bundles {
            for task in bundle.commands {
                commands[task.identifier] = CommandHost.Command(task: task, limits: bundle.manifest.limits)
            }
        }
        host.setCommands(commands)
        return events
    }

    package func lines(_ query: LogQuery) -> LogPage {
        output.lines(query)
    }

    package func forget(_ runs: [RunIdentifier]) {
        output.forget(runs)
    }

    private func finding(_ problem: ManifestProblem) -> Finding? {
        if problem.name == .missingFolder, optionalFolders.contains(problem.file) { return nil }
        let place = [problem.file + (problem.line.map { ":\($0)" } ?? ""), problem.key].compactMap(\.self)
        return Finding(
            problem.severity == .error ? .error : .warning, problem.name.rawValue,
            app: bundles.values.first { $0.problems.contains(problem) }?.app,
            message: "\(place.joined(separator: ": ")): \(problem.message)", fix: problem.fix)
    }
}
