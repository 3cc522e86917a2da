public import Scheduling

/// What an app says of itself: its identifier, the task identifiers that it may use, and its background modes.
///
/// It comes from an `Info.plist` or `Info.json`, or is made by a program that embeds the runner.
public struct Manifest: Hashable, Sendable {
    /// The app's identifier (`CFBundleIdentifier`).
    public let identifier: AppIdentifier
    /// `BGTaskSchedulerPermittedIdentifiers` (B2), in the order of the file.
    package var permitted: [PermittedIdentifier]
    /// The modes of `UIBackgroundModes` that the runner knows.
    package var modes: Set<BackgroundMode>
    /// `RunnerTasks`, ordered by identifier.
    package var tasks: [ManifestTask] = []
    /// `RunnerPlugin`; `nil` when every task is a command, or when the app embeds the runner.
    package var program: PluginProgram?
    /// The name of the user that `RunnerPlugin` runs as; `nil` for the runner's own.
    package var programUser: String?
    /// `RunnerLimits`.
    package var limits = ManifestLimits()
    /// `RunnerIsolation`.
    package var isolation = ManifestIsolation.process

    /// Makes a manifest in a program, with the words and rules of the file's keys.
    public init(
        identifier: String, permittedIdentifiers: [String], backgroundModes: [String] = []
    ) throws(ManifestError) {
        let members: [String: ManifestValue] = [
            ManifestKey.identifier: .string(identifier),
            ManifestKey.permitted: .array(permittedIdentifiers.map(ManifestValue.string)),
            ManifestKey.modes: .array(backgroundModes.map(ManifestValue.string)),
        ]
        let problems = ProblemList(file: "manifest")
        // In a file a mode of iOS may stand; here an unknown word can only be a mistake.
        for mode in backgroundModes where BackgroundMode(rawValue: mode) == nil {
            problems.error(
                .invalidValue, ManifestKey.modes, "\(KeyedReader.quoted(mode)) is not a background mode.",
                fix: "Use \"fetch\" or \"processing\".")
        }
        let reader = ManifestReader(purpose: .embedding, folder: nil, searchPath: nil, problems: problems)
        guard let manifest = reader.read(members), !problems.hasErrors else {
            throw ManifestError(problems.problems)
        }
        self = manifest
    }

    /// Reads an `Info.plist` or `Info.json`, or the one in a folder, for a program that embeds the runner.
    ///
    /// Keys that are not ours are ignored, so the file of an iOS app is accepted as it is.
    public init(contentsOf path: String) throws(ManifestError) {
        let reading = ManifestReading.read(path: path, purpose: .embedding)
        guard let manifest = reading.manifest else { throw ManifestError(reading.problems) }
        self = manifest
    }

    package init(app: AppIdentifier, permitted: [PermittedIdentifier], modes: Set<BackgroundMode>) {
        identifier = app
        self.permitted = permitted
        self.modes = modes
    }

    /// The permitted identifiers and patterns, as the file writes them.
    public var permittedIdentifiers: [String] { permitted.map(\.text) }

    /// The background modes that the runner knows: `fetch`, `processing`.
    public var backgroundModes: [String] { modes.map(\.rawValue).sorted() }

    /// Whether an entry admits the identifier.
    public func permits(_ identifier: TaskIdentifier) -> Bool {
        permitted.contains { $0.admits(identifier) }
    }
}

extension Manifest {
    /// What the scheduler needs of this manifest.
    package func appDescription(host: AppHost, bundleHash: String = "") -> AppDescription {
        var description = AppDescription(
            app: identifier, host: host, permitted: permitted, modes: modes, tasks: tasks.map(\.settings),
            bundleHash: bundleHash)
        description.pendingRefreshLimit = limits.pendingRefresh
        description.pendingProcessingLimit = limits.pendingProcessing
        return description
    }

    /// The tasks whose handler is a command.
    package var commands: [CommandTask] { tasks.compactMap(\.command) }
}
