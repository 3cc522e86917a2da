package import Plugins
package import Runner
package import Scheduling

/// The bundles of the plugin folders: loads them, hosts their commands, and reads them again on request (B42).
///
/// Unchecked because it is used on the loop only.
package final class BundleHosting: BundleDirectory, @unchecked Sendable {
    private var loader: BundleLoader
    private let host: BundleHost
    private let output: OutputStore
    /// Folders that need not be there.
    private var optionalFolders: Set<String>
    private var bundles: [AppIdentifier: LoadedBundle] = [:]
    private var bundleFindings: [Finding] = []
    /// What is wrong with the configuration.
    package var configurationFindings: [Finding] = []
    /// Device sources that cannot be had.
    package var deviceFindings: [Finding] = []
    package var findings: [Finding] {
        [host.finding].compactMap(\.self) + deviceFindings + configurationFindings + bundleFindings
    }

    package init(loader: BundleLoader, optionalFolders: [String], host: BundleHost, output: OutputStore) {
        self.loader = loader
        self.optionalFolders = Set(optionalFolders)
        self.host = host
        self.output = output
    }

    /// Where bundles are from the next reload on.
    package func setLoader(_ loader: BundleLoader, optionalFolders: [String]) {
        self.loader = loader
        self.optionalFolders = Set(optionalFolders)
    }

    package func bundlePath(of app: AppIdentifier) -> String? {
        bundles[app]?.path
    }

    /// The apps whose handlers run in a process.
    package var pluginApps: [AppIdentifier] {
        bundles.values.filter { $0.manifest.program != nil }.map(\.app).sorted()
    }

    package func reload() -> [Event] {
        let result = loader.load()
        bundleFindings = result.folderProblems.compactMap { finding($0, of: nil) }
        for bundle in result.refused { bundleFindings += findings(bundle.problems, of: bundle.app) }
        for bundle in result.bundles { bundleFindings += findings(bundle.problems, of: bundle.app) }
        let loaded = Dictionary(result.bundles.map { ($0.app, $0) }, uniquingKeysWith: { first, _ in first })
        var events: [Event] = bundles.keys.filter { loaded[$0] == nil }.sorted().map { .appRemoved($0) }
        for bundle in result.bundles where bundles[bundle.app]?.bundleHash != bundle.bundleHash {
            events.append(.appLoaded(bundle.appDescription))
        }
        bundles = loaded
        for bundle in result.bundles {
            host.commands.setCommands(
                bundle.commands, limits: bundle.manifest.limits, of: bundle.app, hash: bundle.bundleHash)
            if let plugin = PluginBundle(bundle) { host.plugins.setBundle(plugin) }
        }
        return events
    }

    package func lines(_ query: LogQuery) -> LogPage {
        output.lines(query)
    }

    package func forget(_ runs: [RunIdentifier]) {
        output.forget(runs)
    }

    /// What is wrong with one bundle; of very much, some is told.
    private func findings(_ problems: [ManifestProblem], of app: AppIdentifier?) -> [Finding] {
        var list = FindingList()
        for problem in problems { if let finding = finding(problem, of: app) { list.add(finding) } }
        return list.all
    }

    private func finding(_ problem: ManifestProblem, of app: AppIdentifier?) -> Finding? {
        if problem.name == .missingFolder, optionalFolders.contains(problem.file) { return nil }
        // The scheduler finds the same task without a handler; the identifier lets the two be told as one.
        let identifier = problem.name == .noHandler ? problem.taskIdentifier : nil
        let place = [problem.file + (problem.line.map { ":\($0)" } ?? ""), problem.key].compactMap(\.self)
        return Finding(
            problem.severity == .error ? .error : .warning, problem.name.rawValue,
            app: app, identifier: identifier, message: "\(place.joined(separator: ": ")): \(problem.message)",
            fix: problem.fix)
    }
}
