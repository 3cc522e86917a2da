import FoundationEssentials
import Platform

/// Loads every bundle of the plugin folders. One bad bundle never stops the others.
package struct BundleLoader: Sendable {
    /// What a load found, in folder order; within a folder by name.
    package struct Result: Hashable, Sendable {
        package var bundles: [LoadedBundle] = []
        package var refused: [RefusedBundle] = []
        /// What is wrong with the folders themselves.
        package var folderProblems: [ManifestProblem] = []

        package var problems: [ManifestProblem] {
            folderProblems + refused.flatMap(\.problems) + bundles.flatMap(\.problems)
        }
    }

    /// What a folder's name ends with when it is a bundle.
    package static let bundleSuffix = ".plugin"

    /// The plugin folders; a bundle in an earlier one keeps its identifiers (B3).
    package var folders: [String]
    /// Accepts files that others could have written, and warns of them.
    package var trust: Bool
    /// Values for `$(NAME)`, which beat those of `Info.settings.json`.
    package var definitions: [String: String]
    /// The user that the runner runs as; only root can run tasks as other users.
    package var daemonUser: UInt32
    /// Where commands without a slash are found, like `PATH`; `nil` for the system's folders.
    package var searchPath: String?

    package init(
        folders: [String], trust: Bool = false, definitions: [String: String] = [:], daemonUser: UInt32,
        searchPath: String? = nil
    ) {
        self.folders = folders
        self.trust = trust
        self.definitions = definitions
        self.daemonUser = daemonUser
        self.searchPath = searchPath
    }

    /// Loads all bundles and settles who owns which identifier.
    package func load() -> Result {
        var result = Result()
        var ownership = IdentifierOwnership()
        var seen: Set<String> = []
        for folder in folders {
            for path in bundlePaths(in: folder, &result.folderProblems) {
                // The same folder may be named twice.
                guard seen.insert(FilePath.resolved(path)).inserted else { continue }
                switch examine(bundle: path) {
                case .failure(let refused):
                    result.refused.append(refused)
                case .success(let bundle):
                    let conflicts = ownership.claim(bundle)
                    if conflicts.isEmpty {
                        result.bundles.append(bundle)
                    } else {
                        result.refused.append(
                            RefusedBundle(path: path, app: bundle.app, problems: conflicts + bundle.problems))
                    }
                }
            }
        }
        return result
    }

    /// What examining one bundle came to.
    package enum Examination: Hashable, Sendable {
        case success(LoadedBundle)
        case failure(RefusedBundle)
    }

    /// Reads and checks one bundle, without regard to others. Its manifest may be named instead of its folder.
    package func examine(bundle path: String) -> Examination {
        let isManifest = ManifestFile.names.contains(FilePath.name(path)) && FileStatus(of: path)?.kind == .regular
        let path = isManifest ? FilePath.folder(path) : path
        let folder = FilePath.resolved(path)
        var trusted = BundleTrust(folder: folder, daemonUser: daemonUser, trust: trust)
        trusted.examinePluginFolder(FilePath.folder(path))
        trusted.examine(folder)
        // Whatever another user wrote is not even parsed.
        for name in ManifestFile.names + [ManifestFile.settingsName] {
            let file = FilePath.join(folder, name)
            if FileStatus(ofLinkOrFile: file) != nil { trusted.examine(file) }
        }
        guard !hasErrors(trusted.problems) else {
            return .failure(RefusedBundle(path: path, problems: trusted.problems))
        }
        var reading = ManifestReading.read(
            path: folder, purpose: .hosting, definitions: definitions, searchPath: searchPath)
        guard let manifest = reading.manifest else {
            return .failure(RefusedBundle(path: path, problems: reading.problems + trusted.problems))
        }
        for command in manifest.commands { examine(command, in: folder, &trusted, &reading.contents) }
        if let program = manifest.program {
            trusted.examine(program.path)
            Self.combine(program.path, into: &reading.contents)
            examine(program.arguments, at: folder, in: folder, &trusted, &reading.contents)
        }
        let file = reading.files.first ?? path
        var problems = trusted.problems + userProblems(of: manifest, file: file) + reading.problems
        if !hasErrors(trusted.problems), let problem = manifest.program?.libraryProblem(file: file) {
            problems.append(problem)
        }
        guard !hasErrors(problems) else {
            return .failure(RefusedBundle(path: path, app: manifest.identifier, problems: problems))
        }
        return .success(
            LoadedBundle(
                path: path, folder: folder, manifest: manifest, bundleHash: reading.contents.text, problems: problems))
    }

    // MARK: Private

    private func hasErrors(_ problems: [ManifestProblem]) -> Bool {
        problems.contains { $0.severity == .error }
    }

    private func bundlePaths(in folder: String, _ problems: inout [ManifestProblem]) -> [String] {
        guard let status = FileStatus(of: folder) else {
            problems.append(
                ManifestProblem(
                    .warning, .missingFolder, file: folder, message: "There is no such plugin folder.",
                    fix: "Make it, or name another with --plugins."))
            return []
        }
        guard status.kind == .folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            problems.append(
                ManifestProblem(
                    .error, .unreadable, file: folder, message: "This is not a folder that can be read.",
                    fix: "Name a folder with --plugins that the runner's user may read."))
            return []
        }
        return names.sorted()
            .filter { $0.hasSuffix(Self.bundleSuffix) && !$0.hasPrefix(".") }
            .map { FilePath.join(folder, $0) }
    }

    /// Examines a command's program, and what else it names of the bundle, such as a script.
    private func examine(
        _ command: CommandTask, in folder: String, _ trusted: inout BundleTrust, _ contents: inout StableHash
    ) {
        Self.combine(command.executable, into: &contents)
        let program = command.executable
        let isOwn = [program, FilePath.resolved(program)].contains { FilePath.relative($0, below: folder) != nil }
        if isOwn {
            trusted.examine(command.executable)
        } else {
            trusted.examineForeign(command.executable, "program")
        }
        examine(
            Array(command.command.dropFirst()), at: command.workingDirectory, in: folder, &trusted, &contents)
    }

    /// Examines the words of a command that name files of the bundle, or links of it to files; relative ones begin at a
    /// folder. Folders, and files that are a part of a word as in `--file=x`, are not seen.
    private func examine(
        _ words: [String], at start: String, in folder: String, _ trusted: inout BundleTrust,
        _ contents: inout StableHash
    ) {
        for word in words {
            let file = FilePath.isAbsolute(word) ? word : FilePath.join(start, word)
            guard FileStatus(of: file)?.kind == .regular else { continue }
            if FilePath.relative(FilePath.resolved(file), below: folder) != nil {
                trusted.examine(file)
            } else if FilePath.relative(file, below: folder).flatMap(FilePath.normalized) != nil {
                trusted.examineLink(file)
            } else {
                continue
            }
            Self.combine(file, into: &contents)
        }
    }

    /// Adds what shows that a file was changed.
    private static func combine(_ path: String, into contents: inout StableHash) {
        contents.combine(path)
        guard let status = FileStatus(of: path) else { return }
        contents.combine(status.size)
        contents.combine(status.modified)
    }

    private func userProblems(of manifest: Manifest, file: String) -> [ManifestProblem] {
        let problems = ProblemList(file: file)
        let ofCommands = manifest.commands.map { command in
            ("\(ManifestKey.tasks).\(command.identifier).\(TaskKey.user)", "a task", command.user)
        }
        let ofProgram = ("\(ManifestKey.plugin).\(PluginKey.user)", "a plugin", manifest.programUser)
        for (key, what, name) in ofCommands + [ofProgram] {
            guard let name else { continue }
            guard let user = UserDatabase.user(named: name) else {
                problems.error(
                    .userUnavailable, key, "There is no user \(KeyedReader.quoted(name)) on this system.",
                    fix: "Make that user, or name another.")
                continue
            }
            if daemonUser != 0, user.uid != daemonUser {
                problems.error(
                    .userUnavailable, key, "Only a runner that is started by root can run \(what) as \(name).",
                    fix: "Remove this key, or load the bundle into the system's runner.")
            }
        }
        return problems.problems
    }
}
